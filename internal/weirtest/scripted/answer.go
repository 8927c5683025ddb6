package scripted

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
)

// An Answer is a response, step by step. After the last step it ends as HTTP has it.
type Answer struct {
	Status int         // 0: 200
	Header http.Header // sent as it is; no Content-Type unless it is in here
	Steps  []Step
}

// play writes the answer. After an error the connection is to be dropped.
func (a Answer) play(ctx context.Context, w http.ResponseWriter) error {
	header := w.Header()
	// Without this, net/http would guess a type from the body.
	header["Content-Type"] = nil
	for name, values := range a.Header {
		header[http.CanonicalHeaderKey(name)] = slices.Clone(values)
	}
	status := a.Status
	if status == 0 {
		status = http.StatusOK
	}
	w.WriteHeader(status)
	for _, step := range a.Steps {
		if err := step(ctx, w); err != nil {
			return err
		}
	}
	return nil
}

// A Step is one act of an answer. An error drops the connection. ctx ends when the client is gone or the upstream is
// closed.
type Step func(ctx context.Context, w http.ResponseWriter) error

// Write sends p at once. Before the first one nothing of the answer is sent; an empty one sends the header alone.
func Write(p []byte) Step {
	return func(_ context.Context, w http.ResponseWriter) error {
		if _, err := w.Write(p); err != nil {
			return fmt.Errorf("write answer: %w", err)
		}
		if err := http.NewResponseController(w).Flush(); err != nil {
			return fmt.Errorf("flush answer: %w", err)
		}
		return nil
	}
}

// Wait goes on when ready is closed or receives. nil: it waits until the client is gone.
func Wait(ready <-chan struct{}) Step {
	return func(ctx context.Context, _ http.ResponseWriter) error {
		select {
		case <-ready:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// errAborted is how a step says that the connection is to be dropped.
var errAborted = errors.New("answer aborted")

// Abort is a Step that drops the connection where it stands.
func Abort(context.Context, http.ResponseWriter) error { return errAborted }

// unscripted is what a request gets for which nothing is written.
var unscripted = Answer{
	Status: http.StatusNotImplemented,
	Header: http.Header{"Content-Type": {"text/plain"}},
	Steps:  []Step{Write([]byte("no answer is scripted for this request\n"))},
}

// Queue answers each request with the next of answers, whatever was asked. Requests past the last get status 501.
func Queue(answers ...Answer) func(Request) Answer {
	var mu sync.Mutex
	return func(Request) Answer {
		mu.Lock()
		defer mu.Unlock()
		if len(answers) == 0 {
			return unscripted
		}
		next := answers[0]
		answers = answers[1:]
		return next
	}
}
