package strictjson_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/weir-gate/weir/internal/strictjson"
)

// complete is what Parse says of a text: whether it is one whole object.
func complete(doc *strictjson.Doc, text []byte) bool {
	return doc.Parse(text) == nil && doc.Root().Kind() == strictjson.Object
}

func TestPartial(t *testing.T) {
	for _, tc := range []struct {
		pieces []string
		want   []strictjson.State
	}{
		{[]string{"", " ", "{", "}", " \n", "x", "{}"}, []strictjson.State{0, 0, 0, 1, 1, 2, 2}},
		{[]string{`{"a":1}`, `{"b":2}`}, []strictjson.State{1, 2}},
		{[]string{`{"a":1} {"b":2}`}, []strictjson.State{2}},
		{[]string{`{"a":1`, `2`, `.`, `5e`, `-1`, ` `, `}`}, []strictjson.State{0, 0, 0, 0, 0, 0, 1}},
		{[]string{`{"a":0`, `1`}, []strictjson.State{0, 2}},
		{[]string{`{"a":-`, `}`}, []strictjson.State{0, 2}},
		{[]string{`{"a":"`, "\xf0\x9f", "\x98\x80", `"}`}, []strictjson.State{0, 0, 0, 1}},
		{[]string{`{"a":"`, "\xed", "\xa0"}, []strictjson.State{0, 0, 2}},
		{[]string{`{"a":"\`, `u`, `d8`, `3d"`, `}`}, []strictjson.State{0, 0, 0, 0, 1}},
		{[]string{`{"a":"\`, `q`}, []strictjson.State{0, 2}},
		{[]string{`{"a":t`, `ru`, `e}`}, []strictjson.State{0, 0, 1}},
		{[]string{`{"a":nul`, `e`}, []strictjson.State{0, 2}},
		{[]string{`[`}, []strictjson.State{2}},
		{[]string{`"{}"`}, []strictjson.State{2}},
		{[]string{`null`}, []strictjson.State{2}},
		{[]string{"\xef\xbb\xbf{}"}, []strictjson.State{2}},
		{[]string{`{"a":[1,{"b":[]`, `]`}, []strictjson.State{0, 2}},
		{[]string{`{"a":[1,{"b":[]`, `}`, `]`, `}`}, []strictjson.State{0, 0, 0, 1}},
		{[]string{`{"a":1,`, `}`}, []strictjson.State{0, 2}},
		{[]string{`{,`}, []strictjson.State{2}},
	} {
		var partial strictjson.Partial
		var got []strictjson.State
		for _, piece := range tc.pieces {
			got = append(got, partial.Write([]byte(piece)))
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%q: states %v, want %v", tc.pieces, got, tc.want)
		}
	}
}

// Broken means that nothing can follow, so no beginning of a good text may be Broken.
func checkBeginnings(t *testing.T, text []byte) {
	t.Helper()
	var partial strictjson.Partial
	closing := bytes.LastIndexByte(text, '}')
	for i := range text {
		want := strictjson.Open
		if i >= closing {
			want = strictjson.Complete
		}
		if got := partial.Write(text[i : i+1]); got != want {
			t.Fatalf("state %v after %q, want %v", got, text[:i+1], want)
		}
	}
}

func TestPartialBounds(t *testing.T) {
	var doc strictjson.Doc
	for _, text := range slices.Concat(unbounded, documents) {
		for _, text := range [][]byte{[]byte(text), []byte(`{"a":` + text + `}`), []byte(`{"a":[0` + text[min(1, len(text)):] + `}`)} {
			var partial strictjson.Partial
			if got := partial.Write(text) == strictjson.Complete; got != complete(&doc, text) {
				t.Errorf("Complete = %v of %.40q", got, text)
			}
		}
	}
}

func FuzzPartial(f *testing.F) {
	for _, text := range slices.Concat(documents, faulty) {
		f.Add([]byte(text), uint(3))
		f.Add([]byte(`{"a":`+text+`,"b":[`+text+`]}`), uint(7))
	}
	f.Fuzz(checkPartial)
}

// checkPartial compares a Partial with Parse: at once, at every cut, and in pieces.
func checkPartial(t *testing.T, text []byte, step uint) {
	var doc strictjson.Doc
	good := complete(&doc, text)
	if good {
		checkBeginnings(t, text)
	}
	var whole, stepped strictjson.Partial
	last := whole.Write(text)
	if (last == strictjson.Complete) != good {
		t.Fatalf("state %v, Parse says %v", last, good)
	}
	// Every byte is a cut: the state must be the parser's opinion there. Long texts would take too long.
	var bytewise strictjson.Partial
	for i := range text[:min(len(text), 256)] {
		if got := bytewise.Write(text[i:i+1]) == strictjson.Complete; got != complete(&doc, text[:i+1]) {
			t.Fatalf("Complete = %v after %q", got, text[:i+1])
		}
	}
	step = step%16 + 1
	state := strictjson.Open
	for piece := range slices.Chunk(text, int(step)) {
		if state == strictjson.Broken && stepped.Write(nil) != strictjson.Broken {
			t.Fatal("Broken is not for good")
		}
		state = stepped.Write(piece)
	}
	if state != last {
		t.Fatalf("state %v in pieces of %d, %v at once", state, step, last)
	}
}
