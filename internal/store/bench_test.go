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
