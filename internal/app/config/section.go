package config

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

var (
	tlsShape    = yamlfile.Shape{Required: []string{"cert", "key"}}
	clientShape = yamlfile.Shape{Required: []string{"key"}, Optional: []string{"name", "employee", "team", "org", "session_header"}}
	// upstreamShape is the shape of an upstream that is not built in. A built-in upstream needs no URL.
	upstreamShape        = yamlfile.Shape{Required: []string{"url"}, Optional: []string{"key", "changes"}}
	builtInUpstreamShape = yamlfile.Shape{Optional: []string{"url", "key", "changes"}}
	// takenNames are parts of weir's own paths.
	takenNames = []string{"k", "healthz", "readyz", "metrics", "mcp", ".well-known", "canary"}
)

func (r *loader) tls(cfg *Config, n *yamlfile.Node) {
	if !r.report.Mapping(n, tlsShape) {
		return
	}
	for name, field := range map[string]*string{"cert": &cfg.TLS.Cert, "key": &cfg.TLS.Key} {
		if v := n.Get(name); v != nil {
			if text, ok := r.text(v, "the path of a PEM file"); ok {
				*field = r.file(v, text)
			}
		}
	}
}

var upstreamName = regexp.MustCompile(`^[a-z0-9_-]{1,64}$`)

func (r *loader) upstreams(cfg *Config, n *yamlfile.Node) {
	var shape yamlfile.Shape
	if n.Kind == yamlfile.Map {
		for _, e := range n.Entries {
			shape.Optional = append(shape.Optional, e.Name)
		}
	}
	if !r.report.Mapping(n, shape) {
		return
	}
	for _, name := range shape.Optional {
		v := n.Get(name)
		switch {
		case slices.Contains(takenNames, name):
			r.report.Add(v, "the name "+name+" is taken: weir uses it in paths itself", "choose another name")
		case !upstreamName.MatchString(name):
			r.report.Add(v, "this is not a name for an upstream", "use up to 64 lower-case letters, digits, dashes and underscores")
		}
		if u, ok := r.upstream(v, cfg.Upstreams[name]); ok {
			cfg.Upstreams[name] = u
		}
	}
}

// upstream reads one upstream. u is the built-in upstream of the same name, if there is one.
func (r *loader) upstream(n *yamlfile.Node, u Upstream) (Upstream, bool) {
	shape := upstreamShape
	if u.URL != nil {
		shape = builtInUpstreamShape
	}
	if !r.report.Mapping(n, shape) {
		return u, false
	}
	if v := n.Get("url"); v != nil {
		if text, ok := r.text(v, "a URL"); ok {
			u.URL = r.url(v, text)
		}
	}
	if v := n.Get("key"); v != nil {
		u.Key, _ = r.text(v, "a key")
		if strings.ContainsFunc(u.Key, func(c rune) bool { return c <= ' ' || c > '~' }) {
			r.report.Add(v, "a key is printable ASCII without blanks", "check the variable for a line break at its end")
		}
	}
	if v := n.Get("changes"); v != nil {
		u.Changes, _ = r.report.Bool(v)
	}
	return u, u.URL != nil
}

// url checks a URL. Messages repeat nothing of it: it may have a password.
func (r *loader) url(n *yamlfile.Node, text string) *url.URL {
	u, err := url.Parse(text)
	const cure = "write https://host or https://host/path"
	switch {
	case err != nil || u.Host == "" || u.Opaque != "":
		r.report.Add(n, "this is not a URL", cure)
	case u.Scheme != "https" && u.Scheme != "http":
		r.report.Add(n, "the scheme is neither https nor http", cure)
	case u.User != nil:
		r.report.Add(n, "a URL with a user or password is not supported", "use key for the secret")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || strings.Contains(text, "#"):
		r.report.Add(n, "a URL with a query or fragment is not supported", cure)
	default:
		return u
	}
	return nil
}

var clientKey = regexp.MustCompile(`^[A-Za-z0-9._~-]*$`)

const minClientKey = 16

func (r *loader) clients(cfg *Config, n *yamlfile.Node) {
	items, _ := r.report.List(n)
	keys, names := map[string]int{}, map[string]int{}
	for _, item := range items {
		if !r.report.Mapping(item, clientShape) {
			continue
		}
		var c Client
		fields := map[string]*string{
			"key": &c.Key, "name": &c.Name, "employee": &c.Employee, "team": &c.Team, "org": &c.Org,
			"session_header": &c.SessionHeader,
		}
		for _, e := range item.Entries {
			if field := fields[e.Name]; field != nil {
				*field, _ = r.text(e.Value, "a value")
			}
		}
		if c.Key != "" {
			r.clientKey(item.Get("key"), c.Key)
		}
		if c.SessionHeader != "" {
			r.sessionHeader(item.Get("session_header"), c.SessionHeader)
		}
		if first, twice := keys[c.Key]; twice && c.Key != "" {
			r.report.Add(item.Get("key"), fmt.Sprintf("this key is used twice, first on line %d", first), "give each client its own")
		}
		if first, twice := names[strings.ToLower(c.Name)]; twice && c.Name != "" {
			r.report.Add(item.Get("name"), fmt.Sprintf("this name is used twice, first on line %d", first), "give each client its own")
		}
		keys[c.Key], names[strings.ToLower(c.Name)] = item.Line, item.Line
		cfg.Clients = append(cfg.Clients, c)
	}
}

// clientKey checks a key without repeating it.
func (r *loader) clientKey(n *yamlfile.Node, key string) {
	switch {
	case len(key) < minClientKey:
		r.report.Add(n, fmt.Sprintf("the key has fewer than %d characters", minClientKey), "make one with: openssl rand -hex 24")
	case !clientKey.MatchString(key):
		r.report.Add(n, "the key cannot stand in a path", "use letters, digits and - . _ ~ only, as openssl rand -hex 24 gives")
	}
}

var sessionHeader = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// notSessions are headers that have another meaning, or a secret, which would be recorded.
var notSessions = []string{
	"api-key", "authorization", "connection", "content-encoding", "content-length", "content-type", "cookie", "expect", "host",
	"mcp-session-id", "proxy-authorization",
	"transfer-encoding", "x-api-key", "x-goog-api-key", "x-weir-key",
}

// sessionHeader checks the header in which a client names its sessions.
func (r *loader) sessionHeader(n *yamlfile.Node, name string) {
	const cure = "use one that the client sends for this, such as x-session-id"
	switch {
	case !sessionHeader.MatchString(name):
		r.report.Add(n, "this is not the name of a header", cure)
	case slices.Contains(notSessions, strings.ToLower(name)):
		r.report.Add(n, "the header "+strings.ToLower(name)+" has another meaning, or a secret in it", cure)
	}
}

// policy reads the path of a policy, or the policy itself. Variables in an inline policy are not replaced: its patterns are full of
// dollar signs, and it must mean the same as in a separate file.
func (r *loader) policy(cfg *Config, n *yamlfile.Node) {
	switch n.Kind {
	case yamlfile.Map:
		cfg.Policy = Policy{Inline: policy.FromNode(n, r.report)}
	case yamlfile.String:
		if text, ok := r.text(n, "the path of a policy"); ok {
			cfg.Policy = Policy{Path: r.file(n, text)}
		}
	default:
		r.report.Add(n, "expected a path or a policy, found "+n.Kind.String(), "write policy: policy.yaml")
	}
}
