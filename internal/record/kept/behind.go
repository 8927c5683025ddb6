package kept

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/weir-gate/weir/internal/record/index"
	"github.com/weir-gate/weir/internal/record/recordlog"
)

// mostCounted is how many events Behind counts.
const mostCounted = 1_000_000

// Behind returns how many events are in the logs, and not in the index or not in the notes of the file. Lists have them; statistics do not,
// and neither has who follows the record by its rows, or verifies it.
func (h *history) Behind(ctx context.Context) (events int64, err error) {
	at, err := h.index.Standing(ctx)
	if err != nil {
		return 0, err
	}
	noted, err := h.state.AllEffected(ctx)
	if err != nil {
		return 0, err
	}
	logs, err := recordlog.Names(h.folder)
	if err != nil {
		return 0, err
	}
	for _, log := range logs {
		for g, err := range recordlog.Scan(filepath.Join(h.folder, log), min(at.Cursors[log], noted[log])) {
			if h.damage.is(err) {
				continue
			}
			if err != nil {
				return events, err
			}
			if g.Kind != recordlog.Event {
				continue
			}
			if events++; events >= mostCounted {
				return events, nil
			}
		}
	}
	return events, nil
}

// IndexAll indexes what is in the logs now, if no other process writes the index.
func (r *Record) IndexAll(ctx context.Context) error {
	err := r.work(ctx)
	if errors.Is(err, index.ErrDamaged) { // it was deleted
		err = r.work(ctx)
	}
	return err
}

// Rebuild deletes the index, and makes it anew from the logs. It fails if another process writes the index.
func (r *Record) Rebuild(ctx context.Context) error {
	r.mu.Lock()
	mine, err := r.own(ctx)
	if err == nil && !mine {
		err = fmt.Errorf("a running weir writes the index; stop it first, or delete the folder %s: it then makes the index anew", r.indexFolder)
	}
	if err == nil {
		r.letGo()
		err = os.RemoveAll(r.indexFolder)
	}
	r.mu.Unlock()
	if err != nil {
		return err
	}
	return r.IndexAll(ctx)
}

// A Status is the state of a record that is kept in logs.
type Status struct {
	Logs      int   `json:"logs"`
	Live      int   `json:"live_logs"` // that a process writes
	Segments  int   `json:"segments"`
	Packed    int   `json:"compressed_segments"`
	LogBytes  int64 `json:"log_bytes"` // on disk
	Events    int64 `json:"events"`    // that are kept
	Indexed   int64 `json:"last_row"`  // how many events were ever indexed
	Behind    int64 `json:"events_not_indexed"`
	IndexSize int64 `json:"index_bytes"`
	Chains    int   `json:"chains"`
	// Finished are segments that nobody writes any more, if they were asked for.
	Finished []Segment `json:"finished,omitzero"`
}

// A Segment is a part of a log that nobody writes any more.
type Segment struct {
	Log        string    `json:"log"`
	Base       int64     `json:"base"` // the position of its first frame
	Events     int64     `json:"events"`
	First      time.Time `json:"first"` // the times of its events
	Last       time.Time `json:"last"`
	Bytes      int64     `json:"bytes"` // on disk
	Compressed bool      `json:"compressed"`
	SHA256     string    `json:"sha256"` // of the segment before it was compressed
}

// Segments lists the segments that nobody writes any more, by log.
func (h *history) Segments(ctx context.Context) (all []Segment, err error) {
	logs, err := recordlog.Names(h.folder)
	if err != nil {
		return nil, err
	}
	for _, log := range logs {
		finished, err := recordlog.Segments(filepath.Join(h.folder, log))
		if err != nil {
			return nil, err
		}
		for _, s := range finished {
			f, err := s.Facts(ctx)
			if err != nil {
				return nil, err
			}
			all = append(all, Segment{log, s.Base, f.Events, f.First, f.Last, s.Bytes, s.Packed, f.SHA256})
		}
	}
	return all, nil
}

// Status returns the state of the record.
func (h *history) Status(ctx context.Context) (s Status, err error) {
	logs, err := h.logs.Logs()
	if err != nil {
		return s, err
	}
	for _, l := range logs {
		if s.Logs, s.Segments, s.Packed, s.LogBytes = s.Logs+1, s.Segments+l.Segments, s.Packed+l.Packed, s.LogBytes+l.Bytes; !l.Ended {
			s.Live++
		}
	}
	chains, err := h.state.KeptChains(ctx)
	if err != nil {
		return s, err
	}
	s.Chains = len(chains)
	for _, c := range chains {
		s.Events += max(0, c.Seq-c.First+1)
	}
	if s.Indexed, err = h.LastRow(ctx); err != nil {
		return s, err
	}
	if s.Behind, err = h.Behind(ctx); err != nil {
		return s, err
	}
	s.IndexSize, err = sizeOf(h.indexFolder)
	return s, err
}

// sizeOf is how many bytes the files of a folder have; 0: there is none.
func sizeOf(folder string) (n int64, err error) {
	err = filepath.WalkDir(folder, func(_ string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it is being removed
		}
		if err != nil || e.IsDir() {
			return err
		}
		if info, err := e.Info(); err == nil {
			n += info.Size()
		}
		return nil
	})
	return n, err
}
