package recorder

import "sync"

// landed are events that were reported as not stored, but were stored. They are listed by the id of the first of the events that
// were recorded together. The zero value is empty.
type landed struct {
	mu       sync.Mutex
	new, old map[string]bool
}

// maxLanded is how many are remembered for sure. The same events are recorded again at once, so few need to be remembered.
const maxLanded = 4096

// add notes a batch that was stored. Events that nobody waited for are left out: they were not reported as failed.
func (l *landed) add(batch []queued) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, q := range batch {
		if q.done == nil || q.id == "" {
			continue
		}
		if l.new == nil || len(l.new) >= maxLanded {
			l.new, l.old = map[string]bool{}, l.new
		}
		l.new[q.id] = true
	}
}

// without returns a batch without the events that are stored already. It has the events to be stored instead of them.
func (l *landed) without(batch []queued) []queued {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.new)+len(l.old) == 0 {
		return batch
	}
	left := make([]queued, 0, len(batch))
	for _, q := range batch {
		if q.again && (l.new[q.id] || l.old[q.id]) {
			if len(q.instead) == 0 {
				continue
			}
			q.events, q.instead = q.instead, nil
		}
		left = append(left, q)
	}
	return left
}
