package verify

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
	"github.com/weir-gate/weir/internal/record/query"
)

// A Record is all that a store holds of what happened.
type Record interface {
	query.Source
	// Chains returns every chain that was begun, by chain id.
	Chains(ctx context.Context) ([]record.ChainState, error)
	// Checkpoints yields the checkpoints past a row, by ascending row. After an error it yields nothing more.
	Checkpoints(ctx context.Context, afterRow int64) iter.Seq2[checkpoint.Signed, error]
	// KeptBodies returns what is kept of the bodies of a request.
	StoredBodies(ctx context.Context, requestID string) ([]StoredBody, error)
	// Recount begins to count anew what the store has counted.
	Recount() Recount
}

// A Recount compares what a store derives from its events, to find and to count them, with the events themselves. Nobody signs
// what is derived, and people see it.
type Recount interface {
	// Add takes the next entry, by ascending row, and names what the store derives wrongly from entries up to it.
	Add(ctx context.Context, e record.Entry, wrong func(Derived)) error
	// Finish compares the sums as they stand at one moment. It asks then up to which time events were removed: of hours and days
	// that began by then, it only makes sure that what is there is counted. The zero time: none were.
	Finish(ctx context.Context, removed func() (until time.Time, err error), wrong func(Derived)) error
}

// Derived is something that a store derives from its events and that does not follow from them.
type Derived struct {
	Row  int64 // of the event that it is about; 0: it is about many
	What string
}

// NewestCheckpoints returns the newest checkpoint of every key, by key.
func NewestCheckpoints(ctx context.Context, r Record) ([]checkpoint.Signed, error) {
	newest := map[string]checkpoint.Signed{}
	for s, err := range r.Checkpoints(ctx, 0) {
		if err != nil {
			return nil, err
		}
		if s.N > newest[s.Key].N {
			newest[s.Key] = s
		}
	}
	all := slices.Collect(maps.Values(newest))
	slices.SortFunc(all, func(a, b checkpoint.Signed) int { return cmp.Compare(a.Key, b.Key) })
	return all, nil
}

// A KeptBody is what a store has of a body that an event names.
type StoredBody struct {
	Side      string // request or response
	call.Body        // as the store notes it
	Whole     bool   // the text that is kept is the one of the digest
	Garbled   string // a column with a value of another kind than was stored; "": none
}

// A RegistryState is how what is kept of the tools of MCP servers stands.
type RegistryState struct {
	Servers map[string]record.RegistryMark // by id; all have the same revision
	Wrong   []string                       // tools, as server/tool, whose definitions do not have their hashes
}
