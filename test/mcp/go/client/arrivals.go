package main

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An arrival is a request or notification of the server.
type arrival struct {
	Method string `json:"method"`
	Params any    `json:"params"`
}

// arrivals collects what the server sends besides answers. The SDK may hand out an answer before a notification that came
// ahead of it.
type arrivals struct {
	mu      sync.Mutex
	changed *sync.Cond
	asked   []arrival
	noted   []arrival
	roots   bool // roots/list was asked
}

func newArrivals() *arrivals {
	a := &arrivals{}
	a.changed = sync.NewCond(&a.mu)
	return a
}

func (a *arrivals) ask(method string, params any) { a.add(&a.asked, arrival{method, params}) }

func (a *arrivals) note(method string, params any) { a.add(&a.noted, arrival{method, params}) }

func (a *arrivals) add(list *[]arrival, what arrival) {
	a.mu.Lock()
	defer a.mu.Unlock()
	*list = append(*list, what)
	a.changed.Broadcast()
}

// take waits until as much has arrived, and returns all that has since the last time. A wait in vain is cut off by whoever
// started this program.
func (a *arrivals) take(asks, notes int) (asked, noted []arrival) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(a.asked) < asks || len(a.noted) < notes {
		a.changed.Wait()
	}
	asked, noted = append([]arrival{}, a.asked...), append([]arrival{}, a.noted...)
	// What is asked for in one result is asked in any order.
	slices.SortStableFunc(asked, func(x, y arrival) int { return strings.Compare(x.Method, y.Method) })
	a.asked, a.noted = nil, nil
	return asked, noted
}

// watchRoots notices that the server asks for roots, which the SDK answers itself. Servers do so when they like.
func (a *arrivals) watchRoots(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if method == "roots/list" {
			a.mu.Lock()
			a.roots = true
			a.changed.Broadcast()
			a.mu.Unlock()
		}
		return next(ctx, method, req)
	}
}

func (a *arrivals) awaitRoots() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for !a.roots {
		a.changed.Wait()
	}
}
