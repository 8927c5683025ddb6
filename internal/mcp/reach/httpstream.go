package reach

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/weir-gate/weir/internal/mcp/streamable"
)

const (
	// maxFruitless is how often in a row the stream of a response is resumed without success: it ended soon, and without an event.
	maxFruitless = 5
	// maxDoublings is how often the pause before a stream is resumed doubles.
	maxDoublings = 5
	// minRetry is the shortest wait before a stream is resumed, whatever the server says.
	minRetry = 20 * time.Millisecond
)

// errNoStream says that the server does not offer a stream.
var errNoStream = errors.New("the server offers no stream")

// A stream is a stream of events that is resumed at the position where it broke off.
type stream struct {
	conn      *httpConn
	delivery  *delivery
	lastID    string        // of the last delivered event; "": the stream cannot be resumed
	retry     time.Duration // that the server wants; 0: not given
	fruitless int           // how often in a row it was resumed without success
}

// readStream delivers the events of a response to a POST, until the request has its response.
func (c *httpConn) readStream(a *response, d *delivery) {
	s := &stream{conn: c, delivery: d}
	reason := s.read(a)
	for !d.answered && s.lastID != "" && s.fruitless < maxFruitless && s.wait() {
		a, err := s.reopen()
		if isFinal(err) {
			break
		}
		if err == nil {
			reason = s.read(a)
		}
	}
	d.finish(reason)
}

// listen holds a stream open for messages that are not responses, if the server offers one. It never gives up: such a stream may be
// silent for long, and a proxy in between may end it.
func (c *httpConn) listen() {
	c.mu.Lock()
	again := c.listening
	c.listening = true
	c.mu.Unlock()
	if again {
		return
	}
	c.run(func() {
		s := &stream{conn: c, delivery: &delivery{inbox: c.inbox, look: c.look}}
		for {
			a, err := s.reopen()
			if isFinal(err) {
				return
			}
			if err == nil {
				s.read(a)
			}
			if !s.wait() {
				return
			}
		}
	})
}

// wait waits before the stream is resumed: longer after each attempt without success. It reports false if the connection was
// closed.
func (s *stream) wait() bool {
	pause := s.conn.retry
	if s.retry > 0 {
		pause = s.retry
	}
	timer := time.NewTimer(min(max(pause, minRetry)<<min(s.fruitless, maxDoublings), maxRetry))
	defer timer.Stop()
	s.fruitless++
	select {
	case <-timer.C:
		return true
	case <-s.conn.life.Done():
		return false
	}
}

// isFinal reports whether an error of reopen means that trying again is useless.
func isFinal(err error) bool {
	return errors.Is(err, errNoStream) || errors.Is(err, ErrSessionLost) || errors.Is(err, ErrClosed)
}

// reopen asks for the stream, from the last event on, if there is one. The error is errNoStream if the server does not offer the
// stream, and ErrSessionLost if it no longer knows the session.
func (s *stream) reopen() (*response, error) {
	c := s.conn
	header, err := c.header(nil)
	if err != nil {
		return nil, err
	}
	header.Set("Accept", streamable.MediaEvents)
	if s.lastID != "" {
		header.Set(streamable.HeaderLastEvent, s.lastID)
	}
	a, err := c.do(c.life, context.Background(), request{step: "open stream", method: http.MethodGet, url: c.url, header: header})
	switch {
	case err != nil:
		return nil, err
	case a.StatusCode == http.StatusNotFound && header.Get(streamable.HeaderSession) != "":
		a.close()
		c.end(ErrSessionLost)
		return nil, ErrSessionLost
	case a.StatusCode >= http.StatusInternalServerError:
		// The server may come back.
		return nil, a.statusError(c.timeout)
	case a.StatusCode != http.StatusOK, mediaType(a.Header) != streamable.MediaEvents:
		a.close()
		return nil, errNoStream
	}
	return a, nil
}

// read delivers the events of a stream until it ends, its request has its response, or nobody receives any more. It returns why a
// missing response will not come.
func (s *stream) read(a *response) (reason string) {
	defer a.close()
	src := newEvents(a.Body, s.conn.maxMessage)
	src.lastID, src.retry = s.lastID, s.retry
	began := time.Now()
	defer func() {
		if time.Since(began) >= maxRetry {
			s.fruitless = 0
		}
	}()
	for {
		e, err := src.next()
		switch {
		case errors.Is(err, io.EOF):
			return "the server ended the stream before the response came"
		case errors.Is(err, errTooLarge):
			return "an event on the stream is larger than the bound"
		case err != nil:
			return "the stream broke off before the response came"
		}
		if e.isMessage() && !s.delivery.deliver(e.data) {
			return ErrClosed.Error()
		}
		s.lastID, s.retry, s.fruitless = src.lastID, src.retry, 0
		if s.delivery.answered {
			return ""
		}
	}
}
