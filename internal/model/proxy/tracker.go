package proxy

import (
	"context"
	"net/http"
	"sync"
)

// A tracker counts what is under way. The zero value counts nothing yet.
type tracker struct {
	mu   sync.Mutex
	n    int
	idle chan struct{} // closed when n falls to 0; nil: nobody waits
}

func (t *tracker) enter() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n++
}

func (t *tracker) leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n--
	if t.n == 0 && t.idle != nil {
		close(t.idle)
		t.idle = nil
	}
}

// wait returns when nothing is under way any more, or when ctx ends.
func (t *tracker) wait(ctx context.Context) {
	t.mu.Lock()
	if t.n == 0 {
		t.mu.Unlock()
		return
	}
	if t.idle == nil {
		t.idle = make(chan struct{})
	}
	idle := t.idle
	t.mu.Unlock()
	select {
	case <-idle:
	case <-ctx.Done():
	}
}

// handler counts the requests that h serves: net/http does not wait for those whose connections it cut.
func (t *tracker) handler(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.enter()
		defer t.leave()
		h.ServeHTTP(w, r)
	})
}
