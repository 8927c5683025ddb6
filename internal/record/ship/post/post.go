// Package post sends HTTP requests to the receivers of recorded events, and says which failures are temporary.
package post

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/record/ship/outbox"
)

// maxResponse is how much of a response is read: more than any needs.
const maxResponse = 64 << 10

// A Client sends requests to one receiver.
type Client struct {
	client *http.Client
	retry  func(status int) bool
}

// NewClient returns a client. retry says whether a response with this status may be followed by another attempt. The transport must
// respect the context of a request.
func NewClient(transport http.RoundTripper, retry func(status int) bool) *Client {
	return &Client{retry: retry, client: &http.Client{
		Transport: transport,
		// The data is meant for the configured address and for no other.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Send sends one request and returns the body of its response. An error after which another attempt may succeed is an
// outbox.PassingError. No error shows the address.
func (c *Client) Send(req *http.Request) ([]byte, error) {
	resp, err := c.client.Do(req)
	if err != nil {
		return nil, outbox.PassingError{Err: withoutAddress(err)}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxResponse))
	if code := resp.StatusCode; code/100 != 2 {
		err := fmt.Errorf("the answer is %d %s", code, http.StatusText(code))
		if c.retry(code) {
			return nil, outbox.PassingError{Err: err, After: retryAfter(resp.Header.Get("Retry-After"), time.Now())}
		}
		return nil, err
	}
	if err != nil {
		return nil, nil // the data was accepted; only the body of the response is lost
	}
	return body, nil
}

// withoutAddress removes the address from an error: a path or query may be a secret.
func withoutAddress(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// retryAfter parses a Retry-After header: seconds, or a date. Anything else counts as 0.
func retryAfter(text string, now time.Time) time.Duration {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0
	}
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(n) * time.Second
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	return max(0, at.Sub(now))
}
