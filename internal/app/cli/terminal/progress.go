package terminal

import (
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
	"github.com/weir-gate/weir/internal/text/quantity"
)

// When progress is told. On a terminal it is one line, written anew, and gone at the end. Elsewhere, in a log, it is a line now and then.
const (
	progressAfter     = time.Second
	progressEvery     = 250 * time.Millisecond
	progressLineEvery = 10 * time.Second
)

// A Progress tells on standard error that a command is still at work, and how far it is, if it takes longer than a moment.
type Progress struct {
	out      io.Writer
	terminal bool
	what     string // it does: "checking the record"
	began    time.Time
	read     atomic.Int64 // events
	first    atomic.Int64 // the row of the first of them; 0: none was read
	row      atomic.Int64 // the row of the last of them
	last     atomic.Int64 // the row to come to; 0: not known
	Then     string       // what is done when all is read; "": nothing that takes long
	over     atomic.Bool  // all is read
	stop     chan struct{}
	stopped  chan struct{}
}

// StartProgress begins to tell of a command. Whoever calls it calls end, before anything else is written to a terminal.
func StartProgress(cmd *cobra.Command, what string) *Progress {
	return newProgress(cmd.ErrOrStderr(), Is(cmd.ErrOrStderr()), what)
}

func newProgress(out io.Writer, terminal bool, what string) *Progress {
	p := &Progress{out: out, terminal: terminal, what: what, began: time.Now(), stop: make(chan struct{}), stopped: make(chan struct{})}
	go p.tell()
	return p
}

// End ends the telling. It may be called more than once, by one goroutine.
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
			if p.terminal {
				fmt.Fprint(p.out, "\r"+p.String()+"\x1b[K")
			} else {
				fmt.Fprintln(p.out, p)
			}
			next.Reset(every)
		}
	}
}

// String is how far it is: "checking the record: 12,000 events, 40%, 3 s".
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

// A watchedRecord is a record that is read from one end to the other, with progress.
type watchedRecord struct {
	verify.Record
	progress *Progress
}

// A Record can be read from one end to the other, and says up to where it goes now.
type Record interface {
	verify.Record
	LastRow(ctx context.Context) (int64, error)
}

// Watch has progress told of a record that is read as far as it goes now.
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
