// Package verify checks that a record is as it was written, and finds what was changed, removed or inserted.
package verify

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
	"github.com/weir-gate/weir/internal/record/query"
)

// maxProblems is how many problems a Report lists. The first ones say what happened; the rest are counted.
const maxProblems = 100

// garbled says that a column holds a value of the wrong type. It may look right, but no query finds it.
const garbled = "the column %s holds a value of another kind than weir writes: it was changed"

// A Report is what Verify found.
type Report struct {
	Events      int64               // entries read
	Checkpoints int64               // checkpoints read
	Heads       []record.Head       // the newest event of every chain, by chain id; for a removed chain its last event
	Newest      []checkpoint.Signed // the newest checkpoint of every trusted key, by key
	Problems    []Problem           // the first hundred
	Found       int64               // how many problems there are; 0: the record is whole
	Vouched     bool                // a checkpoint of a trusted key vouches for it
	// Servers is how many MCP servers' tools match the record. Unsaid are the servers whose tools the record has no state of.
	Servers int
	Unsaid  []string
}

// A Problem is one thing in the record that is not as it was written.
type Problem struct {
	Row   int64  `json:"row,omitzero"` // 0: there is no row to name
	Key   string `json:"key,omitzero"` // of a checkpoint; "": the problem is about an event or a chain
	N     int64  `json:"n,omitzero"`   // the checkpoint
	Chain string `json:"chain,omitzero"`
	Seq   int64  `json:"seq,omitzero"`
	What  string `json:"what"`
}

func (p Problem) String() string {
	var b strings.Builder
	if p.Row != 0 {
		fmt.Fprintf(&b, "row %d, ", p.Row)
	}
	switch {
	case p.Key != "":
		fmt.Fprintf(&b, "checkpoint %d of key %q: %s", p.N, p.Key, p.What)
	case p.Chain == "":
		b.WriteString(p.What)
	default:
		fmt.Fprintf(&b, "chain %q, event %d: %s", p.Chain, p.Seq, p.What)
	}
	return b.String()
}

// A Check is a record, and what it is checked against.
type Check struct {
	Record Record
	// Keys are the ids of the keys whose checkpoints count; nil: those of every key. Checkpoints of other keys are problems.
	Keys []string
	// Heads and Checkpoints were saved elsewhere. They must still be in the record; a head may also have been removed by retention,
	// with a checkpoint for that.
	Heads       []record.Head
	Checkpoints []checkpoint.Signed
	// Registry reads the state of what is stored about the tools of MCP servers: by server, all of the same revision, and the tools, as
	// server/tool, whose definitions do not have their hashes; nil: that is not checked.
	Registry func(context.Context) (servers map[string]record.RegistryMark, wrong []string, err error)
}

// Run reads the whole record and finds entries and checkpoints that were changed, removed, moved, repeated or inserted, and
// columns, notes, statistics, bodies and tools of MCP servers that differ from the texts.
//
// The beginning of a chain may be missing if a checkpoint vouches for it. The end may not: the store notes it with each event. But
// somebody who can write to the store can change that note as well, and then only a checkpoint shows it: events after the newest
// checkpoint can be changed or removed without a trace. Somebody who has the key, too, can write everything anew: only heads and
// checkpoints that were saved elsewhere show that.
func (c Check) Run(ctx context.Context) (Report, error) {
	v := verifier{
		ctx: ctx, Check: c, marks: newMarks(c.Keys),
		heads: map[string]record.Head{}, noted: map[string]record.ChainState{}, seen: map[string]measured{}, missing: map[record.Head]bool{},
		uncertain: map[string]bool{},
	}
	report, err := v.run()
	if err != nil {
		return Report{}, fmt.Errorf("verify audit record: %w", err)
	}
	return report, nil
}

// measured is the size of the events of a chain that were seen.
type measured struct {
	first int64 // of them
	bytes int64 // of their texts
}

type verifier struct {
	ctx context.Context
	Check
	report Report
	marks  *marks
	heads  map[string]record.Head       // the newest event that was seen, by chain
	noted  map[string]record.ChainState // the store's notes about chains, at the beginning
	seen   map[string]measured          // the events of chains that were seen, up to there
	gone   map[string]int64             // the last removed event of chains, at the beginning
	// uncertain are the chains that were cut while the notes were read.
	uncertain    map[string]bool
	tops         map[string]mark      // the newest event that has a checkpoint, by chain, at the beginning
	missing      map[record.Head]bool // saved heads that were not seen yet
	recount      Recount
	storedBodies bodiesSeen
	tools        toolMarks
	changed      bool // an event is not as it was written, so what is derived from it may be wrong
}

func (v *verifier) run() (Report, error) {
	for _, h := range v.Heads {
		v.missing[h] = true
	}
	for _, s := range v.Check.Checkpoints {
		v.marks.expect(s, v.problem)
	}
	// Events that checkpoints and notes name now must be found later, unless retention removes them meanwhile, with a checkpoint.
	if err := v.readCheckpoints(); err != nil {
		return Report{}, err
	}
	before := maps.Clone(v.marks.cuts)
	chains, err := v.Record.Chains(v.ctx)
	if err != nil {
		return Report{}, err
	}
	for _, c := range chains {
		v.noted[c.Chain] = c
		if c.Garbled != "" {
			v.changed = true
			v.problem(Problem{Chain: c.Chain, Seq: c.Seq, What: "the store's note of the chain: " + fmt.Sprintf(garbled, c.Garbled)})
		}
	}
	if err := v.readCheckpoints(); err != nil {
		return Report{}, err
	}
	if err := v.readRegistry(); err != nil {
		return Report{}, err
	}
	v.recount = v.Record.Recount()
	v.gone, v.tops = maps.Clone(v.marks.cuts), maps.Clone(v.marks.tops)
	for chain, at := range v.gone {
		// If it was cut while the notes were read, its note may be from before or after the cut.
		v.uncertain[chain] = before[chain] != at
	}
	for e, err := range v.Record.Entries(v.ctx, query.Filter{Garbled: true}) {
		if err == nil {
			err = v.entry(e)
		}
		if err != nil {
			return Report{}, err
		}
	}
	return v.finish()
}

// readCheckpoints reads the checkpoints that were added since its last call.
func (v *verifier) readCheckpoints() error {
	for s, err := range v.Record.Checkpoints(v.ctx, v.marks.row) {
		if err != nil {
			return err
		}
		v.report.Checkpoints++
		v.marks.read(s, v.problem)
	}
	return nil
}

func (v *verifier) entry(e record.Entry) error {
	v.report.Events++
	found := func(format string, args ...any) {
		v.changed = true
		v.problem(Problem{Row: e.Row, Chain: e.Chain, Seq: e.Seq, What: fmt.Sprintf(format, args...)})
	}
	size := int64(len(e.Text))
	if !e.Intact() {
		found("the text does not have its hash: it was changed")
	}
	if e.Garbled != "" {
		found(garbled, e.Garbled)
	}
	t, err := e.Parse()
	written := e // the entry with the right columns
	if err != nil {
		found("the text is not an event")
	} else {
		want := t.Columns()
		want.Hash = e.Hash
		written.Columns = want
		if name := differs(e.Columns, want); name != "" && e.Garbled == "" {
			found("the column %s does not say what the text says", name)
		}
	}
	if e.Seq <= v.gone[e.Chain] {
		found("a checkpoint says that it was removed: it was put back")
	}
	if m, ok := v.marks.at(e.Chain, e.Seq); ok && m.hash != e.Hash {
		found("checkpoint %d of key %q knows another event here: the chain was written anew", m.n, m.key)
	} else if noted := v.noted[e.Chain]; noted.Seq == e.Seq && noted.Hash != e.Hash {
		found("the store notes another hash of this event: it was exchanged, or the note was changed")
	}
	if err := v.place(e, t, err == nil, found); err != nil {
		return err
	}
	if err == nil {
		v.tools.add(t)
		if err := v.bodies(e, t); err != nil {
			return err
		}
	}
	delete(v.missing, e.Head)
	if e.Seq > v.heads[e.Chain].Seq {
		v.heads[e.Chain] = e.Head
	}
	if e.Seq <= v.noted[e.Chain].Seq {
		m := v.seen[e.Chain]
		if m.first == 0 {
			m.first = e.Seq
		}
		v.seen[e.Chain] = measured{first: m.first, bytes: m.bytes + size}
	}
	return v.recount.Add(v.ctx, written, v.problem)
}

// place checks that an entry follows the entry before it in its chain.
func (v *verifier) place(e record.Entry, t record.Text, readable bool, found func(string, ...any)) error {
	last, known := v.heads[e.Chain]
	if !known {
		last = record.Head{Chain: e.Chain, Hash: record.Genesis}
	}
	switch want := last.Seq + 1; {
	case e.Seq > want:
		removed, err := v.removed(record.Head{Chain: e.Chain, Seq: e.Seq - 1, Hash: t.PrevHash}, readable)
		if err != nil || removed {
			return err
		}
		if known {
			found("events %d to %d are missing before it", want, e.Seq-1)
		} else {
			found("the chain begins here: events 1 to %d are missing, and no checkpoint vouches for it", e.Seq-1)
		}
	case e.Seq < want:
		found("it stands after event %d: it was moved or repeated", last.Seq)
	case readable && t.PrevHash != last.Hash && !known:
		found("it does not begin as a chain does: events before it were cut off, or it was put in")
	case readable && t.PrevHash != last.Hash:
		found("it does not follow the event before it: one of the two was exchanged")
	}
	return nil
}

// removed says whether a checkpoint vouches for the removal of the events up to and including h. If the event after h cannot be
// parsed, the hash is not known. It also reads checkpoints that were added meanwhile.
func (v *verifier) removed(h record.Head, hashKnown bool) (bool, error) {
	covers := func() bool {
		m, ok := v.marks.at(h.Chain, h.Seq)
		return ok && m.cut && (m.hash == h.Hash || !hashKnown)
	}
	if covers() {
		return true, nil
	}
	err := v.readCheckpoints()
	return err == nil && covers(), err
}

func (v *verifier) problem(p Problem) {
	v.report.Found++
	if len(v.report.Problems) < maxProblems {
		v.report.Problems = append(v.report.Problems, p)
	}
}

// finish runs the checks that need the whole record, and completes the report.
func (v *verifier) finish() (Report, error) {
	if err := v.readCheckpoints(); err != nil {
		return Report{}, err
	}
	v.marks.finish(v.problem)
	v.marks.findLoose(v.problem)
	v.findEnds()
	v.findSavedHeads()
	if err := v.findStrangers(); err != nil {
		return Report{}, err
	}
	v.findUnvouched()
	v.findWrongNotes()
	if err := v.findMissingBodies(); err != nil {
		return Report{}, err
	}
	if err := v.findWrongSums(); err != nil {
		return Report{}, err
	}
	if err := v.findWrongTools(); err != nil {
		return Report{}, err
	}
	v.report.Newest, v.report.Vouched = v.marks.newest(), v.marks.trusty > 0
	for chain, at := range v.marks.cuts {
		if m, _ := v.marks.at(chain, at); v.heads[chain].Seq < at {
			v.heads[chain] = record.Head{Chain: chain, Seq: at, Hash: m.hash}
		}
	}
	for _, chain := range slices.Sorted(maps.Keys(v.heads)) {
		v.report.Heads = append(v.report.Heads, v.heads[chain])
	}
	return v.report, nil
}

// findEnds reports the chains that end before the event that the store or a checkpoint names as the newest.
func (v *verifier) findEnds() {
	for _, chain := range v.chains() {
		seen := max(v.heads[chain].Seq, v.marks.cuts[chain])
		missing := func(seq int64, witness string) {
			v.changed = true
			what := "the end of the chain was cut off"
			if seen == 0 {
				what = "the chain is gone"
			}
			v.problem(Problem{Chain: chain, Seq: seq, What: witness + " knows this event: " + what})
		}
		if top := v.tops[chain]; top.seq > seen {
			missing(top.seq, fmt.Sprintf("checkpoint %d of key %q", top.n, top.key))
		} else if noted := v.noted[chain]; noted.Seq > seen {
			missing(noted.Seq, "the store")
		}
	}
}

// chains are the chains that the store or a checkpoint knows, by id.
func (v *verifier) chains() []string {
	all := slices.Collect(maps.Keys(v.noted))
	all = slices.AppendSeq(all, maps.Keys(v.tops))
	slices.Sort(all)
	return slices.Compact(all)
}

// findSavedHeads reports the saved heads that were not seen, in the given order.
func (v *verifier) findSavedHeads() {
	for _, h := range v.Heads {
		if !v.missing[h] {
			continue
		}
		delete(v.missing, h)
		m, marked := v.marks.at(h.Chain, h.Seq)
		what := "the kept head is not in the record: the end of the chain was cut off"
		switch {
		case v.marks.cuts[h.Chain] >= h.Seq && (!marked || m.hash == h.Hash):
			continue
		case v.heads[h.Chain].Seq >= h.Seq || marked && m.hash != h.Hash:
			what = "the kept head is not in the record: the chain was written anew"
		}
		v.problem(Problem{Chain: h.Chain, Seq: h.Seq, What: what})
	}
}

// findStrangers reports chains that have events, but no note in the store.
func (v *verifier) findStrangers() error {
	strangers := map[string]bool{}
	for chain := range v.heads {
		if _, ok := v.noted[chain]; !ok {
			strangers[chain] = true
		}
	}
	if len(strangers) == 0 {
		return nil
	}
	chains, err := v.Record.Chains(v.ctx) // they may have begun meanwhile
	if err != nil {
		return err
	}
	for _, c := range chains {
		delete(strangers, c.Chain)
	}
	for _, chain := range slices.Sorted(maps.Keys(strangers)) {
		v.problem(Problem{
			Chain: chain, Seq: v.heads[chain].Seq,
			What: "the store knows no such chain: it was put in, or the store's note of it was removed",
		})
	}
	return nil
}
