package main

import (
	"context"
	"sync"
)

// workers is how many exchanges are under way at a time.
const workers = 24

// run plays cells against an address and returns what came of each, in their order.
func run(ctx context.Context, cells []*cell, address string) []finding {
	client := newClient()
	defer client.CloseIdleConnections()
	findings := make([]finding, len(cells))
	var next sync.Mutex
	at := 0
	take := func() int {
		next.Lock()
		defer next.Unlock()
		at++
		return at - 1
	}
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for i := take(); i < len(cells) && ctx.Err() == nil; i = take() {
				findings[i] = cells[i].judge(cells[i].ask(ctx, client, address))
			}
		})
	}
	all.Wait()
	return findings
}
