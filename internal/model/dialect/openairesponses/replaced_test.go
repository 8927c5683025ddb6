package openairesponses_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

const odd = dialecttest.OddArguments

// given are arguments that replace others, as they stand between quotes.
var given = strings.Trim(dialect.Quote(odd), `"`)

// What replaces the text of a custom call: its arguments, and the text.
const (
	sqlArgs = `{"input":"select \ud83d\ude00 \"x\" </script>\u2028"}`
	sqlText = "select \U0001F600 \"x\" </script>\u2028"
)

// The calls of the other tests as they come with other arguments.
var (
	rmGiven    = strings.Replace(rmItem, `{\"p\":1}`, given, 1)
	sqlGiven   = strings.Replace(sqlItem, `"select 1"`, dialect.Quote(sqlText), 1)
	shellItem  = `{"id":"sh_1","type":"shell_call","status":"completed","call_id":"call_5","action":{"commands":["secret"]},"environment":null}`
	shellGiven = strings.Replace(shellItem, `{"commands":["secret"]}`, odd, 1)
)

func begun(item string) string { return strings.Replace(item, `"completed"`, `"in_progress"`, 1) }

// pieces are the frames with all arguments of a call, which have the number of the one that they stand ahead of.
func pieces(number, index int, id, kind, member, quoted string) []string {
	at := fmt.Sprintf(`"item_id":"%s","output_index":%d`, id, index)
	typ := "response." + kind
	return []string{
		fmt.Sprintf(`{"type":"%s.delta","sequence_number":%d,%s,"delta":%s}`, typ, number, at, quoted),
		fmt.Sprintf(`{"type":"%s.done","sequence_number":%d,%s,"%s":%s}`, typ, number, at, member, quoted),
	}
}

// rmPieces and sqlPieces are those of the calls of these tests.
func rmPieces(number, index int) []string {
	return pieces(number, index, "fc_1", "function_call_arguments", "arguments", dialect.Quote(odd))
}

func sqlPieces(number, index int) []string {
	return pieces(number, index, "ctc_3", "custom_tool_call_input", "input", dialect.Quote(sqlText))
}

var sqlBegun = strings.Replace(begun(sqlItem), `"select 1"`, `""`, 1)

var replacedStreams = map[string]struct{ in, want []string }{
	"in pieces": {
		flat(created, rmCall(0), ended(rmItem)),
		flat(at(0, created), at(1, added(0, rmBegun)), rmPieces(5, 0), at(5, done(0, rmGiven)), at(6, ended(rmGiven))),
	},
	"without pieces": {
		flat(created, added(0, rmBegun), done(0, rmItem), ended(rmItem)),
		flat(at(0, created), at(1, added(0, rmBegun)), rmPieces(2, 0), at(2, done(0, rmGiven)), at(3, ended(rmGiven))),
	},
	"never added": {
		flat(created, done(0, rmItem), ended(rmItem)),
		flat(at(0, created), at(1, added(0, rmBegun)), rmPieces(1, 0), at(1, done(0, rmGiven)), at(2, ended(rmGiven))),
	},
	"whole from the beginning": {
		flat(created, added(0, rmItem), done(0, rmItem), ended(rmItem)),
		flat(at(0, created), at(1, added(0, rmBegun)), rmPieces(2, 0), at(2, done(0, rmGiven)), at(3, ended(rmGiven))),
	},
	"only at the end": {flat(created, ended(rmItem)), flat(at(0, created), at(1, ended(rmGiven)))},
	"no arguments": {
		flat(created, added(0, rmBegun), done(0, strings.Replace(rmItem, `{\"p\":1}`, "", 1)), ended(strings.Replace(rmItem, `{\"p\":1}`, "", 1))),
		flat(at(0, created), at(1, added(0, rmBegun)), rmPieces(2, 0), at(2, done(0, rmGiven)), at(3, ended(rmGiven))),
	},
	"one of two": {
		flat(created, rmCall(0), lsCall(1), ended(rmItem, lsItem)),
		flat(at(0, created), at(1, added(0, rmBegun)), rmPieces(5, 0), at(5, done(0, rmGiven)), from(6, lsCall(1)...), at(8, ended(rmGiven, lsItem))),
	},
	"after text": {
		flat(created, hi(0), rmCall(1), ended(hiItem, rmItem)),
		flat(at(0, created), from(1, hi(0)...), at(7, added(1, rmBegun)), rmPieces(11, 1), at(11, done(1, rmGiven)), at(12, ended(hiItem, rmGiven))),
	},
	"members that differ at the end": {
		flat(created, rmCall(0), ended(strings.Replace(rmItem, `"name"`, `"x": 1,"name"`, 1))),
		flat(at(0, created), at(1, added(0, rmBegun)), rmPieces(5, 0), at(5, done(0, rmGiven)), at(6, ended(strings.Replace(rmGiven, `"name"`, `"x": 1,"name"`, 1)))),
	},
	"free text": {
		flat(created, added(0, sqlBegun), piece("custom_tool_call_input", 0, "ctc_3", "select 1"), done(0, sqlItem), ended(sqlItem)),
		flat(at(0, created), at(1, added(0, sqlBegun)), sqlPieces(3, 0), at(3, done(0, sqlGiven)), at(4, ended(sqlGiven))),
	},
	"an object": {
		flat(created, added(0, begun(shellItem)), done(0, shellItem), ended(shellItem)),
		flat(at(0, created), at(1, added(0, begun(shellGiven))), at(2, done(0, shellGiven)), at(3, ended(shellGiven))),
	},
	"an object that is a text": {
		flat(created, added(0, begun(searchCallItem(`"{\"q\":\"secret\"}"`))), done(0, searchCallItem(`"{\"q\":\"secret\"}"`)), ended(searchCallItem(`"{\"q\":\"secret\"}"`))),
		flat(at(0, created), at(1, added(0, begun(searchCallItem(dialect.Quote(odd))))), at(2, done(0, searchCallItem(dialect.Quote(odd)))), at(3, ended(searchCallItem(dialect.Quote(odd))))),
	},
	"in words that we do not know": {
		flat(created, added(0, begun(shellItem)), event("response.shell_call_command.delta", `"output_index":0`, `"delta":"secret"`), done(0, shellItem), ended(shellItem)),
		flat(at(0, created), at(1, added(0, begun(shellGiven))), at(3, done(0, shellGiven)), at(4, ended(shellGiven))),
	},
	"repeated with another id": {
		flat(created, rmCall(0), ended(strings.Replace(rmItem, `"call_1"`, `"call_x"`, 1))),
		flat(at(0, created), at(1, added(0, rmBegun)), rmPieces(5, 0), at(5, done(0, rmGiven)), at(6, ended(rmGiven))),
	},
}

// searchCallItem is a search for tools that the client runs.
func searchCallItem(arguments string) string {
	return `{"id":"ts_1","type":"tool_search_call","status":"completed","call_id":"call_6","execution":"client","arguments":` + arguments + `}`
}

var replacing = dialecttest.ReplaceWith(map[string]string{"rm": odd, "sql": sqlArgs, "shell": odd, "tool_search": odd})

func TestReplacedInStream(t *testing.T) {
	for name, tt := range replacedStreams {
		t.Run(name, func(t *testing.T) {
			r := pass(stream(tt.in...), false, replacing)
			dialecttest.CheckOut(t, wire(own(tt.want...)...), r)
		})
	}
}

func TestReplacedInBody(t *testing.T) {
	empty := strings.Replace(rmItem, `{\"p\":1}`, "", 1)
	tests := map[string]struct{ in, want string }{
		"a response":   {response("completed", hiItem, rmItem, lsItem), response("completed", hiItem, rmGiven, lsItem)},
		"no arguments": {response("completed", empty), response("completed", rmGiven)},
		"free text":    {response("completed", sqlItem), response("completed", sqlGiven)},
		"an object":    {response("completed", shellItem), response("completed", shellGiven)},
		"no object": {
			response("completed", strings.Replace(shellItem, `{"commands":["secret"]}`, "null", 1)), response("completed", shellGiven),
		},
		"a list":              {list(askItem, rmItem, answerItem), list(askItem, rmGiven, answerItem)},
		"one item":            {rmItem, rmGiven},
		"one item of no text": {empty, rmGiven},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := pass([]byte(tt.in), true, replacing)
			dialecttest.CheckOut(t, tt.want, r)
		})
	}
}

// A response that weir ends has what the client was given, and nothing else.
func TestReplacedThenStopped(t *testing.T) {
	r := pass(stream(flat(created, rmCall(0), "{")...), false, replacing)
	events := dialecttest.Framings()[0].Events(r.Out)
	tree, err := dialecttest.ParseTree([]byte(events[len(events)-1].Data))
	if err != nil {
		t.Fatal(err)
	}
	last := tree.Get("response").Get("output").Values
	if len(last) != 2 || last[0].Get("arguments").Text != odd {
		t.Errorf("the last response has %v", last)
	}
	if strings.Contains(string(r.Out), `{\"p\":1}`) {
		t.Errorf("the arguments are still there:\n%s", r.Out)
	}
}

// Who goes on in the middle gets the call with its other arguments, and no piece.
func TestReplacedResumed(t *testing.T) {
	r := pass(numbered(3, argsDelta(0, "fc_1", `:1}`), argsDone(0, "fc_1", `{\"p\":1}`), done(0, rmItem), ended(rmItem)), false, replacing)
	dialecttest.CheckOut(t, wire(at(5, done(0, rmGiven)), at(6, ended(rmGiven))), r)
}

// What cannot be given other arguments says so.
func TestFixed(t *testing.T) {
	hosted := strings.Replace(shellItem, `"environment":null`, `"environment":{"type":"container_auto"}`, 1)
	for item, want := range map[string]bool{
		rmItem: false, sqlItem: false, shellItem: false, searchCallItem(`{}`): false,
		`{"id":"p","type":"apply_patch_call","call_id":"c","operation":{"type":"x"}}`:     false,
		`{"id":"c","type":"computer_call","call_id":"c","action":{"type":"click"}}`:       true,
		`{"id":"x","type":"future_call","what":1}`:                                        true,
		`{"id":"s","type":"tool_search_call","execution":"server","arguments":{"q":"x"}}`: true,
		`{"id":"m","type":"mcp_call","server_label":"s","name":"rm","arguments":"{}"}`:    true,
		searchItem: true, approvalItem: true, hosted: true,
	} {
		r := pass([]byte(response("completed", item)), true, dialecttest.AllowAll())
		if got := r.Events[0].Call.Fixed; got != want {
			t.Errorf("%s is fixed: %v, want %v", item, got, want)
		}
	}
}
