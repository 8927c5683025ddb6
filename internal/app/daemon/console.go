package daemon

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/app/console"
	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/call"
)

// A room is the console. It is opened when somebody asks for it, so that no port is taken before.
type room struct {
	mu       sync.Mutex
	console  *console.Console
	listener net.Listener
	end      context.CancelFunc
	served   sync.WaitGroup
	closed   bool
}

// consoleHost is a name that browsers take for this machine. Pages of other programs here have other names, so they never get the cookie.
const consoleHost = "weir.localhost"

var errPeopleOpen = errors.New("weir.yaml names people: a link would be anybody's, so the console needs a login of theirs")

// Open implements control.Approvals: it opens the console on a free port of this machine, and returns a link for one login.
func (a *approvals) Open(_ context.Context, who call.Actor) (string, error) {
	switch {
	case who.Session != "":
		return "", errInsideVote
	case who != call.Actor{}:
		return "", errClientWatch
	case len(a.d.cfg.Config.People) > 0:
		return "", errPeopleOpen
	}
	r := &a.d.room
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return "", errors.New("open the console: weir is about to end")
	}
	if r.console == nil {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return "", fmt.Errorf("open the console: %w", err)
		}
		r.listener = l
		r.console = console.New(console.Config{Desk: people{a}, Host: consoleHost, Log: a.d.cfg.Log})
		serving, end := context.WithCancel(context.Background()) // longer than the request that opens it
		r.end = end
		r.served.Go(func() {
			if err := r.console.Serve(serving, l); err != nil {
				a.d.cfg.Log.Error("the console has ended", "err", err)
			}
		})
	}
	_, port, err := net.SplitHostPort(r.listener.Addr().String())
	if err != nil {
		return "", err
	}
	return "http://" + net.JoinHostPort(consoleHost, port) + r.console.Link(), nil
}

// close ends the console, if somebody opened it, and waits for what it serves.
func (r *room) close() {
	r.mu.Lock()
	r.closed = true
	if r.end != nil {
		r.end()
	}
	r.mu.Unlock()
	r.served.Wait()
}

// isPort says whether the console listens on a port.
func (r *room) isPort(port uint16) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.listener == nil {
		return false
	}
	at, ok := r.listener.Addr().(*net.TCPAddr)
	return ok && at.Port == int(port)
}

// people implements console.Desk.
type people struct{ *approvals }

// List implements console.Desk.
func (p people) List(ctx context.Context, f approval.Filter) ([]approval.Request, error) {
	return p.desk.List(ctx, f)
}

// Cast implements console.Desk.
func (p people) Cast(ctx context.Context, b control.Ballot) (approval.Request, bool, error) {
	person, proved, err := p.identify(b.User, b.Code)
	if err != nil {
		return approval.Request{}, false, err
	}
	return p.desk.Cast(ctx, b.ID, approval.Vote{
		Voter: person, Yes: b.Yes, Scope: b.Scope, Reason: b.Reason, Display: b.Display, Channel: b.Channel, Factor: proved,
	})
}

// Identify implements console.Desk.
func (p people) Identify(user, code string) (approval.Person, error) {
	person, _, err := p.identify(user, code)
	return person, err
}

// Looked implements console.Desk.
func (p people) Looked(lasts time.Duration) { p.look(lasts) }
