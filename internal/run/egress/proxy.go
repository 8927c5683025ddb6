package egress

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/text/inert"
)

const (
	// proxyHeadTimeout is how long a client may take to send the head of its request.
	proxyHeadTimeout = 10 * time.Second
	// proxyIdle is how long an unused connection of a client stays open.
	proxyIdle = 2 * time.Minute
	// maxTried is how many addresses of one host are tried.
	maxTried = 4
	// maxReason is the longest reason of a refusal that a client is shown, with whom to ask, in characters.
	maxReason = 500
)

// Proxy serves an HTTP proxy until l is closed. It takes CONNECT, and requests for http addresses. Programs are asked to use it,
// but can ignore it: it sees only those that cooperate.
func (m *Monitor) Proxy(l net.Listener) error {
	release, ok := m.hold(l)
	if !ok {
		return nil
	}
	defer release()
	server := &http.Server{
		Handler: http.HandlerFunc(m.serveProxy), ReadHeaderTimeout: proxyHeadTimeout, IdleTimeout: proxyIdle, MaxHeaderBytes: maxHead,
		BaseContext: func(net.Listener) context.Context { return m.ctx },
		ConnContext: func(ctx context.Context, conn net.Conn) context.Context {
			return context.WithValue(ctx, admittedKey{}, conn)
		},
		ErrorLog: log.New(io.Discard, "", 0), // it would log clients that go away
	}
	err := server.Serve(&admitting{Listener: l, m: m})
	_ = server.Close() // closes idle connections; the others end on their own
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return fmt.Errorf("serve as a proxy: %w", err)
}

// admittedKey is the context key of the connection that a request came on.
type admittedKey struct{}

// admitting is a listener whose connections each use one slot of the session.
type admitting struct {
	net.Listener
	m *Monitor
}

// Accept returns the next connection that gets a slot.
func (l *admitting) Accept() (net.Conn, error) {
	for {
		conn, err := l.m.next(l.Listener)
		switch {
		case err != nil:
			return nil, err
		case conn == nil:
			return nil, net.ErrClosed
		}
		if free, ok := l.m.admit(conn); ok {
			return &admitted{Conn: conn, free: sync.OnceFunc(free)}, nil
		}
	}
}

// An admitted connection gives its slot back when it is closed.
type admitted struct {
	net.Conn
	free func()
}

// Close closes the connection.
func (a *admitted) Close() error {
	defer a.free()
	return a.Conn.Close()
}

// serveProxy serves one request.
func (m *Monitor) serveProxy(w http.ResponseWriter, r *http.Request) {
	want, err := proxyTarget(r)
	if err != nil {
		refuse(w, http.StatusBadRequest, "", err.Error())
		return
	}
	conn, ok := r.Context().Value(admittedKey{}).(*admitted)
	if !ok {
		refuse(w, http.StatusInternalServerError, "", "the connection is not known")
		return
	}
	p := passage{m: m, dest: destination{names: []string{want.host}}, conn: call.Connection{
		Act: call.Connect, Port: want.port, Protocol: "tcp", Process: m.cfg.Process(addrPort(conn.RemoteAddr()), addrPort(conn.LocalAddr())),
	}}
	server, problem := m.proxyDial(r.Context(), &p, want)
	if problem != nil {
		refuse(w, problem.status, problem.code, problem.reason)
		return
	}
	release, ok := m.hold(server)
	if !ok {
		return
	}
	defer release()
	defer server.Close() // everything has been sent
	if r.Method == http.MethodConnect {
		m.tunnel(w, &p, server)
		return
	}
	forward(w, r, server)
}

// A target is the destination that a client of the proxy asks for.
type target struct {
	host string // in the form that wireHost returns
	port uint16
	from string // the source of the name: connect or http
}

// proxyTarget returns the target of a request.
func proxyTarget(r *http.Request) (target, error) {
	authority, from := r.URL.Host, fromHTTP
	switch {
	case r.Method == http.MethodConnect:
		authority, from = r.RequestURI, fromConnect
	case !r.URL.IsAbs():
		return target{}, errors.New("this is a proxy: the request needs an absolute URL")
	case r.URL.Scheme != "http":
		return target{}, errors.New("this proxy takes http URLs and CONNECT")
	case r.URL.Port() == "":
		authority = strings.TrimSuffix(authority, ":") + ":80"
	}
	host, ok := authorityHost(authority)
	i := strings.LastIndexByte(authority, ':')
	port, err := strconv.ParseUint(authority[i+1:], 10, 16)
	if !ok || i < 0 || err != nil || port == 0 {
		return target{}, errors.New("the request has no valid host and port")
	}
	return target{host: host, port: uint16(port), from: from}, nil
}

// A problem says why a client of the proxy gets no connection.
type problem struct {
	status int
	code   string // of a refusal
	reason string
}

// refused returns the problem of a client whose connection was refused.
func refused(ruling call.Ruling) *problem {
	return &problem{status: http.StatusForbidden, code: ruling.Code, reason: ruling.Reason + ruling.Questions()}
}

// proxyDial finds a host's addresses, if the host may be looked up, and connects to the first address that responds. Each address
// is judged before it is dialled.
func (m *Monitor) proxyDial(ctx context.Context, p *passage, want target) (net.Conn, *problem) {
	addrs, failed := m.proxyAddrs(ctx, want.host)
	if failed != nil {
		return nil, failed
	}
	for _, addr := range addrs[:min(len(addrs), maxTried)] {
		p.name(addr, want)
		to := netip.AddrPortFrom(addr, want.port)
		if m.isOwn(to) {
			if conn, err := m.dialOwn(ctx); err == nil {
				return conn, nil
			}
			continue
		}
		if ruling := m.judge(ctx, p.conn); !ruling.Released {
			return nil, refused(ruling)
		}
		if conn, err := m.dial(ctx, to); err == nil {
			return conn, nil
		}
	}
	return nil, &problem{status: http.StatusBadGateway, reason: "the host cannot be reached"}
}

// name sets the destination of a connection of the proxy. If the name has an address of the machine or the link, the address itself
// is judged as well.
func (p *passage) name(addr netip.Addr, want target) {
	p.dest.addr, p.conn.Addr, p.conn.Loopback = addr, addr, p.m.machine.has(addr)
	p.conn.Hosts, p.conn.HostFrom = []string{want.host}, want.from
	if unnamed(addr) && want.host != addr.String() && !isLocalhost(want.host) {
		p.conn.Hosts = append(p.conn.Hosts, addr.String())
	}
}

// proxyAddrs returns the addresses of a host.
func (m *Monitor) proxyAddrs(ctx context.Context, host string) ([]netip.Addr, *problem) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{addr}, nil
	}
	if isLocalhost(host) {
		return []netip.Addr{loopbackIPv4, netip.IPv6Loopback()}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	if ruling := m.resolve(ctx, host); !ruling.Released {
		m.count.name()
		return nil, refused(ruling)
	}
	found, err := m.cfg.Find(ctx, host)
	if err != nil || len(found) == 0 {
		return nil, &problem{status: http.StatusBadGateway, reason: "the host is not found"}
	}
	addrs := make([]netip.Addr, len(found))
	for i, addr := range found {
		addrs[i] = addr.Unmap()
	}
	return addrs, nil
}

// tunnel connects the client with the server. The first bytes inside the tunnel may have another name, which is judged.
func (m *Monitor) tunnel(w http.ResponseWriter, p *passage, server net.Conn) {
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		refuse(w, http.StatusInternalServerError, "", "the connection cannot be taken over")
		return
	}
	defer conn.Close()                // it gives the slot back
	_ = conn.SetDeadline(time.Time{}) // removes the deadlines of the HTTP server; if it fails, so does the next write
	if _, err := io.WriteString(conn, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	inner := conn
	if a, ok := conn.(*admitted); ok {
		inner = a.Conn // between bare connections the system does the copying
	}
	p.client, p.released = &clientConn{Conn: inner}, p.conn.Hosts
	early, _ := buffered.Reader.Peek(buffered.Reader.Buffered()) // peeking at buffered bytes does not fail
	p.client.head = append(p.client.head, early...)
	if m.isOwn(netip.AddrPortFrom(p.conn.Addr, p.conn.Port)) {
		p.heard = settled // it is not judged
	}
	relay(inner, server, func() bool { return p.first(server) })
}

// refuse responds with one line of plain text. Only the reason, which the policy gives, comes from outside of weir.
func refuse(w http.ResponseWriter, status int, code, reason string) {
	if code != "" {
		w.Header().Set("X-Weir-Code", inert.Text(code, maxReason))
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Connection", "close")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, "weir: %s\n", inert.Text(reason, maxReason)) // a client that is gone needs no reason
}
