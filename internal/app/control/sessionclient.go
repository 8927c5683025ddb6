package control

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/record/summary"
)

// A Session is an open session.
type Session struct {
	Response SessionResponse
	// Lost is closed when the session has ended, on either side.
	Lost <-chan struct{}
	end  context.CancelFunc
}

// Close ends the session.
func (s *Session) Close() {
	s.end()
	<-s.Lost
}

// OpenSession opens a session. It lasts until Close, or until weir ends.
func (c *Client) OpenSession(ctx context.Context, q SessionRequest) (*Session, error) {
	body, err := json.Marshal(q, lenient)
	if err != nil {
		return nil, fmt.Errorf("write the request: %w", err)
	}
	held, end := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, end) // until there is a response
	response, rest, err := c.openStream(held, body)
	if !stop() && err == nil {
		err = errors.Join(context.Cause(ctx), rest.Close())
	}
	if err == nil && response.Trouble != "" {
		err = errors.Join(errors.New(response.Trouble), rest.Close())
	}
	if err != nil {
		end()
		return nil, fmt.Errorf("open a session: %w", err)
	}
	lost := make(chan struct{})
	go func() {
		defer close(lost)
		_, _ = io.Copy(io.Discard, rest) // no more data comes; the end of the stream is what matters
		_ = rest.Close()
	}()
	return &Session{Response: response, Lost: lost, end: end}, nil
}

func (c *Client) openStream(ctx context.Context, body []byte) (a SessionResponse, rest io.ReadCloser, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://weir"+pathSession, bytes.NewReader(body))
	if err != nil {
		return a, nil, err
	}
	if c.cfg.Key != "" {
		r.Header.Set(admission.KeyHeader, c.cfg.Key)
	}
	resp, err := c.http.Do(r)
	if err != nil {
		return a, nil, err
	}
	switch resp.StatusCode {
	case http.StatusOK:
		err = json.UnmarshalDecode(jsontext.NewDecoder(resp.Body), &a)
	case http.StatusUnauthorized:
		err = errUnknown
	default:
		err = fmt.Errorf("weir serve responds with status %d; it may have another version: restart it", resp.StatusCode)
	}
	if err != nil {
		return a, nil, errors.Join(err, resp.Body.Close())
	}
	return a, resp.Body, nil
}

// Started reports that the program of a session runs.
func (c *Client) Started(ctx context.Context, s SessionStarted) error {
	return c.ask(ctx, pathStarted, s, &struct{}{})
}

// Ended reports that the program of a session has ended, and returns the summary.
func (c *Client) Ended(ctx context.Context, s SessionEnded) (sum summary.Session, err error) {
	err = c.ask(ctx, pathEnded, s, &sum)
	return sum, err
}

// Connect asks for a ruling on a connection of the session whose token is the client's key. If weir cannot be asked, the connection
// is refused.
func (c *Client) Connect(ctx context.Context, conn call.Connection) call.Ruling {
	var a ruling
	body, err := json.Marshal(connectRequest{conn}, lenient)
	if err == nil {
		// If weir is not running, do not wait for it: a connection that cannot be made must fail at once.
		err = c.do(ctx, http.MethodPost, pathConnect, body, &a)
	}
	if err != nil {
		return c.unasked(ctx, err)
	}
	return a.ruling()
}
