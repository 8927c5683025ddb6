package egress

import (
	"context"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/call"
)

// How long a ruling on a name is remembered. Programs look up a name several times in a row, with two questions at once.
const (
	releasedFor = time.Minute
	refusedFor  = 10 * time.Second
	maxVerdicts = 4096
)

// verdicts are rulings on names.
type verdicts struct {
	mu    sync.Mutex
	known map[string]*verdict
}

// A verdict is a ruling on a name, perhaps still being made.
type verdict struct {
	ready  chan struct{} // closed when there is a ruling
	ruling call.Ruling
	until  time.Time
}

// resolve rules on a name that is looked up. Simultaneous questions about a name share one ruling. It is made without the context
// of a client, because others may wait for it.
func (m *Monitor) resolve(ctx context.Context, name string) call.Ruling {
	v, mine := m.verdicts.of(name)
	if !mine {
		select {
		case <-v.ready:
			return v.ruling
		case <-ctx.Done():
			return call.Ruling{Code: call.CodeCutShort, Reason: "The lookup was given up."}
		}
	}
	ruling := m.cfg.Judge.Connect(m.ctx, call.Connection{
		Act: call.Resolve, Hosts: []string{name}, HostFrom: fromDNS, Protocol: "udp",
	})
	m.verdicts.settle(v, ruling)
	return ruling
}

// of returns the verdict on a name. If mine is true, the caller must settle it.
func (t *verdicts) of(name string) (v *verdict, mine bool) {
	now := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	if v := t.known[name]; v != nil && (!v.settled() || now.Before(v.until)) {
		return v, false
	}
	if t.known == nil {
		t.known = map[string]*verdict{}
	}
	t.makeRoom(now)
	v = &verdict{ready: make(chan struct{})}
	t.known[name] = v
	return v, true
}

// settled says that there is a ruling. The table's lock is held.
func (v *verdict) settled() bool { return !v.until.IsZero() }

// settle gives a verdict its ruling.
func (t *verdicts) settle(v *verdict, ruling call.Ruling) {
	holds := refusedFor
	if ruling.Released {
		holds = releasedFor
	}
	t.mu.Lock()
	v.ruling, v.until = ruling, time.Now().Add(holds)
	t.mu.Unlock()
	close(v.ready)
}

// makeRoom forgets verdicts if there are too many: first expired ones, and if that is not enough, any settled ones.
func (t *verdicts) makeRoom(now time.Time) {
	if len(t.known) < maxVerdicts {
		return
	}
	for name, v := range t.known {
		if v.settled() && !now.Before(v.until) {
			delete(t.known, name)
		}
	}
	for name, v := range t.known {
		if len(t.known) < maxVerdicts {
			return
		}
		if v.settled() {
			delete(t.known, name)
		}
	}
}
