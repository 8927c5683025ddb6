package recordlog

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Trim removes the segments of the log in a folder that have nothing from a position on, oldest first. Each is durably gone before the
// next one goes, so that what is left is always the end of the log. Of a log that has ended, the folder goes with its last segment, unless
// somebody has locked it. Before that, somebody must have vouched durably for what goes.
func Trim(ctx context.Context, folder string, before Position) error {
	last, err := trim(ctx, Disk, folder, before)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it is gone
	}
	if err != nil || last == nil || last.base > before {
		return err
	}
	return removeEnded(*last)
}

// trim removes segments, and returns the last of the log, which stays.
func trim(ctx context.Context, files Files, folder string, before Position) (*storedSegment, error) {
	held, err := lockWork(ctx, folder)
	if err != nil {
		return nil, err
	}
	defer held.release()
	all, err := segmentsIn(folder)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	for i, s := range all {
		if ends := all.end(i); ends < 0 || ends > before {
			break
		}
		if err := errors.Join(ctx.Err(), s.remove(files)); err != nil {
			return nil, err
		}
	}
	return &all[len(all)-1], nil
}

// remove removes a segment in both forms, durably.
func (s storedSegment) remove(files Files) error {
	for _, path := range []string{s.rawPath(), s.packedPath()} {
		if err := files.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("record log: remove what is no longer kept: %w", err)
		}
	}
	if err := syncFolder(s.folder); err != nil {
		return fmt.Errorf("record log: remove what is no longer kept: %w", err)
	}
	return nil
}

// removeEnded removes a log if only its end is left.
func removeEnded(last storedSegment) error {
	if ended, err := last.isEnd(); err != nil || !ended {
		return err
	}
	held, ok, err := lockFolder(last.folder)
	if err != nil || !ok {
		return err // whoever has locked it removes it
	}
	defer held.release()
	return removeFolder(last.folder)
}

// isEnd says whether a segment is the end of its log.
func (s storedSegment) isEnd() (bool, error) {
	if !s.raw {
		return false, nil
	}
	f, err := os.Open(s.rawPath())
	if err != nil {
		return false, fmt.Errorf("record log: %w", err)
	}
	defer f.Close() // nothing was written
	r := frames{content: &rawContent{file: f, ahead: int(headerSize) + frameHead}, base: s.base}
	if r.header() != nil {
		return false, nil // whoever reads it says why
	}
	end, ok, err := r.frame(s.base, -1)
	return ok && end.kind == kindEnd, err
}

const (
	workName = "WORK" // locked by who packs or removes segments
	workWait = 10 * time.Millisecond
)

// lockWork waits until nobody else packs or removes segments of the log in a folder.
func lockWork(ctx context.Context, folder string) (lock, error) {
	for {
		held, ok, err := lockFile(filepath.Join(folder, workName))
		if err != nil {
			return lock{}, fmt.Errorf("record log: %w", err)
		}
		if ok {
			return held, nil
		}
		select {
		case <-ctx.Done():
			return lock{}, ctx.Err()
		case <-time.After(workWait):
		}
	}
}
