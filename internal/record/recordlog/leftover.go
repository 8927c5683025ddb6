package recordlog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/record"
)

// A Found log is one that is in a folder of logs.
type Found struct {
	Folder string // of this log
	// Live says that a process writes it. Else this process has locked it: call Remove or Leave.
	Live bool
	lock lock
}

// DamagedBegins begins the names of logs that could not be read to their end, and were moved out of the way.
const DamagedBegins = "damaged-"

// unfinished is after how long a folder that is not locked was left while it was made.
const unfinished = time.Minute

// Find returns the logs in a folder of logs, and locks those that nobody writes any more. There are none if the folder does not exist.
func Find(folder string) ([]Found, error) {
	names, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("record log: %w", err)
	}
	var all []Found
	for _, e := range names {
		fresh, damaged := strings.HasPrefix(e.Name(), newBegins), strings.HasPrefix(e.Name(), DamagedBegins)
		if !e.IsDir() || damaged || fresh && !isOld(e) {
			continue
		}
		found := Found{Folder: filepath.Join(folder, e.Name())}
		held, ok, err := lockFolder(found.Folder)
		if errors.Is(err, fs.ErrNotExist) {
			continue // somebody else has just removed it
		}
		if err != nil {
			for _, f := range all {
				f.Leave()
			}
			return nil, fmt.Errorf("record log: lock what an earlier weir left: %w; make %s writable for weir", err, found.Folder)
		}
		found.lock, found.Live = held, !ok
		all = append(all, found)
	}
	return all, nil
}

// lockFolder locks the log in a folder, and returns false if another process has locked it.
func lockFolder(dir string) (lock, bool, error) { return lockFile(filepath.Join(dir, lockName)) }

// TryLock locks a file, which is created if need be, until release is called or the process ends. It returns false if somebody else has
// locked it.
func TryLock(path string) (release func(), ok bool, err error) {
	held, ok, err := lockFile(path)
	if err != nil {
		return nil, false, fmt.Errorf("record log: %w", err)
	}
	return held.release, ok, nil
}

func isOld(e fs.DirEntry) bool {
	info, err := e.Info()
	return err == nil && time.Since(info.ModTime()) > unfinished
}

// Unfinished says that the process ended while it made the log: it has nothing.
func (f Found) Unfinished() bool { return strings.HasPrefix(filepath.Base(f.Folder), newBegins) }

// Leave unlocks the log.
func (f Found) Leave() { f.lock.release() }

// Remove removes a log that this process has locked.
func (f Found) Remove() error {
	defer f.lock.release()
	if err := removeFolder(f.Folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Last returns the last durable event of the log in a folder, and false if it has none. It needs no lock; of a log that is being
// written, it may be one that is about to become durable. If the folder is gone, a store has all that was in it.
func Last(folder string) (record.Head, bool, error) {
	all, err := segmentsIn(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return record.Head{}, false, nil
	}
	if err != nil {
		return record.Head{}, false, err
	}
	for i := len(all) - 1; i >= 0; i-- {
		var text []byte
		for g, err := range Read(folder, all[i].nearEnd()) {
			if err != nil {
				return record.Head{}, false, err
			}
			if g.Kind == Event {
				text = append(text[:0], g.Text...)
			}
		}
		if len(text) > 0 {
			head, err := record.LinkOf(text)
			return head, err == nil, err
		}
	}
	return record.Head{}, false, nil
}

// nearEnd is a position from which on the last frames of a segment can be read.
func (s storedSegment) nearEnd() Position {
	c, _, err := s.open()
	if err != nil {
		return s.base // whoever reads it says why
	}
	defer c.close()
	p, isPacked := c.(*packedContent)
	if !isPacked || len(p.table.Blocks) < 2 {
		return s.base
	}
	return s.base + p.table.Blocks[len(p.table.Blocks)-1].Begins - headerSize
}
