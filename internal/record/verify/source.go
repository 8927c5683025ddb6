package verify

import (
	"context"
	"iter"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
	"github.com/weir-gate/weir/internal/record/query"
)

// A Record is the record in a store.
type Record interface {
	query.Source
	// Chains returns every chain that was begun, by chain id.
	Chains(ctx context.Context) ([]record.ChainState, error)
	// Checkpoints yields the checkpoints past a row, by ascending row. After an error it yields nothing more.
	Checkpoints(ctx context.Context, afterRow int64) iter.Seq2[checkpoint.Signed, error]
	// StoredBodies returns the stored bodies of a request.
	StoredBodies(ctx context.Context, requestID string) ([]StoredBody, error)
	// Recount begins to recount the store's statistics.
	Recount() Recount
}

// A Recount compares the lookup tables and statistics of a store with its events. They are not signed, but people see them.
type Recount interface {
	// Add adds the next entry, by ascending row, and reports what the store derived wrongly from the entries so far.
	Add(ctx context.Context, e record.Entry, wrong func(Problem)) error
	// Finish compares the sums at one moment. It then asks up to which time events were removed. For hours and days that began before
	// that time, it only checks that the remaining events are counted. The zero time: none were removed.
	Finish(ctx context.Context, removed func() (until time.Time, err error), wrong func(Problem)) error
}

// A StoredBody is what a store has of a body that an event names.
type StoredBody struct {
	Side      string // request or response
	call.Body        // as the columns describe it
	Whole     bool   // the stored text has the digest
	Garbled   string // a column with a value of another type than was stored; "": none
}
