package outgoing

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const (
	// maxTokenResponse is the largest response of a token endpoint, in bytes.
	maxTokenResponse = 64 << 10
	// unstatedLife is how long a token is used if its lifetime is not given.
	unstatedLife = 5 * time.Minute
	// longestLife is how long any token is used, so that a revoked token is not used for years.
	longestLife = 24 * time.Hour
	// expiryMargin is how long before its expiry a token is given up, because of network delays and clock differences; a tenth of its
	// lifetime if that is less.
	expiryMargin = time.Minute
)

// A tokenSource gets tokens by the client credentials grant of OAuth 2.1 and remembers the last one. At most one request for a
// token is under way; other callers wait for it.
type tokenSource struct {
	endpoint  *url.URL
	form      string // of the request
	basic     [2]string
	transport *http.Transport
	timeout   time.Duration
	now       func() time.Time

	mu      sync.Mutex
	token   string // "": there is none
	expires time.Time
	flight  *flight // nil: none is under way
}

// A flight is a request for a token.
type flight struct {
	done  chan struct{} // closed when the rest is set
	token string
	err   error
}

func newTokenSource(c Config, pin *fingerprint) (*tokenSource, error) {
	a := c.Auth
	endpoint, err := url.Parse(a.TokenURL)
	if err != nil {
		return nil, errors.New("token_url: it is no URL")
	}
	if err := checkURL(endpoint); err != nil {
		return nil, fmt.Errorf("token_url: %w", err)
	}
	if !confidential(endpoint) {
		return nil, errors.New("token_url: it must be an https one, or on this machine")
	}
	if a.ClientID == "" || a.ClientSecret == "" {
		return nil, errors.New("client_id or client_secret is empty")
	}
	for _, scope := range a.Scopes {
		if checkToken(scope) != nil || strings.ContainsAny(scope, "\"\\") {
			return nil, errors.New("scopes: one is empty or has a character that no scope has")
		}
	}
	resource, err := a.resource(c.URL)
	if err != nil {
		return nil, fmt.Errorf("resource: %w", err)
	}
	// The declared fingerprint is that of the server, and not of another origin.
	if !SameOrigin(endpoint, c.URL) {
		pin = nil
	}
	form := url.Values{"grant_type": {"client_credentials"}}
	if len(a.Scopes) > 0 {
		form.Set("scope", strings.Join(a.Scopes, " "))
	}
	if resource != "" {
		form.Set("resource", resource)
	}
	return &tokenSource{
		endpoint: endpoint, form: form.Encode(), transport: newTransport(c, endpoint, pin), timeout: c.TokenTimeout, now: c.Now,
		// RFC 6749 requires both to be form-encoded before they are encoded for the header.
		basic: [2]string{url.QueryEscape(a.ClientID), url.QueryEscape(a.ClientSecret)},
	}, nil
}

// resource is the server's name in requests for tokens; "": none is sent.
func (a Auth) resource(server *url.URL) (string, error) {
	switch a.Resource {
	case "":
		plain := *server
		plain.RawQuery, plain.ForceQuery = "", false
		return plain.String(), nil
	case AuthNone:
		return "", nil
	}
	u, err := url.Parse(a.Resource)
	if err != nil || !u.IsAbs() || u.Fragment != "" {
		return "", errors.New("it is no absolute URI without a fragment")
	}
	return a.Resource, nil
}

// get returns a token other than refused, which the server did not accept; "": any token.
func (s *tokenSource) get(ctx context.Context, refused string) (string, error) {
	s.mu.Lock()
	if s.token != "" && s.token != refused && s.now().Before(s.expires) {
		defer s.mu.Unlock()
		return s.token, nil
	}
	s.token = ""
	f := s.flight
	if f == nil {
		f = &flight{done: make(chan struct{})}
		s.flight = f
		go s.fly(f)
	}
	s.mu.Unlock()
	select {
	case <-f.done:
		return f.token, f.err
	case <-ctx.Done():
		return "", fmt.Errorf("%w: the request was given up while a token was fetched: %w", ErrCredential, ctx.Err())
	}
}

// drop forgets a token that the server did not accept.
func (s *tokenSource) drop(refused string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.token == refused {
		s.token = ""
	}
}

// fly fetches a token for all waiting callers. None of them can cancel it for the others.
func (s *tokenSource) fly(f *flight) {
	ctx, cancel := context.WithTimeout(context.Background(), s.timeout)
	defer cancel()
	token, life, err := s.fetch(ctx)
	if err != nil {
		f.err = fmt.Errorf("%w: %w", ErrCredential, err)
	}
	f.token = token
	s.mu.Lock()
	s.flight, s.token = nil, token
	s.expires = s.now().Add(life - min(expiryMargin, life/10))
	s.mu.Unlock()
	close(f.done)
}

// fetch asks the endpoint for a token.
func (s *tokenSource) fetch(ctx context.Context) (token string, life time.Duration, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.endpoint.String(), strings.NewReader(s.form))
	if err != nil {
		return "", 0, errors.New("the request to the token endpoint cannot be made")
	}
	req.SetBasicAuth(s.basic[0], s.basic[1])
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Accept-Encoding", "identity")
	req.Header.Set("User-Agent", "weir")
	resp, err := s.transport.RoundTrip(req)
	if err != nil {
		return "", 0, fmt.Errorf("ask the token endpoint: %w", failure(ctx, err))
	}
	defer drain(resp.Body)
	if err := usable(resp); err != nil {
		return "", 0, fmt.Errorf("ask the token endpoint: %w", err)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxTokenResponse+1))
	if err != nil {
		return "", 0, fmt.Errorf("read the response of the token endpoint: %w", failure(ctx, err))
	}
	if len(body) > maxTokenResponse {
		return "", 0, errors.New("the response of the token endpoint is too long")
	}
	if resp.StatusCode != http.StatusOK {
		return "", 0, fmt.Errorf("the token endpoint responded with status %d%s", resp.StatusCode, refusalCode(body))
	}
	return readToken(body)
}

// readToken reads the response of a token endpoint.
func readToken(body []byte) (token string, life time.Duration, err error) {
	var answer struct {
		AccessToken string         `json:"access_token"`
		TokenType   string         `json:"token_type"`
		ExpiresIn   jsontext.Value `json:"expires_in"`
	}
	// The decoder's error quotes its input.
	if err := json.Unmarshal(body, &answer); err != nil {
		return "", 0, errors.New("the response of the token endpoint is not the JSON that was expected")
	}
	if answer.TokenType != "" && !strings.EqualFold(answer.TokenType, "bearer") {
		return "", 0, errors.New("the token endpoint gave a token of a type other than bearer")
	}
	if err := checkToken(answer.AccessToken); err != nil {
		return "", 0, fmt.Errorf("the token endpoint gave no usable token: %w", err)
	}
	life, err = tokenLife(answer.ExpiresIn)
	return answer.AccessToken, life, err
}

// tokenLife reads expires_in: seconds, which some endpoints write as a string.
func tokenLife(value jsontext.Value) (time.Duration, error) {
	if len(value) == 0 || value.Kind() == 'n' {
		return unstatedLife, nil
	}
	seconds, err := strconv.ParseFloat(string(bytes.Trim(value, `"`)), 64)
	// A number that is too large for a float is still a long lifetime.
	if err != nil && !errors.Is(err, strconv.ErrRange) || seconds != seconds {
		return 0, errors.New("the token endpoint says in no number when the token expires")
	}
	if seconds >= longestLife.Seconds() {
		return longestLife, nil
	}
	return time.Duration(max(seconds, 0) * float64(time.Second)), nil
}

// refusalCode is the error code in the response of a token endpoint, if it is a known code.
func refusalCode(body []byte) string {
	var answer struct {
		Error string `json:"error"`
	}
	if json.Unmarshal(body, &answer) != nil {
		return ""
	}
	switch answer.Error {
	case "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type", "invalid_scope",
		"invalid_target", "access_denied", "temporarily_unavailable", "server_error":
		return ": " + answer.Error
	}
	return ""
}
