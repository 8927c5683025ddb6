package custodian

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
)

// TestVouchedFor: what a key vouched for is what it signed itself, and what others removed that goes on from there.
func TestVouchedFor(t *testing.T) {
	newKey := func() *checkpoint.Key {
		k, err := checkpoint.OpenKey(filepath.Join(t.TempDir(), "audit.key"))
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	key, other := newKey(), newKey()
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	sign := func(by *checkpoint.Key, s checkpoint.Statement) checkpoint.Signed {
		t.Helper()
		signed, err := by.Signer(func() time.Time { return at }).Sign(checkpoint.Signed{}, s)
		if err != nil {
			t.Fatal(err)
		}
		return signed
	}
	head := func(seq int64, hash string) record.Head { return record.Head{Chain: "chain_1", Seq: seq, Hash: hash} }
	says := func(by *checkpoint.Key, h record.Head) checkpoint.Signed {
		return sign(by, checkpoint.Statement{Head: h})
	}
	cuts := func(by *checkpoint.Key, first int64, prev string, last record.Head) checkpoint.Signed {
		return sign(by, checkpoint.Statement{Head: last, Cut: checkpoint.Cut{First: first, Prev: prev, Last: last}})
	}
	start, four := says(key, head(0, record.Genesis)), says(key, head(4, "d"))
	changed := says(key, head(9, "x"))
	changed.Seq = 8
	elsewhere := says(key, record.Head{Chain: "chain_2", Seq: 9, Hash: "x"})
	for _, test := range []struct {
		name  string
		marks []checkpoint.Signed
		want  vouched
	}{
		{"nothing", nil, vouched{newest: head(0, record.Genesis)}},
		{"a beginning", []checkpoint.Signed{start}, vouched{newest: head(0, record.Genesis), at: at, begun: true}},
		{"more of it", []checkpoint.Signed{start, four}, vouched{newest: head(4, "d"), at: at, begun: true}},
		{"adopted", []checkpoint.Signed{four}, vouched{newest: head(4, "d"), at: at}},
		{"closed", []checkpoint.Signed{start, sign(key, checkpoint.Statement{Head: head(4, "d"), Closed: true})}, vouched{newest: head(4, "d"), at: at, begun: true, closed: true}},
		{"closed by another", []checkpoint.Signed{start, sign(other, checkpoint.Statement{Head: head(4, "d"), Closed: true})}, vouched{newest: head(0, record.Genesis), at: at, begun: true, others: true}},
		{"removed by another", []checkpoint.Signed{start, cuts(other, 1, record.Genesis, head(3, "c"))}, vouched{newest: head(3, "c"), at: at, begun: true}},
		{
			"removed by another, past what was vouched for",
			[]checkpoint.Signed{start, cuts(other, 1, record.Genesis, head(4, "d")), four, cuts(other, 5, "d", head(6, "f")), cuts(other, 7, "f", head(8, "h"))},
			vouched{newest: head(8, "h"), at: at, begun: true},
		},
		{"removed after another event", []checkpoint.Signed{start, four, cuts(other, 5, "x", head(6, "f"))}, vouched{newest: head(4, "d"), at: at, begun: true}},
		{"removed across", []checkpoint.Signed{start, four, cuts(other, 1, record.Genesis, head(6, "f"))}, vouched{newest: head(4, "d"), at: at, begun: true}},
		{"removed after a gap", []checkpoint.Signed{start, four, cuts(other, 6, "e", head(7, "g"))}, vouched{newest: head(4, "d"), at: at, begun: true}},
		{"removed by itself", []checkpoint.Signed{start, four, cuts(key, 1, record.Genesis, head(6, "f"))}, vouched{newest: head(6, "f"), at: at, begun: true}},
		{"changed", []checkpoint.Signed{start, changed}, vouched{newest: head(0, record.Genesis), at: at, begun: true}},
		{"of another chain", []checkpoint.Signed{start, elsewhere}, vouched{newest: head(0, record.Genesis), at: at, begun: true}},
	} {
		got := vouchedFor(key.ID(), "chain_1", test.marks)
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(vouched{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestUpToMark: a removal ends with the last event that a checkpoint knows.
func TestUpToMark(t *testing.T) {
	entries := make([]record.Entry, 3)
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
