package egress

import (
	"context"
	"errors"
	"net"
	"net/netip"
)

// loopbackIPv4 is the address on which weir listens for its sessions.
var loopbackIPv4 = netip.AddrFrom4([4]byte{127, 0, 0, 1})

// errAway says that weir does not listen on its port.
var errAway = errors.New("weir serve is not running")

// isOwn says whether an address is weir's own. The port alone is not enough: another program may have it on IPv6, or on another
// address of the loopback.
func (m *Monitor) isOwn(to netip.AddrPort) bool {
	return m.cfg.Own != 0 && to == netip.AddrPortFrom(loopbackIPv4, m.cfg.Own)
}

// toOwn relays a connection to weir itself, whichever address of the loopback was dialled. It is not judged.
func (m *Monitor) toOwn(conn net.Conn) {
	server, err := m.dialOwn(m.ctx)
	if err != nil {
		return // the client sees a reset
	}
	p := passage{m: m, client: &clientConn{Conn: conn}, heard: settled}
	p.lead(server)
}

// dialOwn connects to weir's own port. While weir is not running, another program may take the port. So weir must be running before
// and after the dialling.
func (m *Monitor) dialOwn(ctx context.Context) (net.Conn, error) {
	if !m.cfg.OwnAlive() {
		return nil, errAway
	}
	conn, err := m.dial(ctx, netip.AddrPortFrom(loopbackIPv4, m.cfg.Own))
	if err != nil {
		return nil, err
	}
	if !m.cfg.OwnAlive() {
		abort(conn)
		return nil, errAway
	}
	return conn, nil
}
