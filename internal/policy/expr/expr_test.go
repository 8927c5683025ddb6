package expr

import (
	"strings"
	"testing"
)

var input = Input{
	Tool: "pay", Server: "bank", Session: "s1", Actor: map[string]string{"team": "payments", "org": "acme"},
	Args: map[string]any{
		"amount": int64(250), "rate": 0.5, "to": "ann", "tags": []any{"a", "b"}, "deep": map[string]any{"x": true}, "none": nil,
		"words": []any{strings.Repeat("x", 1000)},
	},
}

func TestEval(t *testing.T) {
	for source, want := range map[string]bool{
		`args.amount > 100`:                                  true,
		`args.amount > 100.5 && args.rate < 1`:               true,
		`tool == "pay" && server == "bank"`:                  true,
		`actor.team == "payments" && actor["org"] == "acme"`: true,
		`session == ""`:                                      false,
		`"b" in args.tags`:                                   true,
		`args.tags.exists(t, t == "c")`:                      false,
		`has(args.missing) && args.missing > 1`:              false,
		`args.to.matches("^a")`:                              true,
		`args.none == null`:                                  true,
		`size(args.tags) == 2`:                               true,
	} {
		e, err := Compile(source)
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if got, err := e.Eval(input); err != nil || got != want {
			t.Errorf("%s: %v, %v", source, got, err)
		}
	}
}

func TestCompileProblems(t *testing.T) {
	for source, want := range map[string]string{
		`args.amount >`:        "Syntax error",
		`amount > 1`:           "undeclared reference",
		`tool > 1`:             "no matching overload",
		`"x"`:                  "not true or false",
		`args.to.matches("(")`: "",
		``:                     "",
		strings.Repeat("(", 300) + "true" + strings.Repeat(")", 300): "",
		strings.Repeat("a", 20_000):                                  "",
	} {
		if _, err := Compile(source); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.40q: %v, want %q", source, err, want)
		}
	}
}

// What cannot be evaluated, or not within the bound, is an error and not an answer.
func TestEvalProblems(t *testing.T) {
	many := make([]any, 3000)
	for i := range many {
		many[i] = int64(i)
	}
	for source, args := range map[string]map[string]any{
		`args.missing > 1`:   {},
		`args.amount > 1`:    {"amount": "much"},
		`args.list[5] == 1`:  {"list": []any{}},
		`1 / args.zero == 1`: {"zero": int64(0)},
		`args.list.all(a, args.list.all(b, args.list.all(c, a + b + c >= 0)))`: {"list": many},
	} {
		e, err := Compile(source)
		if err != nil {
			t.Fatalf("%s: %v", source, err)
		}
		if got, err := e.Eval(Input{Args: args}); err == nil {
			t.Errorf("%s: %v", source, got)
		}
	}
}
