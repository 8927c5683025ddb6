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

// A follower shows what is on record, and then what comes, each entry once. A store that cannot be read for a while is waited
// for.
type follower struct {
	*Listing
	record      growing
	out         *bufio.Writer
	errOut      io.Writer
	last        int64 // the row up to which all is shown
	begun       bool  // last counts
	interrupted bool  // the store could not be read, and the user knows
}

// A growing record can say up to where it goes now.
type growing interface {
	query.Source
	LastRow(ctx context.Context) (int64, error)
}

const (
	// followEvery is how often a followed store is asked for news.
	followEvery = 250 * time.Millisecond
	// retryEvery is how often a store that cannot be read is tried again.
	retryEvery = time.Second
)

// run follows until ctx ends, or something fails that does not go away by itself.
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

// say tells the user when the store is lost, and when it is back.
func (f *follower) say(interrupted bool, text string) {
	if f.interrupted != interrupted {
		f.interrupted = interrupted
		fmt.Fprintln(f.errOut, "weir: "+inert.Text(text, 1000))
	}
}

// look shows what is new. Rows become visible in order, so that what lies between the last row of one look and the last row of
// the next is new, and complete. A look that finds nothing costs one look at the end of the record. One that fails half-way
// leaves the rest to the next.
func (f *follower) look(ctx context.Context) error {
	newest, err := f.record.LastRow(ctx)
	if err != nil || f.begun && newest == f.last {
		return err
	}
	f.Filter.UpToRow = newest
	if newest > 0 { // else there is nothing, and 0 would be no bound
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

// goOnAfter notes that all is shown up to a row. From there on everything counts, not only the newest.
func (f *follower) goOnAfter(row int64) {
	f.last, f.begun = row, true
	f.Filter.AfterRow, f.Filter.Limit, f.Filter.Newest = row, 0, false
}
