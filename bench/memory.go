package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"sync"
)

// memory measures what an open stream that says nothing costs, in proxies that have done nothing before.
func (b *bench) memory(ctx context.Context) error {
	proxy, err := b.startProxy()
	if err != nil {
		return err
	}
	defer proxy.stop()
	weir, err := b.startWeir("idle.db")
	if err != nil {
		return err
	}
	defer weir.stop()
	out := newTable(fmt.Sprintf("memory: resident, with %d open streams that say nothing", b.idle), "", "without", "with", "per stream", "×")
	var base float64
	for _, t := range []*target{proxy, weir} {
		before, after, err := t.idle(ctx, b.idle)
		if err != nil {
			return err
		}
		each := float64(after-before) / float64(b.idle) / 1024
		if t == proxy {
			base = each
		}
		out.row(t.name, fmt.Sprintf("%d MB", before>>20), fmt.Sprintf("%d MB", after>>20), fmt.Sprintf("%.1f KB", each),
			fmt.Sprintf("%.2f", each/base))
	}
	return out.end()
}

// idle opens so many streams and returns the process's memory before and with them.
func (t *target) idle(ctx context.Context, streams int) (before, after int64, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if before, err = residentMemory(t.cmd.Process.Pid); err != nil {
		return 0, 0, err
	}
	var open []*http.Response
	defer func() {
		for _, resp := range open {
			resp.Body.Close() // it has no end
		}
	}()
	var mu sync.Mutex
	var failure error
	var group sync.WaitGroup
	const openers = 20
	for i := range openers {
		group.Go(func() {
			for range (streams + i) / openers {
				resp, err := t.opened(ctx)
				for t.forgives(err) {
					resp, err = t.opened(ctx)
				}
				mu.Lock()
				if err != nil {
					failure = err
				} else {
					open = append(open, resp)
				}
				mu.Unlock()
				if err != nil {
					return
				}
			}
		})
	}
	group.Wait()
	if failure != nil {
		return 0, 0, failure
	}
	after, err = residentMemory(t.cmd.Process.Pid)
	return before, after, err
}

// opened asks for a stream and reads what comes before the silence.
func (t *target) opened(ctx context.Context) (*http.Response, error) {
	resp, err := t.ask(ctx, "turn=idle")
	if err != nil {
		return nil, err
	}
	lines := bufio.NewReader(resp.Body)
	if err := readUntil(lines, "\n"); err != nil {
		resp.Body.Close() // it is broken
		return nil, err
	}
	return resp, nil
}
