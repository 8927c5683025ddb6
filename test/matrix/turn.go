package main

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// mark is in every piece of the arguments of a call that is refused, and nowhere else. Not even a piece of them may reach
// the client.
const mark = "xqleak"

// usage is a number that stands only where an answer says what it cost.
const usage = "40961"

// The tools that the policy knows.
const (
	toolRefused = "canary_refused" // by its name
	toolJudged  = "canary_args"    // by its arguments
	toolAllowed = "canary_allowed"
)

// A turn is what the model says: some text, one call, and more text. Texts and arguments hold characters of two, three and
// four bytes.
type turn struct {
	id     string // no other turn has it
	before []string
	tool   string
	args   []string // pieces of one JSON object
	after  []string
}

func newTurn(number int, v verdict) turn {
	t := turn{
		id:     fmt.Sprintf("%05d", number),
		before: []string{"The river 🌊 keeps ", "its bed – immer schön. "},
		after:  []string{"Und danach: ", "the text goes on ✓."},
		tool:   v.tool,
	}
	word := mark
	if v.released {
		word = "let-through"
	}
	t.args = []string{`{"path":"/` + word + `/` + t.id, `/é😀/` + word + `",`, `"deep":{"` + word + `":["` + word + `",1e3,null]}}`}
	return t
}

func (t turn) arguments() string  { return strings.Join(t.args, "") }
func (t turn) textBefore() string { return strings.Join(t.before, "") }
func (t turn) textAfter() string  { return strings.Join(t.after, "") }

// text is what a person reads of a turn.
func (t turn) text() string { return t.textBefore() + t.textAfter() }

// quote writes s as a JSON string.
func quote(s string) string {
	b, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		panic(err) // all texts here are UTF-8
	}
	return string(b)
}
