package audit

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestVouchedFor: what a key vouched for is what it signed itself, and what others removed that goes on from there.
func TestVouchedFor(t *testing.T) {
	key, other := newTestKey(t), newTestKey(t)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	sign := func(by *Key, s Statement) Signed {
		t.Helper()
		signed, err := by.Signer(func() time.Time { return at }).Sign(Signed{}, s)
		if err != nil {
			t.Fatal(err)
		}
		return signed
	}
	head := func(seq int64, hash string) Head { return Head{"chain_1", seq, hash} }
	says := func(by *Key, h Head) Signed { return sign(by, Statement{Head: h}) }
	cuts := func(by *Key, first int64, prev string, last Head) Signed {
		return sign(by, Statement{Head: last, Cut: Cut{First: first, Prev: prev, Last: last}})
	}
	start, four := says(key, head(0, Genesis)), says(key, head(4, "d"))
	changed := says(key, head(9, "x"))
	changed.Seq = 8
	elsewhere := says(key, Head{"chain_2", 9, "x"})
	for _, test := range []struct {
		name  string
		marks []Signed
		want  vouched
	}{
		{"nothing", nil, vouched{newest: head(0, Genesis)}},
		{"a beginning", []Signed{start}, vouched{newest: head(0, Genesis), at: at, begun: true}},
		{"more of it", []Signed{start, four}, vouched{newest: head(4, "d"), at: at, begun: true}},
		{"adopted", []Signed{four}, vouched{newest: head(4, "d"), at: at}},
		{"closed", []Signed{start, sign(key, Statement{Head: head(4, "d"), Closed: true})}, vouched{newest: head(4, "d"), at: at, begun: true, closed: true}},
		{"closed by another", []Signed{start, sign(other, Statement{Head: head(4, "d"), Closed: true})}, vouched{newest: head(0, Genesis), at: at, begun: true, others: true}},
		{"removed by another", []Signed{start, cuts(other, 1, Genesis, head(3, "c"))}, vouched{newest: head(3, "c"), at: at, begun: true}},
		{
			"removed by another, past what was vouched for",
			[]Signed{start, cuts(other, 1, Genesis, head(4, "d")), four, cuts(other, 5, "d", head(6, "f")), cuts(other, 7, "f", head(8, "h"))},
			vouched{newest: head(8, "h"), at: at, begun: true},
		},
		{"removed after another event", []Signed{start, four, cuts(other, 5, "x", head(6, "f"))}, vouched{newest: head(4, "d"), at: at, begun: true}},
		{"removed across", []Signed{start, four, cuts(other, 1, Genesis, head(6, "f"))}, vouched{newest: head(4, "d"), at: at, begun: true}},
		{"removed after a gap", []Signed{start, four, cuts(other, 6, "e", head(7, "g"))}, vouched{newest: head(4, "d"), at: at, begun: true}},
		{"removed by itself", []Signed{start, four, cuts(key, 1, Genesis, head(6, "f"))}, vouched{newest: head(6, "f"), at: at, begun: true}},
		{"changed", []Signed{start, changed}, vouched{newest: head(0, Genesis), at: at, begun: true}},
		{"of another chain", []Signed{start, elsewhere}, vouched{newest: head(0, Genesis), at: at, begun: true}},
	} {
		got := vouchedFor(key.ID(), "chain_1", test.marks)
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(vouched{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestUpToMark: a removal ends with the last event that a checkpoint knows.
func TestUpToMark(t *testing.T) {
	entries := make([]Entry, 3)
	for i := range entries {
		entries[i].Seq = int64(5 + i)
	}
	for _, test := range []struct {
		known map[int64]string
		want  int
	}{
		{nil, 3},
		{map[int64]string{4: "", 8: ""}, 3},
		{map[int64]string{5: ""}, 1},
		{map[int64]string{5: "", 6: ""}, 2},
		{map[int64]string{6: "", 7: "", 8: ""}, 3},
	} {
		if got := upToMark(entries, test.known); got != test.want {
			t.Errorf("%v: %d go, want %d", test.known, got, test.want)
		}
	}
	if got := upToMark(nil, nil); got != 0 {
		t.Errorf("of none %d go", got)
	}
}
