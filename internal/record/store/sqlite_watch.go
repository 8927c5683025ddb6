package store

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"sync"
)

// journalLimit is the size to which SQLite truncates its log when it starts it anew.
const journalLimit = 64 << 20

// files are the files of a database in use: the database and its log. SQLite would continue to write into a file that was deleted
// or truncated, and nobody would find the records.
type files struct {
	mu  sync.Mutex
	all []watchedFile
	// least returns the size to which a weir may have made the database smaller. It is called when the database is smaller than
	// before.
	least func() (int64, error)
}

// A watchedFile is a file as it was at the last check.
type watchedFile struct {
	path    string
	floor   int64       // the size below which it is never truncated while in use, if it was larger
	shrinks bool        // it may become smaller when space is given back
	seen    fs.FileInfo // nil: not yet
}

func newFiles(path string, least func() (int64, error)) *files {
	return &files{
		all:   []watchedFile{{path: path, floor: math.MaxInt64, shrinks: true}, {path: path + "-wal", floor: journalLimit}},
		least: least,
	}
}

// check fails if a file was moved, deleted, replaced or truncated since the last check.
func (f *files) check() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.all {
		w := &f.all[i]
		now, err := os.Stat(w.path)
		if w.seen == nil && err != nil {
			continue // the log exists from the first transaction on
		}
		if err != nil || w.seen != nil && !os.SameFile(now, w.seen) {
			return fmt.Errorf("%s was moved or deleted while in use; restart weir", w.path)
		}
		if w.seen != nil && now.Size() < min(w.seen.Size(), w.floor) {
			// If least fails, the database was truncated too far.
			if least, err := f.least(); !w.shrinks || err != nil || now.Size() < least {
				return fmt.Errorf("%s was cut while in use; restart weir", w.path)
			}
		}
		w.seen = now
	}
	return nil
}
