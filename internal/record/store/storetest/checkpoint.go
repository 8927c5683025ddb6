package storetest

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
	"github.com/weir-gate/weir/internal/record/verify"
)

func testCheckpoints(t *testing.T, open func(t *testing.T) Backend) {
	t.Run("Vouch", func(t *testing.T) { testVouch(t, open(t)) })
	t.Run("Many", func(t *testing.T) { testManyChains(t, open(t)) })
	t.Run("Immutable", func(t *testing.T) { testCheckpointsStay(t, open(t)) })
	t.Run("Tampering", func(t *testing.T) { testCheckpointTampering(t, open) })
	t.Run("Rulings", func(t *testing.T) { testKeptCheckpoints(t, open(t)) })
}

// vouch signs checkpoints for heads.
func vouch(t *testing.T, b Backend, by checkpoint.Signer, heads ...record.Head) {
	t.Helper()
	var say []checkpoint.Statement
	for _, h := range heads {
		say = append(say, checkpoint.Statement{Head: h})
	}
	if _, err := b.Vouch(t.Context(), by, say...); err != nil {
		t.Error(err)
	}
}

// storeVouched stores a chain, or more of it, and vouches for it.
func storeVouched(t *testing.T, b Backend, all []record.Entry) {
	t.Helper()
	appendAll(t, b, all)
	vouch(t, b, signer(t), headOf(all[len(all)-1]))
}

// strangerKey is a key that is not trusted.
func strangerKey(t *testing.T) *checkpoint.Key {
	t.Helper()
	key, err := checkpoint.OpenKey(filepath.Join(t.TempDir(), "other.key"))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// check verifies a record. Only the tests' key is trusted.
func check(t *testing.T, b Backend, v verify.Check) verify.Report {
	t.Helper()
	v.Record, v.Keys = b, []string{testKey(t).ID()}
	r, err := v.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func testVouch(t *testing.T, b Backend) {
	one, two := seal(t, corpus...), seal(t, corpus[:3]...)
	appendAll(t, b, one[:2])
	vouch(t, b, signer(t), headOf(one[1]))
	appendAll(t, b, two)
	appendAll(t, b, one[2:])
	vouch(t, b, signer(t), headOf(two[2]), headOf(one[6]))
	r := check(t, b, verify.Check{Heads: []record.Head{headOf(one[6]), headOf(two[2])}})
	if r.Found != 0 || r.Events != 10 || r.Checkpoints != 3 || len(r.Newest) != 1 || r.Newest[0].N != 3 || !r.Vouched {
		t.Errorf("verified: %+v", r)
	}
	c, err := r.Newest[0].Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	if c.Cut || c.Closed || c.N != 3 || c.Key != testKey(t).ID() || c.Head != headOf(one[6]) {
		t.Errorf("the newest checkpoint: %+v", c)
	}
}

// testManyChains vouches for many chains at once.
func testManyChains(t *testing.T, b Backend) {
	const n = 701
	var all []record.Entry
	var heads []record.Head
	for range n {
		chain := seal(t, record.Event{Type: record.Types.ToolCall})
		all, heads = append(all, chain...), append(heads, headOf(chain[0]))
	}
	appendAll(t, b, all)
	vouch(t, b, signer(t), heads...)
	if r := check(t, b, verify.Check{}); r.Found != 0 || r.Checkpoints != n || len(r.Heads) != n {
		t.Errorf("found %d in %d checkpoints: %v", r.Found, r.Checkpoints, r.Problems)
	}
}

func testCheckpointsStay(t *testing.T, b Backend) {
	storeVouched(t, b, seal(t, corpus...))
	for _, query := range []string{"UPDATE checkpoints SET seq = 1", "DELETE FROM checkpoints"} {
		if err := b.Exec(query); err == nil {
			t.Errorf("%s succeeded", query)
		}
	}
}

// vouchedRecord makes the record of tampered with four checkpoints: 1 for event 4 of chain one, 2 and 3 for the ends of both,
// and 4 for the removal of events 1 to 3 of chain one.
func vouchedRecord(t *testing.T, b Backend) tampered {
	t.Helper()
	r := tampered{Backend: b, one: seal(t, corpus...), two: seal(t, corpus[:3]...)}
	storeVouched(t, b, r.one[:4])
	storeVouched(t, b, r.two)
	storeVouched(t, b, r.one[4:])
	drop(t, b, r.one[0].Chain, 4, 3)
	if got := check(t, b, verify.Check{Heads: r.heads()}); got.Found != 0 || got.Checkpoints != 4 {
		t.Fatalf("before anything was changed: %+v", got)
	}
	if err := b.Unlock(); err != nil {
		t.Fatal(err)
	}
	return r
}

// checkpointTamperings are changes of a record that its checkpoints show.
var checkpointTamperings = []struct {
	name   string
	tamper func(tampered) error
	want   string // in one of the problems
}{
	{"column key_id", statement("UPDATE checkpoints SET key_id = 'x' WHERE n = 2"), "does not have its signature"},
	{"column n", statement("UPDATE checkpoints SET n = 9 WHERE n = 2"), "column n"},
	{"column chain", statement("UPDATE checkpoints SET chain = 'x' WHERE n = 2"), "column chain"},
	{"column seq", statement("UPDATE checkpoints SET seq = seq + 1 WHERE n = 2"), "column seq"},
	{"column cut", statement("UPDATE checkpoints SET cut = TRUE WHERE n = 2"), "column cut"},
	{"column closed", statement("UPDATE checkpoints SET closed = TRUE WHERE n = 2"), "column closed"},
	{"column time", statement("UPDATE checkpoints SET time = time + 1 WHERE n = 2"), "column time"},
	{"text", statement("UPDATE checkpoints SET text = text || ' ' WHERE n = 2"), "does not have its signature"},
	{"text garbled", statement("UPDATE checkpoints SET text = 'x' WHERE n = 2"), "not a checkpoint"},
	{
		"cut in the text", statement(`UPDATE checkpoints SET text = replace(text, '"cut":false', '"cut":true'), cut = TRUE WHERE n = 2`),
		"does not have its signature",
	},
	{
		"signature", statement("UPDATE checkpoints SET signature = (SELECT signature FROM checkpoints WHERE n = 1) WHERE n = 2"),
		"does not have its signature",
	},
	{"signature garbled", statement("UPDATE checkpoints SET signature = 'x' WHERE n = 2"), "does not have its signature"},
	{"first removed", statement("DELETE FROM checkpoints WHERE n = 1"), "checkpoints 1 to 1 are missing before it"},
	{"middle removed", statement("DELETE FROM checkpoints WHERE n IN (2, 3)"), "checkpoints 2 to 3 are missing before it"},
	{"moved", statement("UPDATE checkpoints SET row_id = row_id + 1000 WHERE n = 2"), "stands after checkpoint 4"},
	{"repeated", statement(`INSERT INTO checkpoints (key_id, n, chain, seq, cut, closed, time, text, signature)
		SELECT key_id, n + 4, chain, seq, cut, closed, time, text, signature FROM checkpoints WHERE n = 1`), "column n"},
	{"renumbered", func(r tampered) error {
		return errors.Join(r.Exec("DELETE FROM checkpoints WHERE n = 1"), r.Exec("UPDATE checkpoints SET n = n - 1 WHERE n = 2"),
			r.Exec("UPDATE checkpoints SET n = n - 1 WHERE n = 3"), r.Exec("UPDATE checkpoints SET n = n - 1 WHERE n = 4"))
	}, "column n"},
	{
		"cut without a checkpoint", statement("DELETE FROM checkpoints WHERE n = 4"),
		"events 1 to 3 are missing, and no checkpoint vouches for it",
	},
	{"all removed", statement("DELETE FROM checkpoints"), "no checkpoint vouches for it"},
	{"more cut than vouched for", statement("DELETE FROM events WHERE seq = 4 AND chain = $one"), "events 1 to 4 are missing"},
	{"chain removed", func(r tampered) error {
		return errors.Join(r.Exec("DELETE FROM events WHERE chain = ?", r.two[0].Chain),
			r.Exec("DELETE FROM chains WHERE chain = ?", r.two[0].Chain))
	}, "knows this event: the chain is gone"},
	{"end removed", func(r tampered) error {
		return errors.Join(r.Exec("DELETE FROM events WHERE seq > 5 AND chain = ?", r.one[0].Chain),
			r.Exec("UPDATE chains SET seq = 5, hash = ? WHERE chain = ?", r.one[4].Hash, r.one[0].Chain))
	}, "knows this event: the end of the chain was cut off"},
	{"rest of a cut chain removed", func(r tampered) error {
		return errors.Join(r.Exec("DELETE FROM events WHERE chain = ?", r.one[0].Chain),
			r.Exec("UPDATE chains SET seq = 3, hash = ? WHERE chain = ?", r.one[2].Hash, r.one[0].Chain))
	}, "the end of the chain was cut off"},
	{"written anew", func(r tampered) error {
		if err := forge(r.Backend, r.two[2], `"v":1`, `"v":1 `); err != nil {
			return err
		}
		return r.Exec("UPDATE chains SET hash = (SELECT hash FROM events WHERE events.chain = chains.chain AND events.seq = 3) WHERE chain = ?",
			r.two[0].Chain)
	}, "knows another event here: the chain was written anew"},
	{"put back", func(r tampered) error { return putBack(r.Backend, r.one[1]) }, putBackSays},
	{"all put back", func(r tampered) error {
		return errors.Join(putBack(r.Backend, r.one[0]), putBack(r.Backend, r.one[1]), putBack(r.Backend, r.one[2]))
	}, putBackSays},
}

const putBackSays = "it was put back"

// putBack inserts an event by SQL, without the store.
func putBack(b Backend, e record.Entry) error {
	return b.Exec(`INSERT INTO events (chain, seq, hash, time, type, session, server, tool, call_id, wire_id,
		verdict, blocked, code, rule, text, facet)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, e.Chain, e.Seq, e.Hash, e.Micros, string(e.Type), e.Session, e.Server,
		e.Tool, e.CallID, e.WireID, e.Verdict, e.Blocked, e.Code, e.Rule, string(e.Text), []byte{0})
}

// says returns whether one of the problems contains a text.
func says(r verify.Report, what string) bool {
	return slices.ContainsFunc(r.Problems, func(p verify.Problem) bool { return strings.Contains(p.String(), what) })
}

func testCheckpointTampering(t *testing.T, open func(t *testing.T) Backend) {
	for _, test := range checkpointTamperings {
		t.Run(test.name, func(t *testing.T) {
			b := open(t)
			if b.Kept && test.want == putBackSays {
				t.Skip("events that were cut may be in a log for a while, and nobody sees them")
			}
			r := vouchedRecord(t, b)
			if err := test.tamper(r); err != nil {
				t.Fatal(err)
			}
			report := check(t, r.Backend, verify.Check{})
			if !says(report, test.want) {
				t.Errorf("no problem says %q: %v", test.want, report.Problems)
			}
		})
	}
	t.Run("cut by an unknown key", func(t *testing.T) {
		b := open(t)
		all := seal(t, corpus...)
		appendAll(t, b, all)
		stranger := strangerKey(t).Signer(nil)
		if _, err := cutBefore(t.Context(), shelfOf{b, stranger}, all[0].Chain, 4); err != nil {
			t.Fatal(err)
		}
		r := check(t, b, verify.Check{})
		if r.Found != 2 || !strings.Contains(r.Problems[0].String(), "unknown key") || !strings.Contains(r.Problems[1].String(),
			"no checkpoint vouches") {
			t.Errorf("verified: %v", r.Problems)
		}
		if r := verified(t, b); r.Found != 0 {
			t.Errorf("if every key is trusted: %v", r.Problems)
		}
	})
}

// testKeptCheckpoints removes a checkpoint. Only a copy that was saved elsewhere shows that.
func testKeptCheckpoints(t *testing.T, b Backend) {
	r := vouchedRecord(t, b)
	before := check(t, b, verify.Check{})
	kept := verify.Check{Heads: before.Heads, Checkpoints: before.Newest}
	if got := check(t, b, kept); got.Found != 0 {
		t.Errorf("nothing was changed: %v", got.Problems)
	}
	if diff := cmp.Diff([]record.Head{headOf(r.one[6]), headOf(r.two[2])}, sortedAs(r, before.Heads)); diff != "" {
		t.Errorf("heads (-want +got):\n%s", diff)
	}
	changed := before.Newest[0]
	changed.Text = []byte(strings.Replace(string(changed.Text), `"cut":true`, `"cut":false`, 1))
	if got := check(t, b,
		verify.Check{Checkpoints: []checkpoint.Signed{changed}}); got.Found != 1 || !strings.Contains(got.Problems[0].String(),
		"what was kept was changed") {
		t.Errorf("a changed copy: %v", got.Problems)
	}
	// The store as it was with the first three checkpoints.
	if err := errors.Join(b.Exec("DELETE FROM checkpoints WHERE n = 4"), putBack(b, r.one[0]), putBack(b, r.one[1]),
		putBack(b, r.one[2])); err != nil {
		t.Fatal(err)
	}
	got := check(t, b, kept)
	if !says(got, "the kept checkpoint is not in the record: it was removed") {
		t.Errorf("the newest checkpoint is gone: %v", got.Problems)
	}
}

// sortedAs puts the head of chain one first.
func sortedAs(r tampered, heads []record.Head) []record.Head {
	if len(heads) == 2 && heads[0].Chain != r.one[0].Chain {
		return []record.Head{heads[1], heads[0]}
	}
	return heads
}
