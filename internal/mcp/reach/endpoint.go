package reach

import (
	"errors"
	"net/url"
	"strings"

	"github.com/weir-gate/weir/internal/mcp/outgoing"
)

// maxEndpoint is the largest length of an endpoint's address, in bytes.
const maxEndpoint = 8 << 10

// Reasons for which an endpoint is not used.
var (
	errEndpoint       = errors.New("the server named an endpoint that is no address")
	errEndpointOrigin = errors.New("the server named an endpoint that is not on the server itself")
)

// resolveEndpoint resolves the address that a server named, relative to the address of its stream. The address must have the same
// origin, so that nothing for the server is sent to anyone else. Addresses that parsers could read differently are refused.
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

// isOddInAddress reports whether browsers and libraries disagree on the meaning of a character in an address, or on whether it is
// allowed.
func isOddInAddress(r rune) bool { return r <= ' ' || r > '~' || r == '\\' }
