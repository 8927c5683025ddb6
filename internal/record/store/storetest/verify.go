package storetest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/verify"
)

func testVerify(t *testing.T, b Backend) {
	one, two := seal(t, corpus...), seal(t, corpus[:3]...)
	if r := verified(t, b); r.Found != 0 || r.Events != 0 || len(r.Heads) != 0 {
		t.Errorf("an empty store: %+v", r)
	}
	// Two processes write to one store in turns.
	appendAll(t, b, one[:2])
	appendAll(t, b, two[:1])
	appendAll(t, b, one[2:])
	appendAll(t, b, two[1:])
	r := verified(t, b, headOf(one[1]), headOf(one[6]), headOf(two[2]))
	if len(r.Problems) != 0 || r.Found != 0 || r.Events != 10 {
		t.Errorf("a whole record: %+v", r)
	}
	heads := map[string]record.Head{}
	for _, h := range r.Heads {
		heads[h.Chain] = h
	}
	want := map[string]record.Head{one[6].Chain: headOf(one[6]), two[2].Chain: headOf(two[2])}
	if diff := cmp.Diff(want, heads); diff != "" {
		t.Errorf("heads (-want +got):\n%s", diff)
	}
}

// A tampered record has two chains: one with events 1 to 7, of which the last three were stored after the chain two,
// which has events 1 to 3.
type tampered struct {
	Backend
	one, two []record.Entry
}

// heads are heads that somebody may have saved before the record was changed.
func (r tampered) heads() []record.Head { return []record.Head{headOf(r.one[6]), headOf(r.two[2])} }

// statement changes a record by SQL, in which $one is the first chain.
func statement(query string) func(tampered) error {
	return func(r tampered) error { return r.Exec(strings.ReplaceAll(query, "$one", "'"+r.one[0].Chain+"'")) }
}

// tamperings are changes of a record that verify must notice.
var tamperings = []struct {
	name   string
	tamper func(tampered) error
	heads  func(tampered) []record.Head // nil: none were saved
	want   string                       // in the first problem
}{
	{"text changed", statement(`UPDATE events SET text = replace(text, '"Bash"', '"Read"') WHERE seq = 2`), nil, "changed"},
	{"text grown", statement(`UPDATE events SET text = text || ' ' WHERE seq = 2 AND chain = $one`), nil, "changed"},
	{"text garbled", statement(`UPDATE events SET text = 'x' WHERE seq = 2 AND chain = $one`), nil, "changed"},
	{"hash changed", statement(`UPDATE events SET hash = 'x' WHERE seq = 2 AND chain = $one`), nil, "changed"},
	{
		"text and hash changed", func(r tampered) error { return forge(r.Backend, r.one[1], `"blocked":true`, `"blocked":false`) }, nil,
		"column blocked",
	},
	{
		"event exchanged", func(r tampered) error { return forge(r.Backend, r.one[1], `"rule":"no-rm"`, `"rule":"no-rm" `) }, nil,
		"does not follow",
	},
	{"event removed", statement(`DELETE FROM events WHERE seq = 4 AND chain = $one`), nil, "events 4 to 4 are missing"},
	{"events removed", statement(`DELETE FROM events WHERE seq IN (3, 4, 5) AND chain = $one`), nil, "events 3 to 5 are missing"},
	{"beginning removed", statement(`DELETE FROM events WHERE seq < 3 AND chain = $one`), nil, "events 1 to 2 are missing"},
	{"all renumbered", statement(`UPDATE events SET seq = seq + 100 WHERE chain = $one`), nil, "column seq"},
	{
		"beginning forged", func(r tampered) error {
			if err := r.Exec("DELETE FROM events WHERE seq = 1 AND chain = ?", r.one[0].Chain); err != nil {
				return err
			}
			if err := forge(r.Backend, r.one[1], `"seq":2,`, `"seq":1,`); err != nil {
				return err
			}
			return r.Exec("UPDATE events SET seq = 1 WHERE seq = 2 AND chain = ?", r.one[0].Chain)
		}, nil, "does not begin as a chain does",
	},
	{"moved", statement(`UPDATE events SET row_id = row_id + 1000 WHERE seq = 2 AND chain = $one`), nil, "missing"},
	{"moved to another chain", statement(`UPDATE events SET chain = 'x' WHERE seq = 7`), nil, "column chain"},
	{"end removed", statement(`DELETE FROM events WHERE seq > 5 AND chain = $one`), nil, "cut off"},
	{"chain removed", statement(`DELETE FROM events WHERE chain = $one`), nil, "the chain is gone"},
	{"end removed, and the store's note of it", func(r tampered) error {
		return errors.Join(
			r.Exec("DELETE FROM events WHERE seq > 5 AND chain = ?", r.one[0].Chain),
			r.Exec("UPDATE chains SET seq = 5, hash = ? WHERE chain = ?", r.one[4].Hash, r.one[0].Chain))
	}, nil, "events or the note were changed"},
	{"note of the size changed", statement("UPDATE chains SET bytes = bytes + 1 WHERE chain = $one"), nil, "events or the note were changed"},
	{
		"note of the beginning changed", statement("UPDATE chains SET first_seq = 3 WHERE chain = $one"), nil,
		"checkpoints say so of those before 1",
	},
	{"note removed", statement(`DELETE FROM chains WHERE chain = $one`), nil, "knows no such chain"},
	{"note changed", statement(`UPDATE chains SET hash = 'x' WHERE chain = $one`), nil, "notes another hash"},
	{"end removed, with a head", statement(`DELETE FROM events WHERE seq > 5 AND chain = $one`), tampered.heads, "cut off"},
	{"chain removed, with its note", func(r tampered) error {
		return errors.Join(
			r.Exec("DELETE FROM events WHERE chain = ?", r.one[0].Chain), r.Exec("DELETE FROM chains WHERE chain = ?", r.one[0].Chain))
	}, tampered.heads, "cut off"},
	{"last event exchanged", func(r tampered) error { return forge(r.Backend, r.one[6], `"v":1`, `"v":1 `) }, nil, "notes another hash"},
	{"last event exchanged, and the store's note of it", func(r tampered) error {
		if err := forge(r.Backend, r.one[6], `"v":1`, `"v":1 `); err != nil {
			return err
		}
		return r.Exec("UPDATE chains SET hash = (SELECT hash FROM events WHERE events.chain = chains.chain AND events.seq = 7) WHERE chain = ?",
			r.one[0].Chain)
	}, tampered.heads, "written anew"},
}

// inLogs are the tamperings that verify describes otherwise where events are in logs: hashes and columns follow from the texts there. "":
// it is about a column alone, which logs do not have.
var inLogs = map[string]string{
	"text changed":                  "does not follow the event before it",
	"text grown":                    "does not follow the event before it",
	"hash changed":                  "",
	"text and hash changed":         "does not follow the event before it",
	"all renumbered":                "",
	"moved to another chain":        "",
	"note of the beginning changed": "events 1 to 2 are missing",
}

// tamperable makes a record of two chains that can be changed.
func tamperable(t *testing.T, b Backend) tampered {
	t.Helper()
	r := tampered{Backend: b, one: seal(t, corpus...), two: seal(t, corpus[:3]...)}
	appendAll(t, r, r.one[:4])
	appendAll(t, r, r.two)
	appendAll(t, r, r.one[4:])
	if err := r.Unlock(); err != nil {
		t.Fatal(err)
	}
	return r
}

// testColumns changes one column after the other, each alone.
func testColumns(t *testing.T, b Backend) {
	if b.Kept {
		t.Skip("logs have no columns")
	}
	r := tamperable(t, b)
	changes := map[string][2]string{"time": {"time + 1", "time - 1"}, "blocked": {"NOT blocked", "NOT blocked"}}
	for _, text := range []string{"type", "session", "server", "tool", "call_id", "wire_id", "verdict", "code", "rule"} {
		changes[text] = [2]string{"'x' || " + text, "substr(" + text + ", 2)"}
	}
	for column, change := range changes {
		for i, value := range change {
			if err := r.Exec("UPDATE events SET " + column + " = " + value + " WHERE seq = 2"); err != nil {
				t.Fatal(err)
			}
			report := verified(t, r)
			if changed := i == 0; changed != (report.Found > 0) || changed && !strings.Contains(report.Problems[0].String(), "column "+column) {
				t.Errorf("%s = %s: %d problems: %v", column, value, report.Found, report.Problems)
			}
		}
	}
}

func testTampering(t *testing.T, open func(t *testing.T) Backend) {
	t.Run("columns", func(t *testing.T) { testColumns(t, open(t)) })
	for _, test := range tamperings {
		t.Run(test.name, func(t *testing.T) {
			b := open(t)
			if want, other := inLogs[test.name]; b.Kept && other {
				if test.want = want; want == "" {
					t.Skip("logs have no columns")
				}
			}
			r := tamperable(t, b)
			if err := test.tamper(r); err != nil {
				t.Fatal(err)
			}
			var kept []record.Head
			if test.heads != nil {
				kept = test.heads(r)
			}
			report := verified(t, r, kept...)
			switch {
			case report.Found == 0:
				t.Error("not noticed")
			case !strings.Contains(report.Problems[0].String(), test.want):
				t.Errorf("first problem %q does not say %q", report.Problems[0], test.want)
			}
		})
	}
}

// forge changes the text of an event and gives it the hash of the new text.
func forge(b Backend, e record.Entry, old, text string) error {
	forged := bytes.Replace(e.Text, []byte(old), []byte(text), 1)
	sum := sha256.Sum256(forged)
	return b.Exec("UPDATE events SET text = ?, hash = ? WHERE chain = ? AND seq = ?",
		string(forged), hex.EncodeToString(sum[:]), e.Chain, e.Seq)
}

func verified(t *testing.T, s Store, expect ...record.Head) verify.Report {
	t.Helper()
	r, err := verify.Check{Record: s, Heads: expect}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}
