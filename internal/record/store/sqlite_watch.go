package store

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"sync"
)

// journalLimit is the size to which SQLite cuts its log when it begins it anew.
const journalLimit = 64 << 20

// files are the files of a database in use: the database and its log. SQLite would go on writing into a file that no
// longer has a name, or over what is not there any more, and nobody would find the records.
type files struct {
	mu  sync.Mutex
	all []watchedFile
	// least is the size to which a weir may have made the database smaller; it is asked when the database is smaller than before.
	least func() (int64, error)
}

// A watchedFile is a file as it was when it was last looked at.
type watchedFile struct {
	path    string
	floor   int64       // the size below which it is never cut while in use, if it was larger
	shrinks bool        // when space is given back
	seen    fs.FileInfo // nil: not yet
}

func newFiles(path string, least func() (int64, error)) *files {
	return &files{
		all:   []watchedFile{{path: path, floor: math.MaxInt64, shrinks: true}, {path: path + "-wal", floor: journalLimit}},
		least: least,
	}
}

// check fails if a file was moved, deleted, replaced or cut since the last time.
func (f *files) check() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.all {
		w := &f.all[i]
		now, err := os.Stat(w.path)
		if w.seen == nil && err != nil {
			continue // the log is there from the first transaction on
		}
		if err != nil || w.seen != nil && !os.SameFile(now, w.seen) {
			return fmt.Errorf("%s was moved or deleted while in use; restart weir", w.path)
		}
		if w.seen != nil && now.Size() < min(w.seen.Size(), w.floor) {
			// What cannot be read any more was cut too far.
			if least, err := f.least(); !w.shrinks || err != nil || now.Size() < least {
				return fmt.Errorf("%s was cut while in use; restart weir", w.path)
			}
		}
		w.seen = now
	}
	return nil
}
