// Package admission says who may use weir's doors, and refuses web pages.
package admission

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
)

// Config sets up an Admission.
type Config struct {
	// Clients are the clients that may use the doors; empty: everybody who reaches them may, unless Closed.
	Clients []Client
	// Closed says that only clients may use the doors, even while there are none: their keys are added and removed while weir runs.
	Closed bool
	// Hosts are the names and addresses, beside loopback, by which clients may reach the doors. An unspecified address (0.0.0.0, ::)
	// means every address, but no name. Empty: only loopback.
	Hosts []string
}

// An Admission decides on requests before their bodies are read. It is safe for concurrent use.
type Admission struct {
	clients atomic.Pointer[[]keyholder] // replaced as a whole
	closed  bool
	guests  guests
	hosts   atomic.Pointer[hosts] // likewise
}

// hosts are the names and addresses by which clients may reach the doors.
type hosts struct {
	names   map[string]bool
	anyAddr bool
}

// New returns an Admission, or an error about its clients.
func New(cfg Config) (*Admission, error) {
	a := &Admission{closed: cfg.Closed}
	a.ReplaceHosts(cfg.Hosts)
	if err := a.setClients(cfg.Clients); err != nil {
		return nil, err
	}
	return a, nil
}

// A Refusal is the reason for refusing a request. Its text has nothing of the request.
type Refusal struct {
	Status  int // of HTTP
	Message string
}

func refuse(status int, message string) *Refusal { return &Refusal{Status: status, Message: message} }

// methods are the methods of API requests. Others are refused: OPTIONS comes from browsers, CONNECT and TRACE are for other kinds
// of proxies.
var methods = map[string]bool{
	http.MethodGet: true, http.MethodHead: true, http.MethodPost: true,
	http.MethodPut: true, http.MethodPatch: true, http.MethodDelete: true,
}

// KnownMethod says whether a method is one of API requests.
func KnownMethod(method string) bool { return methods[method] }

// Check refuses requests that no API client sends, mainly those of web pages, which can reach loopback addresses from every
// browser.
func (a *Admission) Check(r *http.Request) *Refusal {
	switch {
	case !KnownMethod(r.Method):
		return refuse(http.StatusMethodNotAllowed, "weir does not take this method")
	case !a.knowsHost(r.Host):
		return refuse(http.StatusForbidden, "the request names a host that is not this weir")
	case r.URL.Host != "":
		return refuse(http.StatusBadRequest, "weir is no forward proxy; point the base URL of your client here")
	case r.Header["Origin"] != nil || fromAnotherSite(r.Header):
		return refuse(http.StatusForbidden, "requests from web pages are not taken")
	case speaksOfAnother(r):
		return refuse(http.StatusBadRequest, "the request names another method or address in its header or query than it is sent with")
	case wantsUpgrade(r.Header):
		return refuse(http.StatusUpgradeRequired, upgradeRefused)
	}
	return nil
}

// overrides are headers and parameters with which a request can change its method or address on some servers.
var overrides = []string{
	"X-Http-Method-Override", "X-Http-Method", "X-Method-Override", "X-Original-Url", "X-Rewrite-Url", "X-Original-Uri",
}

func speaksOfAnother(r *http.Request) bool {
	for name := range r.Header {
		// Some servers treat an underscore like a dash.
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

// upgradeRefused is for the client, which falls back to plain requests at once, and for the log.
const upgradeRefused = "weir does not take this protocol upgrade, because it could not judge the calls in it; use plain requests"

// wantsUpgrade says whether the client needs another protocol. An offer of HTTP/2 does not count: it may be ignored, and is.
func wantsUpgrade(h http.Header) bool {
	for _, protocol := range h["Upgrade"] {
		if !strings.EqualFold(protocol, "h2c") {
			return true
		}
	}
	return false
}

// fromAnotherSite says whether a browser sent the request for a page of another site. A typed address is accepted.
func fromAnotherSite(h http.Header) bool {
	for _, site := range h["Sec-Fetch-Site"] {
		if site != "none" {
			return true
		}
	}
	return false
}

// ReplaceHosts replaces the names and addresses by which clients may reach the doors: see Config.Hosts.
func (a *Admission) ReplaceHosts(list []string) {
	known := &hosts{names: map[string]bool{"localhost": true}}
	for _, h := range list {
		h = hostName(h)
		known.names[h] = true
		if addr, err := netip.ParseAddr(h); h == "" || err == nil && addr.IsUnspecified() {
			known.anyAddr = true
		}
	}
	delete(known.names, "")
	a.hosts.Store(known)
}

// knowsHost says whether host, with or without a port, means this weir. A web page can make its own name point to a loopback
// address, but it cannot hide that name.
func (a *Admission) knowsHost(host string) bool {
	name, known := hostName(host), a.hosts.Load()
	if known.names[name] {
		return true
	}
	addr, err := netip.ParseAddr(name)
	return err == nil && (addr.Unmap().IsLoopback() || known.anyAddr)
}

// hostName strips the port, brackets and the final dot, and folds the case.
func hostName(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return strings.ToLower(strings.TrimSuffix(host, "."))
}
