package recordlog

import (
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
)

// generated makes up what agents do: requests with calls, their results, and the end of the response. Ids are as random as real ones.
type generated struct {
	rnd  *mathrand.Rand
	now  time.Time
	head record.Head
}

func newGenerated() *generated {
	return &generated{mathrand.New(mathrand.NewPCG(1, 1)), time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), record.NewChain()}
}

var (
	madeWords = strings.Fields(`go test build the of run files in internal package with src main check whether that error list all
		grep json when handler server update config find and read write index module lint fix cmd docs internal/app search parse stream`)
	madeTools = []string{"Bash", "Read", "Edit", "Grep", "Glob", "Write", "WebFetch", "Task", "TodoWrite", "exec_command"}
)

func madeID(prefix string) string { return prefix + strings.ToLower(rand.Text()[:24]) }

func (g *generated) words(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = madeWords[min(g.rnd.IntN(len(madeWords)), g.rnd.IntN(len(madeWords)))]
	}
	return strings.Join(all, " ")
}

// request returns what one request leaves behind.
func (g *generated) request(tb testing.TB) (all []record.Entry) {
	tb.Helper()
	person := g.rnd.IntN(60)
	base := record.Event{
		Actor: call.Actor{
			Org: "acme", Team: fmt.Sprint("team-", person%12), Employee: fmt.Sprintf("employee%03d@acme.com", person), Key: fmt.Sprint("key", person),
			Session: fmt.Sprint("session-", person),
		},
		Exchange: call.Exchange{
			RequestID: madeID("req_"), ResponseID: madeID("msg_"), Provider: "anthropic", Dialect: "anthropic", Model: "claude-large",
		},
	}
	add := func(e record.Event) {
		g.now = g.now.Add(time.Duration(g.rnd.IntN(200)) * time.Millisecond / 7)
		e.ID, e.Time = record.NewID(), g.now
		u, err := e.Encode()
		if err != nil {
			tb.Fatal(err)
		}
		var sealed record.Entry
		sealed, g.head = g.head.Next(u)
		all = append(all, sealed)
	}
	for range g.rnd.IntN(5) {
		c := base
		c.Type, c.Surface, c.CallID, c.WireID = record.Types.ToolCall, call.Response, call.ID(madeID("call_")), madeID("toolu_")
		c.Tool = madeTools[min(g.rnd.IntN(10), g.rnd.IntN(10))]
		c.Ruling = record.Ruling{Verdict: "allow", PolicyVersion: "sha256:5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef"}
		c.Args = fmt.Appendf(nil, `{"command":"%s ./%s","description":"%s"}`, g.words(2), g.words(1), g.words(7))
		add(c)
		r := base
		r.Type, r.Surface, r.CallID, r.WireID, r.Tool = record.Types.ToolResult, call.Inbound, c.CallID, c.WireID, c.Tool
		add(r)
	}
	base.Type = record.Types.ResponseDone
	add(base)
	return all
}

// benchEvents is how many events benchmarks have, unless WEIR_LOG_EVENTS says otherwise.
const benchEvents = 200_000

// benchLog makes a log that has ended, in one form, and returns its folder and how many events it has.
func benchLog(b *testing.B, isPacked bool) (folder string, events int) {
	b.Helper()
	want := benchEvents
	if n, err := strconv.Atoi(os.Getenv("WEIR_LOG_EVENTS")); err == nil {
		want = n
	}
	l, g := create(b, Config{}), newGenerated()
	for events < want {
		var batch []record.Entry
		for len(batch) < 500 {
			batch = append(batch, g.request(b)...)
		}
		mustAppend(b, l, batch)
		events += len(batch)
	}
	if err := l.Close(false); err != nil {
		b.Fatal(err)
	}
	if isPacked {
		began := time.Now()
		if err := Compress(b.Context(), l.Folder()); err != nil {
			b.Fatal(err)
		}
		b.Logf("packed %d MB at %.0f MB/s", l.End()/1e6, float64(l.End())/1e6/time.Since(began).Seconds())
	}
	return l.Folder(), events
}

func onForms(b *testing.B, f func(b *testing.B, folder string, events int)) {
	for name, isPacked := range map[string]bool{"raw": false, "packed": true} {
		b.Run(name, func(b *testing.B) {
			folder, events := benchLog(b, isPacked)
			size, err := sizeOf(folder)
			if err != nil {
				b.Fatal(err)
			}
			b.ResetTimer()
			f(b, folder, events)
			b.ReportMetric(float64(size)/float64(events), "B/event")
		})
	}
}

// BenchmarkScan reads a log as verify does: with the hash of each text.
func BenchmarkScan(b *testing.B) {
	onForms(b, func(b *testing.B, folder string, events int) {
		bytes := int64(0)
		for b.Loop() {
			n := 0
			bytes = 0
			for g, err := range Scan(folder, 0) {
				if err != nil {
					b.Fatal(err)
				}
				_ = sha256.Sum256(g.Text)
				bytes += int64(len(g.Text))
				n++
			}
			if n != events {
				b.Fatalf("%d events, not %d", n, events)
			}
		}
		b.SetBytes(bytes)
		b.ReportMetric(float64(events)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
		b.ReportMetric(float64(bytes)/float64(events), "text-B/event")
	})
}

// BenchmarkText reads single events: anywhere, and the 50 that come last, as a page of the newest does.
func BenchmarkText(b *testing.B) {
	onForms(b, func(b *testing.B, folder string, _ int) {
		var at []Position
		for g, err := range Read(folder, 0) {
			if err != nil {
				b.Fatal(err)
			}
			at = append(at, g.At)
		}
		log := filepath.Base(folder)
		b.Run("random", func(b *testing.B) {
			a := NewArchive(filepath.Dir(folder), 0)
			for b.Loop() {
				if _, err := a.Text(log, at[mathrand.IntN(len(at))]); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("newest50", func(b *testing.B) {
			for b.Loop() {
				a := NewArchive(filepath.Dir(folder), 0)
				for _, p := range at[len(at)-50:] {
					if _, err := a.Text(log, p); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	})
}
