package config

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

var (
	tlsShape = yamlfile.Shape{Required: []string{"cert", "key"}}
	// upstreamShape is the shape of an upstream that is not built in. A built-in upstream needs no URL.
	upstreamShape        = yamlfile.Shape{Required: []string{"url"}, Optional: []string{"key", "key_file", "changes", "proxy", "ca_file"}}
	builtInUpstreamShape = yamlfile.Shape{Optional: []string{"url", "key", "key_file", "changes", "proxy", "ca_file"}}
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
	r.upstreamKey(&u, n)
	if v := n.Get("changes"); v != nil {
		u.Changes, _ = r.report.Bool(v)
	}
	r.outgoingKeys(&u.Outgoing, n)
	return u, u.URL != nil
}

// upstreamKey reads the key of an upstream, or the file that has it.
func (r *loader) upstreamKey(u *Upstream, n *yamlfile.Node) {
	cure, v := "check the variable for a line break at its end", n.Get("key")
	if v != nil {
		u.Key, _ = r.text(v, "a key")
	}
	if file := n.Get("key_file"); file != nil {
		if v != nil {
			r.report.Add(file, "an upstream has a key or a key_file, not both", "remove one")
			return
		}
		if text, ok := r.text(file, "the path of a file with a key"); ok {
			u.KeyFile = r.path(text)
			r.readKey(u, file)
		}
		cure, v = "let the file have the key alone", file
	}
	if strings.ContainsFunc(u.Key, func(c rune) bool { return c <= ' ' || c > '~' }) {
		r.report.Add(v, "a key is printable ASCII without blanks", cure)
	}
}

// readKey reads the key of an upstream from its file. A line break at the end does not count.
func (r *loader) readKey(u *Upstream, n *yamlfile.Node) {
	if r.secret == nil {
		return // files are not looked at
	}
	text, err := r.secret(u.KeyFile)
	if err != nil {
		message, cure, found := strings.Cut(err.Error(), "; ")
		if !found {
			cure = "write the key there, or correct the path"
		}
		r.report.Add(n, message, cure)
		return
	}
	if u.Key = strings.TrimRight(string(text), "\r\n"); u.Key == "" {
		r.report.Add(n, u.KeyFile+" is empty", "write the key there")
	}
}

// KeyFiles are the files with keys of upstreams.
func (c *Config) KeyFiles() (all []string) {
	for _, name := range slices.Sorted(maps.Keys(c.Upstreams)) {
		if file := c.Upstreams[name].KeyFile; file != "" && !slices.Contains(all, file) {
			all = append(all, file)
		}
	}
	return all
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
