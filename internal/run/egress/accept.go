package egress

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"
	"time"
)

// accept accepts connections until the listener is closed, and handles each in its own goroutine. When handle returns, the
// connection is ended.
func (m *Monitor) accept(l net.Listener, handle func(net.Conn)) error {
	release, ok := m.hold(l)
	if !ok {
		return nil
	}
	defer release()
	for {
		conn, err := m.next(l)
		if err != nil || conn == nil {
			return err
		}
		free, ok := m.admit(conn)
		if !ok {
			continue
		}
		go func() {
			defer free()
			defer abort(conn) // a connection that ended in order is closed already
			handle(conn)
		}()
	}
}

// next returns the next connection of a listener; nil: the listener is closed.
func (m *Monitor) next(l net.Listener) (net.Conn, error) {
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		conn, err := l.Accept()
		switch {
		case err == nil:
			return conn, nil
		case errors.Is(err, net.ErrClosed):
			return nil, nil
		case !passing(err):
			return nil, fmt.Errorf("accept a connection: %w", err)
		}
		m.troubles.report("accept", fmt.Errorf("accept a connection: %w", err))
		if !m.pause(pause) {
			return nil, nil
		}
	}
}

// passing says that an error of a listener is temporary: there are too many open files, or the other end is already gone.
func passing(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ECONNABORTED) ||
		errors.Is(err, syscall.ENOBUFS) || errors.Is(err, syscall.ENOMEM)
}

// pause waits. It returns false if the monitor is closed meanwhile.
func (m *Monitor) pause(d time.Duration) bool {
	ctx, cancel := context.WithTimeout(m.ctx, d)
	defer cancel()
	<-ctx.Done()
	return m.ctx.Err() == nil
}

// admit takes a slot for a connection. If there is none, the connection is reset.
func (m *Monitor) admit(conn net.Conn) (free func(), ok bool) {
	select {
	case m.slots <- struct{}{}:
	default:
		m.troubles.report("crowd", fmt.Errorf("the session has %d connections: further ones are refused", maxConnections))
		abort(conn)
		return nil, false
	}
	release, ok := m.hold(conn)
	if !ok {
		<-m.slots
		return nil, false
	}
	return func() {
		release()
		<-m.slots
	}, true
}
