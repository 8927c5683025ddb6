package store

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/audit"
	"github.com/weir-gate/weir/internal/call"
)

// BenchmarkRecord measures events per second that are durable before the next one begins, from so many agents at once.
func BenchmarkRecord(b *testing.B) {
	for _, agents := range []int{1, 16, 256} {
		b.Run(fmt.Sprint("agents=", agents), func(b *testing.B) {
			r := audit.NewRecorder(audit.Config{Store: openStore(b, filepath.Join(b.TempDir(), "weir.db"))})
			event := audit.Event{
				Type: audit.TypeToolCall, Actor: call.Actor{Session: "s1"}, Tool: "Bash", WireID: "toolu_01",
				Args: jsontext.Value(`{"command":"` + strings.Repeat("x", 200) + `"}`), Verdict: "allow",
			}
			b.ReportAllocs()
			b.ResetTimer()
			var group sync.WaitGroup
			for agent := range agents {
				group.Go(func() {
					answer := make(chan error, 1)
					for i := agent; i < b.N; i += agents {
						r.Record(event, func(err error) { answer <- err })
						if err := <-answer; err != nil {
							b.Error(err)
						}
					}
				})
			}
			group.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
			if err := r.Close(b.Context()); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// BenchmarkRuled measures how fast a ruling is found among many: in its response, in its conversation, or by its id,
// which in the worst case all calls have.
func BenchmarkRuled(b *testing.B) {
	const rows = 100_000
	for _, ids := range []string{"different", "same"} {
		s := openStore(b, filepath.Join(b.TempDir(), "weir.db"))
		r := audit.NewRecorder(audit.Config{Store: s, Queue: rows})
		id := func(i int) string {
			if ids == "same" {
				return "call_0"
			}
			return fmt.Sprint("call_", i)
		}
		for i := range rows {
			r.Record(audit.Event{Type: audit.TypeToolCall, Keep: &call.Kept{
				Upstream: "openai", Response: fmt.Sprint("resp_", i), Conversation: fmt.Sprint("conv_", i/100), WireID: id(i),
				Unit: "function_call", Notice: fmt.Sprint("msg_weir_", i), Ruling: call.Ruling{Released: i%10 != 0},
			}}, func(err error) {
				if err != nil {
					b.Error(err)
				}
			})
		}
		if err := r.Close(b.Context()); err != nil {
			b.Fatal(err)
		}
		for name, x := range map[string]func(i int) call.Exchange{
			"response": func(i int) call.Exchange {
				return call.Exchange{Provider: "openai", ResponseID: fmt.Sprint("resp_", i)}
			},
			"conversation": func(i int) call.Exchange {
				return call.Exchange{Provider: "openai", Conversation: fmt.Sprint("conv_", i/100)}
			},
			"id": func(int) call.Exchange { return call.Exchange{Provider: "openai"} },
		} {
			b.Run("ids="+ids+"/by="+name, func(b *testing.B) {
				for i := range b.N {
					at := i * 7919 % rows
					if _, found, err := s.Ruled(b.Context(), x(at), id(at)); err != nil || !found {
						b.Fatalf("found %v, %v", found, err)
					}
				}
			})
		}
	}
}
