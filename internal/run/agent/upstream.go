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

// longest is how much of a value of the user's an error or a note shows.
const longest = 200

// lead is the address at which weir stands in front of another: that of an upstream, or one of weir's own. It is not found
// for addresses that weir knows nothing of.
func (w Weir) lead(address string) (string, bool) {
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

// withoutKey takes the key of a client off the path of an address of weir's.
func withoutKey(path string) string {
	if rest, ok := strings.CutPrefix(path, "/k/"); ok {
		_, rest, _ = strings.Cut(rest, "/")
		return "/" + rest
	}
	return path
}

// upstreamOf finds the upstream that an address is of, and what of it follows the upstream's own address. Of several it is
// the one whose address is longest.
func (w Weir) upstreamOf(u *url.URL) (name, rest string) {
	length := -1
	for _, n := range slices.Sorted(maps.Keys(w.Upstreams)) {
		base := strings.TrimRight(w.Upstreams[n], "/")
		r, ok := below(u, base, "")
		if unversioned, versioned := strings.CutSuffix(base, "/v1"); !ok && versioned {
			// weir merges the version that both have.
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

// usualAddresses are those that upstreams have unless the user gives them others, of what agents go to by themselves.
var usualAddresses = map[string]string{
	"anthropic": "https://api.anthropic.com", "openai": "https://api.openai.com", "chatgpt": chatgptAddress,
	"gemini": "https://generativelanguage.googleapis.com", "codeassist": "https://cloudcode-pa.googleapis.com",
}

// movedFrom finds the upstream that an address is of by its name: the user has given it another address, behind a gateway perhaps, and
// that is where weir sends what is meant for it.
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

// below says whether an address is a base address or below it, and what of it follows the base. If something follows, it
// begins with next.
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

// parseAddress reads an address of HTTP in one of its spellings only: host in lower case, no default port, no slash at the end.
// One with dots for a segment is none: what it means depends on who reads it.
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

// upstreamAt finds the upstream whose host is wanted.
func (w Weir) upstreamAt(wanted func(host string) bool) (name string, ok bool) {
	for _, n := range slices.Sorted(maps.Keys(w.Upstreams)) {
		if u, is := parseAddress(w.Upstreams[n]); is && wanted(u.Hostname()) {
			return n, true
		}
	}
	return "", false
}

// unled is the error of an address that weir does not stand in front of.
func unled(origin, setting, address string) error {
	return fmt.Errorf("%s: %s is %q, which is not an upstream of weir; declare it under upstreams in weir.yaml, or remove the setting",
		origin, setting, inert.Text(address, longest))
}
