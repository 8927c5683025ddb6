package store

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/recorder"
	"github.com/weir-gate/weir/internal/record/store/postgrestest"
	"github.com/weir-gate/weir/internal/record/store/storetest"
)

// sealed links events into a new chain without storing them.
func sealed(t testing.TB, events ...record.Event) []record.Entry {
	t.Helper()
	var c capture
	r := recorder.New(recorder.Config{Store: &c, Queue: len(events)})
	for _, e := range events {
		r.Record(e, nil)
	}
	if err := r.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	return c.entries
}

// A capture keeps what a recorder appends.
type capture struct{ entries []record.Entry }

func (c *capture) Append(_ context.Context, entries []record.Entry) error {
	c.entries = append(c.entries, entries...)
	return nil
}

func (*capture) Head(context.Context, string) (record.Head, error) { panic("nothing fails here") }

// months are the partitions with the number of their events.
func months(t *testing.T, s *Store) map[string]int {
	t.Helper()
	rows, err := s.write.Query("SELECT c.relname, pg_get_expr(c.relpartbound, c.oid) FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'events'::regclass")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]int{}
	for rows.Next() {
		var name, bound string
		if err := rows.Scan(&name, &bound); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(bound, "DEFAULT") {
			t.Errorf("%s is a default partition", name)
		}
		all[name] = 0
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for name := range all {
		var n int
		if err := s.write.QueryRow("SELECT count(*) FROM " + name).Scan(&n); err != nil {
			t.Fatal(err)
		}
		all[name] = n
	}
	return all
}

func nameOfMonth(at time.Time) string { return "events_" + at.UTC().Format("2006_01") }

// TestMonths stores events of any time that an event can have, in one batch, and finds each in its month.
func TestMonths(t *testing.T) {
	s := openURL(t, postgrestest.Database(t))
	now := time.Now().UTC()
	next := time.Date(now.Year(), now.Month()+1, 1, 0, 0, 0, 0, time.UTC)
	if diff := cmp.Diff(map[string]int{nameOfMonth(now): 0, nameOfMonth(next): 0}, months(t, s)); diff != "" {
		t.Errorf("after the start (-want +got):\n%s", diff)
	}
	times := []time.Time{
		time.Date(2024, 2, 29, 23, 59, 59, 999999000, time.UTC),
		time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC),
		time.Date(1969, 12, 31, 23, 59, 59, 999999000, time.UTC),
		time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(1, 1, 1, 0, 0, 0, 1000, time.UTC),
		time.Date(0, 12, 31, 23, 0, 0, 0, time.UTC),
		time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(9999, 12, 31, 23, 59, 59, 999999000, time.UTC),
		now,
	}
	var events []record.Event
	for _, at := range times {
		events = append(events, record.Event{Type: record.Types.ToolCall, Time: at, Tool: at.Format(time.RFC3339Nano)})
	}
	if err := s.Append(t.Context(), sealed(t, events...)); err != nil {
		t.Fatal(err)
	}
	want := map[string]int{
		"events_2024_02": 1, "events_2024_03": 1, "events_2024_04": 0, "events_1969_12": 1, "events_1970_01": 1, "events_1970_02": 0,
		"events_0001_01": 1, "events_0001_02": 0, "events_0001_12_bc": 1, "events_0001_01_bc": 1, "events_0001_02_bc": 0,
		"events_9999_12": 1, "events_10000_01": 0, nameOfMonth(now): 1, nameOfMonth(next): 0,
	}
	if diff := cmp.Diff(want, months(t, s)); diff != "" {
		t.Errorf("months (-want +got):\n%s", diff)
	}
	wantWhole(t, s.View, 1)
	for i, at := range times {
		f := query.Filter{Since: at, Until: at.Add(time.Microsecond)}
		var got []string
		for e, err := range s.Entries(t.Context(), f) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, e.Tool)
		}
		if !slices.Equal(got, []string{events[i].Tool}) {
			t.Errorf("at %v: %q", at, got)
		}
	}
}

// TestAMonthIsGuarded: what holds for the table holds for each of its parts.
func TestAMonthIsGuarded(t *testing.T) {
	s := openURL(t, postgrestest.Database(t))
	recordAll(t, s, "a")
	month := nameOfMonth(time.Now())
	for _, query := range []string{
		"DELETE FROM " + month, "UPDATE " + month + " SET tool = 'x'", "TRUNCATE " + month, "TRUNCATE events",
		"UPDATE events SET time = time - 100000000000000", // into another month
	} {
		if _, err := s.write.Exec(query); err == nil || !strings.Contains(err.Error(), "events are immutable") {
			t.Errorf("%s: %v", query, err)
		}
	}
	if got := tools(t, s.View); got != "a" {
		t.Errorf("read %q", got)
	}
}

// TestEmptyMonthsGo drops old events, and their months with them; those of others stay, and a month can come back.
func TestEmptyMonthsGo(t *testing.T) {
	url := postgrestest.Database(t)
	s, other := openURL(t, url), openURL(t, url)
	day := func(month time.Month) time.Time { return time.Date(2024, month, 10, 0, 0, 0, 0, time.UTC) }
	mine := sealed(t, record.Event{Time: day(1)}, record.Event{Time: day(2)}, record.Event{Time: day(3)}, record.Event{Time: day(4)})
	theirs := sealed(t, record.Event{Time: day(2)}, record.Event{Time: day(1)}, record.Event{Time: day(1)})
	for _, step := range []struct {
		s       *Store
		entries []record.Entry
	}{{s, mine}, {other, theirs[:1]}} {
		if err := step.s.Append(t.Context(), step.entries); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := storetest.CutBefore(t, s, mine[0].Chain, 4); n != 3 || err != nil {
		t.Fatalf("dropped %d, %v", n, err)
	}
	if _, err := s.Tidy(t.Context(), time.Time{}, 0); err != nil {
		t.Fatal(err)
	}
	got := months(t, s)
	for name, want := range map[string]int{"events_2024_01": -1, "events_2024_02": 1, "events_2024_03": -1, "events_2024_04": 1} {
		n, there := got[name]
		if there != (want >= 0) || there && n != want {
			t.Errorf("%s: there %v, %d events; want %d", name, there, n, want)
		}
	}
	// The other process believes that January is still there, or has just seen it go.
	if err := s.Append(t.Context(), sealed(t, record.Event{Time: day(3)})); err != nil {
		t.Errorf("a month that this process dropped: %v", err)
	}
	if err := other.Append(t.Context(), theirs[1:]); err != nil {
		t.Errorf("a month that another process dropped: %v", err)
	}
	if n := months(t, s)["events_2024_01"]; n != 2 {
		t.Errorf("January has %d events, want 2", n)
	}
}

// TestDropByHand runs the statements of the documentation that drop a month.
func TestDropByHand(t *testing.T) {
	s := openURL(t, postgrestest.Database(t))
	day := time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)
	all := sealed(t, record.Event{Time: day}, record.Event{Time: day}, record.Event{Time: day.AddDate(0, 0, 1), Tool: "kept"})
	if err := s.Append(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	if _, err := s.write.Exec(sqlBlock(t, "DETACH PARTITION")); err != nil {
		t.Fatal(err)
	}
	if got := tools(t, s.View); got != "kept" {
		t.Errorf("read %q", got)
	}
	var first int64
	if err := s.write.QueryRow("SELECT first_seq FROM chains").Scan(&first); err != nil || first != 3 {
		t.Errorf("the chain is kept from %d on, %v; want 3", first, err)
	}
}
