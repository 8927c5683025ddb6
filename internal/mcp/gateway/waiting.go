package gateway

import (
	"slices"
	"sync"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
)

// waiting are the requests that a server got and has not responded to.
type waiting struct {
	mu      sync.Mutex
	gone    bool                    // the server will not respond any more
	retired bool                    // the connection ends after its last response
	pending map[jsonrpc.ID]*pending // by the ids of the requests
	order   []*pending              // the newest last
}

// add adds a request. It returns false if the server is gone.
func (w *waiting) add(id jsonrpc.ID, p *pending) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.gone {
		return false
	}
	w.pending[id] = p
	if !slices.Contains(w.order, p) {
		w.order = append(w.order, p)
	}
	return true
}

// remove removes a request, and returns its pending; nil: nobody waits for it. isLast says that a retired connection ends now.
func (w *waiting) remove(id jsonrpc.ID) (p *pending, isLast bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p = w.pending[id]
	delete(w.pending, id)
	for _, other := range w.pending {
		if other == p {
			return p, false
		}
	}
	w.order = slices.DeleteFunc(w.order, func(o *pending) bool { return o == p })
	return p, w.retired && len(w.pending) == 0
}

// removeAll removes all requests, and returns them.
func (w *waiting) removeAll() map[jsonrpc.ID]*pending {
	w.mu.Lock()
	defer w.mu.Unlock()
	left := w.pending
	w.pending, w.order = map[jsonrpc.ID]*pending{}, nil
	return left
}

// newestFirst returns the pending requests.
func (w *waiting) newestFirst() []*pending {
	w.mu.Lock()
	defer w.mu.Unlock()
	found := slices.Clone(w.order)
	slices.Reverse(found)
	return found
}

// retire lets the connection end after the last response. It says whether there is none to wait for.
func (w *waiting) retire() (isLast bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.retired = true
	return len(w.pending) == 0
}

// serverGone notes that the server will not respond any more. It says whether this is new.
func (w *waiting) serverGone() (isNew bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	isNew, w.gone = !w.gone, true
	return isNew
}

func (w *waiting) isGone() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.gone
}

// isIdle says that the server is there, and that no request waits.
func (w *waiting) isIdle() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.gone && len(w.pending) == 0
}
