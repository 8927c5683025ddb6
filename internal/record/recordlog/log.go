// Package recordlog is the record on the local disk: an append-only log of what one process recorded. An event is durable once it is
// here. A store follows, and answers questions; until it has an event, the log has it.
package recordlog

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/weir-gate/weir/internal/record"
)

// Config sets up a Log.
type Config struct {
	Folder string // of the logs of all processes that use the store; it is created if need be
	Files  Files  // nil: Disk
	// Segment is the size of the first segment, in bytes; each is twice as large as the one before, up to Largest. 0: 4 MiB and 64 MiB.
	Segment, Largest int64
	Name             string // of its folder; "": a random one
}

const (
	usualSegment = 4 << 20
	usualLargest = 64 << 20
	// maxFailedSyncs is after how many failed syncs in a row a log takes nothing any more: the disk is broken, and may claim anything.
	maxFailedSyncs = 3

	lockName  = "LOCK"
	nextName  = "next"  // the segment that is prepared
	newBegins = ".new-" // a folder whose log is not locked yet
)

// A Log takes the events of one process. It is written by one goroutine at a time.
type Log struct {
	config Config
	files  Files
	folder string // of this log
	id     instance
	lock   lock

	mu      sync.Mutex
	current segment
	older   []segment // before current, oldest first, until the store has all of them
	end     Position  // of the last durable batch
	heads   map[string]record.Head
	batch   uint32 // the number of the last batch that was tried
	failed  int    // syncs that failed, in a row
	untaken int64  // the size of the last batch, if it failed; 0: it did not
	size    int64  // of the next segment
	next    chan prepared
	buffer  []byte
	ended   error // why the log takes nothing any more; nil: it does
}

// A segment is a file of a log.
type segment struct {
	file   File
	path   string
	base   Position
	room   int64 // for frames, in bytes
	headed bool  // its header is durable
	unfit  bool  // a sync failed: what is in the file after the last good one may be there or not
}

// A prepared segment is a file that has no name yet, or the reason why there is none.
type prepared struct {
	file File
	room int64
	err  error
}

// Create begins a new log in a folder of its own.
func Create(c Config) (*Log, error) {
	if c.Files == nil {
		c.Files = Disk
	}
	if c.Segment == 0 {
		c.Segment = usualSegment
	}
	if c.Largest == 0 {
		c.Largest = usualLargest
	}
	l := &Log{config: c, files: c.Files, heads: map[string]record.Head{}, size: c.Segment}
	_, _ = rand.Read(l.id[:]) // it never fails
	if err := l.makeFolder(); err != nil {
		return nil, fmt.Errorf("record log: %w; make %s writable for weir", err, c.Folder)
	}
	if err := l.begin(0); err != nil {
		l.lock.release()
		return nil, fmt.Errorf("record log: create the first segment: %w; free space, or make %s writable for weir", err, l.folder)
	}
	return l, nil
}

// makeFolder makes the folder of the log. It gets its name when it is locked: a folder that nobody locks is what a process left.
func (l *Log) makeFolder() error {
	if err := os.MkdirAll(l.config.Folder, 0o700); err != nil {
		return err
	}
	name := l.config.Name
	if name == "" {
		name = strings.ToLower(rand.Text()[:16])
	}
	fresh := filepath.Join(l.config.Folder, newBegins+name)
	// One with a name of its own may have been left when it was made: nobody has locked it.
	if err := os.Mkdir(fresh, 0o700); err != nil && (l.config.Name == "" || !errors.Is(err, fs.ErrExist)) {
		return err
	}
	held, ok, err := lockFolder(fresh)
	if err == nil && !ok {
		err = fmt.Errorf("%s is locked", fresh)
	}
	if err != nil {
		return err
	}
	l.lock, l.folder = held, filepath.Join(l.config.Folder, name)
	if err := os.Rename(fresh, l.folder); err != nil {
		held.release()
		return err
	}
	return syncFolder(l.config.Folder)
}

// begin begins a segment at the end of the log, with room for at least so many bytes.
func (l *Log) begin(least int64) error {
	p := l.prepared(least)
	if p.err != nil {
		return p.err
	}
	path := filepath.Join(l.folder, segmentName(l.end))
	if err := l.files.Rename(p.file, path); err != nil {
		p.file.Close() // the first error is the one to report
		return err
	}
	if old := l.current; old.file != nil {
		l.cut(old)
		old.file.Close()       // what it has is durable, or does not count
		if old.base != l.end { // else it had nothing, and the new file has its name
			l.older = append(l.older, old)
		}
	}
	l.current = segment{file: p.file, path: path, base: l.end, room: p.room}
	return nil
}

// prepared returns a file for the next segment. It was made in advance, if there was time.
func (l *Log) prepared(least int64) prepared {
	if l.next != nil {
		p := <-l.next
		l.next = nil
		if p.err == nil && p.room >= least {
			return p
		}
		if p.err == nil {
			p.file.Close() // it is replaced
		}
	}
	return l.make(max(l.grow(), least))
}

// grow returns the size of a new segment.
func (l *Log) grow() int64 {
	size := l.size
	l.size = min(2*size, max(l.config.Largest, size))
	return size
}

func (l *Log) make(room int64) prepared {
	f, err := l.files.Create(filepath.Join(l.folder, nextName), headerSize+room)
	return prepared{f, room, err}
}

// prepare has the next segment made, once the current one is half full.
func (l *Log) prepare() {
	if l.next != nil || l.current.unfit || 2*(l.end-l.current.base) < l.current.room {
		return
	}
	next, size := make(chan prepared, 1), l.grow()
	l.next = next
	go func() { next <- l.make(size) }()
}

// Append makes entries durable, in order, all or none, and notes in each where it is. It returns when they are. An error means that none
// of them counts: Head does not have them, and nobody ever reads them.
func (l *Log) Append(ctx context.Context, entries []record.Entry) error {
	if len(entries) == 0 {
		return ctx.Err()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := errors.Join(l.ended, ctx.Err()); err != nil {
		return err
	}
	at, name := l.end, l.Name()
	err := l.write(len(entries), func(i int) (frame, error) {
		side, err := writeEffects(entries[i].With)
		f := frame{kind: Event, text: entries[i].Text, side: side}
		entries[i].Place = record.Place{Log: name, At: at, After: at + f.size()}
		at += f.size()
		return f, err
	})
	if err != nil {
		return fmt.Errorf("record log: %w", err)
	}
	for i, e := range entries {
		if last := i == len(entries)-1; last || entries[i+1].Chain != e.Chain {
			l.heads[e.Chain] = e.Head
		}
	}
	l.prepare()
	return nil
}

// AppendMark makes marks durable, as Append does with entries: signed statements about events, for whoever verifies the log.
func (l *Log) AppendMark(ctx context.Context, marks [][]byte) error {
	if len(marks) == 0 {
		return ctx.Err()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := errors.Join(l.ended, ctx.Err()); err != nil {
		return err
	}
	err := l.write(len(marks), func(i int) (frame, error) { return frame{kind: Mark, text: marks[i]}, nil })
	if err != nil {
		return fmt.Errorf("record log: %w", err)
	}
	l.prepare()
	return nil
}
