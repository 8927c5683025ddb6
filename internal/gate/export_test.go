package gate

// Used is how many bytes of the budget are taken.
func (b *Budget) Used() int64 { return b.used.Load() }
