package model

import (
	"errors"
	"fmt"
	"slices"
)

// errNoEndpoint says that a model does not serve what was asked for.
var errNoEndpoint = errors.New("the model has no such endpoint")

// pending are the calls of a conversation that have no output yet, by their place in it.
type pending struct{ calls []int }

func (p *pending) add(call int) { p.calls = append(p.calls, call) }

// none says which calls are still without an output.
func (p *pending) none() error {
	if len(p.calls) > 0 {
		return fmt.Errorf("%d calls have no output", len(p.calls))
	}
	return nil
}

// answered gives the output of a call, which must wait for one.
func (h *History) answered(p *pending, id, output string) error {
	at := slices.IndexFunc(p.calls, func(call int) bool { return h.Calls[call].ID == id })
	if at < 0 {
		return fmt.Errorf("an output is for %q, which waits for none", id)
	}
	h.Calls[p.calls[at]].Output = output
	p.calls = slices.Delete(p.calls, at, at+1)
	return nil
}
