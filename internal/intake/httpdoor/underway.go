package httpdoor

import (
	"context"
	"net/http"
	"sync"
)

// An Underway counts work that may outlast its request. The zero value is ready to use. It is safe for concurrent use.
type Underway struct {
	mu     sync.Mutex
	n      int
	closed bool
	idle   chan struct{} // closed when n falls to 0; nil: nobody waits
}

// Enter counts a piece of work. Leave must follow. It reports false once Close was called: then nothing is counted.
func (u *Underway) Enter() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.closed {
		u.n++
	}
	return !u.closed
}

// Leave notes that a piece of work is done.
func (u *Underway) Leave() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.n--
	if u.n == 0 && u.idle != nil {
		close(u.idle)
		u.idle = nil
	}
}

// Count returns how much is under way.
func (u *Underway) Count() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.n
}

// Close makes Enter report false from now on.
func (u *Underway) Close() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.closed = true
}

// Wait returns when nothing is under way any more, or with the error of ctx when that ends.
func (u *Underway) Wait(ctx context.Context) error {
	u.mu.Lock()
	if u.n == 0 {
		u.mu.Unlock()
		return nil
	}
	if u.idle == nil {
		u.idle = make(chan struct{})
	}
	idle := u.idle
	u.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// handler counts the requests that h serves: net/http does not wait for requests whose connections it has cut.
func (u *Underway) handler(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if u.Enter() {
			defer u.Leave()
		}
		h.ServeHTTP(w, r)
	})
}
