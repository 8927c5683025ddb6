package recorder

import (
	"slices"

	"github.com/weir-gate/weir/internal/record"
)

// A waiting event is an encoded event that is to be stored, and the event itself for the sinks; nil: there are no sinks.
type waiting struct {
	record.Unsealed
	event *record.Event
}

// queued are events that are stored together or not at all.
type queued struct {
	events []waiting
	done   func(error) // nil: nobody waits for them

	// id is the id of the first of the events. again says that they may be stored already, under the same ids: then instead is stored
	// in their place.
	id      string
	again   bool
	instead []waiting

	// For events that nobody waits for: how often the store failed to store them though it stored others meanwhile, and how many
	// batches it had stored then.
	strikes int
	since   int64
}

// size is how many bytes they take in memory, about.
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

// A backlog has the events that wait to be stored.
type backlog struct {
	fresh  []queued // not tried yet
	late   []queued // tried without success; nobody waits for them
	events int      // of both
	bytes  int
}

func (b *backlog) add(q queued) {
	b.fresh = append(b.fresh, q)
	b.events += len(q.events)
	b.bytes += q.size()
}

// put adds events that could not be stored.
func (b *backlog) put(late []queued) {
	for _, q := range late {
		b.events += len(q.events)
		b.bytes += q.size()
	}
	b.late = append(b.late, late...)
}

// A portion bounds how much is taken at once. Events that were recorded together stay together.
type portion struct{ events, bytes int }

// take removes the first part of a list: as much as fits, but at least one element.
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
		*from = nil // the taken part owns the array now
	}
	b.events -= events
	b.bytes -= bytes
	return taken
}

// patient returns those that nobody waits for.
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
