package query

import (
	"bytes"
	"context"
	"iter"

	"github.com/weir-gate/weir/internal/record"
)

// followMark is in the text of every event whose arguments follow.
var followMark = []byte(`"args_follow":true`)

// Joined yields entries of r. The entry of a call that was refused before its arguments had arrived gets them, if they are recorded.
// It has the columns and the hash of the recorded entry.
func Joined(ctx context.Context, r Source, entries iter.Seq2[record.Entry, error]) iter.Seq2[record.Entry, error] {
	return func(yield func(record.Entry, error) bool) {
		for e, err := range entries {
			if err == nil {
				e, err = withArguments(ctx, r, e)
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// withArguments returns an entry with the arguments that followed it, if they are recorded.
func withArguments(ctx context.Context, r Source, e record.Entry) (record.Entry, error) {
	if !bytes.Contains(e.Text, followMark) {
		return e, nil
	}
	called, err := e.Event()
	if err != nil || !called.ArgsFollow() || called.CallID == "" {
		return e, err
	}
	followed, found, err := First(ctx, r, Filter{CallID: string(called.CallID), Type: record.Types.CallArguments})
	if !found {
		return e, err
	}
	return e.Join(followed)
}
