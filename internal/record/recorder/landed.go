package recorder

// landed are events that were reported as not stored, and were stored all the same: by the id of the first of those that were recorded
// together. The zero value is empty.
type landed struct{ new, old map[string]bool }

// maxLanded is how many are kept in mind for sure. The same events come again at once, so that few are.
const maxLanded = 4096

// add takes note of a batch that was stored. Of events that nobody waited for, nobody has been told anything.
func (l *landed) add(batch []queued) {
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

// without is a batch without the events that are stored already. What is to be stored instead of them is there in their place.
func (l *landed) without(batch []queued) []queued {
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
