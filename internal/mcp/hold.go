package mcp

import (
	"context"
	"errors"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/strictjson"
)

// Reasons for which a message cannot wait.
var (
	errTooMuchHeld = errors.New("more messages wait to be judged than there is room for")
	errFlood       = errors.New("more notifications wait to be judged than there is room for")
)

// holdOverhead is about the memory of a message that waits, beside its bytes.
const holdOverhead = 4 << 10

// codeOf is the code with which weir records that a message could not wait.
func codeOf(err error) string {
	var over *budget.Exceeded
	if errors.As(err, &over) {
		return call.CodeOverBudget
	}
	return call.CodeMalformed
}

// A hold is a message that waits for the judge. It is settled once: by the ruling, or by an event that makes the ruling pointless.
// Whoever settles it uses its Way.
type hold struct {
	way     Way
	size    int
	cost    int  // memory that it takes
	aside   bool // it belongs to no open request
	settled bool
	cancel  context.CancelFunc
}

// hold makes a message wait. The returned context ends with ctx, and when the message is settled. The caller holds s.mu, and calls
// work if there is no error.
func (s *Session) hold(ctx context.Context, m *jsonrpc.Message, h *hold) (context.Context, error) {
	h.size = len(m.Raw)
	if s.held+h.size > s.maxHeld {
		return nil, errTooMuchHeld
	}
	if h.aside && s.asides >= s.fromServer.max {
		return nil, errFlood
	}
	h.cost = holdOverhead + 2*len(m.Raw) + strictjson.Cost(m.Raw) // it is copied for the judge, and parsed
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

// settle settles a hold. It returns false if the hold was settled before. The caller holds s.mu, and uses the Way after it has
// unlocked s.mu.
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

// work runs f, which settles a hold, in a goroutine.
func (s *Session) work(f func()) {
	go func() {
		defer s.worked()
		f()
	}()
}

// worked notes that a goroutine of work has ended.
func (s *Session) worked() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.working--
	if s.working == 0 && s.quiet != nil {
		close(s.quiet)
		s.quiet = nil
	}
}
