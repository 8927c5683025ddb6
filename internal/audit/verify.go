package audit

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// maxProblems is how many problems a Report lists. The first ones say what happened; the rest are counted.
const maxProblems = 100

// A Report is what Verify found.
type Report struct {
	Events   int64     // entries read
	Heads    []Head    // the newest event of every chain, by chain id
	Problems []Problem // the first hundred
	Found    int64     // how many problems there are; 0: the record is whole
}

// A Problem is one place where the record is not as it was written.
type Problem struct {
	Row   int64 // 0: no entry is there to point at
	Chain string
	Seq   int64
	What  string
}

func (p Problem) String() string {
	var b strings.Builder
	if p.Row != 0 {
		fmt.Fprintf(&b, "row %d, ", p.Row)
	}
	fmt.Fprintf(&b, "chain %q, event %d: %s", p.Chain, p.Seq, p.What)
	return b.String()
}

// Verify reads the whole record and finds entries that were changed, removed, moved, repeated or put in, and columns
// that do not say what the text says.
//
// The newest entries of a chain may be missing without a trace: nothing after them remembers them, and a process that
// was killed leaves its chain just so. A whole chain may be missing likewise. Only a head that was kept elsewhere
// shows it: every head in expect must still be in the record. And whoever can write to the store can write all chains
// anew; again, only kept heads show it.
func Verify(ctx context.Context, r Reader, expect ...Head) (Report, error) {
	v := verifier{heads: map[string]Head{}, missing: map[Head]bool{}}
	for _, h := range expect {
		v.missing[h] = true
	}
	for e, err := range r.Entries(ctx, Filter{}) {
		if err != nil {
			return Report{}, fmt.Errorf("verify audit record: %w", err)
		}
		v.entry(e)
	}
	return v.finish(expect), nil
}

type verifier struct {
	report  Report
	heads   map[string]Head
	missing map[Head]bool // expected heads that were not seen yet
}

func (v *verifier) entry(e Entry) {
	v.report.Events++
	found := func(format string, args ...any) {
		v.problem(Problem{e.Row, e.Chain, e.Seq, fmt.Sprintf(format, args...)})
	}
	last, known := v.heads[e.Chain]
	if !known {
		last = Head{Chain: e.Chain, Hash: Genesis}
	}
	if hashOf(e.Text) != e.Hash {
		found("the text does not have its hash: it was changed")
	}
	t, err := decode(e.Text)
	if err != nil {
		found("the text is not an event")
	} else {
		want := t.columns()
		want.Hash = e.Hash
		if name := differs(e.Columns, want); name != "" {
			found("the column %s does not say what the text says", name)
		}
	}
	switch want := last.Seq + 1; {
	case e.Seq > want && !known:
		found("the chain begins here: events 1 to %d are missing", e.Seq-1)
	case e.Seq > want:
		found("events %d to %d are missing before it", want, e.Seq-1)
	case e.Seq < want:
		found("it stands after event %d: it was moved or repeated", last.Seq)
	case err == nil && t.PrevHash != last.Hash && !known:
		found("it does not begin as a chain does: events before it were cut off, or it was put in")
	case err == nil && t.PrevHash != last.Hash:
		found("it does not follow the event before it: one of the two was exchanged")
	}
	delete(v.missing, Head{e.Chain, e.Seq, e.Hash})
	if e.Seq > last.Seq {
		v.heads[e.Chain] = Head{e.Chain, e.Seq, e.Hash}
	}
}

func (v *verifier) problem(p Problem) {
	v.report.Found++
	if len(v.report.Problems) < maxProblems {
		v.report.Problems = append(v.report.Problems, p)
	}
}

// finish reports the expected heads that were not seen, in the order they were given.
func (v *verifier) finish(expect []Head) Report {
	for _, h := range expect {
		if !v.missing[h] {
			continue
		}
		delete(v.missing, h)
		what := "the kept head is not in the record: the end of the chain was cut off"
		if v.heads[h.Chain].Seq >= h.Seq {
			what = "the kept head is not in the record: the chain was written anew"
		}
		v.problem(Problem{Chain: h.Chain, Seq: h.Seq, What: what})
	}
	for _, chain := range slices.Sorted(maps.Keys(v.heads)) {
		v.report.Heads = append(v.report.Heads, v.heads[chain])
	}
	return v.report
}

// differs names the first column in which got and want are not the same, "" if there is none.
func differs(got, want Columns) string {
	for _, c := range []struct {
		name string
		same bool
	}{
		{"chain", got.Chain == want.Chain},
		{"seq", got.Seq == want.Seq},
		{"time", got.Micros == want.Micros},
		{"type", got.Type == want.Type},
		{"session", got.Session == want.Session},
		{"server", got.Server == want.Server},
		{"tool", got.Tool == want.Tool},
		{"call_id", got.CallID == want.CallID},
		{"wire_id", got.WireID == want.WireID},
		{"verdict", got.Verdict == want.Verdict},
		{"blocked", got.Blocked == want.Blocked},
		{"code", got.Code == want.Code},
		{"rule", got.Rule == want.Rule},
	} {
		if !c.same {
			return c.name
		}
	}
	return ""
}
