package control

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
)

// The bounds of what the judge is still to be told.
const (
	maxTellings     = 256
	maxTellingBytes = maxQuestion
	lastTellings    = 2 * time.Second // for all of them, at the end
)

// tellings are the refusals that the judge is still to be told of. One goroutine tells them, in their order, and is there only as
// long as there are any. Nobody waits for it, so that what does not fit is counted, and told of with the next that does.
type tellings struct {
	// tell tells the judge of one. It returns soon once ctx has ended.
	tell func(ctx context.Context, body []byte) error
	// failed is told what could not be told, unless the end came first.
	failed func(error)

	mu      sync.Mutex
	waiting [][]byte
	bytes   int // of what waits
	lost    int // what did not fit, since the last that did
	closed  bool
	stop    context.CancelFunc // ends the goroutine; nil: there is none
	teller  sync.WaitGroup
}

// add has the judge told of a refusal. It does not wait.
func (t *tellings) add(q callQuestion) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return
	}
	if len(t.waiting) >= maxTellings {
		t.lost++
		return
	}
	if t.lost > 0 {
		q.Ruling.Reason = fmt.Sprintf("%s (not on record, for there were too many: %d before it).", strings.TrimSuffix(q.Ruling.Reason, "."),
			t.lost)
	}
	// It is written at once: it may be a small part of a large message, which would be kept with it.
	body, err := json.Marshal(q, lenient)
	if err != nil || t.bytes+len(body) > maxTellingBytes {
		t.lost++
		return
	}
	t.lost = 0
	t.waiting = append(t.waiting, body)
	t.bytes += len(body)
	if t.stop == nil {
		ctx, stop := context.WithCancel(context.Background())
		t.stop = stop
		t.teller.Go(func() { t.work(ctx) })
	}
}

// work tells the judge until there is no more to tell, or ctx ends.
func (t *tellings) work(ctx context.Context) {
	for {
		body, ok := t.next(ctx)
		if !ok {
			return
		}
		err := t.tell(ctx, body)
		switch {
		case err == nil:
		case ctx.Err() != nil:
			t.mu.Lock()
			t.lost++
			t.mu.Unlock()
		default:
			t.failed(err)
		}
	}
}

// next takes the next to tell. It is not ok if there is none, or no time for it; the goroutine ends then.
func (t *tellings) next(ctx context.Context) (body []byte, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.waiting) == 0 || ctx.Err() != nil {
		t.stop()
		t.stop = nil
		return nil, false
	}
	body = t.waiting[0]
	t.waiting[0] = nil // it is not kept while the others are told
	t.waiting = t.waiting[1:]
	t.bytes -= len(body)
	return body, true
}

// close takes no more, and gives what waits a moment to be told. What is not told then is reported.
func (t *tellings) close() {
	t.mu.Lock()
	t.closed = true
	if t.stop != nil {
		end := time.AfterFunc(lastTellings, t.stop)
		defer end.Stop()
	}
	t.mu.Unlock()
	t.teller.Wait()
	t.mu.Lock()
	lost := t.lost + len(t.waiting)
	t.lost, t.waiting, t.bytes = 0, nil, 0
	t.mu.Unlock()
	if lost > 0 {
		t.failed(fmt.Errorf("record refused messages: %d were lost", lost))
	}
}
