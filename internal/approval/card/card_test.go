package card_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/approval/approvaltest"
	"github.com/weir-gate/weir/internal/approval/card"
)

func view(args string, prose ...string) card.View {
	r := approvaltest.Request("a")
	r.Card.Args, r.Card.Prose = jsontext.Value(args), prose
	return card.Of(r)
}

func TestArguments(t *testing.T) {
	v := view(`{"description":"harmless","command":"ls\n-l","n":[1, 2]}`, "description")
	var got []string
	for _, a := range v.Args {
		got = append(got, fmt.Sprintf("%s=%q %v", a.Name, a.Text, a.Told))
	}
	want := []string{`command="ls\n-l" false`, `n="[1, 2]" false`, `description="harmless" true`}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, args := range []string{`[1]`, `"x"`, `{"a":`} {
		if v := view(args); len(v.Args) != 1 || v.Args[0].Text != args {
			t.Errorf("%s is shown as %+v", args, v.Args)
		}
	}
	if v := view(`{}`); len(v.Args) != 0 {
		t.Errorf("no arguments are shown as %+v", v.Args)
	}
}

func TestMarks(t *testing.T) {
	for text, want := range map[string]int{
		"plain text":                0,
		"привет мир":                0, // a word of another script, not a deceit
		"p\u0430ypal.com":           1,
		"a\u200bb":                  1,
		"a\u202eb":                  1,
		"\x1b[2J":                   1,
		strings.Repeat("\x00", 300): 100,
	} {
		quoted, err := jsontext.AppendQuote(nil, text)
		if err != nil {
			t.Fatal(err)
		}
		if got := view(`{"a":` + string(quoted) + `}`).Args[0].Marks; len(got) != want {
			t.Errorf("%q has the marks %+v, want %d", text, got, want)
		}
	}
	if m := view(`{"p\u0430th":"x"}`).Args[0].Marks; len(m) != 1 || !m[0].InName || m[0].As != 'a' {
		t.Errorf("marks of a name: %+v", m)
	}
}

func TestFindings(t *testing.T) {
	v := view(`{"command":"cat a > /etc/b && rm -r build"}`)
	for _, want := range []card.Finding{
		{Verb: "runs", What: "rm -r build"}, {Verb: "reads", What: "a"}, {Verb: "writes", What: "/etc/b"},
		{Verb: "removes", What: "build and all below"},
	} {
		if !slices.Contains(v.Findings, want) {
			t.Errorf("no finding %+v in %+v", want, v.Findings)
		}
	}
	if v := view(`{"text":"rm -r build"}`); len(v.Findings) != 0 {
		t.Errorf("a text that is no command: %+v", v.Findings)
	}
}

func TestEdits(t *testing.T) {
	v := view(`{"file_path":"/p/a.go","old_string":"x","new_string":"y"}`)
	if want := []card.Edit{{File: "/p/a.go", Before: "x", After: "y"}}; !slices.Equal(v.Edits, want) {
		t.Errorf("%+v, want %+v", v.Edits, want)
	}
}

func TestLarge(t *testing.T) {
	if view(`{"a":"x"}`).Large || !view(`{"a":"`+strings.Repeat("x", card.LargeSize)+`"}`).Large {
		t.Error("large is not what is long")
	}
}
