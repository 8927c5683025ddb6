package verify

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
)

// marks are what the checkpoints of a record say.
type marks struct {
	trusted map[string]bool // by key; nil: every key is trusted
	row     int64           // of the checkpoint that was read last
	last    map[string]checkpoint.Signed
	strange map[string]bool                    // keys that are not trusted and were reported
	saved   map[checkpointID]checkpoint.Signed // checkpoints that were saved elsewhere and not seen yet
	byChain map[string]map[int64]mark          // what trusted checkpoints say, by chain and event
	tops    map[string]mark                    // of them the highest, by chain
	cuts    map[string]int64                   // the last event that was removed, by chain
	closed  map[string]mark                    // the last event of a closed chain, by chain
	removed map[string][]checkpoint.Checkpoint // checkpoints of removals, by chain
	until   time.Time                          // no removed event is later; zero: none was removed
	trusty  int64                              // checkpoints of trusted keys
}

// A checkpointID names a checkpoint.
type checkpointID struct {
	key string
	n   int64
}

// A mark is what a checkpoint says about one event.
type mark struct {
	seq  int64
	hash string
	cut  bool
	key  string
	n    int64
}

func newMarks(trusted []string) *marks {
	m := &marks{
		last: map[string]checkpoint.Signed{}, strange: map[string]bool{}, saved: map[checkpointID]checkpoint.Signed{},
		byChain: map[string]map[int64]mark{}, tops: map[string]mark{}, cuts: map[string]int64{},
		closed: map[string]mark{}, removed: map[string][]checkpoint.Checkpoint{},
	}
	if trusted != nil {
		m.trusted = map[string]bool{}
		for _, key := range trusted {
			m.trusted[key] = true
		}
	}
	return m
}

// at is what checkpoints say about an event.
func (m *marks) at(chain string, seq int64) (mark, bool) {
	found, ok := m.byChain[chain][seq]
	return found, ok
}

// newest are the newest checkpoints of trusted keys, by key.
func (m *marks) newest() []checkpoint.Signed {
	var all []checkpoint.Signed
	for _, key := range slices.Sorted(maps.Keys(m.last)) {
		if m.trusts(key) && m.last[key].Authentic() {
			all = append(all, m.last[key])
		}
	}
	return all
}

func (m *marks) trusts(key string) bool { return m.trusted == nil || m.trusted[key] }

// expect adds a checkpoint that was saved elsewhere: its statement counts, and it must be in the record.
func (m *marks) expect(s checkpoint.Signed, report func(Problem)) {
	c, err := s.Checkpoint()
	switch {
	case err != nil || !s.Authentic() || c.Key != s.Key:
		report(Problem{Key: s.Key, N: s.N, What: "the kept checkpoint does not have its signature: what was kept was changed"})
	case !m.trusts(s.Key):
		report(Problem{
			Key: s.Key, N: s.N,
			What: "the kept checkpoint was signed by an unknown key: give verify the key's file, or its public half, with --key",
		})
	default:
		m.saved[checkpointID{c.Key, c.N}] = s
		m.add(c, report)
	}
}

// read adds the next checkpoint of the record.
func (m *marks) read(s checkpoint.Signed, report func(Problem)) {
	m.row = s.Row
	found := func(format string, args ...any) {
		report(Problem{Row: s.Row, Key: s.Key, N: s.N, What: fmt.Sprintf(format, args...)})
	}
	sound := s.Authentic()
	if !sound {
		found("the text does not have its signature: it was changed")
	}
	c, err := s.Checkpoint()
	if err != nil {
		found("the text is not a checkpoint")
		sound = false
	} else if s.Garbled != "" {
		found(garbled, s.Garbled)
		sound = false
	} else if name := s.Differs(c); name != "" {
		found("the column %s does not say what the text says", name)
		sound = false
	}
	last := m.last[s.Key]
	switch want := last.N + 1; {
	case s.N > want:
		found("checkpoints %d to %d are missing before it", want, s.N-1)
	case s.N < want:
		found("it stands after checkpoint %d: it was moved or repeated", last.N)
	case err == nil && c.Prev != last.Digest():
		found("it does not follow the checkpoint before it: one of the two was exchanged")
	}
	if sound && s.N > last.N || s.N == last.N+1 {
		m.last[s.Key] = s
	}
	if !m.trusts(s.Key) {
		if !m.strange[s.Key] {
			m.strange[s.Key] = true
			found("it was signed by an unknown key: if that is a weir's own, give verify the key's file, or its public half, with --key; else it " +
				"was put in")
		}
		return
	}
	if !sound {
		return
	}
	if saved, ok := m.saved[checkpointID{c.Key, c.N}]; ok && string(saved.Text) == string(s.Text) {
		delete(m.saved, checkpointID{c.Key, c.N})
	}
	m.trusty++
	m.add(c, report)
}

// add notes what a trusted checkpoint says.
func (m *marks) add(c checkpoint.Checkpoint, report func(Problem)) {
	of := m.byChain[c.Chain]
	if of == nil {
		of = map[int64]mark{}
		m.byChain[c.Chain] = of
	}
	said := mark{seq: c.Seq, hash: c.Hash, cut: c.Cut, key: c.Key, n: c.N}
	if before, twice := of[c.Seq]; twice {
		if before.hash != c.Hash {
			report(Problem{Key: c.Key, N: c.N, What: fmt.Sprintf("it knows another event %d of chain %q than checkpoint %d of key %q: "+
				"the chain was written anew between the two", c.Seq, c.Chain, before.n, before.key)})
			return
		}
		said.cut = said.cut || before.cut
	}
	of[c.Seq] = said
	if c.Seq >= m.tops[c.Chain].seq {
		m.tops[c.Chain] = said
	}
	if c.Cut {
		m.cuts[c.Chain] = max(m.cuts[c.Chain], c.Seq)
		m.removed[c.Chain] = append(m.removed[c.Chain], c)
		if c.CutUntil.After(m.until) {
			m.until = c.CutUntil
		}
	}
	if before, ok := m.closed[c.Chain]; c.Closed && (!ok || c.Seq < before.seq) {
		m.closed[c.Chain] = said
	}
}

// findLoose reports removals that do not continue from the end of the removal before: somebody removed events in between.
func (m *marks) findLoose(report func(Problem)) {
	for _, chain := range slices.Sorted(maps.Keys(m.removed)) {
		cuts := m.removed[chain]
		slices.SortFunc(cuts, func(a, b checkpoint.Checkpoint) int { return cmp.Compare(a.Seq, b.Seq) })
		last := record.Head{Chain: chain, Hash: record.Genesis}
		for _, c := range cuts {
			if c.Head == last {
				continue // a checkpoint that was saved elsewhere, too
			}
			if c.CutFirst != last.Seq+1 || c.CutPrev != last.Hash {
				report(Problem{
					Key: c.Key, N: c.N,
					What: fmt.Sprintf("it says that events %d to %d of chain %q were removed, and no checkpoint says what "+
						"became of those from %d on before them", c.CutFirst, c.Seq, chain, last.Seq+1),
				})
			}
			last = c.Head
		}
	}
}

// finish reports the checkpoints that were saved elsewhere and are not in the record.
func (m *marks) finish(report func(Problem)) {
	left := slices.Collect(maps.Values(m.saved))
	slices.SortFunc(left, func(a, b checkpoint.Signed) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.N, b.N))
	})
	for _, s := range left {
		what := "the kept checkpoint is not in the record: it was removed"
		if m.last[s.Key].N >= s.N {
			what = "the kept checkpoint is not in the record: the checkpoints were written anew"
		}
		report(Problem{Key: s.Key, N: s.N, What: what})
	}
}
