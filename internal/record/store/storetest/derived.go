package storetest

import (
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/verify"
)

// derivedTamperings change the statistics and lookup tables of a store. The second statement undoes the change.
var derivedTamperings = []struct{ name, tamper, undo, want string }{
	{"rows of an hour", "UPDATE hours SET first_row = first_row + 1", "UPDATE hours SET first_row = first_row - 1", "the table hours says"},
	{"last rows of an hour", "UPDATE hours SET last_row = last_row - 1", "UPDATE hours SET last_row = last_row + 1", "the table hours says"},
	{"wider rows of an hour", "UPDATE hours SET last_row = last_row + 1", "UPDATE hours SET last_row = last_row - 1", "the table hours says"},
	{"no hour", "UPDATE hours SET hour = hour + 1000", "UPDATE hours SET hour = hour - 1000", "the table hours knows nothing of"},
	{"events", "UPDATE tallies SET events = events - 1", "UPDATE tallies SET events = events + 1", "the table tallies counts"},
	{
		"input_tokens", "UPDATE tallies SET input_tokens = input_tokens + 1", "UPDATE tallies SET input_tokens = input_tokens - 1",
		"the table tallies counts",
	},
	{
		"cache_tokens", "UPDATE tallies SET cache_tokens = cache_tokens + 1", "UPDATE tallies SET cache_tokens = cache_tokens - 1",
		"the table tallies counts",
	},
	{
		"output_tokens", "UPDATE tallies SET output_tokens = output_tokens + 1", "UPDATE tallies SET output_tokens = output_tokens - 1",
		"the table tallies counts",
	},
	{
		"cost_micros", "UPDATE tallies SET cost_micros = cost_micros + 1", "UPDATE tallies SET cost_micros = cost_micros - 1",
		"the table tallies counts",
	},
	{
		"no tally", "UPDATE tallies SET begins = begins + 360000000000", "UPDATE tallies SET begins = begins - 360000000000",
		"the table tallies has no count for",
	},
	{
		"names", "UPDATE facets SET employee = 'x' || employee", "UPDATE facets SET employee = substr(employee, 2)",
		"the table facets has other names",
	},
	{
		"lot", "UPDATE events SET lot = lot + 1 WHERE seq = 2", "UPDATE events SET lot = lot - 1 WHERE seq = 2",
		"the column lot does not follow",
	},
}

// testDerived: statistics and lookup tables match the events, or verify reports them.
func testDerived(t *testing.T, b Backend) {
	storeVouched(t, b, seal(t, named...))
	if r := check(t, b, verify.Check{}); r.Found != 0 {
		t.Fatalf("before anything was changed: %v", r.Problems)
	}
	if err := b.Unlock(); err != nil {
		t.Fatal(err)
	}
	for _, test := range derivedTamperings {
		if err := b.Exec(test.tamper); err != nil {
			t.Fatal(err)
		}
		r := check(t, b, verify.Check{})
		if !says(r, test.want) || strings.Contains(r.Problems[0].String(), "chain") {
			t.Errorf("%s: no problem says %q: %v", test.name, test.want, r.Problems)
		}
		if err := b.Exec(test.undo); err != nil {
			t.Fatal(err)
		}
	}
	if r := check(t, b, verify.Check{}); r.Found != 0 {
		t.Errorf("as it was: %v", r.Problems)
	}
	for what, change := range map[string]string{
		"the table facets lacks the key":   "DELETE FROM facets",
		"the column facet does not say":    "UPDATE events SET facet = (SELECT facet FROM events e WHERE e.seq = 4) WHERE seq = 2",
		"the table tallies has no count":   "DELETE FROM tallies",
		"the table hours knows nothing of": "DELETE FROM hours",
	} {
		if err := b.Exec(change); err != nil {
			t.Fatal(err)
		}
		if r := check(t, b, verify.Check{}); !says(r, what) {
			t.Errorf("%s: no problem says %q: %v", change, what, r.Problems)
		}
	}
}

// testThorough: a thorough filter finds events by their own times, whatever the store's notes say.
func testThorough(t *testing.T, b Backend) {
	all := seal(t, corpus...)
	appendAll(t, b, all)
	if err := b.Exec("UPDATE hours SET first_row = 1000, last_row = 1001"); err != nil {
		t.Fatal(err)
	}
	since := query.Filter{Since: at(-3600), Until: at(3600)}
	if n := len(entries(t, b, since)); n != 0 {
		t.Errorf("the note does not matter: %d entries", n)
	}
	since.Thorough = true
	if n := len(entries(t, b, since)); n != len(all) {
		t.Errorf("%d entries, want %d", n, len(all))
	}
	since.Since = at(3600)
	if n := len(entries(t, b, since)); n != 0 {
		t.Errorf("%d entries of another time", n)
	}
}
