package config

import (
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// Ingress says what stands between clients and weir, and what of its word counts.
type Ingress struct {
	// Trusted are the addresses of proxies whose headers count.
	Trusted []netip.Prefix
	// TrustsSocket says that whoever reaches weir's unix socket is such a proxy.
	TrustsSocket bool
	// Header is the header in which they name the client's address; default x-forwarded-for.
	Header ForwardHeader
	// ProxyProtocol says that their connections begin with a header of the PROXY protocol.
	ProxyProtocol bool
	// EndsTLS says that TLS ends at these proxies: weir itself is reached without it, and by them alone.
	EndsTLS bool
	// Advertise is the address that clients use; nil: the one that weir listens on.
	Advertise *url.URL
	// Hosts are further names by which clients reach weir, such as that of a service of the cluster.
	Hosts []string
	// SocketMode are the permissions of weir's unix socket; default 0600.
	SocketMode fs.FileMode
}

// Any says whether there are trusted proxies.
func (i Ingress) Any() bool { return len(i.Trusted) > 0 || i.TrustsSocket }

// A ForwardHeader is a header in which proxies name the address of their client. Only one counts: a proxy that sets the one may pass on
// what a client writes into the other.
type ForwardHeader string

// The headers of proxies.
const (
	XForwardedFor ForwardHeader = "x-forwarded-for"
	Forwarded     ForwardHeader = "forwarded"
)

var (
	ingressShape = yamlfile.Shape{Optional: []string{
		"trusted_proxies", "header", "proxy_protocol", "ends_tls", "advertise", "hosts", "socket_mode",
	}}
	forwardHeaders = yamlfile.Choice{What: "a header of proxies", Words: []string{string(XForwardedFor), string(Forwarded)}}
)

const (
	unixProxy = "unix" // in trusted_proxies: whoever reaches the socket

	usualSocketMode fs.FileMode = 0o600
	othersMay       fs.FileMode = 0o007
)

func defaultIngress() Ingress { return Ingress{Header: XForwardedFor, SocketMode: usualSocketMode} }

func (r *loader) ingress(i *Ingress, n *yamlfile.Node) {
	if !r.report.Mapping(n, ingressShape) {
		return
	}
	if v := n.Get("trusted_proxies"); v != nil {
		items, _ := r.report.OneOrMore(v, "a network such as 10.0.0.0/8")
		for _, item := range items {
			r.trustedProxy(i, item)
		}
	}
	if v := n.Get("header"); v != nil {
		if word, ok := r.word(v, forwardHeaders); ok {
			i.Header = ForwardHeader(word)
		}
	}
	r.bool(n, "proxy_protocol", &i.ProxyProtocol)
	r.bool(n, "ends_tls", &i.EndsTLS)
	if v := n.Get("advertise"); v != nil {
		if text, ok := r.text(v, "an address such as https://weir.acme.example"); ok {
			i.Advertise = r.advertised(v, text)
		}
	}
	if v := n.Get("hosts"); v != nil {
		items, _ := r.report.OneOrMore(v, "a name such as weir.internal")
		for _, item := range items {
			r.ownHost(i, item)
		}
	}
	if v := n.Get("socket_mode"); v != nil {
		r.socketMode(i, v)
	}
	for _, key := range []string{"header", "proxy_protocol", "ends_tls"} {
		if v := n.Get(key); v != nil && v.Text != "false" && !i.Any() {
			r.report.Add(v, "nobody's word counts for this", "add trusted_proxies, the addresses of the ingress")
		}
	}
}

// trustedProxy reads a network, an address, or unix.
func (r *loader) trustedProxy(i *Ingress, n *yamlfile.Node) {
	text, ok := r.text(n, "a network such as 10.0.0.0/8")
	if !ok {
		return
	}
	if text == unixProxy {
		i.TrustsSocket = true
		return
	}
	network, err := netip.ParsePrefix(text)
	if addr, single := netip.ParseAddr(text); single == nil {
		network, err = netip.PrefixFrom(addr, addr.BitLen()), nil
	}
	switch {
	case err != nil || network.Addr().Zone() != "":
		r.report.Add(n, "this is neither a network nor an address", "write 10.0.0.0/8, 192.0.2.7 or unix")
	case network.Bits() == 0:
		r.report.Add(n, "this trusts everybody who reaches weir", "name the addresses of the ingress alone")
	case network.Addr().Is4In6():
		r.report.Add(n, "this is an IPv4 network written as IPv6", "write it as 10.0.0.0/8")
	default:
		i.Trusted = append(i.Trusted, network.Masked())
	}
}

// advertised reads the address that clients use.
func (r *loader) advertised(n *yamlfile.Node, text string) *url.URL {
	u := r.url(n, text)
	if u == nil {
		return nil
	}
	switch {
	case u.Path != "" && u.Path != "/":
		r.report.Add(n, "the address has a path, and weir's own paths begin at the root", "write https://host")
	case u.Scheme == "http" && !isLoopback(u.Hostname()):
		r.report.Add(n, "clients would send their keys without TLS", "write https://host")
	default:
		return &url.URL{Scheme: u.Scheme, Host: u.Host}
	}
	return nil
}

var hostName = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?$`)

// ownHost reads a name of weir.
func (r *loader) ownHost(i *Ingress, n *yamlfile.Node) {
	text, ok := r.text(n, "a name such as weir.internal")
	if ok && !hostName.MatchString(text) {
		r.report.Add(n, "this is not the name of a host", "write a name such as weir.internal, without a port")
	}
	i.Hosts = append(i.Hosts, text)
}

// socketMode reads permissions such as "0660".
func (r *loader) socketMode(i *Ingress, n *yamlfile.Node) {
	const cure = `write it as "0660"`
	text := n.Text
	if n.Kind != yamlfile.Number {
		var ok bool
		if text, ok = r.text(n, "permissions such as 0660"); !ok {
			return
		}
	}
	mode, err := strconv.ParseUint(text, 8, 16)
	if err != nil || mode > 0o777 || mode&0o111 != 0 || mode&0o600 != 0o600 || len(text) < 3 {
		r.report.Add(n, "this is not the mode of a socket", cure)
		return
	}
	i.SocketMode = fs.FileMode(mode)
}

// ingressRelations checks what depends on other keys.
func (r *loader) ingressRelations(cfg *Config, root *yamlfile.Node) {
	n := root.Get("ingress")
	if n == nil || n.Kind != yamlfile.Map || !r.report.CleanAt("ingress", "listen", "tls") {
		return
	}
	_, socket := cfg.Socket()
	switch {
	case cfg.Ingress.EndsTLS && cfg.TLS != TLS{}:
		r.report.Add(n.Get("ends_tls"), "TLS ends at the ingress, and weir has a certificate, too", "remove ends_tls, or tls")
	case cfg.Ingress.TrustsSocket && !socket:
		r.report.Add(n.Get("trusted_proxies"), "weir listens on no unix socket", "write listen: unix:/run/weir/weir.sock, or remove unix")
	case n.Get("socket_mode") != nil && !socket:
		r.report.Add(n.Get("socket_mode"), "weir listens on no unix socket", "write listen: unix:/run/weir/weir.sock, or remove it")
	case cfg.Ingress.SocketMode&othersMay != 0 && !cfg.ForClients():
		r.report.Add(n.Get("socket_mode"), "every user of the machine could use weir", `add clients, or write socket_mode: "0660"`)
	}
}

// unixPrefix begins the address of a unix socket.
const unixPrefix = "unix:"

// maxSocketPath is how long the path of a socket may be, in bytes, on every system.
const maxSocketPath = 100

// Socket returns the path of the unix socket that weir listens on, if it does.
func (c *Config) Socket() (path string, ok bool) { return strings.CutPrefix(c.Listen, unixPrefix) }

// ClientBase returns the address that clients use: the advertised one, else the one that weir listens on, for clients on this machine; "":
// weir listens on a unix socket.
func (c *Config) ClientBase() string {
	if c.Ingress.Advertise != nil {
		return c.Ingress.Advertise.String()
	}
	if _, socket := c.Socket(); socket {
		return ""
	}
	host, port, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return "" // it was checked
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	scheme := "http://"
	if c.TLS.Cert != "" {
		scheme = "https://"
	}
	return scheme + net.JoinHostPort(host, port)
}

// checkSocket says why weir cannot listen on a unix socket.
func checkSocket(path string) error {
	switch {
	case path == "":
		return fmt.Errorf("this names no socket; write unix:/run/weir/weir.sock")
	case len(path) > maxSocketPath:
		return fmt.Errorf("the path of the socket has more than %d bytes; choose a shorter one", maxSocketPath)
	}
	return nil
}

func ingressSchema() yamlfile.Schema {
	text := yamlfile.TextSchema()
	return ingressShape.Schema(map[string]yamlfile.Schema{
		"trusted_proxies": yamlfile.OneOrMoreSchema(text).Describe("Networks of proxies whose headers count, such as 10.0.0.0/8, or unix."),
		"header":          wordSchema(forwardHeaders).Describe("The header in which they name their client (default: x-forwarded-for)."),
		"proxy_protocol":  yamlfile.BoolSchema().Describe("Their connections begin with the PROXY protocol, version 1 or 2."),
		"ends_tls":        yamlfile.BoolSchema().Describe("TLS ends at these proxies; only they reach weir."),
		"advertise":       text.Describe("The address that clients use, such as https://weir.acme.example."),
		"hosts":           yamlfile.OneOrMoreSchema(text).Describe("Further names by which clients reach weir, such as weir.internal."),
		"socket_mode": yamlfile.Schema{"anyOf": []yamlfile.Schema{{"type": "integer"}, text}}.
			Describe("The permissions of the unix socket (default: 0600)."),
	})
}
