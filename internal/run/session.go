package run

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/summary"
)

// A keeper holds a session open, and opens it again after a restart of weir.
type keeper struct {
	request control.SessionRequest
	answer  control.SessionAnswer // of the first opening
	outer   *control.Client       // the client of the user who runs this
	inner   *control.Client       // the client of the session
	stop    context.CancelFunc
	done    sync.WaitGroup
	troubles

	mu      sync.Mutex
	detail  record.SessionStarted
	session *control.Session // the latest one
}

// newID returns a new id of a session, which is short enough to type.
func newID() string { return "run-" + strings.ToLower(rand.Text()[:10]) }

// openSession opens a session with the machine's weir.
func openSession(ctx context.Context, cfg Config) (*keeper, error) {
	k := &keeper{
		request: control.SessionRequest{ID: newID(), Token: admission.NewSessionToken(), Policy: cfg.Policy, Loopback: cfg.Loopback},
		outer:   cfg.Ask(""),
	}
	session, err := k.outer.OpenSession(ctx, k.request)
	if err != nil {
		k.outer.Close()
		return nil, err
	}
	k.inner = cfg.Ask(k.request.Token)
	k.session, k.answer = session, session.Answer
	k.request.Port = session.Answer.Port // the agent knows this port
	k.request.Fixed = session.Answer.Fixed
	life, stop := context.WithCancel(context.WithoutCancel(ctx))
	k.stop = stop
	k.done.Go(func() { k.keep(life) })
	return k, nil
}

// lookAgain is how often a keeper checks whether weir is back.
const lookAgain = 200 * time.Millisecond

// keep opens the session again whenever it is lost.
func (k *keeper) keep(ctx context.Context) {
	for {
		k.mu.Lock()
		session, detail := k.session, k.detail
		k.mu.Unlock()
		select {
		case <-ctx.Done():
			return
		case <-session.Lost:
		}
		if ctx.Err() != nil {
			return
		}
		k.note(fmt.Errorf("weir serve stopped during the run, at %s; the agent had no connections until it was back",
			time.Now().Format(time.TimeOnly)))
		if session = k.reopen(ctx); session == nil {
			return
		}
		k.mu.Lock()
		k.session = session
		k.mu.Unlock()
		if err := k.outer.Started(ctx, control.SessionStarted{ID: k.request.ID, Detail: detail}); err != nil {
			k.note(err)
		}
	}
}

// reopen waits for a weir that accepts the session; nil: ctx ended first.
func (k *keeper) reopen(ctx context.Context) *control.Session {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(lookAgain):
		}
		if _, err := k.outer.Hello(ctx); err != nil {
			continue
		}
		session, err := k.outer.OpenSession(ctx, k.request)
		if err == nil {
			return session
		}
		k.note(err)
	}
}

// alive says whether the session is open. Only then it is weir that listens on its port.
func (k *keeper) alive() bool {
	k.mu.Lock()
	session := k.session
	k.mu.Unlock()
	select {
	case <-session.Lost:
		return false
	default:
		return true
	}
}

// started tells weir that the agent runs.
func (k *keeper) started(ctx context.Context, d record.SessionStarted) {
	k.mu.Lock()
	k.detail = d
	k.mu.Unlock()
	if err := k.outer.Started(ctx, control.SessionStarted{ID: k.request.ID, Detail: d}); err != nil {
		k.note(err)
	}
}

// ended tells weir that the agent has ended, and returns the summary.
func (k *keeper) ended(ctx context.Context, exit int) (summary.Session, error) {
	return k.outer.Ended(ctx, control.SessionEnded{ID: k.request.ID, Exit: exit})
}

// close ends the session.
func (k *keeper) close() {
	k.stop()
	k.done.Wait()
	k.mu.Lock()
	defer k.mu.Unlock()
	k.session.Close()
	k.inner.Close()
	k.outer.Close()
}
