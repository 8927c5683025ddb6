package agent

import (
	"fmt"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/inert"
)

// longest is how many characters of a user's value an error or a note shows.
const longest = 200

// Route returns weir's address for an address of an upstream, or for one of weir's own addresses. It is not ok for addresses that
// weir does not know.
func (w Weir) Route(address string) (string, bool) {
	u, ok := parseAddress(address)
	if !ok {
		return "", false
	}
	for _, own := range append([]string{w.Base}, w.Own...) {
		if rest, ok := below(u, own, ""); ok {
			rest = withoutKey(rest)
			name, _, _ := strings.Cut(strings.TrimPrefix(rest, "/"), "/")
			_, known := w.Upstreams[name]
			return w.Base + rest, known
		}
	}
	name, rest := w.upstreamOf(u)
	return w.URL(name, rest), name != ""
}

// withoutKey removes a client's key from the path of one of weir's addresses.
func withoutKey(path string) string {
	if rest, ok := strings.CutPrefix(path, "/k/"); ok {
		_, rest, _ = strings.Cut(rest, "/")
		return "/" + rest
	}
	return path
}

// upstreamOf finds the upstream of an address, and the rest of the address after the upstream's own. If several match, it is the
// one with the longest address.
func (w Weir) upstreamOf(u *url.URL) (name, rest string) {
	length := -1
	for _, n := range slices.Sorted(maps.Keys(w.Upstreams)) {
		base := strings.TrimRight(w.Upstreams[n], "/")
		r, ok := below(u, base, "")
		if unversioned, versioned := strings.CutSuffix(base, "/v1"); !ok && versioned {
			// weir merges the version if both have it.
			r, ok = below(u, unversioned, "/v1")
		}
		if ok && len(base) > length {
			name, rest, length = n, r, len(base)
		}
	}
	if name == "" {
		return w.movedFrom(u)
	}
	return name, rest
}

// ChatGPTAddress is where Codex sends requests with a login of ChatGPT.
const ChatGPTAddress = "https://chatgpt.com/backend-api/codex"

// usualAddresses are the default addresses of the upstreams that agents use without configuration.
var usualAddresses = map[string]string{
	"anthropic": "https://api.anthropic.com", "openai": "https://api.openai.com", "chatgpt": ChatGPTAddress,
	"gemini": "https://generativelanguage.googleapis.com", "codeassist": "https://cloudcode-pa.googleapis.com",
}

// movedFrom finds the upstream whose usual address this is. The user has given the upstream another address, perhaps of a gateway,
// and weir sends its requests there.
func (w Weir) movedFrom(u *url.URL) (name, rest string) {
	for n, address := range usualAddresses {
		if _, ok := w.Upstreams[n]; !ok {
			continue
		}
		if r, ok := below(u, address, ""); ok {
			return n, r
		}
	}
	return "", ""
}

// below says whether an address is a base address or below it, and returns the rest after the base. If there is a rest, it must
// begin with next.
func below(u *url.URL, base, next string) (rest string, ok bool) {
	b, ok := parseAddress(base)
	if !ok || b.Scheme != u.Scheme || b.Host != u.Host {
		return "", false
	}
	rest, ok = strings.CutPrefix(u.EscapedPath(), b.EscapedPath())
	if !ok || rest != "" && rest[0] != '/' {
		return "", false
	}
	return rest, rest == "" || next == "" || rest == next || strings.HasPrefix(rest, next+"/")
}

// parseAddress parses an HTTP address and normalises it: host in lower case, no default port, no slash at the end. It refuses
// addresses with a segment of dots, because programs interpret them differently.
func parseAddress(address string) (*url.URL, bool) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, false
	}
	defaults := map[string]string{"http": "80", "https": "443"}
	port, ok := defaults[u.Scheme]
	if !ok {
		return nil, false
	}
	u.Host = strings.ToLower(u.Host)
	if host, p, err := net.SplitHostPort(u.Host); err == nil && p == port {
		u.Host = host
		if strings.Contains(host, ":") {
			u.Host = "[" + host + "]"
		}
	}
	for segment := range strings.SplitSeq(u.Path, "/") {
		if segment == "." || segment == ".." {
			return nil, false
		}
	}
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), strings.TrimRight(u.RawPath, "/")
	return u, true
}

// UpstreamAt finds an upstream with a wanted host.
func (w Weir) UpstreamAt(wanted func(host string) bool) (name string, ok bool) {
	for _, n := range slices.Sorted(maps.Keys(w.Upstreams)) {
		if u, is := parseAddress(w.Upstreams[n]); is && wanted(u.Hostname()) {
			return n, true
		}
	}
	return "", false
}

// NotUpstream is the error for an address that is not an upstream of weir.
func NotUpstream(origin, setting, address string) error {
	return fmt.Errorf("%s: %s is %q, which is not an upstream of weir; declare it under upstreams in weir.yaml, or remove the setting",
		origin, setting, inert.Text(address, longest))
}
