package terminal

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/verify"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/quantity"
)

// When progress is shown. On a terminal it is one line that is rewritten, and removed at the end. Elsewhere, such as in a log, it
// is a new line every ten seconds.
const (
	progressAfter     = time.Second
	progressEvery     = 250 * time.Millisecond
	progressLineEvery = 10 * time.Second
)

// A Progress shows on standard error that a command is still working, and how far it is, if it takes longer than a moment.
type Progress struct {
	out      io.Writer
	terminal bool
	what     string // what the command does: "checking the record"
	began    time.Time
	read     atomic.Int64 // events
	first    atomic.Int64 // the row of the first event; 0: none was read
	row      atomic.Int64 // the row of the last event so far
	last     atomic.Int64 // the last row to read; 0: not known
	Then     string       // what is done after everything is read; "": nothing that takes long
	over     atomic.Bool  // everything is read
	stop     chan struct{}
	stopped  chan struct{}
}

// StartProgress begins to show the progress of a command. The caller must call End before it writes anything else to a terminal.
func StartProgress(cmd *cobra.Command, what string) *Progress {
	return newProgress(cmd.ErrOrStderr(), Is(cmd.ErrOrStderr()), what)
}

func newProgress(out io.Writer, terminal bool, what string) *Progress {
	p := &Progress{out: out, terminal: terminal, what: what, began: time.Now(), stop: make(chan struct{}), stopped: make(chan struct{})}
	go p.tell()
	return p
}

// End ends the display. It may be called more than once, by one goroutine.
func (p *Progress) End() {
	select {
	case <-p.stopped:
	default:
		close(p.stop)
		<-p.stopped
	}
}

func (p *Progress) tell() {
	defer close(p.stopped)
	after, every := progressLineEvery, progressLineEvery
	if p.terminal {
		after, every = progressAfter, progressEvery
	}
	next := time.NewTimer(after)
	defer next.Stop()
	for shown := false; ; shown = true {
		select {
		case <-p.stop:
			if shown && p.terminal {
				fmt.Fprint(p.out, "\r\x1b[K")
			}
			return
		case <-next.C:
			p.show()
			next.Reset(every)
		}
	}
}

// show writes how far it is.
func (p *Progress) show() {
	if !p.terminal {
		fmt.Fprintln(p.out, p)
		return
	}
	fmt.Fprint(p.out, "\r"+inert.CutTo(p.String(), max(1, p.width()-1))+"\x1b[K")
}

// width is how wide the terminal is now: its window may be changed meanwhile. A longer line could not be rewritten.
func (p *Progress) width() int { return cmp.Or(Width(p.out), usualWidth) }

// String returns how far it is: "checking the record: 12,000 events, 40%, 3 s".
func (p *Progress) String() string {
	text := p.what + ": "
	if n := p.read.Load(); n > 0 {
		text += quantity.Thousands(n) + " events, "
		first, row, last := p.first.Load(), p.row.Load(), p.last.Load()
		switch {
		case p.over.Load() && p.Then != "":
			text += p.Then + ", "
		case last > first && row <= last:
			text += fmt.Sprintf("%d%%, ", (row-first)*100/(last-first))
		}
	}
	return text + fmt.Sprintf("%d s", int(time.Since(p.began).Seconds()))
}

// A watchedRecord is a record that is read from beginning to end, with progress.
type watchedRecord struct {
	verify.Record
	progress *Progress
}

// A Record can be read from beginning to end, and says which row is the last now.
type Record interface {
	verify.Record
	LastRow(ctx context.Context) (int64, error)
}

// Watch returns a record that shows progress while it is read up to its current last row.
func (p *Progress) Watch(ctx context.Context, r Record) (watchedRecord, error) {
	last, err := r.LastRow(ctx)
	p.last.Store(last)
	return watchedRecord{r, p}, err
}

// Entries implements query.Source.
func (w watchedRecord) Entries(ctx context.Context, f query.Filter) iter.Seq2[record.Entry, error] {
	return func(yield func(record.Entry, error) bool) {
		for e, err := range w.Record.Entries(ctx, f) {
			if err == nil {
				w.progress.read.Add(1)
				w.progress.first.CompareAndSwap(0, e.Row)
				w.progress.row.Store(e.Row)
			}
			if !yield(e, err) {
				return
			}
		}
		w.progress.over.Store(true)
	}
}
