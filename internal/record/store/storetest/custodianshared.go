package storetest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
	"github.com/weir-gate/weir/internal/record/custodian"
	"github.com/weir-gate/weir/internal/record/query"
)

// another is a weir on the same store with its own key.
func (w *weir) another(t *testing.T) *weir {
	t.Helper()
	return &weir{Backend: w.Backend, key: filepath.Join(t.TempDir(), "audit.key")}
}

// keepOften lets a process remove events several times: at most a tenth each time.
func (p *process) keepOften(t *testing.T, times int) {
	t.Helper()
	for range times {
		if err := p.Maintain(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// closed says whether a checkpoint closes a chain.
func (w *weir) closed(t *testing.T, chain string) bool {
	t.Helper()
	return slices.ContainsFunc(w.checkpoints(t), func(c checkpoint.Checkpoint) bool { return c.Chain == chain && c.Closed })
}

// testCustodianCutsAnothers: a weir that removed old events of another weir's chain does not close that chain at its next start.
func testCustodianCutsAnothers(t *testing.T, w *weir) {
	other := w.another(t)
	living := other.start(t, custodian.Config{})
	living.record(t, daily(50)...)
	chain := living.recorder.Chain()
	cutter := w.start(t, custodian.Config{MaxBytes: 1})
	cutter.keepOften(t, 3)
	cutter.stop(t)
	if !slices.ContainsFunc(w.checkpoints(t), func(c checkpoint.Checkpoint) bool { return c.Cut && c.Chain == chain }) {
		t.Fatal("nothing was removed")
	}
	next := w.start(t, custodian.Config{})
	if w.closed(t, chain) {
		t.Error("a chain that is written was closed")
	}
	living.record(t, corpus...)
	next.stop(t)
	next.wantNoFailure(t)
	living.stop(t)
	w.wantWhole(t, other)
}

// testCustodianAfterAnothersCut: others may remove events after the last event that a killed process signed. Its next start still
// closes the chain.
func testCustodianAfterAnothersCut(t *testing.T, w *weir) {
	other := w.another(t)
	killed := w.start(t, custodian.Config{})
	killed.record(t, daily(32)...)
	if err := killed.Checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	killed.record(t, daily(20)...)
	killed.kill(t)
	cutter := other.start(t, custodian.Config{MaxBytes: 1})
	cutter.keepOften(t, 12)
	cutter.stop(t)
	if n := len(entries(t, w, query.Filter{})); n >= 20 {
		t.Fatalf("%d events are left", n)
	}
	next := w.start(t, custodian.Config{})
	next.wantNoFailure(t)
	next.stop(t)
	if !w.closed(t, killed.recorder.Chain()) {
		t.Error("the chain is still open")
	}
	w.wantWhole(t, other)
}

// testCustodianAdoptsTheLiving: a weir that does not sign may continue to write to an adopted chain.
func testCustodianAdoptsTheLiving(t *testing.T, w *weir) {
	old := seal(t, corpus...)
	appendAll(t, w, old[:4])
	w.start(t, custodian.Config{}).stop(t)
	for i, e := range old[4:] {
		next := w.start(t, custodian.Config{Now: func() time.Time { return time.Now().Add(time.Duration(i) * day) }})
		next.wantNoFailure(t)
		if i == 0 {
			appendAll(t, w, []record.Entry{e})
		}
		next.stop(t)
	}
	if w.closed(t, old[0].Chain) {
		t.Error("it was closed")
	}
	w.wantWhole(t)
}

// A raced store calls a function before old events are read for the first time.
type raced struct {
	Store
	first func()
}

// Oldest implements custodian.Store.
func (r *raced) Oldest(ctx context.Context, chain string, from int64, most int) ([]record.Entry, error) {
	if first := r.first; first != nil {
		r.first = nil
		first()
	}
	return r.Store.Oldest(ctx, chain, from, most)
}

// testCustodianAdoptsWithAnother: two weirs find an old store, and the second removes events before the first has read them.
func testCustodianAdoptsWithAnother(t *testing.T, w *weir) {
	appendAll(t, w, seal(t, daily(50)...))
	other := w.another(t)
	slow := &weir{Backend: Backend{Store: &raced{Store: w.Store, first: func() {
		quick := other.start(t, custodian.Config{MaxBytes: 1})
		quick.keepOften(t, 3)
		quick.stop(t)
		quick.wantNoFailure(t)
	}}}, key: w.key}
	p := slow.start(t, custodian.Config{})
	p.record(t, corpus...)
	p.stop(t)
	p.wantNoFailure(t)
	w.wantWhole(t, other)
}

// testCustodianClosesAdopted: an adopted chain that did not grow for a day is closed.
func testCustodianClosesAdopted(t *testing.T, w *weir) {
	old := seal(t, corpus...)
	appendAll(t, w, old)
	w.start(t, custodian.Config{}).stop(t)
	for _, test := range []struct {
		after time.Duration
		want  bool
	}{{day - time.Hour, false}, {day + time.Hour, true}} {
		next := w.start(t, custodian.Config{Now: func() time.Time { return time.Now().Add(test.after) }})
		next.wantNoFailure(t)
		next.stop(t)
		if got := w.closed(t, old[0].Chain); got != test.want {
			t.Errorf("closed after %s: %v", test.after, got)
		}
	}
	w.wantWhole(t)
	w.extend(t, old[0].Chain)
	w.wantProblem(t, "closed the chain before this event: events 8 to 8 were put in")
}

// An unread store counts reads of old events, and fails them.
type unread struct {
	Store
	tried *int
}

// Oldest implements custodian.Store.
func (u unread) Oldest(context.Context, string, int64, int) ([]record.Entry, error) {
	*u.tried++
	return nil, errors.New("not now")
}

// testCustodianBeginsAtOnce: a weir works before it reads old events. A process that ends before it has read them leaves that to
// the next process.
func testCustodianBeginsAtOnce(t *testing.T, w *weir) {
	old := seal(t, corpus...)
	appendAll(t, w, old)
	tried := 0
	first := (&weir{Backend: Backend{Store: unread{w.Store, &tried}}, key: w.key}).begin(t, custodian.Config{MaxBytes: 1})
	first.wantNoFailure(t)
	first.record(t, corpus...)
	if r := w.verify(t); r.Found != 0 || r.Vouched {
		t.Errorf("before the old chain was read: %v, vouched %v", r.Problems, r.Vouched)
	}
	if err := first.recorder.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if tried > 0 {
		t.Error("old events were read")
	}
	if err := first.Close(t.Context()); err == nil || !strings.Contains(err.Error(), "before it has read 1 chains") {
		t.Errorf("closed: %v", err)
	}
	second := w.start(t, custodian.Config{})
	second.record(t, corpus...)
	w.wantWhole(t)
	second.kill(t)
	// The chain of a killed process is not read at once either.
	tried = 0
	third := (&weir{Backend: Backend{Store: unread{w.Store, &tried}}, key: w.key}).begin(t, custodian.Config{})
	third.record(t, corpus...)
	third.wantNoFailure(t)
	w.wantWhole(t)
	if tried > 0 {
		t.Error("the events of the killed process were read")
	}
	third.kill(t)
	last := w.start(t, custodian.Config{})
	last.stop(t)
	last.wantNoFailure(t)
	for _, p := range []*process{second, third, last} {
		if !w.closed(t, p.recorder.Chain()) {
			t.Errorf("chain %s is open", p.recorder.Chain())
		}
	}
	w.wantWhole(t)
}

// testCustodianWithoutWitness: a weir that does not know its last checkpoint signs nothing and removes nothing. Its chain can be
// adopted later.
func testCustodianWithoutWitness(t *testing.T, w *weir) {
	p := w.start(t, custodian.Config{})
	p.record(t, daily(50)...)
	p.stop(t)
	last, signed := w.key+".last", len(w.checkpoints(t))
	if err := os.Chmod(last, 0o666); err != nil {
		t.Fatal(err)
	}
	blind := w.start(t, custodian.Config{MaxBytes: 1, Retention: 1})
	blind.wantFailure(t, "can be written by others (mode 0666); run chmod 600 ")
	blind.record(t, corpus...)
	if err := blind.Maintain(t.Context()); err == nil {
		t.Error("it was kept")
	}
	if n := len(w.checkpoints(t)); n != signed {
		t.Errorf("%d checkpoints were signed", n-signed)
	}
	if n := len(entries(t, w, query.Filter{})); n != 57 {
		t.Errorf("%d events are left", n)
	}
	blind.kill(t)
	if err := os.Chmod(last, 0o644); err != nil { // it is no secret
		t.Fatal(err)
	}
	seeing := w.start(t, custodian.Config{})
	seeing.wantNoFailure(t)
	seeing.stop(t)
	w.wantProblem(t, "or weir could not sign while it wrote it. If weir's log of that time says so")
	if err := os.Rename(last, last+".old"); err != nil {
		t.Fatal(err)
	}
	w.start(t, custodian.Config{}).stop(t)
	w.wantWhole(t)
}

// testCustodianKeyCopied: if another weir closes a weir's chain with a copy of its key, the weir reports that, once.
func testCustodianKeyCopied(t *testing.T, w *weir) {
	p := w.start(t, custodian.Config{})
	p.record(t, corpus...)
	text, err := os.ReadFile(w.key)
	if err != nil {
		t.Fatal(err)
	}
	copied := w.another(t)
	if err := os.WriteFile(copied.key, text, 0o600); err != nil {
		t.Fatal(err)
	}
	copied.start(t, custodian.Config{}).stop(t)
	for range 2 {
		p.record(t, corpus...)
		if err := p.Checkpoint(t.Context()); err != nil {
			t.Error(err)
		}
	}
	p.wantFailure(t, "closed it after event 7, and this weir did not: another weir uses a copy of the key")
	p.stop(t)
	if len(p.failures) != 1 {
		t.Errorf("told more than once: %q", p.failures)
	}
	w.wantProblem(t, "closed the chain before this event")
}

// testCustodianSignsAnew: a store lost its checkpoints while a weir ran. Once somebody accepts the store, the weir's chain is
// signed as if it had just begun.
func testCustodianSignsAnew(t *testing.T, w *weir) {
	p := w.start(t, custodian.Config{})
	p.record(t, corpus...)
	if err := errors.Join(p.Checkpoint(t.Context()), w.Unlock(), w.Exec("DELETE FROM checkpoints")); err != nil {
		t.Fatal(err)
	}
	p.record(t, corpus...)
	if err := p.Checkpoint(t.Context()); !errors.Is(err, checkpoint.ErrForgotten) {
		t.Errorf("signed: %v", err)
	}
	if err := errors.Join(os.Remove(w.key+".last"), p.Checkpoint(t.Context())); err != nil {
		t.Error(err)
	}
	p.record(t, corpus...)
	p.kill(t)
	next := w.start(t, custodian.Config{})
	next.stop(t)
	next.wantNoFailure(t)
	if !w.closed(t, p.recorder.Chain()) {
		t.Error("the chain is still open")
	}
	w.wantWhole(t)
}
