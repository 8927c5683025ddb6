package store

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/recorder"
	"github.com/weir-gate/weir/internal/record/store/postgrestest"
)

// TestFollowMissesNothing follows the record by its rows while several writers add to it.
func TestFollowMissesNothing(t *testing.T) {
	onBackends(t, func(t *testing.T, url string) {
		const writers, each = 4, 100
		var group sync.WaitGroup
		for range writers {
			s := openURL(t, url)
			group.Go(func() {
				r := recorder.New(recorder.Config{Store: s, MaxBatch: 3})
				for i := range each {
					r.Record(record.Event{Type: record.Types.ToolCall, Tool: fmt.Sprint(i)}, func(err error) {
						if err != nil {
							t.Error(err)
						}
					})
				}
				if err := r.Close(context.Background()); err != nil {
					t.Error(err)
				}
			})
		}
		reader := readURL(t, url)
		var last int64
		next := map[string]int64{}
		seen := 0
		done := make(chan struct{})
		go func() {
			defer close(done)
			group.Wait()
		}()
		for ended := false; !ended; {
			select {
			case <-done:
				ended = true // once more, for what came last
			default:
			}
			for e, err := range reader.Entries(t.Context(), query.Filter{AfterRow: last}) {
				if err != nil {
					t.Fatal(err)
				}
				if next[e.Chain]++; e.Seq != next[e.Chain] {
					t.Fatalf("event %d of %s came where %d is next", e.Seq, e.Chain, next[e.Chain])
				}
				last = e.Row
				seen++
			}
		}
		if seen != writers*each {
			t.Errorf("followed %d events, want %d", seen, writers*each)
		}
	})
}

// TestOneTransactionAtATimeAddsEvents: rows are seen in the order of their numbers only if nobody gets a number while another
// transaction, with lower ones, is not committed.
func TestOneTransactionAtATimeAddsEvents(t *testing.T) {
	url := postgrestest.Database(t)
	one, two := openURL(t, url), openURL(t, url)
	slow, quick := sealed(t, record.Event{Tool: "slow"}), sealed(t, record.Event{Tool: "quick"})
	tx, err := one.write.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := runsOf(slow)
	if err != nil {
		t.Fatal(err)
	}
	r := runs[0]
	args := append(columnsOf(r.entries), r.to.Chain, r.from.Seq, r.from.Hash, r.to.Seq, r.to.Hash, 0)
	if _, err := tx.Exec(postgresFlavour.text(storeRun), args...); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- two.Append(t.Context(), quick) }()
	for waits := false; !waits; {
		if err := one.db.QueryRow("SELECT count(*) > 0 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted " +
			"AND database = (SELECT oid FROM pg_database WHERE datname = current_database())").Scan(&waits); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-done:
			t.Fatalf("the second did not wait for the first: %v", err)
		default:
		}
	}
	if got := tools(t, one.View); got != "" {
		t.Errorf("before the first commits, %q can be seen", got)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if got := tools(t, one.View); got != "slow quick" {
		t.Errorf("stored %q", got)
	}
}
