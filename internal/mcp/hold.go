package mcp

import (
	"context"
	"errors"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/strictjson"
)

// The ways in which a message cannot wait.
var (
	errTooMuchHeld = errors.New("more messages wait to be judged than there is room for")
	errFlood       = errors.New("more notifications wait to be judged than there is room for")
)

// holdOverhead is about what a message that waits takes beside its bytes.
const holdOverhead = 4 << 10

// codeOf is the code under which it is on record that a message could not wait.
func codeOf(err error) string {
	var over *budget.Exceeded
	if errors.As(err, &over) {
		return call.CodeOverBudget
	}
	return call.CodeMalformed
}

// A hold is a message that waits for the judge. It is settled once: by what the judge said, or by whoever made that
// pointless. Who settles it uses its Way.
type hold struct {
	way     Way
	size    int
	cost    int  // memory that it takes
	aside   bool // it belongs to no open request
	settled bool
	cancel  context.CancelFunc
}

// hold makes a message wait. The context ends with ctx, and when the message is settled. The caller has s.mu, and calls work
// if there is no error.
func (s *Session) hold(ctx context.Context, m *jsonrpc.Message, h *hold) (context.Context, error) {
	h.size = len(m.Raw)
	if s.held+h.size > s.maxHeld {
		return nil, errTooMuchHeld
	}
	if h.aside && s.asides >= s.fromServer.max {
		return nil, errFlood
	}
	h.cost = holdOverhead + 2*len(m.Raw) + strictjson.Cost(m.Raw) // it is judged in a copy, and read
	if err := s.tab.Take(h.cost); err != nil {
		return nil, err
	}
	ctx, h.cancel = context.WithCancel(ctx)
	s.holds[h] = struct{}{}
	s.held += h.size
	if h.aside {
		s.asides++
	}
	s.working++
	return ctx, nil
}

// settle reports whether the hold was not settled before. The caller has s.mu, and uses the Way once it has left it.
func (s *Session) settle(h *hold) bool {
	if h.settled {
		return false
	}
	h.settled = true
	h.cancel()
	delete(s.holds, h)
	s.held -= h.size
	s.tab.Give(h.cost)
	if h.aside {
		s.asides--
	}
	if len(s.holds) == 0 {
		s.fromClient.flooded, s.fromServer.flooded = false, false
	}
	return true
}

// work runs what a hold waits for.
func (s *Session) work(f func()) {
	go func() {
		defer s.worked()
		f()
	}()
}

// worked counts a goroutine out.
func (s *Session) worked() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.working--
	if s.working == 0 && s.quiet != nil {
		close(s.quiet)
		s.quiet = nil
	}
}
