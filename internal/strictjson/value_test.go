package strictjson_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/strictjson"
)

// parse returns the root of a text that must be JSON.
func parse(t testing.TB, text string) strictjson.Value {
	t.Helper()
	doc := new(strictjson.Doc)
	if err := doc.Parse([]byte(text)); err != nil {
		t.Fatalf("Parse(%q) = %v", text, err)
	}
	return doc.Root()
}

func TestMember(t *testing.T) {
	for _, tc := range []struct {
		text, name, want string
		err              error
	}{
		{`{"type":1}`, "type", "1", nil},
		{`{"a":{"type":0},"b":[{"type":0}],"type":"x"}`, "type", `"x"`, nil},
		{`{"\u0074y\u0070e":1}`, "type", "1", nil},
		{`{"tYpes":0,"typ":0,"":0,"typf":0}`, "type", "", nil},
		{`{}`, "type", "", nil},
		{`[{"type":1}]`, "type", "", nil},
		{`"type"`, "type", "", nil},
		{`{"":1}`, "", "1", nil},
		{`{"type":1,"type":1}`, "type", "", strictjson.ErrAmbiguous},
		{`{"type":1,"x":2,"t\u0079pe":1}`, "type", "", strictjson.ErrAmbiguous},
		{`{"Type":1}`, "type", "", strictjson.ErrAmbiguous},
		{`{"\u0054YPE":1}`, "type", "", strictjson.ErrAmbiguous},
		{`{"type":1,"TYPE":2}`, "type", "", strictjson.ErrAmbiguous},
		{`{"TYPE":1,"type":2}`, "type", "", strictjson.ErrAmbiguous},
		{`{"too` + "\u017f" + `":1}`, "toos", "", strictjson.ErrAmbiguous},
		{`{"` + "\u212a" + `ey":1,"key":2}`, "key", "", strictjson.ErrAmbiguous},
		{`{"\u212aey":1}`, "key", "", strictjson.ErrAmbiguous},
		{`{"key":1}`, "\u212aey", "", strictjson.ErrAmbiguous},
		{`{"été":1}`, "été", "1", nil},
		{`{"ÉTÉ":1}`, "été", "", strictjson.ErrAmbiguous},
		{`{"x\ud800":1,"x\ufffd":2}`, "x\ufffd", "2", nil},
		{`{"@":1}`, "`", "", nil},
		{`{"[":1}`, "{", "", nil},
		{`{"type":null}`, "type", "null", nil},
	} {
		got, err := parse(t, tc.text).Member(tc.name)
		if !errors.Is(err, tc.err) || (err == nil) != (tc.err == nil) || string(got.Raw()) != tc.want {
			t.Errorf("Member(%q) of %s = %s, %v; want %s, %v", tc.name, tc.text, got.Raw(), err, tc.want, tc.err)
		}
	}
}

func TestScalars(t *testing.T) {
	type reading struct {
		Kind   strictjson.Kind
		Text   string
		Uint   int
		Int    int64
		Bool   bool
		OK     string // which of the readings are ok
		Length int
	}
	for text, want := range map[string]reading{
		`null`:                         {Kind: strictjson.Null},
		`true`:                         {Kind: strictjson.Bool, Bool: true, OK: "b"},
		`false`:                        {Kind: strictjson.Bool, OK: "b"},
		`"true"`:                       {Kind: strictjson.String, Text: "true", OK: "t"},
		`""`:                           {Kind: strictjson.String, OK: "t"},
		`"\ud83d"`:                     {Kind: strictjson.String},
		`"a\u00e9\ud83d\ude00"`:        {Kind: strictjson.String, Text: "aé😀", OK: "t"},
		`0`:                            {Kind: strictjson.Number, OK: "ui"},
		`-0`:                           {Kind: strictjson.Number, OK: "i"},
		`7`:                            {Kind: strictjson.Number, Uint: 7, Int: 7, OK: "ui"},
		`-7`:                           {Kind: strictjson.Number, Int: -7, OK: "i"},
		`7.0`:                          {Kind: strictjson.Number},
		`7e0`:                          {Kind: strictjson.Number},
		`2147483647`:                   {Kind: strictjson.Number, Uint: 2147483647, Int: 2147483647, OK: "ui"},
		`2147483648`:                   {Kind: strictjson.Number, Int: 2147483648, OK: "i"},
		`-9223372036854775808`:         {Kind: strictjson.Number, Int: -9223372036854775808, OK: "i"},
		`9223372036854775808`:          {Kind: strictjson.Number},
		`1` + strings.Repeat("0", 400): {Kind: strictjson.Number},
		`{"a":1,"b":[2]}`:              {Kind: strictjson.Object, Length: 2},
		`[{},[1,2],3]`:                 {Kind: strictjson.Array, Length: 3},
	} {
		v := parse(t, text)
		got := reading{Kind: v.Kind(), Length: v.Len()}
		var ok bool
		if got.Text, ok = v.Text(); ok {
			got.OK += "t"
		}
		if i, ok := v.Uint(); ok {
			got.Uint, got.OK = i, got.OK+"u"
		}
		if i, ok := v.Int64(); ok {
			got.Int, got.OK = i, got.OK+"i"
		}
		if got.Bool, ok = v.Bool(); ok {
			got.OK += "b"
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%.40s (-want +got):\n%s", text, diff)
		}
	}
}

func TestMissing(t *testing.T) {
	var v strictjson.Value
	for range v.Elems() {
		t.Error("a missing value has elements")
	}
	for range v.Members() {
		t.Error("a missing value has members")
	}
	v.Walk(func(_, _ strictjson.Value) bool { t.Error("a missing value has members inside"); return true })
	member, err := v.Member("a")
	_, isText := v.Text()
	if member != v || err != nil || v.Kind() != strictjson.Missing || v.Raw() != nil || v.Len() != 0 || v.Is("") || v.Folds("") || isText {
		t.Error("a missing value is there")
	}
	if got := v.AppendText([]byte("a")); string(got) != "a" {
		t.Errorf("AppendText = %q", got)
	}
	if root := new(strictjson.Doc).Root(); root != v {
		t.Error("an empty document has a root")
	}
}

func TestWalk(t *testing.T) {
	v := parse(t, `{"a":[{"b":"c"},["d",{"e":{"f":[]}}]],"g":"h","\u0041":null}`)
	var got []string
	v.Walk(func(name, value strictjson.Value) bool {
		text, _ := name.Text()
		got = append(got, text+"="+string(value.Raw()))
		return true
	})
	want := []string{`a=[{"b":"c"},["d",{"e":{"f":[]}}]]`, `b="c"`, `e={"f":[]}`, `f=[]`, `g="h"`, `A=null`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("members (-want +got):\n%s", diff)
	}

	seen := 0
	v.Walk(func(name, _ strictjson.Value) bool { seen++; return !name.Is("b") })
	if seen != 2 {
		t.Errorf("went on to %d members, want a stop at the second", seen)
	}

	g, _ := v.Member("g")
	for name := range v.Members() {
		name.Walk(func(_, _ strictjson.Value) bool { t.Error("a name has members inside"); return true })
	}
	g.Walk(func(_, _ strictjson.Value) bool { t.Error("a string has members inside"); return true })
}

func TestIterationStops(t *testing.T) {
	count := 0
	for range parse(t, `[1,2,3]`).Elems() {
		if count++; count == 2 {
			break
		}
	}
	for range parse(t, `{"a":1,"b":2,"c":3}`).Members() {
		if count++; count == 4 {
			break
		}
	}
	if count != 4 {
		t.Errorf("%d turns, want 4", count)
	}
}

// Raw bytes must not give away the bytes that follow to an append.
func TestRawHasNoRoom(t *testing.T) {
	text := []byte(`["a","b"]`)
	var doc strictjson.Doc
	if err := doc.Parse(text); err != nil {
		t.Fatal(err)
	}
	for elem := range doc.Root().Elems() {
		_ = append(elem.Raw(), '!')
	}
	if string(text) != `["a","b"]` {
		t.Errorf("the document became %s", text)
	}
}

const textDelta = `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello, here is some more of the text."}}`

func TestNoAllocation(t *testing.T) {
	var doc strictjson.Doc
	var scratch []byte
	frame := []byte(textDelta)
	odd := []byte(`{"t\u0079pe":"a\ud83d\ude00","list":[1,2,{"X":"y"}],"K":` + "\"\u212a\"" + `}`)
	for name, read := range map[string]func(){
		"text delta": func() {
			if doc.Parse(frame) != nil {
				t.Error("not parsed")
			}
			kind, _ := doc.Root().Member("type")
			delta, _ := doc.Root().Member("delta")
			deltaKind, _ := delta.Member("type")
			index, _ := doc.Root().Member("index")
			i, ok := index.Uint()
			if !kind.Is("content_block_delta") || !deltaKind.Is("text_delta") || i != 0 || !ok {
				t.Error("not read")
			}
			text, _ := delta.Member("text")
			scratch = text.AppendText(scratch[:0])
		},
		"odd frame": func() {
			if doc.Parse(odd) != nil {
				t.Error("not parsed")
			}
			kind, err := doc.Root().Member("type")
			if err != nil || !kind.Is("a😀") {
				t.Error("not read")
			}
			list, _ := doc.Root().Member("list")
			count := 0
			for elem := range list.Elems() {
				for name, value := range elem.Members() {
					if name.Folds("x") && value.Is("y") {
						count++
					}
				}
			}
			doc.Root().Walk(func(name, value strictjson.Value) bool {
				if name.Folds("x") {
					count++
				}
				return true
			})
			if count != 2 {
				t.Error("not found")
			}
		},
	} {
		if n := testing.AllocsPerRun(100, read); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
