package storetest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
	"github.com/weir-gate/weir/internal/record/custodian"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/verify"
)

func testCustodian(t *testing.T, open func(t *testing.T) Backend) {
	for name, test := range map[string]func(*testing.T, *weir){
		"Closes":    testCustodianCloses,
		"Leaves":    testCustodianLeaves,
		"Killed":    testCustodianAfterKill,
		"Forged":    testCustodianAfterForgery,
		"Live":      testCustodianLeavesTheLiving,
		"Lost":      testCustodianLosesItsChain,
		"Adopts":    testCustodianAdopts,
		"Brief":     testCustodianAdoptsAtTheEnd,
		"Forgotten": testCustodianForgotten,
		"Restored":  testCustodianRestored,
		"Size":      testCustodianMeasures,
		"Taken":     testCustodianAfterTheft,
		"Replaced":  testCustodianKeyReplaced,
		"Emptied":   testCustodianEmptied,
		"Grown":     testCustodianLooksWhenMuchCame,
		"Cuts":      testCustodianCutsAnothers,
		"Passed":    testCustodianAfterAnothersCut,
		"Written":   testCustodianAdoptsTheLiving,
		"Raced":     testCustodianAdoptsWithAnother,
		"Quiet":     testCustodianClosesAdopted,
		"Begins":    testCustodianBeginsAtOnce,
		"Unread":    testCustodianWithoutWitness,
		"Copied":    testCustodianKeyCopied,
		"Anew":      testCustodianSignsAnew,
	} {
		t.Run(name, func(t *testing.T) { test(t, &weir{Backend: open(t), key: filepath.Join(t.TempDir(), "audit.key")}) })
	}
}

// testCustodianCloses: a chain has a checkpoint before its first event, and is closed with its last.
func testCustodianCloses(t *testing.T, w *weir) {
	p := w.start(t, custodian.Config{})
	chain := p.recorder.Chain()
	if c := w.checkpoints(t); len(c) != 1 || c[0].Head != (record.Head{Chain: chain, Hash: record.Genesis}) || c[0].Closed {
		t.Errorf("at the beginning: %+v", c)
	}
	p.record(t, corpus...)
	if err := p.Maintain(t.Context()); err != nil {
		t.Error(err)
	}
	p.stop(t)
	p.wantNoFailure(t)
	if c := w.checkpoints(t); len(c) != 3 || c[1].Seq != 7 || c[1].Closed || c[2].Head != c[1].Head || !c[2].Closed {
		t.Errorf("at the end: %+v", c)
	}
	w.wantWhole(t)
	w.extend(t, chain)
	w.wantProblem(t, "closed the chain before this event: events 8 to 8 were put in")
	// Nobody signs for it later, either.
	next := w.start(t, custodian.Config{})
	next.stop(t)
	if c := w.checkpoints(t); len(c) != 5 || c[3].Chain == chain || c[4].Chain == chain {
		t.Errorf("after the next: %+v", c)
	}
	w.wantProblem(t, "closed the chain before this event")
}

// testCustodianLeaves: a chain whose last events are stored after its process has ended stays open, and the next process closes it.
func testCustodianLeaves(t *testing.T, w *weir) {
	p := w.start(t, custodian.Config{})
	chain := p.recorder.Chain()
	p.record(t, corpus...)
	if err := errors.Join(p.recorder.Close(t.Context()), p.Leave(t.Context())); err != nil {
		t.Error(err)
	}
	if c := w.checkpoints(t); len(c) != 2 || c[1].Seq != 7 || c[1].Closed {
		t.Errorf("at the end: %+v", c)
	}
	w.extend(t, chain)
	w.wantWhole(t)
	next := w.start(t, custodian.Config{})
	if err := next.Maintain(t.Context()); err != nil {
		t.Error(err)
	}
	next.stop(t)
	w.wantWhole(t)
	w.extend(t, chain)
	w.wantProblem(t, "closed the chain before this event: events 9 to 9 were put in")
}

// testCustodianAfterKill: the next process closes the chain of a killed process.
func testCustodianAfterKill(t *testing.T, w *weir) {
	p := w.start(t, custodian.Config{})
	p.record(t, corpus...)
	p.kill(t)
	w.wantWhole(t)
	next := w.start(t, custodian.Config{})
	next.wantNoFailure(t)
	if c := w.checkpoints(t); len(c) != 3 || c[1].Chain != next.recorder.Chain() || c[2].Chain != p.recorder.Chain() ||
		c[2].Seq != 7 || !c[2].Closed {
		t.Errorf("checkpoints: %+v", c)
	}
	next.stop(t)
	w.wantWhole(t)
}

// testCustodianAfterForgery: events that do not follow from the last checkpoint are not signed.
func testCustodianAfterForgery(t *testing.T, w *weir) {
	p := w.start(t, custodian.Config{})
	p.record(t, corpus...)
	p.kill(t)
	chain := p.recorder.Chain()
	if err := errors.Join(w.Unlock(), w.Exec("DELETE FROM events WHERE chain = ? AND seq = 4", chain)); err != nil {
		t.Fatal(err)
	}
	next := w.start(t, custodian.Config{})
	next.wantFailure(t, "event 4 is not as it was written")
	next.stop(t)
	for _, c := range w.checkpoints(t) {
		if c.Chain == chain && c.Seq > 0 {
			t.Errorf("it was signed: %+v", c)
		}
	}
}

// testCustodianLeavesTheLiving: a process does not close the chain of another process with the same key that still writes.
func testCustodianLeavesTheLiving(t *testing.T, w *weir) {
	one := w.start(t, custodian.Config{})
	one.record(t, corpus[:2]...)
	two := w.start(t, custodian.Config{})
	two.record(t, corpus[:3]...)
	one.record(t, corpus[2:]...)
	two.kill(t)
	three := w.start(t, custodian.Config{})
	one.record(t, corpus...)
	three.stop(t)
	one.stop(t)
	for _, p := range []*process{one, two, three} {
		p.wantNoFailure(t)
	}
	w.wantWhole(t)
	last := w.start(t, custodian.Config{}) // it is alone, and closes the chain of the second process
	last.stop(t)
	last.wantNoFailure(t)
	closed := 0
	for _, c := range w.checkpoints(t) {
		if c.Closed {
			closed++
		}
	}
	if closed != 4 {
		t.Errorf("%d chains are closed, want 4", closed)
	}
	w.wantWhole(t)
}

// testCustodianLosesItsChain: when somebody else writes to the chain of a process, the process begins another chain and closes the
// first with its own last event.
func testCustodianLosesItsChain(t *testing.T, w *weir) {
	p := w.start(t, custodian.Config{})
	p.record(t, corpus...)
	first := p.recorder.Chain()
	w.extend(t, first)
	failed := make(chan error, 1)
	p.recorder.Record(corpus[0], func(err error) { failed <- err })
	if err := <-failed; err == nil {
		t.Error("an event was stored after somebody else's")
	}
	p.record(t, corpus[1])
	p.stop(t)
	if p.recorder.Chain() == first {
		t.Error("the chain goes on")
	}
	w.wantProblem(t, "closed the chain before this event: events 8 to 8 were put in")
}

// testCustodianAdopts: chains of versions without checkpoints are vouched for once. Later chains without a checkpoint are not.
func testCustodianAdopts(t *testing.T, w *weir) {
	old := seal(t, corpus...)
	appendAll(t, w, old)
	if r := verifyKeyless(t, w); r.Vouched || r.Found != 0 {
		t.Errorf("before: %+v", r)
	}
	p := w.start(t, custodian.Config{})
	p.stop(t)
	p.wantNoFailure(t)
	if c := w.checkpoints(t); len(c) != 3 || c[0].Head != headOf(old[6]) {
		t.Errorf("checkpoints: %+v", c)
	}
	w.wantWhole(t)
	appendAll(t, w, seal(t, corpus[:2]...))
	w.wantProblem(t, "no checkpoint vouches for any event of this chain")
	next := w.start(t, custodian.Config{})
	next.stop(t)
	w.wantProblem(t, "no checkpoint vouches for any event of this chain")
}

// testCustodianAdoptsAtTheEnd: a process that ends at once vouches for the chains that it found, and the record is whole
// afterwards.
func testCustodianAdoptsAtTheEnd(t *testing.T, w *weir) {
	old := seal(t, corpus...)
	appendAll(t, w, old)
	p := w.begin(t, custodian.Config{})
	p.stop(t)
	p.wantNoFailure(t)
	if c := w.checkpoints(t); len(c) == 0 || c[0].Head != headOf(old[6]) {
		t.Errorf("checkpoints: %+v", c)
	}
	w.wantWhole(t)
}

// verifyKeyless verifies before there is a key.
func verifyKeyless(t *testing.T, w *weir) verify.Report {
	t.Helper()
	r, err := verify.Check{Record: w.Backend, Keys: []string{}}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// testCustodianForgotten writes a record anew, without the key.
func testCustodianForgotten(t *testing.T, w *weir) {
	p := w.start(t, custodian.Config{})
	p.record(t, corpus...)
	p.stop(t)
	chain := p.recorder.Chain()
	all := entries(t, w, query.Filter{})
	if err := errors.Join(w.Unlock(), w.Exec("DELETE FROM checkpoints"), forge(w.Backend, all[6], `"v":1`, `"v":1 `),
		w.Exec("UPDATE chains SET bytes = bytes + 1, hash = (SELECT hash FROM events WHERE events.chain = chains.chain AND events.seq = 7) "+
			"WHERE chain = ?", chain)); err != nil {
		t.Fatal(err)
	}
	if r := verified(t, w); says(r, "written anew") {
		t.Errorf("without what was kept: %v", r.Problems)
	}
	w.wantProblem(t, "the kept checkpoint is not in the record: it was removed")
	next := w.start(t, custodian.Config{Retention: 1, MaxBytes: 1})
	next.wantFailure(t, "signs nothing and removes nothing")
	next.record(t, corpus...) // it records anyway
	if err := next.Maintain(t.Context()); !errors.Is(err, checkpoint.ErrForgotten) {
		t.Errorf("kept: %v", err)
	}
	if c := w.checkpoints(t); len(c) != 0 {
		t.Errorf("signed: %+v", c)
	}
	if n := len(entries(t, w, query.Filter{})); n != 14 {
		t.Errorf("%d events are left", n)
	}
	w.wantProblem(t, "the kept checkpoint is not in the record: it was removed")
	// Somebody has looked, and accepts the store.
	if err := os.Remove(w.key + ".last"); err != nil {
		t.Fatal(err)
	}
	if err := next.Checkpoint(t.Context()); err != nil {
		t.Error(err)
	}
	next.stop(t)
}

// testCustodianRestored goes back to an older state of the checkpoints, and loses the file beside the key.
func testCustodianRestored(t *testing.T, w *weir) {
	p := w.start(t, custodian.Config{})
	p.record(t, corpus...)
	p.stop(t)
	if err := errors.Join(w.Unlock(), w.Exec("DELETE FROM checkpoints WHERE n = 2")); err != nil {
		t.Fatal(err)
	}
	next := w.start(t, custodian.Config{})
	next.wantFailure(t, "checkpoint 2 of ed25519:")
	next.kill(t)
	if err := os.Rename(w.key+".last", w.key+".old"); err != nil {
		t.Fatal(err)
	}
	last := w.start(t, custodian.Config{})
	last.wantFailure(t, "the file was lost, or the store was moved")
	last.stop(t)
	w.wantWhole(t)
}

// testCustodianMeasures: the size in the store's notes alone is no reason to remove events.
func testCustodianMeasures(t *testing.T, w *weir) {
	p := w.start(t, custodian.Config{MaxBytes: 1 << 30})
	p.record(t, daily(50)...)
	if err := w.Exec("UPDATE chains SET bytes = bytes + 2000000000"); err != nil {
		t.Fatal(err)
	}
	if err := p.Maintain(t.Context()); err == nil || !strings.Contains(err.Error(),
		"somebody changed the store, so nothing is removed for its size") {
		t.Errorf("kept: %v", err)
	}
	if n := len(entries(t, w, query.Filter{})); n != 50 {
		t.Errorf("%d events are left", n)
	}
	w.wantProblem(t, "events or the note were changed")
	if err := w.Exec("UPDATE chains SET bytes = bytes - 2000000000"); err != nil {
		t.Fatal(err)
	}
	if err := p.Maintain(t.Context()); err != nil {
		t.Error(err)
	}
	p.stop(t)
	w.wantWhole(t)
}

// testCustodianAfterTheft: later removals do not cover events that somebody else removed.
func testCustodianAfterTheft(t *testing.T, w *weir) {
	p := w.start(t, custodian.Config{MaxBytes: 20 << 10})
	p.record(t, daily(50)...)
	chain := p.recorder.Chain()
	thief := shelfOf{w.Backend, strangerKey(t).Signer(nil)}
	if _, err := cutBefore(t.Context(), thief, chain, 6); err != nil {
		t.Fatal(err)
	}
	w.wantProblem(t, "unknown key")
	if err := p.Maintain(t.Context()); err != nil {
		t.Error(err)
	}
	if err := errors.Join(w.Unlock(), w.Exec("DELETE FROM checkpoints WHERE key_id = ?", thief.signer.ID())); err != nil {
		t.Fatal(err)
	}
	w.wantProblem(t, "no checkpoint says what became of those from 1 on before them")
	if err := p.Maintain(t.Context()); err != nil { // it continues from its own checkpoints
		t.Error(err)
	}
	p.stop(t)
}
