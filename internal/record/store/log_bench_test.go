package store

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/follower"
	"github.com/weir-gate/weir/internal/record/recorder"
	"github.com/weir-gate/weir/internal/record/recordlog"
)

// A bareLog is what nothing can be faster than: whoever has a text hands it over, and one goroutine writes all that wait with one write
// and one sync.
type bareLog struct {
	file recordlog.File
	at   int64

	mu      sync.Mutex
	texts   []byte
	spare   []byte // for the next batch
	waiting []chan struct{}
	wake    chan struct{}
}

const bareSize = 64 << 20

func newBareLog(b *testing.B) *bareLog {
	b.Helper()
	f, err := recordlog.Disk.Create(filepath.Join(b.TempDir(), "bare"), bareSize)
	if err != nil {
		b.Fatal(err)
	}
	l := &bareLog{file: f, wake: make(chan struct{}, 1)}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for range l.wake {
			l.commit(b)
		}
	}()
	b.Cleanup(func() {
		close(l.wake)
		<-ended
		f.Close() // nobody reads it
	})
	return l
}

func (l *bareLog) write(text []byte, done chan struct{}) {
	l.mu.Lock()
	l.texts, l.waiting = append(l.texts, text...), append(l.waiting, done)
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
	<-done
}

func (l *bareLog) commit(b *testing.B) {
	l.mu.Lock()
	texts, waiting := l.texts, l.waiting
	l.texts, l.waiting = l.spare[:0], nil
	l.spare = texts
	l.mu.Unlock()
	if len(waiting) == 0 {
		return
	}
	if l.at+int64(len(texts)) > bareSize {
		l.at = 0
	}
	if _, err := l.file.WriteAt(texts, l.at); err != nil {
		b.Error(err)
	}
	if err := l.file.Sync(); err != nil {
		b.Error(err)
	}
	l.at += int64(len(texts))
	for _, done := range waiting {
		done <- struct{}{}
	}
}

// nowhere is a store that takes everything at no cost.
type nowhere struct{}

func (nowhere) Append(context.Context, []record.Entry) error { return nil }

func (nowhere) Head(_ context.Context, chain string) (record.Head, error) {
	return record.Head{Chain: chain, Hash: record.Genesis}, nil
}

// logged starts a recorder on a log that a store follows.
func logged(b *testing.B, s follower.Store) *recorder.Recorder {
	b.Helper()
	log, err := recordlog.Create(recordlog.Config{Folder: filepath.Join(b.TempDir(), "log")})
	if err != nil {
		b.Fatal(err)
	}
	f := follower.New(follower.Config{Log: log, Store: s})
	r := recorder.New(recorder.Config{Store: f})
	b.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
		defer cancel()
		_ = r.Close(context.Background())
		_ = f.Close(ctx) // the store need not catch up
	})
	return r
}

// atOnce has n goroutines do something at the same moment, and returns how long the last one took.
func atOnce(n int, do func(i int)) time.Duration {
	var ready, done sync.WaitGroup
	begin := make(chan struct{})
	for i := range n {
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-begin
			do(i)
		})
	}
	ready.Wait()
	began := time.Now()
	close(begin)
	done.Wait()
	return time.Since(began)
}

// BenchmarkLogged measures the record that calls wait for, beside bare writes of the same texts by as many goroutines; the two take
// turns. The log is followed by a store that costs nothing, and by SQLite, which takes CPU meanwhile.
func BenchmarkLogged(b *testing.B) {
	for name, s := range map[string]func(b *testing.B) follower.Store{
		"nowhere": func(*testing.B) follower.Store { return nowhere{} },
		"sqlite": func(b *testing.B) follower.Store {
			return openURL(b, "sqlite://"+filepath.Join(b.TempDir(), "weir.db"))
		},
	} {
		for _, n := range []int{1, 100, 1000} {
			b.Run(fmt.Sprint("last/", name, "/calls=", n), func(b *testing.B) { benchLast(b, s(b), n) })
		}
		b.Run("events/"+name+"/agents=1000", func(b *testing.B) { benchEvents(b, s(b), 1000) })
	}
}

// benchLast measures how long the last of n calls waits that are complete at the same moment.
func benchLast(b *testing.B, s follower.Store, n int) {
	r, bare, work := logged(b, s), newBareLog(b), newWorkload()
	var last, base []time.Duration
	done := make([]chan struct{}, n)
	for i := range done {
		done[i] = make(chan struct{}, 1)
	}
	for round := 0; b.Loop(); round++ {
		events := work.calls(n, round)
		texts := make([][]byte, n)
		for i, e := range events {
			texts[i] = sealedText(b, e)
		}
		last = append(last, atOnce(n, func(i int) {
			r.Record(events[i], func(err error) { done[i] <- struct{}{}; failIf(b, err) })
			<-done[i]
		}))
		base = append(base, atOnce(n, func(i int) { bare.write(texts[i], done[i]) }))
	}
	b.ReportMetric(0, "ns/op") // of both together: it says nothing
	b.ReportMetric(millis(quantile(last, 0.5)), "ms-last")
	b.ReportMetric(millis(quantile(base, 0.5)), "ms-bare")
	b.ReportMetric(quantile(last, 0.5).Seconds()/quantile(base, 0.5).Seconds(), "last×bare")
}

// benchEvents measures how many events a second become durable when n goroutines each wait for theirs.
func benchEvents(b *testing.B, s follower.Store, n int) {
	const each = 20
	r, bare, work := logged(b, s), newBareLog(b), newWorkload()
	var took, base time.Duration
	var busy int64 // CPU of recording, without the baseline's
	events := 0
	done := make([]chan struct{}, n)
	for i := range done {
		done[i] = make(chan struct{}, 1)
	}
	given := make([]record.Event, n*each)
	for round := 0; b.Loop(); round++ {
		for i := range given {
			given[i] = work.event(i/each, round*each+i%each)
		}
		before := cpu()
		took += atOnce(n, func(i int) {
			for k := range each {
				r.Record(given[i*each+k], func(err error) { done[i] <- struct{}{}; failIf(b, err) })
				<-done[i]
			}
		})
		busy += cpu() - before
		texts := make([][]byte, n)
		for i := range texts {
			texts[i] = sealedText(b, work.event(i, round))
		}
		base += atOnce(n, func(i int) {
			for range each {
				bare.write(texts[i], done[i])
			}
		})
		events += n * each
	}
	b.ReportMetric(0, "ns/op") // of both together: it says nothing
	b.ReportMetric(float64(events)/took.Seconds(), "events/s")
	b.ReportMetric(float64(events)/base.Seconds(), "bare/s")
	b.ReportMetric(base.Seconds()/took.Seconds(), "×bare")
	b.ReportMetric(float64(busy)/1000/float64(events), "cpu-µs/event")
}

// sealedText is the text of an event.
func sealedText(b *testing.B, e record.Event) []byte {
	b.Helper()
	u, err := e.Encode()
	if err != nil {
		b.Fatal(err)
	}
	sealed, _ := record.NewChain().Next(u)
	return sealed.Text
}

func failIf(b *testing.B, err error) {
	if err != nil {
		b.Error(err)
	}
}
