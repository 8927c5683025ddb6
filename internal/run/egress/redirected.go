package egress

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"time"

	"github.com/weir-gate/weir/internal/call"
)

// portDNS is where names are looked up, over TCP as over UDP.
const portDNS = 53

// Redirected takes connections that their programs opened to somewhere else, until l is closed. destination knows where to.
func (m *Monitor) Redirected(l net.Listener, destination func(net.Conn) (netip.AddrPort, error)) error {
	return m.accept(l, func(conn net.Conn) {
		to, err := destination(conn)
		if err != nil {
			m.troubles.report("destination", fmt.Errorf("find the destination of a connection: %w", err))
			return
		}
		to = netip.AddrPortFrom(to.Addr().Unmap(), to.Port())
		switch {
		case to.Port() == portDNS:
			m.stream(conn)
		case !to.IsValid(), to.Addr().IsLoopback(), to.Addr().IsUnspecified():
			// The loopback that was dialled is the session's. This side's is another, and the way there is Loopback.
			m.troubles.report("destination", fmt.Errorf("a connection to %v was redirected, but has no destination", to))
		default:
			m.redirected(conn, to)
		}
	})
}

// redirected leads one connection on.
func (m *Monitor) redirected(conn net.Conn, to netip.AddrPort) {
	c := &client{Conn: conn}
	who := m.who(addrPort(conn.RemoteAddr()), to)
	seen, st, err := c.glimpse(waits{first: m.patience, open: m.patience}, afresh)
	if err != nil {
		return
	}
	p := passage{m: m, client: c, heard: st, seen: seen, place: m.places.at(to.Addr()), conn: call.Connection{
		Act: call.Connect, Addr: to.Addr(), Port: to.Port(), Protocol: "tcp", Loopback: m.machine.has(to.Addr()), Process: <-who,
	}}
	p.place.describe(&p.conn, seen)
	if !p.allowed(m.judge) {
		return
	}
	server, err := m.dial(m.ctx, to)
	if err != nil {
		return // the reset says it
	}
	p.lead(server)
}

// Loopback takes connections to a port of the machine's loopback, which lead to the service that listens there, until l is closed.
func (m *Monitor) Loopback(l net.Listener, port uint16) error {
	return m.accept(l, func(conn net.Conn) {
		if port == m.cfg.Own {
			m.toOwn(conn)
			return
		}
		m.toLoopback(conn, port)
	})
}

// toLoopback leads one connection to a service of the machine. That may be a proxy, so that names count there as well.
func (m *Monitor) toLoopback(conn net.Conn, port uint16) {
	c := &client{Conn: conn}
	asked, other := netip.AddrPortFrom(loopbackIPv4, port), netip.AddrPortFrom(netip.IPv6Loopback(), port)
	here := addrPort(conn.LocalAddr())
	if here.Addr().Is6() {
		asked, other = other, asked
	}
	found := m.who(addrPort(conn.RemoteAddr()), here)
	seen, st, err := c.glimpse(waits{first: m.patience, open: m.patience}, afresh)
	if err != nil {
		return
	}
	who := <-found
	// Services listen in one family or in both, and programs often try both themselves.
	for _, to := range []netip.AddrPort{asked, other} {
		p := passage{m: m, client: c, heard: st, seen: seen, place: place{addr: to.Addr()}, conn: call.Connection{
			Act: call.Connect, Addr: to.Addr(), Port: port, Protocol: "tcp", Loopback: true, Process: who,
		}}
		p.place.describe(&p.conn, seen)
		if !p.allowed(m.judge) {
			return
		}
		if server, err := m.dial(m.ctx, to); err == nil {
			p.lead(server)
			return
		}
	}
}

// who finds out whose a connection is, while other things are done.
func (m *Monitor) who(local, remote netip.AddrPort) <-chan call.Process {
	found := make(chan call.Process, 1)
	m.work.Go(func() { found <- m.cfg.Process(local, remote) })
	return found
}

// addrPort reads an end of a connection; it is not valid if it is no address of the internet.
func addrPort(a net.Addr) netip.AddrPort {
	tcp, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.AddrPort{}
	}
	ap := tcp.AddrPort()
	return netip.AddrPortFrom(ap.Addr().Unmap(), ap.Port())
}

// A passage is one connection on its way through.
type passage struct {
	m      *Monitor
	client *client
	place  place // that it leads to, before the client says anything
	// heard is how far what the client says is judged, or need not be.
	heard stage
	seen  glimpse         // what it said
	kind  followKind      // how what it says next is read
	conn  call.Connection // as it was judged
	// released are names that it was released for.
	released []string
}

// maxReleased is how many names are kept for a connection. Those of others are judged again.
const maxReleased = 64

// allowed asks about the connection.
func (p *passage) allowed(judge func(context.Context, call.Connection) call.Ruling) (released bool) {
	p.client.while(p.m.ctx, func(ctx context.Context) { released = judge(ctx, p.conn).Released })
	if released && len(p.released) < maxReleased {
		p.released = distinct(p.released, p.conn.Hosts)
	}
	return released
}

// lead copies both ways until both ends are done.
func (p *passage) lead(server net.Conn) {
	release, ok := p.m.hold(server)
	if !ok {
		return
	}
	defer release()
	relay(p.client.Conn, server, func() bool { return p.first(server) })
}

// first passes on what the client sent so far. While that may still become something with a name, each part of it is looked at
// before it leaves: a name that was not judged is, and nothing that brings one leaves before. So it goes on while names may follow.
func (p *passage) first(server net.Conn) bool {
	for passed := 0; ; {
		if !p.judged() && !p.named() {
			return false
		}
		end, follows := len(p.client.head), p.heard == settled && p.seen.end > 0
		if follows {
			end = p.seen.end
		}
		if end > passed {
			if _, err := server.Write(p.client.head[passed:end]); err != nil {
				return false
			}
			passed = end
		}
		switch {
		case follows:
			passed = 0
			if goesOn, err := p.next(server); !goesOn {
				return err == nil
			}
		case p.judged():
			p.client.head = nil
			return true
		default:
			if err := p.client.more(time.Time{}); err != nil {
				return errors.Is(err, io.EOF) // it has nothing more to say
			}
		}
	}
}

// next goes on to what follows what was passed on. Without an error, all is passed on that is looked at.
func (p *passage) next(server net.Conn) (goesOn bool, err error) {
	p.client.forget(p.seen.end)
	then := p.seen.then
	p.kind, p.heard, p.seen = then.kind, nothing, glimpse{}
	if then.kind == afterProxy {
		p.place = place{addr: p.place.addr, names: p.conn.Hosts}
	}
	if then.kind != afterHTTP {
		return true, nil
	}
	err = p.unread(then)
	if err == nil {
		err = p.body(server, then)
	}
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, io.EOF):
		return false, nil
	case !errors.Is(err, errOdd) || !p.stands(doubted(fromHTTP)):
		return false, err
	}
	_, err = server.Write(p.client.head)
	p.client.head = nil
	return false, err
}

// judged says that nothing which the client says from now on is looked at.
func (p *passage) judged() bool { return p.heard == begun || p.heard == settled }

// named has the names judged that the client brings. It waits for the first bytes. Later ones have been waited for, or passed on.
func (p *passage) named() bool {
	var w waits
	if p.heard == nothing {
		w.open = p.m.patience
	}
	seen, st, err := p.client.glimpse(w, p.kind)
	if err != nil {
		return false
	}
	p.heard, p.seen = st, seen
	if seen.from == "" && p.kind != afresh {
		return true // it adds nothing
	}
	return p.stands(seen)
}

// stands says whether the connection may go on with what the client says now. A name that it was not released for is judged, and so is
// doubt.
func (p *passage) stands(seen glimpse) bool {
	now := p.conn
	p.place.describe(&now, seen)
	isNew := func(h string) bool { return !slices.Contains(p.released, h) }
	if (!now.Doubt || p.conn.Doubt) && !slices.ContainsFunc(now.Hosts, isNew) {
		return true
	}
	before := p.conn
	p.conn = now
	if p.allowed(p.m.cfg.Judge.Connect) {
		return true
	}
	p.m.count.recalled(before, p.conn)
	return false
}
