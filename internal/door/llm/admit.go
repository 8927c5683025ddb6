package llm

import (
	"cmp"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/dialect"
	"github.com/weir-gate/weir/internal/endpoint"
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
	if f := x.door.guard(x.r); f != nil {
		return f
	}
	if x.own != nil {
		return x.visit()
	}
	actor, ok := x.door.identify(key)
	if !ok {
		return &failure{
			status:  http.StatusUnauthorized,
			message: "weir does not know this client; give your key in the header x-weir-key or as /k/<key>/ ahead of the path",
		}
	}
	x.actor = actor
	if x.door.cfg.Off {
		return &failure{status: http.StatusNotFound, message: switchedOff}
	}
	if x.upstream == nil {
		return &failure{status: http.StatusNotFound, message: x.door.routes()}
	}
	return x.admitEndpoint()
}

// switchedOff says why nothing is sent on.
const switchedOff = "weir's proxy for models is switched off (proxy.mode is disabled in weir.yaml); set proxy.mode to embedded to use it"

// admitEndpoint refuses what is not sent at all. When weir only observes, everything is.
func (x *exchange) admitEndpoint() *failure {
	switch {
	case x.door.cfg.Observe:
		return nil
	case x.changesModels() && !x.upstream.changes:
		return refusal(http.StatusBadRequest, "changing the models of "+x.upstream.name+" is not allowed here; set changes: true for this upstream to allow it")
	case x.upstream.key == "" && signedForAnother(x.r, x.upstream.url.Hostname()):
		return refusal(http.StatusBadRequest, "the request is signed for weir's address, so the upstream would not take it; "+
			"let the client use a Bedrock API key (AWS_BEARER_TOKEN_BEDROCK) or not sign, or give the upstream a key")
	case x.known && x.endpoint.Treatment == endpoint.Refused:
		return x.refuseRequest(dialect.Refused{Code: call.CodeUnrecognised, Reason: "weir does not send this request on: " + x.endpoint.Note})
	}
	return nil
}

// aim finds out what a clean path is for, and returns the client's key.
func (x *exchange) aim(path string) (key string) {
	key = headerKey(x.r.Header)
	first, rest := cutSegment(path)
	x.own = x.door.ownPage(first, rest)
	if first == keySegment {
		escaped, below := cutSegment(rest)
		key, _ = url.PathUnescape(escaped) // a clean path always unescapes
		first, rest = cutSegment(below)
	}
	if x.upstream = x.door.upstreams[first]; x.upstream != nil {
		x.path = x.upstream.versionedPath(rest)
		path = x.path
		x.endpoint, x.known = x.upstream.findEndpoint(x.r.Method, x.path)
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
	case speaksOfAnother(r):
		return refusal(http.StatusBadRequest, "the request names another method or address in its header or query than it is sent with")
	case wantsUpgrade(r.Header):
		return &failure{status: http.StatusUpgradeRequired, message: upgradeRefused}
	}
	return nil
}

// overrides are headers and parameters with which some servers let a request be another one than it is.
var overrides = []string{
	"X-Http-Method-Override", "X-Http-Method", "X-Method-Override", "X-Original-Url", "X-Rewrite-Url", "X-Original-Uri",
}

func speaksOfAnother(r *http.Request) bool {
	for name := range r.Header {
		// Some servers take an underscore for a dash.
		if slices.Contains(overrides, http.CanonicalHeaderKey(strings.ReplaceAll(name, "_", "-"))) {
			return true
		}
	}
	for name := range r.URL.Query() {
		switch strings.ToLower(strings.TrimPrefix(name, "$")) {
		case "_method", "httpmethod", "x-http-method-override":
			return true
		}
	}
	return false
}

// signedForAnother says whether a request to a service of Amazon's carries a signature. It is made over the host's name,
// which is another once weir sends the request on.
func signedForAnother(r *http.Request, host string) bool {
	if !strings.HasSuffix(host, ".amazonaws.com") && !strings.HasSuffix(host, ".amazonaws.com.cn") {
		return false
	}
	return strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-") || r.URL.Query().Has("X-Amz-Signature")
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
