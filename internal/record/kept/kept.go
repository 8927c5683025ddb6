// Package kept is the embedded record: logs that are kept, an index that finds events in them, and a file for what is not history.
//
// The logs are the only truth about events: see package recordlog. The index can be deleted at any time, and is made anew from the logs:
// see package index. The file has rulings, spent money, checkpoints and the like, and notes about chains: see package store.
//
// Several processes may use a record. Each writes a log of its own. One of them, whichever has the lock, indexes the logs of all.
package kept

import (
	"context"
	"errors"
	"sync"

	"github.com/weir-gate/weir/internal/record/index"
	"github.com/weir-gate/weir/internal/record/recordlog"
	"github.com/weir-gate/weir/internal/record/store"
)

// Config says where a record is.
type Config struct {
	URL string // of the file
	// OnError is called for what fails in the background, for the same failure twice a minute at most; nil: not called.
	OnError func(error)
	// OnMoved is called while events of an earlier version are moved into a log, with how many are moved and how many there are, and when
	// it is done; nil: not called.
	OnMoved func(done, all int64)
}

// state is the file. It is one level deeper than history, which answers in its place where both can.
type state struct{ *store.View }

// A View reads a record. Other processes may be writing to it.
type View struct {
	state
	*history
}

// A Record reads and writes a record.
type Record struct {
	*store.Store
	*history
	config Config

	mu       sync.Mutex
	indexer  *index.Index     // nil: another process writes the index
	followed map[string]int64 // the logs of this process, and up to where who follows them had them indexed
	stop     context.CancelFunc
	done     chan struct{}
	failures failures
}

// OpenReadOnly opens a record for reading. It must exist and be up to date; nothing is written to it.
func OpenReadOnly(ctx context.Context, c Config) (*View, error) {
	s, err := store.OpenReadOnly(ctx, c.URL)
	if err != nil {
		return nil, err
	}
	moved, err := s.HasEvents(ctx)
	if err == nil && moved {
		err = errors.New("the record is not up to date; run weir store migrate, or start weir serve once, which upgrades it")
	}
	var h *history
	if err == nil {
		h, err = openHistory(c.URL, s)
	}
	if err != nil {
		s.Close() // the first error is the one to report
		return nil, err
	}
	return &View{state: state{s}, history: h}, nil
}

// Open opens a record for reading and writing, and begins to index what is not indexed yet. Events that an earlier version kept in the
// file are moved into a log first.
func Open(ctx context.Context, c Config) (*Record, error) {
	if c.OnError == nil {
		c.OnError = func(error) {}
	}
	if c.OnMoved == nil {
		c.OnMoved = func(int64, int64) {}
	}
	s, err := store.Open(ctx, c.URL)
	if err != nil {
		return nil, err
	}
	r := &Record{Store: s, config: c, done: make(chan struct{}), followed: map[string]int64{}}
	if err = r.moveIn(ctx); err == nil {
		r.history, err = openHistory(c.URL, s.View)
	}
	if err == nil {
		err = r.settle(ctx)
	}
	if err != nil {
		s.Close() // the first error is the one to report
		return nil, err
	}
	background, stop := context.WithCancel(context.Background())
	r.stop = stop
	go r.run(background)
	return r, nil
}

// Close ends the record. Close the logs of this process first.
func (r *Record) Close() error {
	r.stop()
	<-r.done
	r.mu.Lock()
	defer r.mu.Unlock()
	var err error
	if r.indexer != nil {
		err = r.indexer.Close()
		r.indexer = nil
	}
	return errors.Join(err, r.history.close(), r.Store.Close())
}

// Close ends the view.
func (v *View) Close() error { return errors.Join(v.history.close(), v.state.Close()) }

// A history answers questions about events.
type history struct {
	folder      string // of the logs
	indexFolder string
	logs        *recordlog.Archive // reads the logs
	index       *index.View
	state       *store.View
	places      places
	damage      damages
}

func openHistory(url string, s *store.View) (*history, error) {
	folder, err := store.URL(url).LogFolder("")
	if err != nil {
		return nil, err
	}
	indexFolder, err := store.URL(url).IndexFolder()
	if err != nil {
		return nil, err
	}
	h := &history{folder: folder, indexFolder: indexFolder, state: s, logs: recordlog.NewArchive(folder, 0)}
	h.index = index.NewView(index.Config{Folder: indexFolder, Texts: h.logs})
	return h, nil
}

func (h *history) close() error { return h.index.Close() }
