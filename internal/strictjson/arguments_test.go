package strictjson_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/strictjson"
)

func TestCheckArguments(t *testing.T) {
	wide := make([]string, 100_000)
	for i := range wide {
		wide[i] = fmt.Sprintf(`"name%d":%d`, i, i)
	}
	for _, tc := range []struct {
		text string
		want error
	}{
		{`{}`, nil},
		{" {\"a\" : 1}\n", nil},
		{`{"a":{"b":1},"c":[{"b":1},{"b":2}],"b":3}`, nil},
		{`{"a":1e400,"b":-0,"c":12345678901234567890}`, nil},
		{`{"a":"\ud83d\ude00"}`, nil},
		{`{"é":1,"e":2}`, nil},
		{"{" + strings.Join(wide, ",") + "}", nil},
		{`{"` + strings.Repeat("long", 10_000) + `":1,"b":2}`, nil},
		{``, strictjson.ErrSyntax},
		{`{`, strictjson.ErrSyntax},
		{`{} {}`, strictjson.ErrSyntax},
		{"{\"a\":\"\xed\xa0\xbd\"}", strictjson.ErrSyntax},
		{`null`, strictjson.ErrNotObject},
		{`[{}]`, strictjson.ErrNotObject},
		{`"{}"`, strictjson.ErrNotObject},
		{unbounded[1], strictjson.ErrBounds},
		{`{"a":` + unbounded[2] + `}`, strictjson.ErrBounds},
		{`{"a":"\ud83d"}`, strictjson.ErrSurrogate},
		{`{"a":["x",{"b":"\ude00\ud83d"}]}`, strictjson.ErrSurrogate},
		{`{"\ud83d":1}`, strictjson.ErrSurrogate},
		{`{"a":1,"a":1}`, strictjson.ErrAmbiguous},
		{`{"a":1,"b":2,"\u0061":3}`, strictjson.ErrAmbiguous},
		{`{"path":1,"Path":2}`, strictjson.ErrAmbiguous},
		{`{"x":[{"y":{"path":1,"p\u0041th":2}}]}`, strictjson.ErrAmbiguous},
		{`{"É":1,"\u00e9":2}`, strictjson.ErrAmbiguous},
		{`{"kill":1,"` + "\u212a" + `ill":2}`, strictjson.ErrAmbiguous},
		{`{"user":1,"u` + "\u017f" + `er":2}`, strictjson.ErrAmbiguous},
		{`{"σ":1,"ς":2}`, strictjson.ErrAmbiguous},
		{`{"":1,"":2}`, strictjson.ErrAmbiguous},
		{"{" + strings.Join(wide, ",") + `,"NAME777":0}`, strictjson.ErrAmbiguous},
	} {
		if err := strictjson.CheckArguments([]byte(tc.text)); !errors.Is(err, tc.want) || (err == nil) != (tc.want == nil) {
			t.Errorf("CheckArguments(%.60q) = %v, want %v", tc.text, err, tc.want)
		}
	}
}

func FuzzCheckArguments(f *testing.F) {
	for _, text := range slices.Concat(documents, faulty) {
		f.Add([]byte(text))
		f.Add([]byte(`{"a":` + text + `,"b":[` + text + `]}`))
	}
	f.Fuzz(checkArguments)
}

// checkArguments compares CheckArguments with the oracle.
func checkArguments(t *testing.T, text []byte) {
	want := consult(text)
	strict := want.valid && want.inBound && want.object && want.paired && want.unique
	if err := strictjson.CheckArguments(text); (err == nil) != strict {
		t.Fatalf("CheckArguments(%q) = %v, oracle %+v", text, err, want)
	}
}
