// Package ingress finds out who sends a request that comes through a proxy: it takes the word of trusted proxies, and of nobody else.
package ingress

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Config sets up an Ingress.
type Config struct {
	// Trusted are the networks of proxies whose word counts.
	Trusted []netip.Prefix
	// TrustsSocket says that whoever reaches a unix socket is such a proxy.
	TrustsSocket bool
	// Header is the header in which they name the address of their client: x-forwarded-for or forwarded.
	Header string
	// ProxyProtocol says that their connections begin with a header of the PROXY protocol.
	ProxyProtocol bool
	// EndsTLS says that TLS ends at them: weir itself is reached without it, and by them alone, except from the machine itself.
	EndsTLS bool
	Log     *slog.Logger // nil: no log
}

// An Ingress is what stands between clients and weir. It is safe for concurrent use.
type Ingress struct {
	cfg     Config
	refused seldom
}

// New returns an Ingress; nil if there are no trusted proxies, and then nothing of what a request says about its way counts.
func New(cfg Config) *Ingress {
	if len(cfg.Trusted) == 0 && !cfg.TrustsSocket {
		return nil
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return &Ingress{cfg: cfg}
}

// EndsTLS says whether TLS ends at the ingress.
func (i *Ingress) EndsTLS() bool { return i != nil && i.cfg.EndsTLS }

// The headers in which proxies say where a request comes from. X-Forwarded-Proto and the proto of Forwarded say whether its client used
// TLS.
const (
	headerFor       = "X-Forwarded-For"
	headerProto     = "X-Forwarded-Proto"
	headerForwarded = "Forwarded"
)

// removed are headers that only proxies set. No upstream gets them: they are about the inside of a network.
var removed = []string{
	headerFor, headerProto, headerForwarded, "X-Forwarded-Host", "X-Forwarded-Port", "X-Forwarded-Server", "X-Forwarded-Scheme",
	"X-Forwarded-Prefix", "X-Forwarded-Ssl", "X-Real-Ip", "X-Original-Forwarded-For",
}

// counted are those whose word would count.
var counted = []string{headerFor, headerProto, headerForwarded}

// pages are weir's own pages, which have no secrets in them, or a token of their own. Probes and metrics do not come through the ingress.
var pages = []string{"/healthz", "/readyz", "/metrics"}

// Handler finds out who sends each request, refuses those that must not come this way, and passes the others on: their RemoteAddr is
// the client's, and Secure says whether it used TLS.
func (i *Ingress) Handler(next http.Handler) http.Handler {
	if i == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		client, no := i.client(r)
		if no != nil {
			i.refuse(w, r, no)
			return
		}
		for _, name := range removed {
			r.Header.Del(name)
		}
		r = r.WithContext(context.WithValue(r.Context(), clientKey{}, client))
		r.RemoteAddr = cmp.Or(client.address, r.RemoteAddr)
		next.ServeHTTP(w, r)
	})
}

// A client is what is known about the way of a request.
type client struct {
	address string // "": that of the connection
	secure  bool
	known   bool // secure is said by the ingress
}

type clientKey struct{}

// Secure says whether the client of a request used TLS: to weir itself, or to the ingress.
func Secure(r *http.Request) bool {
	if c, ok := r.Context().Value(clientKey{}).(client); ok && c.known {
		return c.secure
	}
	return r.TLS != nil
}

// From returns the address of a request's client, without its port; "": it is this machine, or not known.
func From(r *http.Request) string {
	at, err := parseAddress(r.RemoteAddr)
	if err != nil || at.IsLoopback() {
		return ""
	}
	return at.String()
}

// A refusal says why a request must not come this way. Its text has nothing of the request but the address of its connection.
type refusal struct {
	status int
	says   string
}

// client finds out who sends a request.
func (i *Ingress) client(r *http.Request) (client, *refusal) {
	page := slices.Contains(pages, r.URL.Path)
	way := wayOf(r)
	fromIngress := i.trusts(way.peer)
	if i.cfg.EndsTLS && !fromIngress && !way.peer.local() && !page {
		return client{}, &refusal{http.StatusForbidden, "TLS ends at the ingress, and this connection from " + way.peer.String() +
			" does not come from there; use the address of the ingress, or add this one to ingress.trusted_proxies"}
	}
	if !i.trusts(way.speaker) {
		for _, name := range counted {
			if r.Header[name] != nil && !page {
				return client{}, &refusal{http.StatusBadRequest, "the request has the header " + name + ", and " + way.speaker.String() +
					" is no trusted proxy; add it to ingress.trusted_proxies, or let it not send the header"}
			}
		}
		if i.cfg.EndsTLS && fromIngress && !page {
			return i.byProtocol(way)
		}
		return client{}, nil
	}
	said, err := i.read(r.Header)
	if err != nil {
		return client{}, &refusal{
			http.StatusBadRequest, "the proxy " + way.speaker.String() + " sends a header that cannot be used: " + err.Error(),
		}
	}
	c := client{known: said.proto != "", secure: said.proto == protoTLS}
	if said.address.IsValid() {
		c.address = netip.AddrPortFrom(said.address, 0).String()
	}
	if !i.cfg.EndsTLS || page {
		return c, nil
	}
	if !c.known && i.cfg.ProxyProtocol {
		ended, no := i.byProtocol(way)
		c.known, c.secure = ended.known, ended.secure
		return c, no
	}
	if !c.known {
		return client{}, &refusal{http.StatusBadRequest, "the proxy " + way.speaker.String() +
			" does not say whether the client used TLS; let it set " + i.protoName()}
	}
	return c, withoutTLS(c)
}

// byProtocol takes the word of the PROXY protocol. A balancer that ends TLS and says nothing of it is believed: it is told to end TLS.
func (i *Ingress) byProtocol(w way) (client, *refusal) {
	c := client{known: true, secure: !w.plain}
	return c, withoutTLS(c)
}

func withoutTLS(c client) *refusal {
	if c.secure {
		return nil
	}
	return &refusal{http.StatusForbidden, "the client reached the ingress without TLS; use https"}
}

func (i *Ingress) protoName() string {
	if strings.EqualFold(i.cfg.Header, headerForwarded) {
		return "proto in the header " + headerForwarded
	}
	return "the header " + headerProto
}

// trusts says whether somebody's word counts.
func (i *Ingress) trusts(p peer) bool {
	if p.socket {
		return i.cfg.TrustsSocket
	}
	return i.trustsAddress(p.address)
}

func (i *Ingress) trustsAddress(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	return slices.ContainsFunc(i.cfg.Trusted, func(n netip.Prefix) bool { return n.Contains(a) })
}

// refuse tells the client why, and now and then the log.
func (i *Ingress) refuse(w http.ResponseWriter, r *http.Request, no *refusal) {
	if n := i.refused.add(); n > 0 {
		i.cfg.Log.Warn("refused at the ingress", "status", no.status, "reason", no.says, "method", known(r.Method), "times", n)
	}
	w.Header().Set("Connection", "close")
	http.Error(w, no.says, no.status)
}

// known is a method for the log, unless it may be anything.
func known(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
		return method
	}
	return "other"
}

// A peer is the other end of a connection.
type peer struct {
	address netip.Addr
	socket  bool // it came through a unix socket
}

func peerOf(a net.Addr) peer {
	switch a := a.(type) {
	case *net.UnixAddr:
		return peer{socket: true}
	case *net.TCPAddr:
		return peer{address: a.AddrPort().Addr().Unmap()}
	case nil:
		return peer{}
	}
	at, _ := parseAddress(a.String()) // one that cannot be parsed is nobody's, and not trusted
	return peer{address: at}
}

// local says whether the peer is on this machine.
func (p peer) local() bool { return p.socket || p.address.IsLoopback() }

func (p peer) String() string {
	switch {
	case p.socket:
		return "the unix socket"
	case !p.address.IsValid():
		return "an unknown address"
	}
	return p.address.String()
}
