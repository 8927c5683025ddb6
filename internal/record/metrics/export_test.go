package metrics

// Known is how many combinations of labels of calls are kept resolved.
func (m *Metrics) Known() int { return len(m.calls.known) }
