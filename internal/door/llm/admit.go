package llm

import (
	"cmp"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// methods are what APIs are called with. Others have no business here: OPTIONS is a browser's question, CONNECT and
// TRACE are for proxies of another kind.
var methods = map[string]bool{
	http.MethodGet: true, http.MethodHead: true, http.MethodPost: true,
	http.MethodPut: true, http.MethodPatch: true, http.MethodDelete: true,
}

// admit decides whether the request may go on, and where to. It reads no body.
func (x *exchange) admit() *failure {
	path, err := cleanPath(x.r.URL.EscapedPath())
	if err != nil || !plainQuery(x.r.URL.RawQuery) {
		return cmp.Or(x.door.guard(x.r), refusal(http.StatusBadRequest, "the address can be read in more than one way"))
	}
	key := x.aim(path) // first, so that refusals too are in the client's own words
	if f := x.door.guard(x.r); f != nil || x.own {
		return f
	}
	actor, ok := x.door.identify(key)
	if !ok {
		return &failure{
			status:  http.StatusUnauthorized,
			message: "weir does not know this client; give your key in the header x-weir-key or as /k/<key>/ ahead of the path",
		}
	}
	x.actor = actor
	if x.upstream == nil {
		return &failure{status: http.StatusNotFound, message: x.door.routes()}
	}
	if !x.upstream.changes && !x.door.cfg.Observe && x.changes() {
		return refusal(http.StatusBadRequest, "changing the models of "+x.upstream.name+" is not allowed here; set changes: true for this upstream to allow it")
	}
	return nil
}

// aim finds out what a clean path is for, and returns the client's key.
func (x *exchange) aim(path string) (key string) {
	key = headerKey(x.r.Header)
	first, rest := cutSegment(path)
	x.own = first == "" || first == healthSegment && rest == "/"
	if first == keySegment {
		escaped, below := cutSegment(rest)
		key, _ = url.PathUnescape(escaped) // a clean path always unescapes
		first, rest = cutSegment(below)
	}
	if x.upstream = x.door.upstreams[first]; x.upstream != nil {
		x.path = x.upstream.versionedPath(rest)
		path = x.path
	}
	if x.asked, x.ask = x.door.askedFormat(x.r, path); x.asked != nil {
		x.wants, _ = x.asked.Wants(x.r, nil) // as far as it can be known without the body
	}
	return key
}

// guard keeps out what no API client sends: web pages above all, which reach loopback addresses from every browser.
func (d *Door) guard(r *http.Request) *failure {
	switch {
	case !methods[r.Method]:
		return refusal(http.StatusMethodNotAllowed, "weir does not take this method")
	case !d.knowsHost(r.Host):
		return refusal(http.StatusForbidden, "the request names a host that is not this weir")
	case r.URL.Host != "":
		return refusal(http.StatusBadRequest, "weir is no forward proxy; point the base URL of your client here")
	case r.Header["Origin"] != nil || fromAnotherSite(r.Header):
		return refusal(http.StatusForbidden, "requests from web pages are not taken")
	case wantsUpgrade(r.Header):
		return &failure{status: http.StatusUpgradeRequired, message: upgradeRefused}
	}
	return nil
}

// changes says whether the request would change the models of a model server, wherever that has its API.
func (x *exchange) changes() bool {
	for path := join(x.upstream.base, x.path); path != "/"; {
		if isAmong(changing, x.r.Method, path) {
			return true
		}
		_, path = cutSegment(path)
	}
	return false
}

// upgradeRefused is for the client, which falls back to plain requests at once, and for the log.
const upgradeRefused = "weir does not take this protocol upgrade, because it could not judge the calls in it; use plain requests"

// wantsUpgrade says whether the client needs another protocol. An offer of HTTP/2 is none: it may be ignored, and is.
func wantsUpgrade(h http.Header) bool {
	for _, protocol := range h["Upgrade"] {
		if !strings.EqualFold(protocol, "h2c") {
			return true
		}
	}
	return false
}

// fromAnotherSite says whether a browser sent the request for a page of another site. Typing the address is fine.
func fromAnotherSite(h http.Header) bool {
	for _, site := range h["Sec-Fetch-Site"] {
		if site != "none" {
			return true
		}
	}
	return false
}

func (d *Door) setHosts(hosts []string) {
	d.hosts = map[string]bool{"localhost": true}
	for _, h := range hosts {
		h = hostName(h)
		d.hosts[h] = true
		if addr, err := netip.ParseAddr(h); h == "" || err == nil && addr.IsUnspecified() {
			d.anyAddr = true
		}
	}
	delete(d.hosts, "")
}

// knowsHost says whether host, with or without a port, means this weir. A web page can make a name of its own point to
// a loopback address, but it cannot hide that name.
func (d *Door) knowsHost(host string) bool {
	name := hostName(host)
	if d.hosts[name] {
		return true
	}
	addr, err := netip.ParseAddr(name)
	return err == nil && (addr.Unmap().IsLoopback() || d.anyAddr)
}

// hostName strips the port, brackets and the final dot, and folds the case.
func hostName(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return strings.ToLower(strings.TrimSuffix(host, "."))
}
