package config

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// Outgoing says how weir reaches an upstream, or all of them.
type Outgoing struct {
	Proxy ProxyChoice
	// CAFile is the path of certificates in PEM that are trusted beside those of the system; "": none.
	CAFile string
}

// A ProxyChoice says which proxy is used.
type ProxyChoice struct {
	// From says where the proxy is named; "": that is said elsewhere.
	From ProxySource
	// URL is the proxy, if From is FromURL. It may have a password.
	URL *url.URL
}

// A ProxySource is where a proxy is named.
type ProxySource string

// Where a proxy is named.
const (
	FromEnvironment ProxySource = "environment" // HTTPS_PROXY, HTTP_PROXY and NO_PROXY
	NoProxy         ProxySource = "none"
	FromURL         ProxySource = "url"
)

var outgoingShape = yamlfile.Shape{Optional: []string{"proxy", "ca_file"}}

// proxySchemes are the kinds of proxies.
var proxySchemes = []string{"http", "https", "socks5", "socks5h"}

func defaultOutgoing() Outgoing { return Outgoing{Proxy: ProxyChoice{From: FromEnvironment}} }

// Over returns how an upstream is reached: as its own keys say, else as those for all upstreams do.
func (o Outgoing) Over(all Outgoing) Outgoing {
	if o.Proxy.From == "" {
		o.Proxy = all.Proxy
	}
	if o.CAFile == "" {
		o.CAFile = all.CAFile
	}
	return o
}

// CAFiles are the files with certificates that are trusted for upstreams.
func (c *Config) CAFiles() (all []string) {
	for _, o := range append([]Outgoing{c.Outgoing}, outgoings(c.Upstreams)...) {
		if o.CAFile != "" && !slices.Contains(all, o.CAFile) {
			all = append(all, o.CAFile)
		}
	}
	return all
}

func outgoings(all map[string]Upstream) (out []Outgoing) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out = append(out, all[name].Outgoing)
	}
	return out
}

func (r *loader) outgoing(o *Outgoing, n *yamlfile.Node) {
	if r.report.Mapping(n, outgoingShape) {
		r.outgoingKeys(o, n)
	}
}

// outgoingKeys reads proxy and ca_file, which are also keys of an upstream.
func (r *loader) outgoingKeys(o *Outgoing, n *yamlfile.Node) {
	if v := n.Get("proxy"); v != nil {
		if text, ok := r.text(v, "environment, none or the address of a proxy"); ok {
			o.Proxy = r.proxyChoice(v, text)
		}
	}
	if v := n.Get("ca_file"); v != nil {
		if text, ok := r.text(v, "the path of a PEM file"); ok {
			o.CAFile = r.file(v, text)
		}
	}
}

// proxyChoice reads which proxy is used. Messages repeat nothing of an address: it may have a password.
func (r *loader) proxyChoice(n *yamlfile.Node, text string) ProxyChoice {
	if source := ProxySource(text); source == FromEnvironment || source == NoProxy {
		return ProxyChoice{From: source}
	}
	const cure = "write environment, none, or an address such as http://proxy.acme.example:8080"
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Opaque != "":
		r.report.Add(n, "this is not the address of a proxy", cure)
	case !slices.Contains(proxySchemes, u.Scheme):
		r.report.Add(n, "the scheme is none of "+strings.Join(proxySchemes, ", "), cure)
	case u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "":
		r.report.Add(n, "the address of a proxy has no path or query", cure)
	default:
		return ProxyChoice{From: FromURL, URL: u}
	}
	return ProxyChoice{}
}

func outgoingValues() map[string]yamlfile.Schema {
	text := yamlfile.TextSchema()
	return map[string]yamlfile.Schema{
		"proxy":   text.Describe("environment (HTTPS_PROXY, HTTP_PROXY, NO_PROXY), none, or the address of a proxy."),
		"ca_file": text.Describe("The path of certificates in PEM that are trusted beside those of the system."),
	}
}
