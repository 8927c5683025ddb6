package recorder

import (
	"slices"

	"github.com/weir-gate/weir/internal/record"
)

// A waiting event is one that is to be stored, and the event itself for the sinks; nil: there are none.
type waiting struct {
	record.Unsealed
	event *record.Event
}

// queued are events that are stored together or not at all.
type queued struct {
	events []waiting
	done   func(error) // nil: nobody waits for them

	// id is that of the first of the events. again says that they may be stored already, under the same ids: then instead is stored
	// in their place.
	id      string
	again   bool
	instead []waiting

	// Of those that nobody waits for: how often the store did not take them though it took others since, and how many
	// batches it had taken then.
	strikes int
	since   int64
}

// size is how much they take while they wait.
func (q queued) size() int {
	n := 0
	for _, list := range [][]waiting{q.events, q.instead} {
		for _, u := range list {
			n += u.Size()
			if u.event != nil {
				n += len(u.event.Args)
			}
		}
	}
	return n
}

// A backlog is what waits to be stored.
type backlog struct {
	fresh  []queued // not tried yet
	late   []queued // tried in vain; nobody waits for them
	events int      // of both
	bytes  int
}

func (b *backlog) add(q queued) {
	b.fresh = append(b.fresh, q)
	b.events += len(q.events)
	b.bytes += q.size()
}

// put takes back what could not be stored.
func (b *backlog) put(late []queued) {
	for _, q := range late {
		b.events += len(q.events)
		b.bytes += q.size()
	}
	b.late = append(b.late, late...)
}

// A portion bounds what is taken at once. What was recorded together stays together.
type portion struct{ events, bytes int }

// take removes the first part of a list, all of it that fits or one at least.
func (b *backlog) take(from *[]queued, most portion) []queued {
	n, events, bytes := 0, 0, 0
	for _, q := range *from {
		if n > 0 && (events+len(q.events) > most.events || bytes+q.size() > most.bytes) {
			break
		}
		events, bytes = events+len(q.events), bytes+q.size()
		n++
	}
	taken := (*from)[:n:n]
	if *from = (*from)[n:]; len(*from) == 0 {
		*from = nil // what was taken owns the array now
	}
	b.events -= events
	b.bytes -= bytes
	return taken
}

// patient are those that nobody waits for.
func patient(batch []queued) []queued {
	return slices.DeleteFunc(slices.Clone(batch), func(q queued) bool { return q.done != nil })
}

func eventsOf(batch []queued) int {
	n := 0
	for _, q := range batch {
		n += len(q.events)
	}
	return n
}
