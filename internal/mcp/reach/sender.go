package reach

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/streamable"
)

const (
	// maxRest is how many bytes of a response that is not needed are read, so that the connection can be reused.
	maxRest = 64 << 10
)

// A sender sends HTTP requests to one server.
type sender struct {
	doer    Doer
	caller  http.Header
	timeout time.Duration // for the server to begin a response
}

// A response is a server's response to an HTTP request, once it has begun. Closing it ends the request.
type response struct {
	*http.Response
	end context.CancelFunc
}

// close ends the response, whether or not all of it was read.
func (a *response) close() {
	_ = a.Body.Close()
	a.end()
}

// discard ends a response that is not needed.
func (a *response) discard() {
	_, _ = io.CopyN(io.Discard, a.Body, maxRest)
	a.close()
}

// within ends the response after a time. The returned function stops that, and reports whether it was in time.
func (a *response) within(limit time.Duration) (stop func() (inTime bool)) {
	return time.AfterFunc(limit, a.end).Stop
}

// A request is an HTTP request before it is sent.
type request struct {
	step   string // what it is for; used in errors
	method string
	url    *url.URL
	header http.Header // beside the caller's
	body   []byte      // nil: none
}

// do sends a request, and waits for the server to begin its response. Both life and ctx end the wait; only life ends the response.
func (s *sender) do(life, ctx context.Context, d request) (*response, error) {
	reqCtx, cancel := context.WithCancel(life)
	timer := time.AfterFunc(s.timeout, cancel)
	callOff := context.AfterFunc(ctx, cancel)
	resp, err := s.doer.Do(s.request(reqCtx, d))
	inTime, wanted := timer.Stop(), callOff()
	if err == nil && inTime && wanted {
		return &response{Response: resp, end: cancel}, nil
	}
	if err == nil {
		_ = resp.Body.Close()
	}
	cancel()
	switch {
	case life.Err() != nil:
		err = ErrClosed
	case !wanted:
		err = ctx.Err()
	case !inTime:
		err = fmt.Errorf("the server did not begin to respond within %s", s.timeout)
	}
	return nil, fmt.Errorf("%s: %w", d.step, plain(err))
}

// plain returns err without the URL, which may contain a secret.
func plain(err error) error {
	var withURL *url.Error
	if errors.As(err, &withURL) {
		return withURL.Err
	}
	return err
}

// request returns the request as it is sent.
func (s *sender) request(ctx context.Context, d request) *http.Request {
	r := (&http.Request{Method: d.method, URL: d.url, Host: d.url.Host, Header: s.headers()}).WithContext(ctx)
	for name, values := range d.header {
		r.Header[name] = values
	}
	if d.body != nil {
		r.ContentLength = int64(len(d.body))
		r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(d.body)), nil }
		r.Body, _ = r.GetBody()
		r.Header.Set("Content-Type", streamable.MediaJSON)
	}
	return r
}

// headers returns the headers of the caller that may be sent to the server: not those of the caller's own session with weir.
func (s *sender) headers() http.Header {
	sent := http.Header{}
	for name, values := range s.caller {
		name = http.CanonicalHeaderKey(name)
		if !strings.HasPrefix(name, "Mcp-") && !ofMessage[name] {
			sent[name] = slices.Clone(values)
		}
	}
	return sent
}

// ofMessage are headers that belong to a message, and not to its sender.
var ofMessage = map[string]bool{
	"Accept": true, "Content-Encoding": true, "Content-Length": true, "Content-Type": true, "Last-Event-Id": true,
}

// mediaType returns the media type of a response; "" if it cannot be parsed, or its character set is not UTF-8.
func mediaType(h http.Header) string {
	kind, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if charset := params["charset"]; err != nil || charset != "" && !strings.EqualFold(charset, "utf-8") {
		return ""
	}
	return kind
}

// isSuccess reports whether a status is one of success.
func isSuccess(status int) bool { return status/100 == 2 }

// statusError returns the error for a response whose status is not a success, and ends the response.
func (a *response) statusError(limit time.Duration) *StatusError {
	defer a.close()
	failure := &StatusError{Status: a.StatusCode}
	if mediaType(a.Header) != streamable.MediaJSON {
		return failure
	}
	defer a.within(limit)()
	body, err := io.ReadAll(io.LimitReader(a.Body, maxRest+1))
	if err != nil || len(body) > maxRest {
		return failure
	}
	messages, _, err := jsonrpc.ParseBody(body)
	if err == nil && len(messages) == 1 {
		failure.Code, _ = messages[0].Failure()
	}
	return failure
}
