package dialect

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/strictjson"
)

// spansOf are the kinds, numbers and values of the texts in an object, as they stand in what the sieve leaves.
func spansOf(t *testing.T, in string, fields Fields, left Documented) (spans []string, data string) {
	t.Helper()
	var (
		doc   strictjson.Doc
		sieve Sieve
		texts Texts
		slot  Slot
	)
	if err := doc.Parse([]byte(in)); err != nil {
		t.Fatal(err)
	}
	if left != nil {
		sieve.Sift(doc.Root(), &slot, left)
	}
	data = string(strictjson.Splice([]byte(in), sieve.edits...))
	texts.Begin()
	texts.Object(doc.Root(), fields)
	for _, s := range texts.Finish(&sieve) {
		kind := map[TextKind]string{Answer: "answer", Output: "output", Echo: "echo", Elsewhere: "elsewhere"}[s.Kind]
		spans = append(spans, kind+string(rune('0'+s.Nth))+" "+data[s.Start:s.End])
	}
	return spans, data
}

func TestTexts(t *testing.T) {
	fields := NotTexts("id").And(
		Field{Name: "text", Kind: Answer},
		Field{Name: "result", Kind: Output, Except: Documented{"type"}},
		Field{Name: "tokens", Kind: Echo},
		Field{Name: "part", In: NotTexts("id").And(Field{Name: "text", Kind: Answer})},
	)
	tests := []struct {
		name, in string
		left     Documented
		want     []string
	}{
		{"a text", `{"id":"x","text":"a\"b"}`, nil, []string{`answer0 "a\"b"`}},
		{"what is no string", `{"id":"x","text":null,"n":1,"result":[1,true]}`, nil, nil},
		{"a name in another case is another name", `{"Id":"x","TEXT":"a"}`, nil, []string{`elsewhere0 "x"`, `elsewhere1 "a"`}},
		{"a name twice", `{"text":"a","text":"b"}`, nil, []string{`answer0 "a"`, `answer1 "b"`}},
		{"an escaped name", `{"te\u0078t":"a"}`, nil, []string{`answer0 "a"`}},
		{"any depth", `{"result":{"type":"t","a":["x",{"type":"t","b":"y"}]}}`, nil, []string{`output0 "x"`, `output1 "y"`}},
		{"base64", `{"result":{"type":"base64","data":"AAAA","note":"n"}}`, nil, []string{`output0 "n"`}},
		{"a value that spells text", `{"tokens":[{"token":"a"}],"text":"a"}`, nil, []string{`echo0 [{"token":"a"}]`, `answer0 "a"`}},
		{"nothing that spells text", `{"tokens":null}`, nil, nil},
		{"inside", `{"part":{"id":"x","text":"a","more":"b"}}`, nil, []string{`answer0 "a"`, `elsewhere0 "b"`}},
		{"inside an array", `{"part":[{"id":"x","text":"a"},{"text":"b"},"c"]}`, nil, []string{`answer0 "a"`, `answer1 "b"`, `elsewhere0 "c"`}},
		{
			"behind what is left out", `{"parsed":{"x":"y"},"text":"a","more":["z"],"id":"x","tail":"b"}`,
			Documented{"text", "id"},
			[]string{`answer0 "a"`, `elsewhere2 "b"`},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, data := spansOf(t, tt.in, fields, tt.left)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("spans in %s (-want +got):\n%s", data, diff)
			}
		})
	}
}
