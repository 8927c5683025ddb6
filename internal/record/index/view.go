package index

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"sync"

	"github.com/weir-gate/weir/internal/record/query"
)

// A View answers questions. Another process may be writing the index.
type View struct {
	config Config

	mu         sync.Mutex
	partitions map[int64]*partition // by their first rows
}

// NewView returns a view of the index in a folder. What is wrong with it is found when it is read.
func NewView(c Config) *View {
	c.complete()
	return newView(c)
}

func newView(c Config) *View { return &View{config: c, partitions: map[int64]*partition{}} }

// Close closes the files of the view.
func (v *View) Close() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	var errs []error
	for first, p := range v.partitions {
		errs = append(errs, p.retire())
		delete(v.partitions, first)
	}
	return errors.Join(errs...)
}

// partition returns the partition that begins with a row.
func (v *View) partition(first int64) (*partition, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	p := v.partitions[first]
	if p != nil && p.isReplaced() {
		_ = p.retire() // nothing was written
		p = nil
	}
	if p == nil {
		var err error
		if p, err = openPartition(v.config.Folder, first); err != nil {
			return nil, err
		}
		v.partitions[first] = p
	}
	return p, nil
}

// retain closes the partitions that are gone.
func (v *View) retain(all []int64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	there := map[int64]bool{}
	for _, first := range all {
		there[first] = true
	}
	for first, p := range v.partitions {
		if !there[first] {
			_ = p.retire() // nothing was written
			delete(v.partitions, first)
		}
	}
}

// A snapshot is the index at a moment. It must be closed.
type snapshot struct {
	*reading // the newest partition; nil: there is none
	view     *View
	earlier  []earlier
	cursors  map[string]cursor
}

// snapshot begins to read the index.
func (v *View) snapshot(ctx context.Context) (*snapshot, error) {
	all, err := partitionsIn(v.config.Folder)
	if err != nil {
		return nil, err
	}
	v.retain(all)
	s := &snapshot{view: v, cursors: map[string]cursor{}}
	if len(all) == 0 {
		return s, nil
	}
	p, err := v.partition(all[len(all)-1])
	if err != nil {
		return nil, err
	}
	if s.reading, err = p.read(ctx); err != nil {
		return nil, err
	}
	if err := s.readCatalog(ctx); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// readCatalog reads what the newest partition knows of the others, and of the logs.
func (s *snapshot) readCatalog(ctx context.Context) (err error) {
	if s.earlier, err = readEarlier(ctx, s.db); err != nil {
		return trouble(s.path, err)
	}
	s.cursors = map[string]cursor{}
	rows, err := s.db.QueryContext(ctx, "SELECT log, at, cut FROM cursors")
	if err != nil {
		return trouble(s.path, err)
	}
	defer rows.Close() // it was read to the end, or there is an error already
	for rows.Next() {
		var log string
		var c cursor
		if err := rows.Scan(&log, &c.at, &c.cut); err != nil {
			return trouble(s.path, err)
		}
		s.cursors[log] = c
	}
	if err := rows.Err(); err != nil {
		return trouble(s.path, err)
	}
	var proof int64
	err = s.db.QueryRowContext(ctx, "SELECT proof FROM standing").Scan(&proof)
	if err == nil && proof != proofOf(s.cursors) {
		err = errGarbled
	}
	return trouble(s.path, err)
}

func (s *snapshot) close() {
	if s.reading != nil {
		s.reading.close()
	}
}

// lastRow is the row of the newest event.
func (s *snapshot) lastRow() int64 {
	if s.reading == nil {
		return 0
	}
	return s.first + int64(s.rows) - 1
}

// partitions is how many partitions there are.
func (s *snapshot) partitions() int {
	if s.reading == nil {
		return 0
	}
	return len(s.earlier) + 1
}

// bounds returns the first row of a partition and the one after its last, and between which times its events are.
func (s *snapshot) bounds(i int) (first, after, since, until int64) {
	if i < len(s.earlier) {
		e := s.earlier[i]
		return e.first, e.first + e.rows, e.since, e.until
	}
	return s.first, s.first + int64(s.rows), math.MinInt64, math.MaxInt64
}

// overlaps says whether a partition may have events of the times of a filter.
func (s *snapshot) overlaps(i int, f *query.Filter) bool {
	_, _, since, until := s.bounds(i)
	return (f.Since.IsZero() || until >= f.Since.UnixMicro()) && (f.Until.IsZero() || since < f.Until.UnixMicro())
}

// at reads a partition. What it returns must be closed.
func (s *snapshot) at(ctx context.Context, i int) (*reading, func(), error) {
	if i == len(s.earlier) {
		s.ctx = ctx
		return s.reading, func() {}, nil
	}
	e := s.earlier[i]
	path := filepath.Join(s.view.config.Folder, partitionName(e.first))
	if !exists(path) {
		return nil, nil, fmt.Errorf("%w: %w", errGone, damaged(path, "it is missing"))
	}
	p, err := s.view.partition(e.first)
	if err != nil {
		return nil, nil, err
	}
	r, err := p.read(ctx)
	if err != nil {
		return nil, nil, err
	}
	if !r.sealed || int64(r.rows) != e.rows {
		r.close()
		return nil, nil, damaged(path, "it is not as the newest one says")
	}
	return r, r.close, nil
}

// errGone says that a partition is not there: it may have been dropped just now.
var errGone = errors.New("a partition is gone")

// Standing is how far an index is, at one moment.
type Standing struct {
	LastRow int64 // the row of the newest event; 0: there is none
	// Cursors has the position of each log up to which the index has its events.
	Cursors map[string]int64
}

// Standing returns how far the index is. Whoever reads the index up to its last row, and the logs from its cursors on, reads each event
// once.
func (v *View) Standing(ctx context.Context) (Standing, error) {
	s, err := v.snapshot(ctx)
	if err != nil {
		return Standing{}, err
	}
	defer s.close()
	st := Standing{LastRow: s.lastRow(), Cursors: map[string]int64{}}
	for log, c := range s.cursors {
		st.Cursors[log] = c.at
	}
	return st, nil
}

// Cursor returns the position of a log up to which the index has its events.
func (v *View) Cursor(ctx context.Context, log string) (int64, error) {
	st, err := v.Standing(ctx)
	return st.Cursors[log], err
}

// LastRow is the row of the newest event, 0 if there is none. Later events have higher rows.
func (v *View) LastRow(ctx context.Context) (int64, error) {
	st, err := v.Standing(ctx)
	return st.LastRow, err
}
