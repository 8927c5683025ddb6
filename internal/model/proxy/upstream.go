package proxy

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/endpoint"
	"github.com/weir-gate/weir/internal/text/echo"
)

// version is the path segment that addresses of upstreams and requests of clients often have.
const version = "/v1"

// An upstream is a configured model API.
type upstream struct {
	name string
	url  url.URL // scheme and host
	base string  // clean path ahead of the path of every request, without a version at its end
	// versioned says that the address ends in a version. Requests may repeat it or leave it out.
	versioned bool
	key       string
	mask      *echo.Mask      // finds the key in responses; nil: there is no key
	changes   bool            // clients may change its models
	format    *dialect.Format // nil: unknown
	endpoints *endpoint.Table
	transport http.RoundTripper
}

// upstreamSet are the upstreams of a door.
type upstreamSet struct {
	byName map[string]*upstream
	names  []string // of those that are listed, sorted
}

// ReplaceUpstreams replaces all upstreams at once. Exchanges that are under way go on with the old ones.
func (d *Door) ReplaceUpstreams(configured map[string]Upstream) error {
	next := &upstreamSet{byName: make(map[string]*upstream, len(configured))}
	for _, name := range slices.Sorted(maps.Keys(configured)) {
		u, err := d.newUpstream(name, configured[name])
		if err != nil {
			return fmt.Errorf("upstream %q: %w", name, err)
		}
		next.byName[name] = u
		if !configured[name].Unlisted {
			next.names = append(next.names, name)
		}
	}
	d.served.Store(next)
	return nil
}

func (d *Door) newUpstream(name string, cfg Upstream) (*upstream, error) {
	if !d.plainUpstreamName(name) {
		return nil, errors.New("a name is made of letters, digits, '.', '_' and '-', and is neither k nor healthz")
	}
	u := cfg.URL
	if u == nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errors.New("the url must be http:// or https:// with a host")
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("the url must hold no user, query or fragment; a secret belongs into key")
	}
	base, err := cleanPath("/" + u.EscapedPath())
	if err != nil {
		return nil, fmt.Errorf("the url's path: %w", err)
	}
	if cfg.Key != "" && !d.admission.HasClients() {
		return nil, errors.New("a key needs clients: without them whoever reaches weir could spend it")
	}
	up := &upstream{
		name: name, url: url.URL{Scheme: u.Scheme, Host: u.Host}, base: base, key: cfg.Key, mask: echo.New(cfg.Key), changes: cfg.Changes,
		endpoints: endpoint.Of(name), transport: cfg.Transport,
	}
	if up.transport == nil {
		up.transport = d.cfg.Transport
	}
	if rest, ok := strings.CutSuffix(base, version); ok {
		up.base, up.versioned = cmp.Or(rest, "/"), true
	}
	if cfg.Format != "" {
		if up.format = d.formatNamed(cfg.Format); up.format == nil {
			return nil, fmt.Errorf("format %q is not known", cfg.Format)
		}
	}
	return up, nil
}

func (d *Door) plainUpstreamName(name string) bool {
	if name == "" || name == admission.KeySegment || d.ownPage(name, "/") != nil || strings.Trim(name, ".") == "" {
		return false
	}
	return !strings.ContainsFunc(name, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune("._-", c)
	})
}

func (d *Door) formatNamed(name string) *dialect.Format {
	for i := range d.cfg.Formats {
		if d.cfg.Formats[i].Name == name {
			return &d.cfg.Formats[i]
		}
	}
	return nil
}

// askedFormat returns the format that a request asks for, and what it asks of that format; nil: unknown.
func (d *Door) askedFormat(r *http.Request, path string) (*dialect.Format, dialect.Ask) {
	for i := range d.cfg.Formats {
		if ask := d.cfg.Formats[i].Asks(r, path); ask != dialect.Nothing {
			return &d.cfg.Formats[i], ask
		}
	}
	return nil, dialect.Nothing
}

// speaksMany says whether the upstream may understand requests in several formats: gateways do.
func (u *upstream) speaksMany() bool {
	return u.format == nil || u.name == "openrouter" || u.name == "xai"
}

// versionedPath adds the version that the upstream's address ends in, unless the request's clean path has it already.
func (u *upstream) versionedPath(path string) string {
	if u.versioned && path != "/" && !startsWith(path, version) || u.name == "anthropic" && startsWith(path, "/messages") {
		// Anthropic's API has only one version. For the same variable, some SDKs expect an address with it and some without.
		return join(version, path)
	}
	return path
}

// findEndpoint returns how requests for a clean path are treated. An endpoint that is refused is also refused if the upstream's
// address has the beginning of its path.
func (u *upstream) findEndpoint(method, path string) (row endpoint.Row, known bool) {
	row, known = u.endpoints.Find(method, path)
	if u.base == "/" || known && row.Treatment == endpoint.Gated {
		return row, known // the gate refuses what it cannot read
	}
	whole, found := u.endpoints.Find(method, join(u.base, path))
	if found && (whole.Treatment == endpoint.Refused || whole.Treatment == endpoint.Changes) {
		return whole, true
	}
	return row, known
}

// address is the address to which a request is sent. The path is clean and comes from versionedPath.
func (u *upstream) address(path string, query *url.URL) *url.URL {
	to := u.url
	to.RawPath = join(u.base, path)
	to.Path, _ = url.PathUnescape(to.RawPath) // a clean path always unescapes
	to.RawQuery, to.ForceQuery = query.RawQuery, query.ForceQuery
	if u.key != "" {
		to.RawQuery = withoutKeys(to.RawQuery)
	}
	return &to
}

// withoutKeys is a query without the client's own credentials.
func withoutKeys(query string) string {
	pairs := strings.Split(query, "&")
	pairs = slices.DeleteFunc(pairs, func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		return err != nil || name == "key" || name == "$key" || name == "access_token" || name == "oauth_token"
	})
	return strings.Join(pairs, "&")
}

// credentials are the headers in which clients send theirs.
var credentials = []string{"Authorization", "X-Api-Key", "Api-Key", "X-Goog-Api-Key"}

// authorise replaces the client's credentials by the upstream's key, if there is one. It puts the key where the upstream's API
// looks for it, if that API is known; else where the client had its own; else where the client's API looks for it.
func (q *asking) authorise(h http.Header) {
	key := q.upstream.key
	if key == "" {
		return
	}
	var sent []string
	for _, name := range credentials {
		if h[name] != nil {
			sent = append(sent, name)
			h.Del(name)
		}
	}
	spoken := q.spoken()
	switch {
	case spoken != nil:
		spoken.Authorise(h, key)
	case q.upstream.format != nil && q.asked != nil:
		q.asked.Authorise(h, key) // one API may have several formats
	case q.upstream.format != nil:
		q.upstream.format.Authorise(h, key)
	case len(sent) == 1 && sent[0] != "Authorization":
		h.Set(sent[0], key)
	case len(sent) != 1 && q.asked != nil:
		q.asked.Authorise(h, key)
	default:
		h.Set("Authorization", "Bearer "+key)
	}
}
