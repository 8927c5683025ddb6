package reach

import (
	"errors"
	"net/url"
	"strings"

	"github.com/weir-gate/weir/internal/mcp/outgoing"
)

// maxEndpoint bounds the address of an endpoint.
const maxEndpoint = 8 << 10

// The reasons why an endpoint is not used.
var (
	errEndpoint       = errors.New("the server named an endpoint that is no address")
	errEndpointOrigin = errors.New("the server named an endpoint that is not on the server itself")
)

// resolveEndpoint returns the address that a server named, seen from the address of its stream. It has the same origin, so that
// nothing that is meant for the server is sent to anyone else; what readers of addresses could read differently is refused.
func resolveEndpoint(base *url.URL, endpoint string) (*url.URL, error) {
	if endpoint == "" || len(endpoint) > maxEndpoint || strings.ContainsFunc(endpoint, isOddInAddress) {
		return nil, errEndpoint
	}
	reference, err := url.Parse(endpoint)
	if err != nil || reference.Opaque != "" {
		return nil, errEndpoint
	}
	u := base.ResolveReference(reference)
	if reference.User != nil || !outgoing.SameOrigin(base, u) {
		return nil, errEndpointOrigin
	}
	return &url.URL{
		Scheme: base.Scheme, Host: base.Host,
		Path: u.Path, RawPath: u.RawPath, RawQuery: u.RawQuery, ForceQuery: u.ForceQuery,
	}, nil
}

// isOddInAddress reports whether browsers and libraries disagree on what a character means in an address, or whether it may be
// there.
func isOddInAddress(r rune) bool { return r <= ' ' || r > '~' || r == '\\' }
