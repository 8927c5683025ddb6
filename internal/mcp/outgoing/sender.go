// Package outgoing sends HTTP requests to one declared MCP server and to no other, with the credential that was declared for it,
// and only to addresses that a server may have.
package outgoing

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/text/echo"
)

// Errors that callers distinguish.
var (
	// ErrOtherOrigin says that a request was not for the server, and was not sent.
	ErrOtherOrigin = errors.New("the address is not on the declared server")
	// ErrRedirect says that the server redirects to another address. Nothing was sent there.
	ErrRedirect = errors.New("the server responded with a redirect, and redirects are not followed")
	// ErrEncoded says that the server compressed its response although weir asked for a plain one.
	ErrEncoded = errors.New("the server sent an encoded response, and was asked for a plain one")
	// ErrAddress says that the server's name resolves to an address that is not allowed.
	ErrAddress = errors.New("the server's address is not allowed")
	// ErrFingerprint says that the server's certificate is not the declared one.
	ErrFingerprint = errors.New("the server's certificate has another fingerprint than the declared one")
	// ErrCredential says that weir could not get the credential for the server. The request was not sent.
	ErrCredential = errors.New("no credential for the server")
)

// Config sets up a Sender. Only URL is required.
type Config struct {
	// URL is the server's URL: http or https, without user, password or fragment. Requests may have another path and query.
	URL *url.URL
	// Auth is how weir authenticates to the server. The zero Auth sends no credential.
	Auth Auth
	// Fingerprint is the fingerprint of the server's certificate: "sha256:" and the hash of its DER in 64 hex digits. It replaces
	// every other check of the certificate: a self-signed certificate is accepted, and its name and dates do not count. "": the
	// certificate must be valid for the host, by the roots of the system.
	Fingerprint string
	// Allow are addresses that are allowed although weir refuses them otherwise: link-local ones, those of cloud metadata, and
	// loopback addresses of names other than localhost.
	Allow []netip.Prefix
	// ConnectTimeout is the time limit for connecting, and then for the TLS handshake; 0: 15 seconds.
	ConnectTimeout time.Duration
	// TokenTimeout is how long the token endpoint may take to respond; 0: 30 seconds.
	TokenTimeout time.Duration
	// RootCAs are the roots for checking certificates; nil: the roots of the system.
	RootCAs *x509.CertPool
	// Resolver looks up names; nil: the one of the system.
	Resolver *net.Resolver
	// Now is the clock; nil: time.Now.
	Now func() time.Time
	// Secrets are credentials beside Auth that must not come back from the server, such as those in the URL.
	Secrets []string
}

const (
	defaultConnectTimeout = 15 * time.Second
	defaultTokenTimeout   = 30 * time.Second
)

// A Sender sends requests to one server. It follows no redirects, stores no cookies, and ignores proxies of the environment, which
// would hide the server's address. It can be used by several goroutines at once.
type Sender struct {
	url       *url.URL
	auth      authenticator
	transport *http.Transport
	token     *tokenSource // nil: no token is fetched
	mask      *echo.Mask   // finds the credential in responses; nil: there is none
}

// New sets up a Sender. It sends nothing.
func New(c Config) (*Sender, error) {
	if err := checkURL(c.URL); err != nil {
		return nil, fmt.Errorf("url: %w", err)
	}
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = defaultConnectTimeout
	}
	if c.TokenTimeout == 0 {
		c.TokenTimeout = defaultTokenTimeout
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	pin, err := parseFingerprint(c.Fingerprint)
	if err != nil {
		return nil, fmt.Errorf("fingerprint: %w", err)
	}
	if pin != nil && c.URL.Scheme != "https" {
		return nil, errors.New("fingerprint: the url is not an https one, so that there is no certificate")
	}
	own := *c.URL // a copy: the caller may change its own
	sender := &Sender{url: &own, transport: newTransport(c, c.URL, pin), mask: echo.New(c.Auth.secrets()...).And(c.Secrets...)}
	if sender.auth, err = c.Auth.authenticator(); err != nil {
		return nil, fmt.Errorf("auth: %w", err)
	}
	if c.Auth.Type != "" && c.Auth.Type != AuthNone && !confidential(c.URL) {
		return nil, errors.New("auth: a credential is not sent over plain http, except to this machine; use https")
	}
	if c.Auth.Type == AuthOAuth {
		if sender.token, err = newTokenSource(c, pin); err != nil {
			return nil, fmt.Errorf("auth: %w", err)
		}
	}
	return sender, nil
}

// checkURL says why requests cannot be sent to a URL. It does not quote the URL, which may contain a secret.
func checkURL(u *url.URL) error {
	switch {
	case u == nil:
		return errors.New("it is missing")
	case u.Scheme != "http" && u.Scheme != "https":
		return errors.New("it begins with neither http:// nor https://")
	case u.Hostname() == "" || u.Opaque != "":
		return errors.New("it names no host")
	case u.User != nil:
		return errors.New("it has a user or password in it; declare them under auth")
	case u.Fragment != "":
		return errors.New("it has a fragment, which is never sent")
	}
	return nil
}

// confidential says whether nobody can read the traffic to a URL.
func confidential(u *url.URL) bool { return u.Scheme == "https" || namesLoopback(u.Hostname()) }

// Do sends a request to the server, with weir's credential in place of any in the request; with passthrough, with the caller's. The
// request itself is not changed, and its body is closed. The caller closes the body of the response.
//
// Error texts, also those of the body's reader, have no secrets, and nothing that the server could have written.
func (s *Sender) Do(req *http.Request) (*http.Response, error) {
	if !s.own(req.URL) {
		closeBody(req)
		return nil, ErrOtherOrigin
	}
	if s.token == nil {
		return s.send(req, "")
	}
	return s.sendWithToken(req)
}

// Close closes the idle connections.
func (s *Sender) Close() {
	s.transport.CloseIdleConnections()
	if s.token != nil {
		s.token.transport.CloseIdleConnections()
	}
}

// own says whether a URL is on the server.
func (s *Sender) own(u *url.URL) bool {
	return u != nil && u.Opaque == "" && u.User == nil && SameOrigin(u, s.url)
}

// SameOrigin reports whether two addresses have the same scheme, host and port.
func SameOrigin(a, b *url.URL) bool {
	return strings.EqualFold(a.Scheme, b.Scheme) && strings.EqualFold(a.Hostname(), b.Hostname()) && portOf(a) == portOf(b)
}

func portOf(u *url.URL) string {
	switch port := u.Port(); {
	case port != "":
		return port
	case strings.EqualFold(u.Scheme, "https"):
		return "443"
	default:
		return "80"
	}
}

// sendWithToken sends a request with a token. If the server does not accept the token, it sends the request once more with a new
// one.
func (s *Sender) sendWithToken(req *http.Request) (*http.Response, error) {
	token, err := s.token.get(req.Context(), "")
	if err != nil {
		closeBody(req)
		return nil, err
	}
	resp, err := s.send(req, token)
	if err != nil || resp.StatusCode != http.StatusUnauthorized {
		return resp, err
	}
	again, ok := repeated(req)
	if !ok {
		s.token.drop(token)
		return resp, nil
	}
	fresh, err := s.token.get(req.Context(), token)
	if err != nil {
		closeBody(again)
		resp.Body.Close() // it is not used
		return nil, err
	}
	resp.Body.Close() // it is not used
	return s.send(again, fresh)
}

// repeated returns a copy of req that can be sent after req; ok is false if its body cannot be read again.
func repeated(req *http.Request) (again *http.Request, ok bool) {
	again = req.Clone(req.Context())
	if req.Body == nil || req.Body == http.NoBody {
		return again, true
	}
	if req.GetBody == nil {
		return nil, false
	}
	body, err := req.GetBody()
	if err != nil {
		return nil, false
	}
	again.Body = body
	return again, true
}

// send sends a request once. token is the token that was fetched for it; "": none.
func (s *Sender) send(req *http.Request, token string) (*http.Response, error) {
	out := req.Clone(req.Context())
	out.Host = s.url.Host
	setHeader(out.Header, "Accept-Encoding", "identity")
	if out.Header.Get("User-Agent") == "" {
		out.Header.Set("User-Agent", "weir")
	}
	s.auth.apply(out, token)
	// The transport repeats a request with such a key when a connection breaks, and a call would run twice. If it cannot get the body
	// again, it does not repeat it.
	if out.Header.Get("Idempotency-Key") != "" || out.Header.Get("X-Idempotency-Key") != "" {
		out.GetBody = nil
	}
	resp, err := s.transport.RoundTrip(out)
	if err != nil {
		return nil, failure(req.Context(), err)
	}
	if err := usable(resp); err != nil {
		resp.Body.Close() // it is not used
		return nil, err
	}
	mask := s.mask.And(token)
	mask.Header(resp.Header)
	resp.Body = &body{resp.Body, mask.Reader(resp.Body, nil), req.Context()}
	return resp, nil
}

// usable says why a response must not be used; nil: it can be.
func usable(resp *http.Response) error {
	switch code := resp.StatusCode; {
	case code < 200:
		return fmt.Errorf("the server responded with status %d, which no response may have", code)
	case code >= 300 && code < 400 && code != http.StatusNotModified:
		return fmt.Errorf("%w (status %d)", ErrRedirect, code)
	}
	for _, encoding := range resp.Header.Values("Content-Encoding") {
		if encoding != "" && !strings.EqualFold(encoding, "identity") {
			return ErrEncoded
		}
	}
	return nil
}

// closeBody does what a transport does with the body of a request that it does not send.
func closeBody(req *http.Request) {
	if req.Body != nil {
		req.Body.Close() // it is not used
	}
}

// drain reads a limited rest of a body, so that its connection can be reused.
func drain(body io.ReadCloser) {
	io.Copy(io.Discard, io.LimitReader(body, 4<<10)) // else the connection is closed
	body.Close()                                     // it is not used
}
