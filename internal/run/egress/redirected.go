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

// portDNS is the port for lookups, over both TCP and UDP.
const portDNS = 53

// Redirected takes connections that programs opened to other addresses, until l is closed. destination returns that address.
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
			// The session's own loopback was dialled. It is not this machine's loopback, which is reached through Loopback.
			m.troubles.report("destination", fmt.Errorf("a connection to %v was redirected, but has no destination", to))
		default:
			m.redirected(conn, to)
		}
	})
}

// redirected judges and relays one connection.
func (m *Monitor) redirected(conn net.Conn, to netip.AddrPort) {
	c := &clientConn{Conn: conn}
	who := m.who(addrPort(conn.RemoteAddr()), to)
	seen, st, err := c.glimpse(waits{first: m.patience, open: m.patience}, afresh)
	if err != nil {
		return
	}
	p := passage{m: m, client: c, heard: st, seen: seen, dest: m.addresses.at(to.Addr()), conn: call.Connection{
		Act: call.Connect, Addr: to.Addr(), Port: to.Port(), Protocol: "tcp", Loopback: m.machine.has(to.Addr()), Process: <-who,
	}}
	p.dest.describe(&p.conn, seen)
	if !p.allowed(m.judge) {
		return
	}
	server, err := m.dial(m.ctx, to)
	if err != nil {
		return // the client sees a reset
	}
	p.lead(server)
}

// Loopback takes connections to a service at a port of the machine's loopback, until l is closed.
func (m *Monitor) Loopback(l net.Listener, port uint16) error {
	return m.accept(l, func(conn net.Conn) {
		if port == m.cfg.Own {
			m.toOwn(conn)
			return
		}
		m.toLoopback(conn, port)
	})
}

// toLoopback judges and relays one connection to a service of the machine. The service may be a proxy, so names matter there as
// well.
func (m *Monitor) toLoopback(conn net.Conn, port uint16) {
	c := &clientConn{Conn: conn}
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
	// Services listen on IPv4, IPv6 or both, and programs often try both.
	for _, to := range []netip.AddrPort{asked, other} {
		p := passage{m: m, client: c, heard: st, seen: seen, dest: destination{addr: to.Addr()}, conn: call.Connection{
			Act: call.Connect, Addr: to.Addr(), Port: port, Protocol: "tcp", Loopback: true, Process: who,
		}}
		p.dest.describe(&p.conn, seen)
		if !p.allowed(m.judge) {
			return
		}
		if server, err := m.dial(m.ctx, to); err == nil {
			p.lead(server)
			return
		}
	}
}

// who finds the program of a connection in the background.
func (m *Monitor) who(local, remote netip.AddrPort) <-chan call.Process {
	found := make(chan call.Process, 1)
	m.work.Go(func() { found <- m.cfg.Process(local, remote) })
	return found
}

// addrPort returns the address of one end of a connection; it is not valid if that is not a TCP address.
func addrPort(a net.Addr) netip.AddrPort {
	tcp, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.AddrPort{}
	}
	ap := tcp.AddrPort()
	return netip.AddrPortFrom(ap.Addr().Unmap(), ap.Port())
}

// A passage is one connection through the monitor.
type passage struct {
	m      *Monitor
	client *clientConn
	dest   destination // the destination, before the client sends anything
	// heard is how far the client's bytes are judged, or need no judgement.
	heard stage
	seen  glimpse         // what the client sent says
	kind  followKind      // how the client's next bytes are parsed
	conn  call.Connection // as it was judged
	// released are the names for which it was released.
	released []string
}

// maxReleased is how many released names are remembered for a connection. Other names are judged again.
const maxReleased = 64

// allowed asks the judge about the connection.
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

// first forwards what the client has sent so far. While a name may still appear, each part is examined before it is forwarded. A
// new name is judged before the bytes that have it are forwarded. This continues while more names may follow.
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
				return errors.Is(err, io.EOF) // the client sends nothing more
			}
		}
	}
}

// next moves on to the bytes after those that were forwarded. Without an error, everything that was examined has been forwarded.
func (p *passage) next(server net.Conn) (goesOn bool, err error) {
	p.client.forget(p.seen.end)
	then := p.seen.then
	p.kind, p.heard, p.seen = then.kind, nothing, glimpse{}
	if then.kind == afterProxy {
		p.dest = destination{addr: p.dest.addr, names: p.conn.Hosts}
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

// judged says that no further bytes of the client are examined.
func (p *passage) judged() bool { return p.heard == begun || p.heard == settled }

// named asks the judge about names that the client sends. It waits only for the first bytes. Later bytes have already arrived, or
// were forwarded.
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

// stands says whether the connection may continue with what the client sends now. A name for which it was not released is judged,
// and so is doubt.
func (p *passage) stands(seen glimpse) bool {
	now := p.conn
	p.dest.describe(&now, seen)
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
