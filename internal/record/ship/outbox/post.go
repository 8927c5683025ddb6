package outbox

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// maxResponse is how much of a response is read: more than any needs.
const maxResponse = 64 << 10

// newClient returns a client for one receiver.
func newClient(transport http.RoundTripper) *http.Client {
	return &http.Client{
		Transport: transport,
		// The data is meant for the configured address and for no other.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// A passingError is the reason why an attempt failed, if another attempt may succeed.
type passingError struct {
	error
	after time.Duration // how long to wait before the next attempt; 0: not given
}

// post sends one request and returns the body of its response. An error after which another attempt may succeed is a passingError.
// No error shows the address.
func (o *Outbox) post(req *http.Request) ([]byte, error) {
	resp, err := o.client.Do(req)
	if err != nil {
		return nil, passingError{error: withoutAddress(err)}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxResponse))
	if code := resp.StatusCode; code/100 != 2 {
		err := fmt.Errorf("the answer is %d %s", code, http.StatusText(code))
		if o.cfg.Retry(code) {
			return nil, passingError{error: err, after: retryAfter(resp.Header.Get("Retry-After"), time.Now())}
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
