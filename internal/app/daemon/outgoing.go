package daemon

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/http/httpproxy"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/model/endpoint"
	"github.com/weir-gate/weir/internal/model/proxy"
	"github.com/weir-gate/weir/internal/run/canary"
)

// A liveTransport reaches upstreams. When its file of certificates changes it is read again: new connections use the new ones, and
// exchanges that are under way go on.
type liveTransport struct {
	caFile  string // "": only the system's certificates are trusted
	proxy   func(*http.Request) (*url.URL, error)
	log     *slog.Logger
	current atomic.Pointer[http.Transport]
	files   *watched
}

// RoundTrip implements http.RoundTripper.
func (l *liveTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	return l.current.Load().RoundTrip(r)
}

// load puts a transport with the certificates of the file in force.
func (l *liveTransport) load() error {
	t := proxy.NewTransport()
	t.Proxy = l.proxy
	if l.caFile != "" {
		roots, err := trusted(l.caFile)
		if err != nil {
			return err
		}
		t.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	}
	if old := l.current.Swap(t); old != nil {
		old.CloseIdleConnections()
	}
	return nil
}

// trusted returns the certificates of the system and of a file.
func trusted(path string) (*x509.CertPool, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read ca_file: %w; correct the path in weir.yaml", err)
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool() // a system without any
	}
	if !roots.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("read ca_file: %s has no certificate in PEM; name a file with certificates", path)
	}
	return roots, nil
}

// run reads the certificates again when their file changes, until ctx ends. A file that cannot be used leaves the old ones in force.
func (l *liveTransport) run(ctx context.Context, every time.Duration) {
	if l.caFile == "" {
		return
	}
	l.files.follow(ctx, every, func() {
		if err := l.load(); err != nil {
			l.log.Error("the new certificates for upstreams cannot be loaded; the old ones stay in force", "err", err)
			return
		}
		l.log.Info("certificates for upstreams loaded", "file", l.caFile)
	})
}

// upstreams returns the upstreams in the form of the door.
func (d *Daemon) upstreams(configured map[string]config.Upstream) map[string]proxy.Upstream {
	all := map[string]proxy.Upstream{
		canary.Upstream: {URL: canary.Address(), Unlisted: true}, // for weir verify
	}
	for name, u := range configured {
		all[name] = proxy.Upstream{
			URL: u.URL, Key: u.Key, Changes: u.Changes, Format: endpoint.Of(name).Format, Transport: d.ways[name],
		}
	}
	return all
}

// openOutgoing sets up how each upstream is reached. Upstreams that are reached alike share connections.
func (d *Daemon) openOutgoing() (map[string]http.RoundTripper, error) {
	c := d.cfg.Config
	environment := d.environmentProxy()
	shared, out := map[string]*liveTransport{}, map[string]http.RoundTripper{}
	for _, name := range slices.Sorted(maps.Keys(c.Upstreams)) {
		o := c.Upstreams[name].Outgoing.Over(c.Outgoing)
		key := fmt.Sprintf("%s %v %q", o.Proxy.From, o.Proxy.URL, o.CAFile)
		if shared[key] == nil {
			t := &liveTransport{caFile: o.CAFile, log: d.cfg.Log, files: watch(o.CAFile)}
			switch o.Proxy.From {
			case config.FromURL:
				if d.isSelf(o.Proxy.URL) {
					return nil, fmt.Errorf("the proxy of the upstream %s is this weir itself; name another proxy, or none", name)
				}
				t.proxy = http.ProxyURL(o.Proxy.URL)
			case config.FromEnvironment:
				t.proxy = environment
			}
			if err := t.load(); err != nil {
				return nil, fmt.Errorf("upstream %s: %w", name, err)
			}
			shared[key] = t
			d.transports = append(d.transports, t)
		}
		out[name] = shared[key]
	}
	return out, nil
}

// environmentProxy returns the proxy that the environment names: HTTPS_PROXY or HTTP_PROXY, unless NO_PROXY names the host. It is never
// this weir: these variables often lead agents to weir, and weir may be started with them.
func (d *Daemon) environmentProxy() func(*http.Request) (*url.URL, error) {
	find := httpproxy.FromEnvironment().ProxyFunc()
	var once sync.Once
	return func(r *http.Request) (*url.URL, error) {
		u, err := find(r.URL)
		if u != nil && d.isSelf(u) {
			once.Do(func() {
				d.cfg.Log.Warn("HTTPS_PROXY or HTTP_PROXY names this weir itself, and is not used; unset it, or set outgoing.proxy to none")
			})
			return nil, nil
		}
		return u, err
	}
}

// isSelf says whether an address is where weir listens.
func (d *Daemon) isSelf(u *url.URL) bool {
	own, isTCP := d.listener.Addr().(*net.TCPAddr)
	if port, err := strconv.Atoi(u.Port()); !isTCP || err != nil || port != own.Port {
		return false
	}
	if strings.EqualFold(u.Hostname(), "localhost") {
		return true
	}
	at, err := netip.ParseAddr(u.Hostname())
	if err != nil {
		return false
	}
	at = at.Unmap()
	return at.IsLoopback() || at.IsUnspecified() || own.AddrPort().Addr().Unmap() == at || own.IP.IsUnspecified() && isOfMachine(at)
}

// isOfMachine says whether an address is one of this machine.
func isOfMachine(at netip.Addr) bool {
	all, err := net.InterfaceAddrs()
	return err == nil && slices.ContainsFunc(all, func(a net.Addr) bool {
		n, ok := a.(*net.IPNet)
		return ok && n.IP.Equal(at.AsSlice())
	})
}

// CheckOutgoing says why upstreams could not be reached as a configuration says.
func CheckOutgoing(c *config.Config) error {
	for _, path := range c.CAFiles() {
		if _, err := trusted(path); err != nil {
			return err
		}
	}
	return nil
}
