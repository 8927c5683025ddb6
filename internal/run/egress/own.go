package egress

import (
	"context"
	"errors"
	"net"
	"net/netip"
)

// loopbackIPv4 is where weir listens for its sessions.
var loopbackIPv4 = netip.AddrFrom4([4]byte{127, 0, 0, 1})

// errAway says that weir is not at its port.
var errAway = errors.New("weir serve is not running")

// isOwn says whether an address is weir's own. The port alone is not: in another family, or at another address of the loopback,
// somebody else may have it.
func (m *Monitor) isOwn(to netip.AddrPort) bool {
	return m.cfg.Own != 0 && to == netip.AddrPortFrom(loopbackIPv4, m.cfg.Own)
}

// toOwn leads a connection to weir itself, whatever address of the loopback it was opened to. It is not judged.
func (m *Monitor) toOwn(conn net.Conn) {
	server, err := m.dialOwn(m.ctx)
	if err != nil {
		return // the reset says it
	}
	p := passage{m: m, client: &client{Conn: conn}, heard: settled}
	p.lead(server)
}

// dialOwn opens a connection to weir's own port. While weir is away somebody else may take that: hence weir must be there before,
// and still after.
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
