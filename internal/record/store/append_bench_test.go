package store

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/recorder"
)

// agents record events through recorders, each its own, one after the other: the next when the last is durable.
type agents struct {
	workload
	recorders []*recorder.Recorder // dealt out in turn
	n         int
	done      int // events of each so far
}

// record records at least so many events more and returns how many they were.
func (a *agents) record(b *testing.B, events int) int {
	b.Helper()
	each := (events + a.n - 1) / a.n
	var group sync.WaitGroup
	for agent := range a.n {
		group.Go(func() {
			answer := make(chan error, 1)
			for i := range each {
				a.recorders[agent%len(a.recorders)].Record(a.event(agent, a.done+i), func(err error) { answer <- err })
				if err := <-answer; err != nil {
					b.Error(err)
				}
			}
		})
	}
	group.Wait()
	a.done += each
	return each * a.n
}

// BenchmarkRecord measures how many events per second become durable when so many agents each wait for theirs. The baseline
// writes the same texts in the same commits, bare; the two take turns.
func BenchmarkRecord(b *testing.B) {
	for _, d := range durables(b) {
		s := openURL(b, d.url)
		base := newBare(b, s)
		for _, n := range []int{1, 16, 256, 1000} {
			b.Run(fmt.Sprint(d.name, "/agents=", n), func(b *testing.B) {
				seen := &batches{Store: s}
				r := recorder.New(recorder.Config{Store: seen})
				a := agents{workload: newWorkload(), recorders: []*recorder.Recorder{r}, n: n}
				const turns = 8
				var events, commits int
				var bare time.Duration
				b.ReportAllocs()
				b.ResetTimer()
				for events < b.N {
					b.StartTimer()
					events += a.record(b, max(1, b.N/turns))
					b.StopTimer()
					commits += len(seen.stored)
					bare += seen.bared(b, base)
				}
				b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
				b.ReportMetric(float64(events)/float64(commits), "events/commit")
				b.ReportMetric(float64(events)/bare.Seconds(), "bare-events/s")
				b.ReportMetric(b.Elapsed().Seconds()/bare.Seconds(), "×bare")
				if err := r.Close(b.Context()); err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}

// BenchmarkAppend measures how fast batches of a size are stored, beside the same texts in the same commits, bare.
func BenchmarkAppend(b *testing.B) {
	for _, d := range durables(b) {
		s := openURL(b, d.url)
		base := newBare(b, s)
		for _, size := range []int{1, 10, 100, 500} {
			b.Run(fmt.Sprint(d.name, "/batch=", size), func(b *testing.B) {
				var took, bare time.Duration
				events, work := make([]record.Event, size), newWorkload()
				n := 0
				for b.Loop() {
					b.StopTimer()
					for i := range events {
						events[i] = work.event(n/3%200, n)
						n++
					}
					entries := sealed(b, events...)
					bare += base.commit(b, entries)
					b.StartTimer()
					began := time.Now()
					if err := s.Append(b.Context(), entries); err != nil {
						b.Fatal(err)
					}
					took += time.Since(began)
				}
				b.ReportMetric(float64(n)/took.Seconds(), "events/s")
				b.ReportMetric(float64(n)/bare.Seconds(), "bare-events/s")
				b.ReportMetric(took.Seconds()/bare.Seconds(), "×bare")
			})
		}
	}
}

// BenchmarkProcesses measures how much several processes, each with agents of its own, record on one server together.
func BenchmarkProcesses(b *testing.B) {
	url := durables(b)[1].url
	for _, processes := range []int{1, 4, 16} {
		b.Run(fmt.Sprint("processes=", processes), func(b *testing.B) {
			const each = 16
			a := agents{workload: newWorkload(), n: each * processes}
			for range processes {
				a.recorders = append(a.recorders, recorder.New(recorder.Config{Store: openURL(b, url)}))
			}
			b.ResetTimer()
			events := a.record(b, b.N)
			b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
			for _, r := range a.recorders {
				if err := r.Close(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
