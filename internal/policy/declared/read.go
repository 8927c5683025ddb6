package declared

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/text/yamlfile"
)

var (
	typeWords = yamlfile.Choice{What: "a type of server", Words: []string{Stdio, HTTP, SSE}}
	// typeKeys are the keys for each type of server, in addition to those of all types.
	typeKeys = map[string][]string{
		Stdio: {"command", "args", "env", "dir"},
		HTTP:  networkKeys,
		SSE:   networkKeys,
	}
	networkKeys = []string{"url", "tls_fingerprint", "allow_addresses", "auth"}
	serverShape = yamlfile.Shape{
		Required: []string{"id", "type"},
		Optional: slices.Concat([]string{"timeout"}, typeKeys[Stdio], networkKeys),
	}
	envShape = yamlfile.Shape{Optional: []string{"allow", "deny", "set"}}
)

var (
	serverID     = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
	fingerprint  = regexp.MustCompile(`^sha256:[0-9A-Fa-f]{64}$`)
	variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// These are the bounds of a timeout.
const (
	minTimeout = time.Second
	maxTimeout = time.Hour
)

// A reader parses declarations and reports what is wrong with them.
type reader struct{ *yamlfile.Report }

// Read parses a list of declarations.
func Read(n *yamlfile.Node, report *yamlfile.Report) []Server {
	r := reader{report}
	if n.Kind != yamlfile.List {
		r.Add(n, "expected a list of servers", "write each server as a list item, or servers: []")
		return nil
	}
	var out []Server
	lines := map[string]int{}
	for _, item := range n.Items {
		s := r.server(item)
		// Rules and names of tools ignore the case of ids.
		folded := strings.ToLower(s.ID)
		if first, twice := lines[folded]; twice && s.ID != "" {
			r.Add(item.Get("id"), fmt.Sprintf("the id %s is used twice, first on line %d", yamlfile.Quote(s.ID), first),
				"give each server its own id; upper and lower case are the same")
		} else {
			lines[folded] = item.Line
		}
		out = append(out, s)
	}
	return out
}

func (r reader) server(n *yamlfile.Node) Server {
	s := Server{Line: n.Line, Timeout: DefaultTimeout, Auth: Auth{Type: AuthNone}}
	if !r.Mapping(n, serverShape) {
		return s
	}
	if v := n.Get("id"); v != nil {
		s.ID = r.id(v)
	}
	if v := n.Get("timeout"); v != nil {
		s.Timeout = r.timeout(v)
	}
	v := n.Get("type")
	if v == nil {
		return s
	}
	known := false
	if s.Type, known = r.Word(v, typeWords); !known {
		return s
	}
	for _, e := range n.Entries {
		if slices.Contains(serverShape.Optional[1:], e.Name) && !slices.Contains(typeKeys[s.Type], e.Name) {
			r.Add(e.Value, fmt.Sprintf("the key %s is for servers of type %s, and this one is of type %s", e.Name, typesWith(e.Name), s.Type),
				"remove the key, or change the type")
		}
	}
	if s.Type == Stdio {
		r.process(n, &s)
	} else {
		r.network(n, &s)
	}
	return s
}

// typesWith are the types that have a key.
func typesWith(key string) string {
	var with []string
	for _, word := range typeWords.Words {
		if slices.Contains(typeKeys[word], key) {
			with = append(with, word)
		}
	}
	return yamlfile.OneOf(with)
}

func (r reader) id(n *yamlfile.Node) string {
	id, ok := r.String(n, "an id")
	if ok && !serverID.MatchString(id) {
		r.Add(n, yamlfile.Quote(id)+" is not an id",
			"use up to 64 letters, digits, dots, dashes and underscores, and begin with a letter or digit")
		return ""
	}
	return id
}

func (r reader) timeout(n *yamlfile.Node) time.Duration {
	text, ok := r.String(n, "a time such as 30s")
	if !ok {
		return 0
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < minTimeout || d > maxTimeout {
		r.Add(n, yamlfile.Quote(text)+" is not a time from a second to an hour", "write one such as 30s or 2m")
	}
	return d
}

// process parses the keys of a server that is a process.
func (r reader) process(n *yamlfile.Node, s *Server) {
	if v := n.Get("command"); v != nil {
		s.Command = r.text(v, "the program to start")
	} else {
		r.Add(n, "a server of type stdio needs the key command", "name the program that is the server")
	}
	if v := n.Get("args"); v != nil && r.Is(v, yamlfile.List) {
		for _, item := range v.Items {
			if r.Is(item, yamlfile.String) {
				r.checkVariables(item)
				s.Args = append(s.Args, item.Text)
			}
		}
	}
	if v := n.Get("dir"); v != nil {
		s.Dir = r.text(v, "a folder")
	}
	if v := n.Get("env"); v != nil {
		s.Env = r.env(v)
	}
}

func (r reader) env(n *yamlfile.Node) (out EnvLists) {
	if !r.Mapping(n, envShape) {
		return out
	}
	if len(n.Entries) == 0 {
		r.Add(n, "env says nothing", "write allow, deny or set, or remove the key")
	}
	out.Allow, out.Deny = r.names(n.Get("allow")), r.names(n.Get("deny"))
	v := n.Get("set")
	if v == nil || !r.Is(v, yamlfile.Map) {
		return out
	}
	out.Set = map[string]string{}
	for _, e := range v.Entries {
		if !variableName.MatchString(e.Name) {
			r.Add(e.Value, yamlfile.Quote(e.Name)+" is not the name of a variable", "use letters, digits and underscores")
		}
		if r.Is(e.Value, yamlfile.String) {
			r.checkVariables(e.Value)
			out.Set[e.Name] = e.Value.Text
		}
	}
	return out
}

func (r reader) names(n *yamlfile.Node) (out []string) {
	if n == nil {
		return nil
	}
	items, _ := r.OneOrMore(n, "the name of a variable, or a glob")
	for _, item := range items {
		out = append(out, item.Text)
	}
	return out
}

// network parses the keys of a server that is reached by HTTP.
func (r reader) network(n *yamlfile.Node, s *Server) {
	at := n.Get("url")
	if at != nil {
		s.URL = r.url(at)
	} else {
		r.Add(n, fmt.Sprintf("a server of type %s needs the key url", s.Type), "say where the server is")
	}
	if v := n.Get("tls_fingerprint"); v != nil {
		s.TLSFingerprint = r.fingerprint(v)
		if !hasVariable(s.URL) && isPlain(s.URL) {
			r.Add(v, errNoCertificate.message, errNoCertificate.cure)
		}
	}
	if v := n.Get("allow_addresses"); v != nil {
		s.AllowAddresses = r.prefixes(v)
	}
	if v := n.Get("auth"); v != nil {
		s.Auth = r.auth(v)
		if s.Auth.Type != AuthNone && !hasVariable(s.URL) && inTheClear(s.URL) {
			r.Add(at, errClear.message, errClear.cure)
		}
	}
}

func (r reader) fingerprint(n *yamlfile.Node) string {
	text, ok := r.String(n, "a fingerprint")
	if ok && !fingerprint.MatchString(text) {
		r.Add(n, "this is not the fingerprint of a certificate", "write sha256: and 64 hexadecimal digits")
	}
	return strings.ToLower(text)
}

func (r reader) prefixes(n *yamlfile.Node) (out []netip.Prefix) {
	const what = "an address or a range such as 10.0.0.0/8"
	items, _ := r.OneOrMore(n, what)
	for _, item := range items {
		prefix, err := netip.ParsePrefix(item.Text)
		if addr, alone := netip.ParseAddr(item.Text); alone == nil && addr.Zone() == "" {
			prefix, err = netip.PrefixFrom(addr, addr.BitLen()), nil
		}
		switch {
		case item.Kind != yamlfile.String || item.Text == "": // reported already
		case err != nil:
			r.Add(item, yamlfile.Quote(item.Text)+" is not an address or a range of them", "write "+what)
		case prefix != prefix.Masked():
			r.Add(item, yamlfile.Quote(item.Text)+" is an address within a range", "write the range as "+prefix.Masked().String())
		default:
			out = append(out, prefix)
		}
	}
	return out
}
