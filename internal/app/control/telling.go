package control

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
)

// The bounds of the refusals that wait to be reported to the judge.
const (
	maxTellings     = 256
	maxTellingBytes = maxMessage
	lastTellings    = 2 * time.Second // for all of them, at the end
)

// tellings are the refusals that wait to be reported to the judge. One goroutine reports them in order, and runs only as long as
// there are any. Nobody waits for it. So refusals that do not fit are only counted, and the next one that fits reports their
// number.
type tellings struct {
	// tell reports one refusal to the judge. It returns soon after ctx has ended.
	tell func(ctx context.Context, body []byte) error
	// failed is called if a refusal could not be reported, unless the end came first.
	failed func(error)

	mu      sync.Mutex
	waiting [][]byte
	bytes   int // of the waiting refusals
	lost    int // refusals that did not fit, since the last that did
	closed  bool
	stop    context.CancelFunc // ends the goroutine; nil: there is none
	teller  sync.WaitGroup
}

// add adds a refusal. It does not wait.
func (t *tellings) add(q callRequest) {
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
	// It is encoded at once: it may be a small part of a large message, which would stay in memory with it.
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

// work reports refusals until none is left, or ctx ends.
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

// next takes the next refusal. It is not ok if there is none, or no time left; then the goroutine ends.
func (t *tellings) next(ctx context.Context) (body []byte, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.waiting) == 0 || ctx.Err() != nil {
		t.stop()
		t.stop = nil
		return nil, false
	}
	body = t.waiting[0]
	t.waiting[0] = nil // its memory can be freed while the others are reported
	t.waiting = t.waiting[1:]
	t.bytes -= len(body)
	return body, true
}

// close accepts no more refusals, and gives the waiting ones a short time to be reported. Then it calls failed with the number of
// the lost ones.
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
