package audit

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// record makes a chain of n events.
func record(t testing.TB, n int) *memory {
	m := &memory{}
	r := NewRecorder(Config{Store: m})
	for i := range n {
		r.Record(Event{Type: TypeToolCall, Tool: fmt.Sprint("tool", i), Args: jsontext.Value(`{"a": 1}`)}, nil)
	}
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	return m
}

func problems(t testing.TB, m *memory, expect ...Head) Report {
	t.Helper()
	r, err := Verify(t.Context(), m, expect...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestEveryChangedByteIsNoticed changes each byte of each text.
func TestEveryChangedByteIsNoticed(t *testing.T) {
	m := record(t, 3)
	for i := range m.entries {
		whole := m.entries[i].Text
		for at := range whole {
			m.entries[i].Text = bytes.Clone(whole)
			m.entries[i].Text[at] ^= 1
			if problems(t, m).Found == 0 {
				t.Fatalf("event %d, byte %d: not noticed", i+1, at)
			}
		}
		m.entries[i].Text = whole
	}
	if r := problems(t, m); r.Found != 0 {
		t.Errorf("problems in a whole record: %v", r.Problems)
	}
}

// TestEveryArrangementIsNoticed stores a chain in every order, and with every entry left out, or repeated at every place.
func TestEveryArrangementIsNoticed(t *testing.T) {
	const n = 5
	whole := record(t, n).entries
	try := func(arranged []Entry) {
		t.Helper()
		want := len(arranged) <= n // a beginning of the chain is whole
		var seqs []int64
		for i, e := range arranged {
			seqs = append(seqs, e.Seq)
			want = want && e.Seq == int64(i+1)
		}
		r := problems(t, &memory{entries: arranged})
		if got := r.Found == 0; got != want {
			t.Errorf("%v: whole %v, want %v", seqs, got, want)
		}
		if len(arranged) > n && !strings.Contains(fmt.Sprint(r.Problems), "moved or repeated") {
			t.Errorf("%v: an event is there twice, and the problems are %v", seqs, r.Problems)
		}
	}
	var permute func(done, left []Entry)
	permute = func(done, left []Entry) {
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
	m := record(t, 3)
	at := func(i int) Head { return Head{m.entries[i].Chain, m.entries[i].Seq, m.entries[i].Hash} }
	other := at(1)
	other.Hash = Genesis
	for _, test := range []struct {
		name   string
		keep   int
		expect []Head
		want   []string
	}{
		{"the newest", 3, []Head{at(2)}, nil},
		{"an older one", 3, []Head{at(0), at(2)}, nil},
		{"the same twice", 3, []Head{at(0), at(0)}, nil},
		{"cut off", 2, []Head{at(2)}, []string{"cut off"}},
		{"nothing left", 0, []Head{at(2)}, []string{"cut off"}},
		{"another event", 3, []Head{at(1), other}, []string{"written anew"}},
		{"another chain", 3, []Head{{Chain: "x", Seq: 1, Hash: at(0).Hash}}, []string{`chain "x", event 1: `}},
		{"two missing", 0, []Head{at(2), at(1)}, []string{"event 3", "event 2"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := problems(t, &memory{entries: m.entries[:test.keep]}, test.expect...)
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
	m := record(t, 300)
	for i := range m.entries {
		m.entries[i].Tool = "x"
	}
	r := problems(t, m)
	if len(r.Problems) != 100 || r.Found != 300 || r.Events != 300 {
		t.Errorf("%d listed, %d found, %d read", len(r.Problems), r.Found, r.Events)
	}
}
