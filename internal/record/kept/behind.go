package kept

import (
	"context"
	"errors"
	"path/filepath"

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
