package judge

import (
	"context"
	"sync"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
)

// newWork counts what it takes to judge something together. When ctx ends, the work ends.
func newWork(ctx context.Context) *policy.Work {
	return &policy.Work{Gone: func() bool { return ctx.Err() != nil }}
}

const (
	// largeArguments is the size of arguments that may take long to judge, and much memory.
	largeArguments = 16 << 10
	// maxLarge is how many calls with such arguments are judged at once for one client: others shall not wait for them.
	maxLarge = 2
)

// turns are the large calls that are being judged. The zero value is ready to use.
type turns struct {
	mu      sync.Mutex
	clients map[string]*turn
}

// A turn is what one client has judged.
type turn struct {
	taken chan struct{}
	users int // who have taken it, or wait for it
}

// take waits until a call may be judged, or ctx ends. done must be called.
func (t *turns) take(ctx context.Context, c call.Call) (done func()) {
	if len(c.Args) < largeArguments {
		return func() {}
	}
	name := c.Actor.Holder()
	t.mu.Lock()
	if t.clients == nil {
		t.clients = map[string]*turn{}
	}
	own := t.clients[name]
	if own == nil {
		own = &turn{taken: make(chan struct{}, maxLarge)}
		t.clients[name] = own
	}
	own.users++
	t.mu.Unlock()
	taken := false
	select {
	case own.taken <- struct{}{}:
		taken = true
	case <-ctx.Done(): // it is judged as one whose client is gone: that ends soon
	}
	return func() {
		if taken {
			<-own.taken
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		if own.users--; own.users == 0 {
			delete(t.clients, name)
		}
	}
}

// maxShown is how much of the arguments of a call is looked through for what must not be on record, when it was too much work to judge
// them: of larger ones nothing is shown.
const maxShown = 1 << 20

// showCostly has an event show what can be shown of arguments that it took too much work to judge: without all that any rule hides.
func showCostly(c call.Call, p *policy.Policy) (policy.Sanitized, error) {
	if len(c.Args) > maxShown {
		return policy.Sanitized{}, policy.ErrCostly
	}
	return p.ForRecordOfCode(c.Args)
}

// isEnded says that the judgement of the part was ended before it was done.
func (t *part) isEnded() bool {
	return t.decision.Code == call.CodeTooCostly || t.decision.Code == call.CodeCutShort
}
