package strictjson_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/strictjson"
)

func TestSplice(t *testing.T) {
	data := []byte("0123456789")
	got := strictjson.Splice(data,
		strictjson.Edit{Start: 8, End: 10, New: []byte("z")},
		strictjson.Edit{Start: 2, End: 4},
		strictjson.Edit{Start: 2, End: 2, New: []byte("a")},
		strictjson.Edit{Start: 2, End: 2, New: []byte("b")},
		strictjson.Edit{Start: 4, End: 5, New: []byte("four")},
		strictjson.Edit{New: []byte("^")},
	)
	if diff := cmp.Diff("^01abfour567z", string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if string(data) != "0123456789" {
		t.Error("Splice changed its input")
	}
	if got := strictjson.Splice(data); string(got) != string(data) || &got[0] == &data[0] {
		t.Error("without edits Splice is not a copy")
	}
}

func TestSplicePanics(t *testing.T) {
	for _, edits := range [][]strictjson.Edit{
		{{Start: 0, End: 2}, {Start: 1, End: 3}},
		{{Start: 0, End: 4}, {Start: 1, End: 1}},
		{{Start: 2, End: 1}},
		{{Start: -1, End: 1}},
		{{Start: 3, End: 5}},
		{{Start: 9, End: 9}},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("no panic for %v", edits)
				}
			}()
			strictjson.Splice([]byte("0123"), edits...)
		}()
	}
}

func TestReplaceMissingPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	strictjson.Value{}.Replace(nil)
}

func TestSetMember(t *testing.T) {
	for _, tc := range []struct {
		text, name, want string
		err              error
	}{
		{`{}`, "a", `{"a":true}`, nil},
		{`{ }`, "a", `{ "a":true}`, nil},
		{`{"b":1.0 }`, "a", `{"b":1.0 ,"a":true}`, nil},
		{`{ "a" : 1e400 , "b":2}`, "a", `{ "a" : true , "b":2}`, nil},
		{`{"\u0061":{"x":[1]}}`, "a", `{"\u0061":true}`, nil},
		{`{"b":1}`, "a\"\n", `{"b":1,"a\"\n":true}`, nil},
		{`{"A":1}`, "a", "", strictjson.ErrAmbiguous},
		{`[]`, "a", "", strictjson.ErrNotObject},
	} {
		edit, err := parse(t, tc.text).SetMember(tc.name, []byte("true"))
		if !errors.Is(err, tc.err) {
			t.Errorf("SetMember of %s = %v, want %v", tc.text, err, tc.err)
		}
		if err != nil {
			continue
		}
		if diff := cmp.Diff(tc.want, string(strictjson.Splice([]byte(tc.text), edit))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.text, diff)
		}
	}
}

func TestRemoveElems(t *testing.T) {
	const text = "[ 1.0 ,\n{\"a\":[1]}, 3 ,\"four\" ]"
	for mask, want := range map[int]string{
		0b0000: text,
		0b0001: "[ {\"a\":[1]}, 3 ,\"four\" ]",
		0b0010: "[ 1.0 ,\n3 ,\"four\" ]",
		0b1000: "[ 1.0 ,\n{\"a\":[1]}, 3 ]",
		0b0110: "[ 1.0 ,\n\"four\" ]",
		0b0101: "[ {\"a\":[1]}, \"four\" ]",
		0b1100: "[ 1.0 ,\n{\"a\":[1]} ]",
		0b1001: "[ {\"a\":[1]}, 3 ]",
		0b0111: "[ \"four\" ]",
		0b1110: "[ 1.0 ]",
		0b1111: "[  ]",
	} {
		edits := parse(t, text).RemoveElems(func(i int, _ strictjson.Value) bool { return mask>>i&1 == 1 })
		if diff := cmp.Diff(want, string(strictjson.Splice([]byte(text), edits...))); diff != "" {
			t.Errorf("%04b (-want +got):\n%s", mask, diff)
		}
	}
	if edits := parse(t, `{"a":1}`).RemoveElems(func(int, strictjson.Value) bool { return true }); len(edits) != 0 {
		t.Errorf("an object lost elements: %v", edits)
	}
}

func TestRemoveMembers(t *testing.T) {
	const text = "{ \"a\" : 1.0 ,\n\"b\":{\"a\":[1]}, \"a\":3 ,\"d\":\"four\" }"
	for names, want := range map[string]string{
		"":    text,
		"a":   "{ \"b\":{\"a\":[1]}, \"d\":\"four\" }",
		"b":   "{ \"a\" : 1.0 ,\n\"a\":3 ,\"d\":\"four\" }",
		"d":   "{ \"a\" : 1.0 ,\n\"b\":{\"a\":[1]}, \"a\":3 }",
		"ad":  "{ \"b\":{\"a\":[1]} }",
		"abd": "{  }",
	} {
		edits := parse(t, text).RemoveMembers(func(name, _ strictjson.Value) bool {
			n, _ := name.Text()
			return strings.Contains(names, n)
		})
		if diff := cmp.Diff(want, string(strictjson.Splice([]byte(text), edits...))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", names, diff)
		}
	}
	if edits := parse(t, `["a"]`).RemoveMembers(func(_, _ strictjson.Value) bool { return true }); len(edits) != 0 {
		t.Errorf("an array lost members: %v", edits)
	}
}

// FuzzEdit removes elements of the root, replaces others, sets a member, and checks that the rest is there byte for byte.
func FuzzEdit(f *testing.F) {
	for _, text := range documents {
		f.Add([]byte(text), uint64(0x5), uint64(0x2))
		f.Add([]byte("[ "+text+" ,"+text+","+text+"\n]"), uint64(0x4), uint64(0x1))
	}
	var doc, after strictjson.Doc
	f.Fuzz(func(t *testing.T, data []byte, removed, replaced uint64) {
		if doc.Parse(data) != nil {
			t.Skip()
		}
		root := doc.Root()
		edits := root.RemoveElems(func(i int, _ strictjson.Value) bool { return removed>>(i%64)&1 == 1 })
		want := []string{}
		i := 0
		for elem := range root.Elems() {
			switch {
			case removed>>(i%64)&1 == 1:
			case replaced>>(i%64)&1 == 1:
				edits = append(edits, elem.Replace([]byte(`"new"`)))
				want = append(want, `"new"`)
			default:
				want = append(want, string(elem.Raw()))
			}
			i++
		}
		set := false
		for name, value := range root.Members() {
			text := string(value.Raw())
			if name.Is("x") {
				set, text = true, "[]"
			}
			want = append(want, string(name.Raw())+text)
		}
		if root.Kind() == strictjson.Object {
			edit, err := root.SetMember("x", []byte("[]"))
			if err != nil {
				t.Skip() // x is ambiguous
			}
			edits = append(edits, edit)
			if !set {
				want = append(want, `"x"[]`)
			}
		}
		out := strictjson.Splice(data, edits...)
		if err := after.Parse(out); err != nil {
			t.Fatalf("%q: %v", out, err)
		}
		if start, end := root.Span(); !bytes.HasPrefix(out, data[:start+1]) || !bytes.HasSuffix(out, data[end-1:]) {
			t.Fatalf("%q: changed around the root", out)
		}
		got := []string{}
		for elem := range after.Root().Elems() {
			got = append(got, string(elem.Raw()))
		}
		for name, value := range after.Root().Members() {
			got = append(got, string(name.Raw())+string(value.Raw()))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q (-want +got):\n%s", out, diff)
		}
	})
}

func FuzzAppendString(f *testing.F) {
	for _, text := range documents {
		f.Add(text)
	}
	f.Add("\x00\x1f\x7f\u2028\u2029\ufffd\xff<>&")
	f.Fuzz(func(t *testing.T, s string) {
		got := strictjson.AppendString([]byte("kept"), s)
		text := got[len("kept"):]
		want := string([]rune(s))
		if v := parse(t, string(text)); !v.Is(want) {
			t.Fatalf("AppendString(%q) = %s", s, text)
		}
		if !jsontext.Value(text).IsValid() || !utf8.Valid(text) || bytes.ContainsAny(text, "\n\r\u2028\u2029") {
			t.Fatalf("AppendString(%q) = %s", s, text)
		}
	})
}
