package ingress

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/pires/go-proxyproto"
	"github.com/pires/go-proxyproto/tlvparse"
)

// headerWithin is how long a proxy may take to send the header of the PROXY protocol.
const headerWithin = 5 * time.Second

// Listener returns a listener whose connections have the address that the PROXY protocol names, if it is in use. A connection of a trusted
// proxy must begin with its header, and no other connection may.
func (i *Ingress) Listener(l net.Listener) net.Listener {
	if i == nil || !i.cfg.ProxyProtocol {
		return l
	}
	return &listener{Listener: l, ingress: i}
}

type listener struct {
	net.Listener
	ingress *Ingress
}

// Accept implements net.Listener.
func (l *listener) Accept() (net.Conn, error) {
	raw, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	policy := proxyproto.REJECT
	if l.ingress.trusts(peerOf(raw.RemoteAddr())) {
		policy = proxyproto.REQUIRE
	}
	return &conn{
		Conn: proxyproto.NewConn(raw, proxyproto.WithPolicy(policy), proxyproto.SetReadHeaderTimeout(headerWithin)), ingress: l.ingress,
	}, nil
}

// A conn says in the log why it failed.
type conn struct {
	*proxyproto.Conn
	ingress *Ingress
	once    sync.Once
}

// Read implements net.Conn.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	switch {
	case errors.Is(err, proxyproto.ErrSuperfluousProxyHeader):
		c.failed("the connection begins with a header of the PROXY protocol, and is from no trusted proxy; " +
			"add its address to ingress.trusted_proxies")
	case errors.Is(err, proxyproto.ErrNoProxyProtocol):
		c.failed("the connection of a trusted proxy does not begin with a header of the PROXY protocol; " +
			"let the proxy send it, or set ingress.proxy_protocol to false")
	}
	return n, err
}

func (c *conn) failed(says string) {
	c.once.Do(func() {
		if n := c.ingress.refused.add(); n > 0 {
			c.ingress.cfg.Log.Warn("refused at the ingress", "reason", says, "from", peerOf(c.Raw().RemoteAddr()).String(), "times", n)
		}
	})
}

type connKey struct{}

// ConnContext notes the connection of its requests. It is for http.Server.
func (i *Ingress) ConnContext(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// A way is how a request came to weir.
type way struct {
	peer    peer // the other end of the connection
	speaker peer // who wrote the request's header: the peer, or whoever the PROXY protocol names
	plain   bool // the PROXY protocol says that the client did not use TLS
}

// wayOf returns how a request came.
func wayOf(r *http.Request) way {
	c, _ := r.Context().Value(connKey{}).(net.Conn)
	if secured, ok := c.(*tls.Conn); ok {
		c = secured.NetConn()
	}
	if c == nil {
		at, _ := parseAddress(r.RemoteAddr) // in tests; nobody is trusted if it is no address
		return way{peer: peer{address: at}, speaker: peer{address: at}}
	}
	p := peerOf(c.RemoteAddr())
	w := way{peer: p, speaker: p}
	if proxied, ok := c.(*conn); ok {
		w.peer = peerOf(proxied.Raw().RemoteAddr())
		w.plain = saysPlain(proxied.ProxyHeader())
	}
	return w
}

// saysPlain says whether the header of the PROXY protocol has a word about TLS, and it is that there was none.
func saysPlain(h *proxyproto.Header) bool {
	if h == nil {
		return false
	}
	all, err := h.TLVs()
	if err != nil {
		return true // in doubt
	}
	for _, one := range all {
		if one.Type != proxyproto.PP2_TYPE_SSL {
			continue
		}
		ssl, err := tlvparse.SSL(one)
		return err != nil || !ssl.ClientSSL()
	}
	return false
}

// seldom limits how often refusals are logged: anybody can cause them.
type seldom struct {
	mu   sync.Mutex
	last time.Time
	sum  int
}

// seldomAfter is the least time between two lines.
const seldomAfter = 10 * time.Second

// add counts one. If it is time to log, it returns the sum since the last line; 0: do not log.
func (s *seldom) add() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sum++
	now := time.Now()
	if now.Sub(s.last) < seldomAfter {
		return 0
	}
	n := s.sum
	s.sum, s.last = 0, now
	return n
}
