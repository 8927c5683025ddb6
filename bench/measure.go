package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// A workload is text streams that run at once.
type workload struct {
	title   string
	turn    string
	streams int
	frames  int // text frames of each stream
}

// throughput measures the processor time that a text frame costs the proxies, and whether streams arrive as they were
// sent.
func (b *bench) throughput(ctx context.Context) error {
	for _, w := range []workload{
		{"text as fast as it is taken, 16 streams: processor time per text frame", "fast", 16, 4000},
		{"text in bursts of 8 frames every 10 ms, 50 streams: processor time per text frame", "bursts", 50, burst * int(b.paced/pace)},
		{"text at one frame every 10 ms, 50 streams: processor time per text frame", "paced", 50, int(b.paced / pace)},
	} {
		if err := b.compare(ctx, w); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) compare(ctx context.Context, w workload) error {
	for _, t := range b.proxies() { // connections and buffers are made before the first round
		if _, err := b.load(ctx, t, workload{turn: "fast", streams: w.streams, frames: 100}); err != nil {
			return err
		}
	}
	perFrame := map[*target]sample{}
	for round := range b.rounds {
		for i := range b.proxies() {
			t := b.proxies()[(round+i)%len(b.proxies())] // each is first as often as the other
			took, err := b.load(ctx, t, w)
			if err != nil {
				return err
			}
			perFrame[t] = append(perFrame[t], took)
		}
	}
	out := newTable(w.title, "", "minimum", "median", "× minimum", "× median", "streams byte for byte, so far")
	base := perFrame[b.proxy]
	for _, t := range b.proxies() {
		s := perFrame[t]
		out.row(t.name, micros(s.minimum()), micros(s.median()), ratio(s.minimum(), base.minimum()), ratio(s.median(), base.median()),
			fmt.Sprintf("%d of %d", t.right, t.right+t.wrong))
	}
	return out.end()
}

// load runs a workload through a proxy and returns the processor time per text frame.
func (b *bench) load(ctx context.Context, t *target, w workload) (time.Duration, error) {
	before, err := cpuTime(t.cmd.Process.Pid)
	if err != nil {
		return 0, err
	}
	exact, failures := make([]bool, w.streams), make([]error, w.streams)
	var group sync.WaitGroup
	for i := range w.streams {
		group.Go(func() {
			exact[i], failures[i] = t.exactly(ctx, w.turn, w.frames)
			if t.forgives(failures[i]) {
				failures[i] = nil
			}
		})
	}
	group.Wait()
	after, err := cpuTime(t.cmd.Process.Pid)
	if err := errors.Join(append(failures, err)...); err != nil {
		return 0, err
	}
	for _, ok := range exact {
		if ok {
			t.right++
		} else {
			t.wrong++
		}
	}
	return (after - before) / time.Duration(w.streams*w.frames), nil
}

// firstFrame measures how long the first frame takes, one response at a time.
func (b *bench) firstFrame(ctx context.Context) error {
	times := map[*target]sample{}
	for range b.firsts {
		for _, t := range b.all() {
			took, err := t.firstFrame(ctx)
			if t.forgives(err) {
				continue
			}
			if err != nil {
				return err
			}
			times[t] = append(times[t], took)
		}
	}
	return b.latencies("first frame: time from the request to its arrival, one stream", times)
}

// latencies prints times and what the proxies add to them.
func (b *bench) latencies(title string, times map[*target]sample) error {
	out := newTable(title, "", "median", "p99", "added median", "added p99")
	base := times[b.direct]
	for _, t := range b.all() {
		s := times[t]
		out.row(t.name, millis(s.median()), millis(s.quantile(0.99)),
			millis(s.median()-base.median()), millis(s.quantile(0.99)-base.quantile(0.99)))
	}
	return out.end()
}

// releasedCall measures how long a call takes from its last argument byte to its arrival. weir has it on disk by then.
func (b *bench) releasedCall(ctx context.Context) error {
	synced, err := b.syncTimes()
	if err != nil {
		return err
	}
	out := newTable("this disk: 4 KB appended and synced", "", "median", "p99")
	out.row("file", millis(synced.median()), millis(synced.quantile(0.99)))
	if err := out.end(); err != nil {
		return err
	}
	for _, streams := range []int{1, 16} {
		times := map[*target]sample{}
		for round := range b.rounds {
			for _, t := range b.all() {
				took, err := b.callTimes(ctx, t, callRound{streams: streams, each: max(1, b.calls/b.rounds/streams), round: round})
				if err != nil {
					return err
				}
				times[t] = append(times[t], took...)
			}
		}
		title := fmt.Sprintf("call: time from its last argument byte to its arrival, streams at once: %d", streams)
		if err := b.latencies(title, times); err != nil {
			return err
		}
	}
	return nil
}

// A callRound is streams that each ask for one turn with a call after the other.
type callRound struct{ streams, each, round int }

func (b *bench) callTimes(ctx context.Context, t *target, r callRound) (sample, error) {
	return t.timed(r.streams, r.each, func(i, n int) (time.Duration, error) {
		return t.call(ctx, &b.sent, fmt.Sprintf("%d_%d_%d_%d", r.streams, r.round, i, n))
	})
}

// timed has so many ask at once, each that often, and returns how long each took. What is forgiven does not count.
func (l *leniency) timed(atOnce, each int, ask func(i, n int) (time.Duration, error)) (all sample, err error) {
	times, failures := make([]sample, atOnce), make([]error, atOnce)
	var group sync.WaitGroup
	for i := range atOnce {
		group.Go(func() {
			for n := range each {
				took, err := ask(i, n)
				if l.forgives(err) {
					continue
				}
				if err != nil {
					failures[i] = err
					return
				}
				times[i] = append(times[i], took)
			}
		})
	}
	group.Wait()
	for _, s := range times {
		all = append(all, s...)
	}
	return all, errors.Join(failures...)
}

// syncTimes are how long the disk takes to make a little durable: what a record costs at least.
func (b *bench) syncTimes() (sample, error) {
	file, err := os.Create(filepath.Join(b.dir, "sync"))
	if err != nil {
		return nil, err
	}
	defer file.Close() // it is temporary
	var s sample
	page := make([]byte, 4<<10)
	for range 100 {
		began := time.Now()
		if _, err := file.Write(page); err != nil {
			return nil, err
		}
		if err := file.Sync(); err != nil {
			return nil, err
		}
		s = append(s, time.Since(began))
	}
	return s, nil
}
