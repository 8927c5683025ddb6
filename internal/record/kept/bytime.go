package kept

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/weir-gate/weir/internal/record"
)

// A stream is a log that is read event by event.
type stream struct {
	log   string
	first record.Entry // the next event
	next  func() (record.Entry, error, bool)
	stop  func()
}

// byTime yields all events as the logs have them, oldest first. The events of one log stay in its order. Only logs whose times overlap are
// open at once.
func (h *history) byTime(ctx context.Context) iter.Seq2[record.Entry, error] {
	return func(yield func(record.Entry, error) bool) {
		logs, cut, err := h.beginWhole(ctx)
		if err != nil {
			yield(record.Entry{}, err)
			return
		}
		var waiting, open []stream
		defer func() {
			for _, s := range open {
				s.stop()
			}
		}()
		for _, log := range logs {
			for e, err := range h.wholeOf(log, cut) {
				if err != nil {
					yield(record.Entry{}, err)
					return
				}
				waiting = append(waiting, stream{log: log, first: e})
				break
			}
		}
		slices.SortStableFunc(waiting, func(a, b stream) int { return cmp.Compare(a.first.Micros, b.first.Micros) })
		for len(waiting)+len(open) > 0 {
			oldest := oldestOf(open)
			if oldest < 0 || len(waiting) > 0 && waiting[0].first.Micros < open[oldest].first.Micros {
				s := waiting[0]
				waiting = waiting[1:]
				s.next, s.stop = iter.Pull2(h.wholeOf(s.log, cut))
				open = append(open, s)
				oldest = len(open) - 1
			} else if !yield(open[oldest].first, nil) {
				return
			}
			more, err := open[oldest].advance()
			if err != nil {
				yield(record.Entry{}, err)
				return
			}
			if !more {
				open[oldest].stop()
				open = slices.Delete(open, oldest, oldest+1)
			}
		}
	}
}

// oldestOf returns the stream with the oldest event; -1: there is none.
func oldestOf(all []stream) int {
	oldest := -1
	for i := range all {
		if oldest < 0 || all[i].first.Micros < all[oldest].first.Micros {
			oldest = i
		}
	}
	return oldest
}

// advance reads the next event, and returns false at the end.
func (s *stream) advance() (more bool, err error) {
	s.first, err, more = s.next()
	return more, err
}
