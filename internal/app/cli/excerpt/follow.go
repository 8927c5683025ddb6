package excerpt

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/text/inert"
)

// A follower shows what is recorded, and then new entries, each once. If the store cannot be read for a while, it waits.
type follower struct {
	*Listing
	record      growing
	out         *bufio.Writer
	errOut      io.Writer
	last        int64 // all rows up to this one are shown
	begun       bool  // last is valid
	interrupted bool  // the store could not be read, and the user was told
}

// A growing record can say which row is the last now.
type growing interface {
	query.Source
	LastRow(ctx context.Context) (int64, error)
}

const (
	// followEvery is how often a followed store is asked for new entries.
	followEvery = 250 * time.Millisecond
	// retryEvery is how often a store that cannot be read is tried again.
	retryEvery = time.Second
)

// run follows until ctx ends, or an error occurs that will not pass.
func (f *follower) run(ctx context.Context) error {
	wait := time.NewTimer(0)
	defer wait.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-wait.C:
		}
		err := f.look(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err == nil:
			f.say(false, "reading the record works again; no event was missed")
			wait.Reset(followEvery)
		case store.Passing(err):
			f.say(true, "cannot read the record, trying again: "+err.Error())
			wait.Reset(retryEvery)
		default:
			return err
		}
	}
}

// say tells the user when the store cannot be read, and when it can be read again.
func (f *follower) say(interrupted bool, text string) {
	if f.interrupted != interrupted {
		f.interrupted = interrupted
		fmt.Fprintln(f.errOut, "weir: "+inert.Text(text, 1000))
	}
}

// look shows new entries. Rows become visible in order. So the rows between the last row of one look and the last row of the next
// are new and complete. A look that finds nothing only reads the number of the last row. If a look fails half-way, the next one
// shows the rest.
func (f *follower) look(ctx context.Context) error {
	newest, err := f.record.LastRow(ctx)
	if err != nil || f.begun && newest == f.last {
		return err
	}
	f.Filter.UpToRow = newest
	if newest > 0 { // else there are no rows, and 0 would mean no bound
		_, shown, err := f.print(ctx, f.record, f.out, func() {})
		if err != nil && shown == 0 {
			return err
		}
		if err != nil {
			newest = shown
		}
		f.goOnAfter(newest)
		return err
	}
	f.goOnAfter(newest)
	return nil
}

// goOnAfter notes that everything up to a row is shown. After it all entries are shown, not only the newest.
func (f *follower) goOnAfter(row int64) {
	f.last, f.begun = row, true
	f.Filter.AfterRow, f.Filter.Limit, f.Filter.Newest = row, 0, false
}
