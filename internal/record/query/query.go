// Package query defines the questions to a record: filters for entries, and statistics.
package query

import (
	"context"
	"iter"
	"time"

	"github.com/weir-gate/weir/internal/record"
)

// A Filter selects entries. Each field that is set narrows the selection; the zero Filter selects everything.
type Filter struct {
	Session string
	Server  string // * matches any run of characters; case and disguises make no difference, as in policies
	Tool    string // likewise
	CallID  string
	IDBegin string // what the id of the call begins with
	WireID  string
	Verdict string
	Surface string
	Type    record.Type
	Types   []record.Type // one of these; nil: of any type
	Rule    string
	Code    string
	Since   time.Time // at or after
	Until   time.Time // before
	Blocked *bool

	Org, Team, Employee, Key string
	Provider, Model          string
	RequestID, ResponseID    string

	// Text selects events whose arguments have all words of this text: see Words. A text without words selects every event.
	Text string

	// Not leaves out the entries that one of these selects. Of each only the conditions on names and on Blocked count; one without
	// such conditions leaves out nothing.
	Not []Filter

	// NoCanaries leaves out the test calls of weir verify: see call.CanaryProvider and call.CanaryRule.
	NoCanaries bool

	// Thorough compares the times of the events themselves. Without it, a note of the store says between which rows the events of an
	// hour are.
	Thorough bool

	// Garbled includes entries with a garbled column. Without it such an entry is an error: see Entry.Garbled.
	Garbled bool

	AfterRow int64 // only later rows: to follow a store, ask again with the last row seen
	UpToRow  int64 // only rows up to and including this one; 0: all
	Limit    int   // at most so many entries, the oldest of the selection; 0: all
	Newest   bool  // with Limit: the newest of the selection instead. They too come oldest first
}

// A Source yields entries.
type Source interface {
	// Entries yields the entries that f selects, by ascending row. After an error it yields nothing more. It holds
	// no lock and no snapshot between entries, so that a slow consumer delays nobody; entries appended meanwhile
	// may be among those it yields.
	Entries(ctx context.Context, f Filter) iter.Seq2[record.Entry, error]
}

// First returns the first entry that f selects, and whether there is one.
func First(ctx context.Context, from Source, f Filter) (e record.Entry, found bool, err error) {
	if f.Limit == 0 {
		f.Limit = 1
	}
	for e, err := range from.Entries(ctx, f) {
		return e, err == nil, err
	}
	return record.Entry{}, false, nil
}
