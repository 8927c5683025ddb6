package argument

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPathSelects(t *testing.T) {
	const args = `{"a":{"b":{"c":"1"},"x.y":"2"," ":"3"},"items":[{"path":"4"},{"path":"5"},{"other":"6"},["7"]],
		"deep":{"path":"8","more":[{"path":{"path":"9"}}]},"$ref":"10","é":"11","*":"12"}`
	tests := []struct {
		path string
		want []string
	}{
		{"a.b.c", []string{`"1"`}},
		{"A.B.C", []string{`"1"`}},
		{`a["x.y"]`, []string{`"2"`}},
		{`["a"]["\u0020"]`, []string{`"3"`}},
		{`["a"].b["c"]`, []string{`"1"`}},
		{"items[0].path", []string{`"4"`}},
		{"items[*].path", []string{`"4"`, `"5"`}},
		{"items[3][0]", []string{`"7"`}},
		{"items[9]", nil},
		{"items.path", nil},
		{"a[0]", nil},
		{"a.b.c.d", nil},
		{"**.path", []string{`"4"`, `"5"`, `"8"`, "object of 1", `"9"`}},
		{"**.c", []string{`"1"`}},
		{"**.a", []string{"object of 3"}},
		{"deep.**.path", []string{`"8"`, "object of 1", `"9"`}},
		{"**.more.**.path", []string{"object of 1", `"9"`}},
		{"**[0]", []string{"object of 1", `"7"`, "object of 1"}},
		{"$", []string{"object of 6"}},
		{"$ref", []string{`"10"`}},
		{"é", []string{`"11"`}},
		{`["*"]`, []string{`"12"`}},
	}
	v, err := Decode([]byte(args))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			p, err := ParsePath(tt.path)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, v := range Select(p, &v, true).Values {
				got = append(got, v.Describe())
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("selected (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPathProblems(t *testing.T) {
	tests := []struct{ path, want string }{
		{"", "a name is missing"},
		{".a", "a name is missing"},
		{"a.", "a name is missing"},
		{"a..b", "a name is missing"},
		{"$.a", "leave out the leading $"},
		{"a[", "not closed"},
		{"a[x]", "is no index"},
		{"a[-1]", "is no index"},
		{"a[01]", "is no index"},
		{"a[99999999999]", "is no index"},
		{`a["x]`, "not a JSON string"},
		{`a["x"`, "not closed"},
		{"a[0]b", "expected . or ["},
		{"a b", "needs quotes"},
		{"a.*", "needs quotes"},
		{"**", "must be followed"},
		{"a.**", "must be followed"},
		{"**.**.a", "follows itself"},
		{"[0].a", "cannot come first"},
		{"[*].a", "cannot come first"},
		{strings.Repeat("a.", 40) + "a", "more than 32 steps"},
	}
	for _, tt := range tests {
		if _, err := ParsePath(tt.path); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: got %v, want %q", tt.path, err, tt.want)
		}
	}
}

// Many ** over deep arguments must cost no more than a walk: without the automaton this never ends.
func TestDeepPathsStayLinear(t *testing.T) {
	p, err := ParsePath("**.a" + strings.Repeat(".**.a", 14))
	if err != nil {
		t.Fatal(err)
	}
	v, err := Decode([]byte(strings.Repeat(`{"a":`, 900) + `"x"` + strings.Repeat("}", 900)))
	if err != nil {
		t.Fatal(err)
	}
	s := Select(p, &v, true)
	if len(s.Values) != 900-14 || len(s.Texts) != 1 {
		t.Errorf("selected %d values and %d texts", len(s.Values), len(s.Texts))
	}
}

func FuzzParamPath(f *testing.F) {
	for _, s := range []string{"a.b.c", "items[0].path", "items[*].path", "**.path", "$", `["a.b"]`, `a["\u0041"].**[*].b`, "a[", `a["`} {
		f.Add(s, `{"a":{"b":{"c":[1,"x",{"path":null}]}},"items":[{"path":"y"}]}`)
	}
	f.Fuzz(func(t *testing.T, text, args string) {
		p, err := ParsePath(text)
		if err != nil {
			if err.Error() == "" {
				t.Error("an error that says nothing")
			}
			return
		}
		v, err := Decode([]byte(args))
		if err != nil {
			return
		}
		with, without := Select(p, &v, true), Select(p, &v, false)
		if len(with.Values) != len(without.Values) {
			t.Errorf("%q selects %d values with texts, %d without", text, len(with.Values), len(without.Values))
		}
		seen := map[*Value]bool{}
		for _, v := range with.Values {
			if seen[v] {
				t.Errorf("%q selects a value twice", text)
			}
			seen[v] = true
		}
	})
}
