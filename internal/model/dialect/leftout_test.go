package dialect

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/strictjson"
)

var ofTest = Documented{"id", "arguments", "extra_content"}

// What goes out of a call with one member beside those that are documented; "" if it goes out as it came.
func TestSift(t *testing.T) {
	const without = `{"id":"a","arguments":"{}"}`
	for value, want := range map[string]string{
		`{"path":"/etc/shadow"}`:        without,
		`[]`:                            without,
		`{}`:                            without,
		`"{\"path\":1}"`:                without,
		`" \n\t[1] "`:                   without,
		`"\ufeff\u200b{\"a\":1}"`:       without,
		`"\u007b\"a\":1}"`:              without,
		`"{'a': 1,}"`:                   without, // some readers of JSON let it pass
		`"{\"cut\":"`:                   without, // or begin with what there is
		`"\"{\\\"a\\\":1}\""`:           without,
		`"\" \\\"[1]\\\" \""`:           without,
		nestedText(20):                  without,
		`"\"quoted\" and not closed {"`: "",
		`"\"plain\""`:                   "",
		`"c2lnbmF0dXJl"`:                "",
		`"see {a}"`:                     "",
		`""`:                            "",
		`1.50`:                          "",
		`true`:                          "",
		`null`:                          "",
	} {
		in := `{"id":"a","parsed_arguments":` + value + `,"arguments":"{}"}`
		got, slot := sift(t, in, ofTest)
		if want == "" {
			want = in
		}
		if got != want {
			t.Errorf("%s goes out as %s, want %s", in, got, want)
		}
		if left := want != in; left != (len(slot.LeftOut) == 1) {
			t.Errorf("%s: left out %q", in, slot.LeftOut)
		}
	}
}

func nestedText(times int) string {
	text := `{"a":1}`
	for range times {
		text = Quote(text)
	}
	return text
}

func sift(t *testing.T, in string, known Documented) (string, *Slot) {
	t.Helper()
	var doc strictjson.Doc
	if err := doc.Parse([]byte(in)); err != nil {
		t.Fatalf("%s: %v", in, err)
	}
	var s Sieve
	slot := &Slot{}
	s.Begin()
	s.Sift(doc.Root(), slot, known)
	f := frame.Frame{Raw: []byte(in), Data: []byte(in), Plain: true}
	return string(s.Finish(f, Reading{}).Frame(f).Data), slot
}

// Documented members stay whatever they hold, but only as they are documented.
func TestSiftDocumented(t *testing.T) {
	kept := `{"extra_content" : {"google":{"thought_signature":"c2ln"}} ,"id":"a","arguments":{"b":[1.0]}}`
	if got, slot := sift(t, kept, ofTest); got != kept || slot.LeftOut != nil {
		t.Errorf("goes out as %s without %q", got, slot.LeftOut)
	}
	got, slot := sift(t, `{"Extra_Content":{"a":1},"id":"a","x":[1],"extra\u005fcontent":{},"x":[2],"Id":{}}`, ofTest)
	if want := `{"id":"a","extra\u005fcontent":{}}`; got != want {
		t.Errorf("goes out as %s, want %s", got, want)
	}
	if diff := cmp.Diff([]string{"Extra_Content", "x", "Id"}, slot.LeftOut); diff != "" {
		t.Errorf("left out (-want +got):\n%s", diff)
	}
}

// A stranger chooses the names and how many there are.
func TestLeftOutIsBounded(t *testing.T) {
	var members []string
	for i := range 1000 {
		members = append(members, fmt.Sprintf(`"%d%s":[]`, i, strings.Repeat("\u00e4", 1000)))
	}
	got, slot := sift(t, "{"+strings.Join(members, ",")+"}", nil)
	if got != "{}" {
		t.Errorf("goes out as %.100s", got)
	}
	if len(slot.LeftOut) != maxLeftOut || slices.ContainsFunc(slot.LeftOut, func(s string) bool { return len(s) > maxLeftOutName }) {
		t.Errorf("%d names are kept: %q", len(slot.LeftOut), slot.LeftOut)
	}
}

// Around a call only what could be taken for a part of it is left out.
func TestSiftAround(t *testing.T) {
	const in = `{"role":"assistant","parsed":{"a":1},"reasoning_details":[{"data":"x"}],"tool_calls":[],"invalid_Tool_Calls":[1],` +
		`"additional_kwargs":{"a":1},"annotations":[{}],"audio":{},"tool_plan":"first"}`
	var doc strictjson.Doc
	if err := doc.Parse([]byte(in)); err != nil {
		t.Fatal(err)
	}
	var s Sieve
	s.SiftAround(doc.Root(), &Slot{}, Documented{"tool_calls"})
	want := `{"role":"assistant","reasoning_details":[{"data":"x"}],"tool_calls":[],"annotations":[{}],"audio":{},"tool_plan":"first"}`
	if got := string(s.Sifted(doc.Root())); got != want {
		t.Errorf("goes out as %s, want %s", got, want)
	}
}

// A regular call costs nothing here.
func TestSiftAllocatesNothing(t *testing.T) {
	var doc strictjson.Doc
	if err := doc.Parse([]byte(`{"id":"a","arguments":"{\"path\":\"/srv\"}","extra_content":{"a":1}}`)); err != nil {
		t.Fatal(err)
	}
	var s Sieve
	slot, root := &Slot{}, doc.Root()
	if n := testing.AllocsPerRun(100, func() {
		s.Begin()
		s.Sift(root, slot, ofTest)
		s.Finish(frame.Frame{}, Reading{Pass: true})
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestMention(t *testing.T) {
	m := Mention{Index: func(i int) bool { return i == 2 }, ID: func(id string) bool { return id == "call_1" }}
	for text, want := range map[string]bool{
		`{"type":"x","index":2}`:                          true,
		`{"type":"x","Index":2.0}`:                        true,
		`{"type":"x","content_block":{"index":"2"}}`:      true,
		`{"a":[[{"contentBlockIndex":2e0}]]}`:             true,
		`{"a":[["call_1"]]}`:                              true,
		`{"tool_use_id":"\u0063all_1"}`:                   true,
		`{"index":1}`:                                     false,
		`{"index":-2,"content_index":2,"prompt_index":2}`: false,
		`{"index":1e300}`:                                 false,
		`{"id":"call_12","call_1":1}`:                     false,
		`{"text":"about call_1"}`:                         false,
		`[]`:                                              false,
	} {
		var doc strictjson.Doc
		if err := doc.Parse([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if got := m.In(doc.Root()); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
