package storetest

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/record/custodian"
)

// testCustodianKeyReplaced loses the key, and then also the file beside it.
func testCustodianKeyReplaced(t *testing.T, w *weir) {
	p := w.start(t, custodian.Config{})
	p.record(t, corpus...)
	p.stop(t)
	p.wantNoFailure(t)
	if err := os.Remove(w.key); err != nil {
		t.Fatal(err)
	}
	second := w.start(t, custodian.Config{})
	second.wantFailure(t, "the key was lost or replaced. weir signs with this one from now on")
	second.stop(t)
	if len(second.failures) != 1 {
		t.Errorf("told more than once: %q", second.failures)
	}
	w.wantProblem(t, "unknown key")
	third := w.start(t, custodian.Config{})
	third.wantNoFailure(t) // it was reported once
	third.stop(t)
	if err := errors.Join(os.Remove(w.key), os.Remove(w.key+".last")); err != nil {
		t.Fatal(err)
	}
	last := w.start(t, custodian.Config{})
	last.wantFailure(t, "is new to this store, and others signed there")
	last.stop(t)
}

// testCustodianEmptied: an emptied store is not whole.
func testCustodianEmptied(t *testing.T, w *weir) {
	p := w.start(t, custodian.Config{})
	p.record(t, corpus...)
	p.stop(t)
	if err := w.Unlock(); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"events", "chains", "checkpoints", "hours", "tallies", "facets", "bodies", "kept_rulings", "budgets"} {
		if err := w.Exec("DELETE FROM " + table); err != nil {
			t.Fatal(err)
		}
	}
	w.wantProblem(t, "the kept checkpoint is not in the record")
	w.wantProblem(t, "knows this event: the chain is gone")
}

// testCustodianLooksWhenMuchCame: a record that grows fast does not wait for the next minute.
func testCustodianLooksWhenMuchCame(t *testing.T, w *weir) {
	removed := make(chan int64, 100)
	p := w.start(t, custodian.Config{MaxBytes: 64 << 10, Every: 1000 * time.Hour, OnRemoved: func(n int64, _ string) { removed <- n }})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		p.Run(ctx)
	}()
	for range 4 {
		p.record(t, daily(50)...)
	}
	<-removed
	cancel()
	<-ended
	p.stop(t)
	w.wantWhole(t)
}
