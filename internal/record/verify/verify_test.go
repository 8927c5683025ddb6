package verify_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/recorder"
	"github.com/weir-gate/weir/internal/record/recordtest"
	"github.com/weir-gate/weir/internal/record/verify"
)

// chainOf makes a chain of n events.
func chainOf(t testing.TB, n int) *recordtest.Memory {
	m := &recordtest.Memory{}
	r := recorder.New(recorder.Config{Store: m})
	for i := range n {
		r.Record(record.Event{Type: record.Types.ToolCall, Tool: fmt.Sprint("tool", i), Args: jsontext.Value(`{"a": 1}`)}, nil)
	}
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	return m
}

func problems(t testing.TB, m *recordtest.Memory, expect ...record.Head) verify.Report {
	t.Helper()
	r, err := verify.Check{Record: m, Heads: expect}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestEveryChangedByteIsNoticed changes each byte of each text.
func TestEveryChangedByteIsNoticed(t *testing.T) {
	m := chainOf(t, 3)
	for i := range m.Stored {
		whole := m.Stored[i].Text
		for at := range whole {
			m.Stored[i].Text = bytes.Clone(whole)
			m.Stored[i].Text[at] ^= 1
			if problems(t, m).Found == 0 {
				t.Fatalf("event %d, byte %d: not noticed", i+1, at)
			}
		}
		m.Stored[i].Text = whole
	}
	if r := problems(t, m); r.Found != 0 {
		t.Errorf("problems in a whole record: %v", r.Problems)
	}
}

// TestEveryArrangementIsNoticed stores a chain in every order, and with every entry left out, or repeated at every place.
func TestEveryArrangementIsNoticed(t *testing.T) {
	const n = 5
	whole := chainOf(t, n).Stored
	try := func(arranged []record.Entry) {
		t.Helper()
		want := len(arranged) <= n // a beginning of the chain is whole
		var seqs []int64
		for i, e := range arranged {
			seqs = append(seqs, e.Seq)
			want = want && e.Seq == int64(i+1)
		}
		r := problems(t, &recordtest.Memory{Stored: arranged})
		if got := r.Found == 0; got != want {
			t.Errorf("%v: whole %v, want %v", seqs, got, want)
		}
		if len(arranged) > n && !strings.Contains(fmt.Sprint(r.Problems), "moved or repeated") {
			t.Errorf("%v: an event is there twice, and the problems are %v", seqs, r.Problems)
		}
	}
	var permute func(done, left []record.Entry)
	permute = func(done, left []record.Entry) {
		try(done)
		for i := range left {
			permute(append(slices.Clone(done), left[i]), slices.Delete(slices.Clone(left), i, i+1))
		}
	}
	permute(nil, whole)
	for i, e := range whole {
		for at := range n + 1 {
			if at != i { // before itself, an entry is the same as after itself
				try(slices.Insert(slices.Clone(whole), at, e))
			}
		}
	}
}

func TestExpectedHeads(t *testing.T) {
	m := chainOf(t, 3)
	at := func(i int) record.Head {
		return m.Stored[i].Head
	}
	other := at(1)
	other.Hash = record.Genesis
	for _, test := range []struct {
		name   string
		keep   int
		expect []record.Head
		want   []string
	}{
		{"the newest", 3, []record.Head{at(2)}, nil},
		{"an older one", 3, []record.Head{at(0), at(2)}, nil},
		{"the same twice", 3, []record.Head{at(0), at(0)}, nil},
		{"cut off", 2, []record.Head{at(2)}, []string{"cut off"}},
		{"nothing left", 0, []record.Head{at(2)}, []string{"cut off"}},
		{"another event", 3, []record.Head{at(1), other}, []string{"written anew"}},
		{"another chain", 3, []record.Head{{Chain: "x", Seq: 1, Hash: at(0).Hash}}, []string{`chain "x", event 1: `}},
		{"two missing", 0, []record.Head{at(2), at(1)}, []string{"event 3", "event 2"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := problems(t, &recordtest.Memory{Stored: m.Stored[:test.keep]}, test.expect...)
			if len(r.Problems) != len(test.want) {
				t.Fatalf("problems %v, want %v", r.Problems, test.want)
			}
			for i, p := range r.Problems {
				if !strings.Contains(p.String(), test.want[i]) {
					t.Errorf("problem %q does not say %q", p, test.want[i])
				}
			}
		})
	}
}

func TestProblemsAreCountedPastTheList(t *testing.T) {
	m := chainOf(t, 300)
	for i := range m.Stored {
		m.Stored[i].Tool = "x"
	}
	r := problems(t, m)
	if len(r.Problems) != 100 || r.Found != 300 || r.Events != 300 {
		t.Errorf("%d listed, %d found, %d read", len(r.Problems), r.Found, r.Events)
	}
}
