package verify

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// findUnvouched reports chains with events after they were closed. If there are trusted checkpoints, it also reports chains without
// any: each process vouches for its chain before it writes to it.
func (v *verifier) findUnvouched() {
	for _, chain := range slices.Sorted(maps.Keys(v.heads)) {
		head := v.heads[chain]
		if end, closed := v.marks.closed[chain]; closed && head.Seq > end.seq {
			v.problem(Problem{Chain: chain, Seq: end.seq + 1, What: fmt.Sprintf("checkpoint %d of key %q closed the chain before this event: "+
				"events %d to %d were put in", end.n, end.key, end.seq+1, head.Seq)})
		}
		if _, known := v.marks.byChain[chain]; !known && v.marks.trusty > 0 {
			v.problem(Problem{
				Chain: chain, Seq: head.Seq,
				What: "no checkpoint vouches for any event of this chain: it was put in, its checkpoints were " +
					"removed, or weir could not sign while it wrote it. If weir's log of that time says so, and you know the events for its own, move " +
					"audit.key.last away and restart weir: it signs such chains as they are",
			})
		}
	}
}

// findWrongNotes reports wrong notes of the store about chains. Chains that were cut meanwhile are left out. If events were changed
// or removed, which is reported already, notes about them are expected to be wrong.
func (v *verifier) findWrongNotes() {
	if v.changed {
		return
	}
	for _, chain := range slices.Sorted(maps.Keys(v.noted)) {
		noted, seen := v.noted[chain], v.seen[chain]
		if v.marks.cuts[chain] != v.gone[chain] || v.uncertain[chain] {
			continue
		}
		if noted.First != v.gone[chain]+1 {
			v.changed = true
			v.problem(Problem{
				Chain: chain, Seq: noted.First,
				What: fmt.Sprintf("the store says that events before this one were removed, and checkpoints say so of "+
					"those before %d: the note was changed", v.gone[chain]+1),
			})
		}
		if noted.Bytes != seen.bytes {
			v.changed = true
			v.problem(Problem{
				Chain: chain, Seq: noted.Seq,
				What: fmt.Sprintf("the store says that the chain has %d bytes up to this event, and it has %d: "+
					"events or the note were changed", noted.Bytes, seen.bytes),
			})
		}
	}
}

// errChanged ends a comparison that would only find what was found before.
var errChanged = errors.New("events were changed")

// findWrongSums reports statistics that do not match the events. If events were changed, statistics are expected to differ and are
// not compared.
func (v *verifier) findWrongSums() error {
	err := v.recount.Finish(v.ctx, func() (time.Time, error) {
		if v.changed {
			return time.Time{}, errChanged
		}
		err := v.readCheckpoints()
		return v.marks.until, err
	}, v.problem)
	if errors.Is(err, errChanged) {
		return nil
	}
	return err
}
