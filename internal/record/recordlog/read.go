package recordlog

import (
	"fmt"
	"iter"
	"slices"

	"github.com/weir-gate/weir/internal/record"
)

// Logged is an event or a mark that a log has.
type Logged struct {
	Kind      Kind
	At, After Position // where its frame begins and ends
	Text      []byte   // valid until the next one is read
	side      []byte
}

func (f frame) logged() Logged {
	return Logged{Kind: f.kind, At: f.at, After: f.at + f.size(), Text: f.text, side: f.side}
}

// Entry returns the event with its effects and its place, without the name of the log. It copies the text.
func (g Logged) Entry() (record.Entry, error) {
	if g.Kind != Event {
		return record.Entry{}, fmt.Errorf("record log: what is at position %d is no event", g.At)
	}
	e, err := record.Sealed(slices.Clone(g.Text))
	if err == nil {
		e.Place = record.Place{At: g.At, After: g.After}
		e.With, err = readEffects(g.side)
	}
	return e, err
}

// Damage is an error for a log that is not as it was written.
type Damage struct {
	File     string
	Offset   int64 // in the segment; of what is inside of a packed one, as it was before it was packed
	What     string
	From, To Position // what cannot be read; the same: nothing is missing because of it
}

func (d *Damage) Error() string {
	lost := "no event is lost by it"
	if d.From < d.To {
		lost = fmt.Sprintf("%d bytes from position %d on cannot be read", d.To-d.From, d.From)
	}
	return fmt.Sprintf("record log: %s, byte %d: %s; %s; keep a copy of the folder", d.File, d.Offset, d.What, lost)
}

// Read yields the durable events and marks of the log in a folder, from a position on: 0, or where one of them begins or ends. What was
// removed by retention is left out. Its memory is bounded by the largest batch. A tail that is not complete was never durable, and is left
// out. After an error it yields nothing more; *Damage means that durable events cannot be read.
func Read(folder string, from Position) iter.Seq2[Logged, error] {
	return func(yield func(Logged, error) bool) {
		for g, err := range Scan(folder, from) {
			if !yield(g, err) || err != nil {
				return
			}
		}
	}
}

// Scan is as Read, but goes on after *Damage with what is as it was written, so that one changed bit hides as little as possible. It ends
// after any other error.
func Scan(folder string, from Position) iter.Seq2[Logged, error] {
	return func(yield func(Logged, error) bool) {
		all, err := segmentsIn(folder)
		if err != nil {
			yield(Logged{}, err)
			return
		}
		w := walk{folder: folder, segments: all, yield: yield}
		w.identify()
		w.run(from)
	}
}
