package storetest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/custodian"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/recorder"
)

// testClock records while the clock is set back, by more than a month, and forward again. Events are in the order in which they
// were recorded, the chain is whole, and each event is found by its time.
func testClock(t *testing.T, b Backend) {
	steps := []struct {
		id string
		at time.Duration
	}{{"a", 0}, {"b", time.Hour}, {"c", -40 * day}, {"d", -40*day + time.Minute}, {"e", 2 * time.Hour}, {"f", -3 * time.Second}}
	now := at(0)
	r := recorder.New(recorder.Config{Store: b, Now: func() time.Time { return now }})
	for _, s := range steps {
		now = at(0).Add(s.at)
		done := make(chan error)
		r.Record(record.Event{ID: s.id, Type: record.Types.ToolCall}, func(err error) { done <- err })
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	all := entries(t, b, query.Filter{})
	for i, e := range all {
		if e.Seq != int64(i+1) {
			t.Errorf("event %d has the place %d in its chain", i+1, e.Seq)
		}
	}
	before := at(0).Add(-30 * day)
	for _, test := range []struct {
		filter query.Filter
		want   string
	}{
		{query.Filter{}, "a b c d e f"},
		{query.Filter{Until: before}, "c d"},
		{query.Filter{Since: before}, "a b e f"},
		{query.Filter{Since: at(0)}, "a b e"},
		{query.Filter{AfterRow: all[1].Row}, "c d e f"},
		{query.Filter{Newest: true, Limit: 3}, "d e f"},
	} {
		if diff := cmp.Diff(test.want, ids(t, entries(t, b, test.filter))); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", test.filter, diff)
		}
	}
	k := newCustodian(t, b, custodian.Config{Retention: 60 * day})
	for _, now := range []time.Duration{-40 * day, 2 * time.Hour, -400 * day} {
		k.retain(t, b, at(0).Add(now), 0) // and verify
	}
}
