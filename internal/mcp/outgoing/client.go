// Package outgoing sends HTTP requests to one declared MCP server: to no other, with the credential that was declared for
// it, and only to addresses that a server may have.
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

// What callers tell apart.
var (
	// ErrOtherOrigin says that a request was not for the server, and was not sent.
	ErrOtherOrigin = errors.New("the address is not on the declared server")
	// ErrRedirect says that the server pointed elsewhere. Nothing was sent there.
	ErrRedirect = errors.New("the server answered with a redirect, and redirects are not followed")
	// ErrEncoded says that the server compressed its response although it was asked not to.
	ErrEncoded = errors.New("the server sent an encoded response, and was asked for a plain one")
	// ErrAddress says that the server's name led to an address that no server may have unless it is allowed.
	ErrAddress = errors.New("the server's address is not allowed")
	// ErrFingerprint says that the server's certificate is not the declared one.
	ErrFingerprint = errors.New("the server's certificate has another fingerprint than the declared one")
	// ErrCredential says that weir could not get the credential for the server. The request was not sent.
	ErrCredential = errors.New("no credential for the server")
)

// Config sets up a Client. Only URL is required.
type Config struct {
	// URL is the server's: http or https, without user, password or fragment. Its path and query bind nothing.
	URL *url.URL
	// Auth is how weir makes itself known to the server. The zero Auth sends no credential.
	Auth Auth
	// Fingerprint is that of the server's certificate: "sha256:" and the hash of its DER in 64 hex digits. It takes the place
	// of every other check of the certificate, so that one that the server signed itself will do; its name and dates do not
	// count then. "": the certificate must be valid for the host, by the roots of the system.
	Fingerprint string
	// Allow has addresses that are reached although they are refused otherwise: link-local ones, those of cloud metadata, and
	// loopback by another name than localhost.
	Allow []netip.Prefix
	// ConnectTimeout is how long a connection may take to come about, and then its TLS handshake; 0: 15 seconds.
	ConnectTimeout time.Duration
	// TokenTimeout is how long the token endpoint may take to answer; 0: 30 seconds.
	TokenTimeout time.Duration
	// RootCAs are what certificates are checked against; nil: the roots of the system.
	RootCAs *x509.CertPool
	// Resolver looks up names; nil: the one of the system.
	Resolver *net.Resolver
	// Now is the clock; nil: time.Now.
	Now func() time.Time
	// Secrets are credentials beside Auth that must not come back, such as those in the URL.
	Secrets []string
}

const (
	defaultConnectTimeout = 15 * time.Second
	defaultTokenTimeout   = 30 * time.Second
)

// A Client sends requests to one server. It follows no redirect, keeps no cookies, and heeds no proxy of the environment,
// which would hide the address that is connected to. It can be used by several goroutines at once.
type Client struct {
	url       *url.URL
	auth      authenticator
	transport *http.Transport
	token     *tokenSource // nil: the credential is not one that is fetched
	mask      *echo.Mask   // finds the credential in what comes back; nil: there is none
}

// New sets up a Client. It sends nothing.
func New(c Config) (*Client, error) {
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
	own := *c.URL // whoever gave it may change it
	client := &Client{url: &own, transport: newTransport(c, c.URL, pin), mask: echo.New(c.Auth.secrets()...).And(c.Secrets...)}
	if client.auth, err = c.Auth.authenticator(); err != nil {
		return nil, fmt.Errorf("auth: %w", err)
	}
	if c.Auth.Type != "" && c.Auth.Type != AuthNone && !confidential(c.URL) {
		return nil, errors.New("auth: a credential is not sent over plain http, except to this machine; use https")
	}
	if c.Auth.Type == AuthOAuth {
		if client.token, err = newTokenSource(c, pin); err != nil {
			return nil, fmt.Errorf("auth: %w", err)
		}
	}
	return client, nil
}

// checkURL says why requests cannot be sent to a URL. It does not quote it: it may hold a secret.
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

// confidential says that nobody can listen on the way to a URL.
func confidential(u *url.URL) bool { return u.Scheme == "https" || namesLoopback(u.Hostname()) }

// Do sends a request to the server, with weir's credential in place of any that it carries; with passthrough, with the
// caller's. The request itself is not changed, and its body is closed. The caller closes the body of the response.
//
// Error texts have no secret in them, and nothing that the server could have written; those of the body's reader neither.
func (c *Client) Do(req *http.Request) (*http.Response, error) {
	if !c.own(req.URL) {
		closeBody(req)
		return nil, ErrOtherOrigin
	}
	if c.token == nil {
		return c.send(req, "")
	}
	return c.sendWithToken(req)
}

// Close ends the connections that no request uses.
func (c *Client) Close() {
	c.transport.CloseIdleConnections()
	if c.token != nil {
		c.token.transport.CloseIdleConnections()
	}
}

// own says whether a URL is on the server.
func (c *Client) own(u *url.URL) bool {
	return u != nil && u.Opaque == "" && u.User == nil && SameOrigin(u, c.url)
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

// sendWithToken sends a request with a token, and once more with a new one if the server does not take the first.
func (c *Client) sendWithToken(req *http.Request) (*http.Response, error) {
	token, err := c.token.get(req.Context(), "")
	if err != nil {
		closeBody(req)
		return nil, err
	}
	resp, err := c.send(req, token)
	if err != nil || resp.StatusCode != http.StatusUnauthorized {
		return resp, err
	}
	again, ok := repeated(req)
	if !ok {
		c.token.drop(token)
		return resp, nil
	}
	fresh, err := c.token.get(req.Context(), token)
	if err != nil {
		closeBody(again)
		resp.Body.Close() // nothing of it is used
		return nil, err
	}
	resp.Body.Close() // nothing of it is used
	return c.send(again, fresh)
}

// repeated is a request that can be sent after req was; ok is false if its body is spent.
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

// send sends a request once. token is what was fetched for it; "": nothing was.
func (c *Client) send(req *http.Request, token string) (*http.Response, error) {
	out := req.Clone(req.Context())
	out.Host = c.url.Host
	setHeader(out.Header, "Accept-Encoding", "identity")
	if out.Header.Get("User-Agent") == "" {
		out.Header.Set("User-Agent", "weir")
	}
	c.auth.apply(out, token)
	// The transport sends a request with such a key again by itself when a connection breaks, and a call would run twice. Without
	// a way to get the body again it does not.
	if out.Header.Get("Idempotency-Key") != "" || out.Header.Get("X-Idempotency-Key") != "" {
		out.GetBody = nil
	}
	resp, err := c.transport.RoundTrip(out)
	if err != nil {
		return nil, failure(req.Context(), err)
	}
	if err := usable(resp); err != nil {
		resp.Body.Close() // nothing of it is used
		return nil, err
	}
	mask := c.mask.And(token)
	mask.Header(resp.Header)
	resp.Body = &body{resp.Body, mask.Reader(resp.Body, nil), req.Context()}
	return resp, nil
}

// usable says what is wrong with a response whose body nobody should read.
func usable(resp *http.Response) error {
	switch code := resp.StatusCode; {
	case code < 200:
		return fmt.Errorf("the server answered with status %d, which is no response", code)
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
		req.Body.Close() // nothing of it is used
	}
}

// drain reads a bounded rest of a body, so that its connection can be used again.
func drain(body io.ReadCloser) {
	io.Copy(io.Discard, io.LimitReader(body, 4<<10)) // else the connection is closed
	body.Close()                                     // nothing of it is used
}
