package egress

import (
	"sync"
	"time"
)

// troubleEvery is how often one kind of trouble is reported.
const troubleEvery = time.Minute

// troubles reports what goes wrong, but each kind only seldom: programs try again and again.
type troubles struct {
	tell func(error)

	mu   sync.Mutex
	last map[string]time.Time // by kind; the kinds are words of this package
}

func (t *troubles) report(kind string, err error) {
	if t.tell == nil {
		return
	}
	now := time.Now()
	t.mu.Lock()
	last, seen := t.last[kind]
	due := !seen || now.Sub(last) >= troubleEvery
	if due {
		if t.last == nil {
			t.last = map[string]time.Time{}
		}
		t.last[kind] = now
	}
	t.mu.Unlock()
	if due {
		t.tell(err)
	}
}
