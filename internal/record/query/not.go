package query

import (
	"slices"
	"time"
)

// Nots are the filters of f.Not, each with nothing but the conditions that count there.
func (f Filter) Nots() []Filter {
	all := slices.Clone(f.Not)
	for i, n := range all {
		n.Not, n.NoCanaries, n.Thorough, n.Garbled = nil, false, false, false
		n.Since, n.Until = time.Time{}, time.Time{}
		n.AfterRow, n.UpToRow, n.Limit, n.Newest = 0, 0, 0, false
		all[i] = n
	}
	return all
}
