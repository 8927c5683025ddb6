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

// A session is the session of a run. It is opened again after a restart of weir.
type session struct {
	request  control.SessionRequest
	response control.SessionResponse // of the first opening
	outer    *control.Client         // the client of the user who runs this
	inner    *control.Client         // the client of the session
	stop     context.CancelFunc
	done     sync.WaitGroup
	troubles

	mu     sync.Mutex
	detail record.SessionStarted
	open   *control.Session // the latest one
}

// newID returns a new id of a session, which is short enough to type.
func newID() string { return "run-" + strings.ToLower(rand.Text()[:10]) }

// openSession opens a session with the machine's weir.
func openSession(ctx context.Context, cfg Config) (*session, error) {
	s := &session{
		request: control.SessionRequest{
			ID: newID(), Token: admission.NewSessionToken(), Policy: cfg.Policy, Loopback: cfg.Loopback, Folder: cfg.Surroundings.Dir,
		},
		outer: cfg.Ask(""),
	}
	opened, err := s.outer.OpenSession(ctx, s.request)
	if err != nil {
		s.outer.Close()
		return nil, err
	}
	s.inner = cfg.Ask(s.request.Token)
	s.open, s.response = opened, opened.Response
	s.request.Port = opened.Response.Port // the agent knows this port
	s.request.Fixed = opened.Response.Fixed
	life, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.stop = stop
	s.done.Go(func() { s.reopenAlways(life) })
	return s, nil
}

// lookAgain is how often a lost session checks whether weir is back.
const lookAgain = 200 * time.Millisecond

// reopenAlways opens the session again whenever it is lost.
func (s *session) reopenAlways(ctx context.Context) {
	for {
		s.mu.Lock()
		opened, detail := s.open, s.detail
		s.mu.Unlock()
		select {
		case <-ctx.Done():
			return
		case <-opened.Lost:
		}
		if ctx.Err() != nil {
			return
		}
		s.note(fmt.Errorf("weir serve stopped during the run, at %s; the agent had no connections until it was back",
			time.Now().Format(time.TimeOnly)))
		if opened = s.reopen(ctx); opened == nil {
			return
		}
		s.mu.Lock()
		s.open = opened
		s.mu.Unlock()
		if err := s.outer.Started(ctx, control.SessionStarted{ID: s.request.ID, Detail: detail}); err != nil {
			s.note(err)
		}
	}
}

// reopen waits for a weir that accepts the session; nil: ctx ended first.
func (s *session) reopen(ctx context.Context) *control.Session {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(lookAgain):
		}
		if _, err := s.outer.Hello(ctx); err != nil {
			continue
		}
		opened, err := s.outer.OpenSession(ctx, s.request)
		if err == nil {
			return opened
		}
		s.note(err)
	}
}

// alive says whether the session is open. Only then it is weir that listens on its port.
func (s *session) alive() bool {
	s.mu.Lock()
	opened := s.open
	s.mu.Unlock()
	select {
	case <-opened.Lost:
		return false
	default:
		return true
	}
}

// started tells weir that the agent runs.
func (s *session) started(ctx context.Context, d record.SessionStarted) {
	s.mu.Lock()
	s.detail = d
	s.mu.Unlock()
	if err := s.outer.Started(ctx, control.SessionStarted{ID: s.request.ID, Detail: d}); err != nil {
		s.note(err)
	}
}

// ended tells weir that the agent has ended, and returns the summary.
func (s *session) ended(ctx context.Context, exit int) (summary.Session, error) {
	return s.outer.Ended(ctx, control.SessionEnded{ID: s.request.ID, Exit: exit})
}

// close ends the session.
func (s *session) close() {
	s.stop()
	s.done.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open.Close()
	s.inner.Close()
	s.outer.Close()
}
