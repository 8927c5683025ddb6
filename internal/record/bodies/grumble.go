package bodies

import (
	"fmt"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/call"
)

// grumbleEvery is the least time between reports about bodies that are not stored: overload drops many at once.
const grumbleEvery = time.Minute

// A grumbler reports bodies that are not stored.
type grumbler struct {
	cfg Config

	mu    sync.Mutex
	count int       // since the last report
	cause error     // the last error of the store; nil: there was none
	last  time.Time // when the last report was
}

// tell notes why the store failed to store bodies.
func (g *grumbler) tell(cause error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.cause = cause
}

// dropped counts a body that is not stored, and reports it unless a report was made just now.
func (g *grumbler) dropped(why call.NotStored) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.count++
	now := g.cfg.Now()
	if !g.last.IsZero() && now.Sub(g.last) < grumbleEvery {
		return
	}
	err := fmt.Errorf("%d bodies are not kept; the last one: %s", g.count, why)
	if g.cause != nil {
		err = fmt.Errorf("%w: %w", err, g.cause)
	}
	g.last, g.count, g.cause = now, 0, nil
	g.cfg.OnError(err)
}
