package run

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"

	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/admission"
)

// SocketVariable is the variable with the socket for shims of a session; SessionVariable has the session's id.
const (
	SocketVariable  = "WEIR_SOCKET"
	SessionVariable = "WEIR_SESSION"
)

// socket returns the socket for the session's shims. In a network namespace its name belongs to the namespace: neither another
// session nor the program itself can replace it.
func (r *running) socket() string {
	if r.plan.watch == Namespace {
		return "@weir-" + r.session.request.ID
	}
	return r.scratch.path(socketFile)
}

// listenForShims opens the socket, if the session has no network namespace.
func (r *running) listenForShims() (net.Listener, error) {
	l, err := net.Listen("unix", r.socket())
	if err != nil {
		return nil, fmt.Errorf("open the socket of the session: %w", err)
	}
	if err := os.Chmod(r.socket(), 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("open the socket of the session: %w", err), l.Close())
	}
	return l, nil
}

// answerShims serves the shims of the session in the session's name: they cannot reach weir's own socket. Here they can ask only
// the questions of shims, each for its own server.
func (r *running) answerShims(l net.Listener) (stop func(), err error) {
	everyone, err := admission.New(admission.Config{})
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	server := control.NewServer(control.ServerConfig{
		Judge: r.session.inner, Admission: everyone, Peers: &r.peers,
		Enter: func(_ call.Actor, c control.Command) error { return r.session.inner.Enter(context.Background(), c) },
	})
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan struct{})
	go func() {
		defer close(served)
		if err := server.Serve(ctx, l); err != nil {
			r.note(err)
		}
	}()
	return func() {
		cancel()
		<-served
	}, nil
}
