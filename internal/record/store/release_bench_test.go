package store

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/recorder"
)

// BenchmarkRelease measures how long calls wait for their record when so many are complete at once. The baseline is one bare
// group commit: all their texts, written and synced in one transaction, with nothing beside them. The two take turns.
func BenchmarkRelease(b *testing.B) {
	for _, d := range durables(b) {
		s := openURL(b, d.url)
		base := newBare(b, s)
		for _, calls := range []int{1, 100, 1000} {
			b.Run(fmt.Sprint(d.name, "/calls=", calls), func(b *testing.B) {
				seen := &batches{Store: s}
				r := recorder.New(recorder.Config{Store: seen})
				work := newWorkload()
				var middle, last, bare []time.Duration
				for n := 0; b.Loop(); n++ {
					waited := releaseAtOnce(b, r, work.calls(calls, n))
					middle, last = append(middle, quantile(waited, 0.5)), append(last, quantile(waited, 1))
					var all []record.Entry
					for _, entries := range seen.stored {
						all = append(all, entries...)
					}
					seen.stored = nil
					bare = append(bare, base.commit(b, all))
				}
				one := quantile(bare, 0.5)
				b.ReportMetric(0, "ns/op") // of both together: it says nothing
				b.ReportMetric(millis(quantile(middle, 0.5)), "ms-median")
				b.ReportMetric(millis(quantile(last, 0.5)), "ms-last")
				b.ReportMetric(millis(quantile(last, 0.99)), "ms-last-p99")
				b.ReportMetric(millis(one), "ms-bare")
				b.ReportMetric(quantile(middle, 0.5).Seconds()/one.Seconds(), "median×bare")
				b.ReportMetric(quantile(last, 0.5).Seconds()/one.Seconds(), "last×bare")
				if err := r.Close(b.Context()); err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}

// calls are the nth calls of so many agents.
func (w workload) calls(agents, n int) []record.Event {
	all := make([]record.Event, agents)
	for agent := range all {
		all[agent] = w.event(agent, 3*n)
	}
	return all
}

// releaseAtOnce records calls that all come at the same moment and returns how long each waited from then on.
func releaseAtOnce(b *testing.B, r *recorder.Recorder, calls []record.Event) []time.Duration {
	b.Helper()
	waited := make([]time.Duration, len(calls))
	var ready, released sync.WaitGroup
	complete := make(chan struct{})
	var began time.Time // set before complete is closed
	for i, event := range calls {
		ready.Add(1)
		released.Go(func() {
			answer := make(chan error, 1)
			ready.Done()
			<-complete
			r.Record(event, func(err error) { answer <- err })
			if err := <-answer; err != nil {
				b.Error(err)
			}
			waited[i] = time.Since(began)
		})
	}
	ready.Wait()
	began = time.Now()
	close(complete)
	released.Wait()
	return waited
}
