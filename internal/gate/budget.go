package gate

import "sync/atomic"

// A Budget bounds the bytes that all responses together hold back.
type Budget struct {
	limit int64
	used  atomic.Int64
}

// NewBudget returns a budget of limit bytes.
func NewBudget(limit int64) *Budget { return &Budget{limit: limit} }

// Used is how many bytes are held now.
func (b *Budget) Used() int64 { return b.used.Load() }

// take reserves n bytes and says whether they were there.
func (b *Budget) take(n int) bool {
	if b == nil {
		return true
	}
	if b.used.Add(int64(n)) > b.limit {
		b.used.Add(-int64(n))
		return false
	}
	return true
}

// give returns n bytes.
func (b *Budget) give(n int) {
	if b != nil {
		b.used.Add(-int64(n))
	}
}
