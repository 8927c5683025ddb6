package recordlog

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/weir-gate/weir/internal/record"
)

// maxBuffer is how much memory a log keeps for the next batch.
const maxBuffer = 8 << 20

// write writes a batch at the end of the log, with one write and one sync: n frames, with text and side.
func (l *Log) write(n int, nth func(i int) (frame, error)) error {
	b, err := l.encode(n, nth)
	if err != nil {
		return err
	}
	size := int64(len(b)) - headerSize
	l.untaken = size
	if err := l.place(b); err != nil {
		return err
	}
	l.end += size
	return nil
}

// place writes bytes at the end of the log, after room for a header, and makes them durable.
func (l *Log) place(b []byte) error {
	size := int64(len(b)) - headerSize
	if l.current.unfit || l.end-l.current.base+size > l.current.room {
		if err := l.begin(size); err != nil {
			return fmt.Errorf("begin a segment: %w; free space, or make %s writable for weir", err, l.folder)
		}
	}
	s := &l.current
	at := headerSize + l.end - s.base
	if s.headed {
		b = b[headerSize:]
	} else {
		copy(b, segmentHeader(l.id, s.base))
		at = 0
	}
	if err := l.put(b, at); err != nil {
		l.void()
		return err
	}
	s.headed, l.failed, l.untaken = true, 0, 0
	return nil
}

// maxTried is how much is written to find out whether the log can be written again.
const maxTried = 1 << 20

// try finds out whether a log that failed can be written again. It writes as much as failed, but only zeros: they are no frames.
func (l *Log) try() error {
	if l.ended != nil || l.untaken == 0 {
		return l.ended
	}
	if err := l.place(make([]byte, headerSize+min(l.untaken, maxTried))); err != nil {
		return fmt.Errorf("record log: %w", err)
	}
	return nil
}

// put writes at an offset of the segment, and makes that durable.
func (l *Log) put(b []byte, at int64) error {
	file := l.current.file
	if _, err := file.WriteAt(b, at); err != nil {
		return fmt.Errorf("%w; free space, or see what is wrong with the disk", err)
	}
	if err := file.Sync(); err != nil {
		return l.unsynced(err)
	}
	return file.Present()
}

// void makes a batch that failed unreadable, as far as that is possible: nobody was told that it is there. Only a loss of power can
// then still bring it back.
func (l *Log) void() {
	_, _ = l.current.file.WriteAt(make([]byte, frameHead), headerSize+l.end-l.current.base) // the first error is the one to report
}

// unsynced gives up the segment. The system may have forgotten what it could not write, so another sync would prove nothing.
func (l *Log) unsynced(err error) error {
	l.current.unfit = true
	err = fmt.Errorf("sync %s: %w; see what is wrong with the disk", l.current.path, err)
	if l.failed++; l.failed >= maxFailedSyncs {
		l.ended = fmt.Errorf("record log: %w; after %d failures in a row weir records nothing until it is restarted", err, l.failed)
	}
	return err
}

// encode returns frames, after room for the header of a segment.
func (l *Log) encode(n int, nth func(i int) (frame, error)) ([]byte, error) {
	l.batch++
	if cap(l.buffer) > maxBuffer {
		l.buffer = nil
	}
	if l.buffer == nil {
		l.buffer = make([]byte, headerSize, 64<<10)
	}
	b := l.buffer[:headerSize]
	for i := range n {
		f, err := nth(i)
		if err != nil {
			return nil, err
		}
		if size := len(f.text) + len(f.side); size > maxFrame || len(f.text) == 0 {
			return nil, fmt.Errorf("an event has %d bytes, and may have from 1 to %d", size, maxFrame)
		}
		f.batch, f.commit = l.batch, i == n-1
		b = appendFrame(b, int(headerSize), &l.id, l.end+Position(len(b))-headerSize, f)
	}
	l.buffer = b
	return b, nil
}

// Head returns the newest durable event of a chain; if there is none, Seq is 0 and Hash is Genesis. It fails if the log cannot be
// written.
func (l *Log) Head(_ context.Context, chain string) (record.Head, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.try(); err != nil {
		return record.Head{}, err
	}
	if h, ok := l.heads[chain]; ok {
		return h, nil
	}
	return record.Head{Chain: chain, Hash: record.Genesis}, nil
}

// End is the position after the last durable event.
func (l *Log) End() Position {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.end
}

// Folder is the folder of this log.
func (l *Log) Folder() string { return l.folder }

// Name is the name of this log: that of its folder.
func (l *Log) Name() string { return filepath.Base(l.folder) }

// Forget removes the segments that have nothing from a position on: a store has all of them.
func (l *Log) Forget(before Position) error {
	l.mu.Lock()
	var gone []segment
	for len(l.older) > 0 {
		ends := l.current.base
		if len(l.older) > 1 {
			ends = l.older[1].base
		}
		if ends > before {
			break
		}
		gone, l.older = append(gone, l.older[0]), l.older[1:]
	}
	l.mu.Unlock()
	var errs []error
	for _, s := range gone {
		packed := filepath.Join(l.folder, packedName(s.base))
		for _, path := range []string{s.path, packed} {
			if err := l.files.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				errs = append(errs, fmt.Errorf("record log: remove what is stored: %w", err))
			}
		}
	}
	return errors.Join(errs...)
}

// Close ends the log. If a store has all of it, the folder is removed; else it is kept, and whoever opens the store finds it.
func (l *Log) Close(stored bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.current.file == nil {
		return nil
	}
	l.ended = errors.New("record log: it is closed")
	if l.next != nil {
		if p := <-l.next; p.err == nil {
			p.file.Close() // nothing is in it
		}
	}
	if !stored {
		_ = l.seal() // or whoever finds the log does it
	}
	l.current.file.Close() // what it has is durable
	l.current.file = nil
	defer l.lock.release()
	if !stored {
		return nil
	}
	return removeFolder(l.folder)
}

// removeFolder removes a log whose lock this process holds. The lock goes last: who finds the folder before finds nothing to do.
func removeFolder(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("record log: remove what is stored: %w", err)
	}
	var errs []error
	for _, e := range entries {
		if e.Name() != lockName {
			errs = append(errs, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("record log: remove what is stored: %w", err)
	}
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("record log: remove what is stored: %w", err)
	}
	return nil
}
