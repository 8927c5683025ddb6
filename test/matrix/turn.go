package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/model/wire"
)

// mark is in every piece of the arguments of a call that is refused, and nowhere else. Not even a piece of them may reach
// the client.
const mark = "xqleak"

// refusedPart is what the rule on arguments looks for in the mark: the notice names it, and must have no more of them.
const refusedPart = "xqle"

// usage is a number that stands only where an answer says what it cost.
const usage = 40961

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

// said is the turn as kits know it. Some servers begin arguments with an empty piece.
func (t turn) said() wire.Turn {
	call := wire.Call(t.tool, append([]string{""}, t.args...)...)
	call.ID = "call_" + t.id
	return wire.Turn{
		Model: "model", ID: "resp_" + t.id, Stored: true, In: 9, Out: usage,
		Blocks: []wire.Block{wire.Text(t.before...), call, wire.Text(t.after...)},
	}
}

// text is what a person reads of a turn.
func (t turn) text() string { return strings.Join(slices.Concat(t.before, t.after), "") }

// quote writes s as a JSON string.
func quote(s string) string {
	b, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		panic(err) // all texts here are UTF-8
	}
	return string(b)
}
