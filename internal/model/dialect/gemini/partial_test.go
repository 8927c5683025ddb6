package gemini_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// Parts of a call whose arguments come in pieces.
var (
	begun = piece(`"id":"a","name":"rm","willContinue":true`)
	over  = piece("")
)

// more is a part with pieces of arguments, after which the call goes on.
func more(pieces ...string) string {
	return piece(`"partialArgs":[` + strings.Join(pieces, ",") + `],"willContinue":true`)
}

// last is a part with the last pieces.
func last(pieces ...string) string { return piece(`"partialArgs":[` + strings.Join(pieces, ",") + `]`) }

// at is a piece of arguments: a path, and the other members.
func at(path, members string) string { return `{"jsonPath":` + quote(path) + `,` + members + `}` }

func num(path, literal string) string { return at(path, `"numberValue":`+literal) }

// str is a string at a path; goes says that more of it comes.
func str(path, literal string, goes bool) string {
	if goes {
		return at(path, `"stringValue":"`+literal+`","willContinue":true`)
	}
	return at(path, `"stringValue":"`+literal+`"`)
}

func one(args string) expected { return restated("rm " + args) }

var unreadable = faulty("rm", call.CodeArgsUnreadable)

// pathTable are pieces of arguments, and what they add up to.
var pathTable = map[string]struct {
	pieces []string
	want   expected
}{
	"nothing":                 {nil, one(`{}`)},
	"deep":                    {[]string{num("$"+strings.Repeat(".a", 64), "1")}, one(strings.Repeat(`{"a":`, 64) + "1" + strings.Repeat("}", 64))},
	"one step too deep":       {[]string{num("$"+strings.Repeat(".a", 65), "1")}, unreadable},
	"number":                  {[]string{num("$.a", "3")}, one(`{"a":3}`)},
	"number as written":       {[]string{num("$.a", "3.0"), num("$.b", "1e400")}, one(`{"a":3.0,"b":1e400}`)},
	"bool and null":           {[]string{at("$.a", `"boolValue":false`), at("$.b", `"nullValue":"NULL_VALUE"`), at("$.c", `"nullValue":null`)}, one(`{"a":false,"b":null,"c":null}`)},
	"string":                  {[]string{str("$.a", "x", false)}, one(`{"a":"x"}`)},
	"string in pieces":        {[]string{str("$.a", "x", true), str("$.a", "y", true), str("$.a", "", false)}, one(`{"a":"xy"}`)},
	"empty string":            {[]string{str("$.a", "", false)}, one(`{"a":""}`)},
	"escapes":                 {[]string{str("$.a", `\"\n\u2028`, false)}, one(`{"a":"\"\n\u2028"}`)},
	"half a character each":   {[]string{str("$.a", `\ud83d`, true), str("$.a", `\ude00`, false)}, one(`{"a":"😀"}`)},
	"half a character":        {[]string{str("$.a", `\ud83d`, false)}, unreadable},
	"nested":                  {[]string{num("$.a.b.c", "1"), num("$.a.d", "2")}, one(`{"a":{"b":{"c":1},"d":2}}`)},
	"array":                   {[]string{num("$.a[0]", "1"), num("$.a[1]", "2")}, one(`{"a":[1,2]}`)},
	"array of objects":        {[]string{num("$.a[0].b", "1"), num("$.a[1].b", "2"), num("$.a[0].c", "3")}, one(`{"a":[{"b":1,"c":3},{"b":2}]}`)},
	"array of arrays":         {[]string{num("$.a[0][0]", "1"), num("$.a[0][1]", "2"), num("$.a[1][0]", "3")}, one(`{"a":[[1,2],[3]]}`)},
	"quoted names":            {[]string{num("$['a']", "1"), num(`$["b"]`, "2"), num("$['c']['d']", "3"), num("$['e'].f", "4")}, one(`{"a":1,"b":2,"c":{"d":3},"e":{"f":4}}`)},
	"dots in quotes":          {[]string{num("$['a.b']", "1"), num("$['a[0]']", "2")}, one(`{"a.b":1,"a[0]":2}`)},
	"quotes in quotes":        {[]string{num(`$['it\'s']`, "1"), num(`$["\"]"]`, "2"), num(`$['"']`, "3"), num(`$['\']']`, "4"), num(`$['\\']`, "5")}, one(`{"it's":1,"\"]":2,"\"":3,"']":4,"\\":5}`)},
	"escapes in quotes":       {[]string{num(`$['\u0061\n']`, "1")}, one(`{"a\n":1}`)},
	"empty name in quotes":    {[]string{num(`$['']`, "1")}, one(`{"":1}`)},
	"names as they are":       {[]string{num("$.a-b", "1"), num("$.é水", "2"), num("$.a b", "3"), num("$.$", "4"), num("$.0", "5")}, one(`{"a-b":1,"é水":2,"a b":3,"$":4,"0":5}`)},
	"prototypes are names":    {[]string{num("$.__proto__.x", "1")}, one(`{"__proto__":{"x":1}}`)},
	"snake case":              {[]string{`{"json_path":"$.a","string_value":"x","will_continue":true}`, `{"json_path":"$.a","string_value":"y"}`}, one(`{"a":"xy"}`)},
	"same path again":         {[]string{num("$.a", "1"), num("$.a", "2")}, unreadable},
	"string again":            {[]string{str("$.a", "x", false), str("$.a", "y", false)}, unreadable},
	"string left open":        {[]string{str("$.a", "x", true)}, unreadable},
	"string left, another":    {[]string{str("$.a", "x", true), num("$.b", "1")}, unreadable},
	"string becomes a number": {[]string{str("$.a", "x", true), num("$.a", "1")}, unreadable},
	"number goes on":          {[]string{at("$.a", `"numberValue":1,"willContinue":true`)}, unreadable},
	"through a scalar":        {[]string{num("$.a", "1"), num("$.a.b", "2")}, unreadable},
	"through a string":        {[]string{str("$.a", "x", false), num("$.a[0]", "2")}, unreadable},
	"onto an object":          {[]string{num("$.a.b", "1"), num("$.a", "2")}, unreadable},
	"onto an array":           {[]string{num("$.a[0]", "1"), num("$.a", "2")}, unreadable},
	"array and object":        {[]string{num("$.a[0]", "1"), num("$.a.b", "2")}, unreadable},
	"object and array":        {[]string{num("$.a.b", "1"), num("$.a[0]", "2")}, unreadable},
	"gap in an array":         {[]string{num("$.a[1]", "1")}, unreadable},
	"huge index":              {[]string{num("$.a[4294967296]", "1")}, unreadable},
	"negative index":          {[]string{num("$.a[-1]", "1")}, unreadable},
	"index with a zero":       {[]string{num("$.a[00]", "1")}, unreadable},
	"index with a sign":       {[]string{num("$.a[+0]", "1")}, unreadable},
	"index with a space":      {[]string{num("$.a[ 0]", "1")}, unreadable},
	"any index":               {[]string{num("$.a[*]", "1")}, unreadable},
	"any name":                {[]string{num("$.*", "1")}, unreadable},
	"any depth":               {[]string{num("$..a", "1")}, unreadable},
	"filter":                  {[]string{num("$.a[?(@.b)]", "1")}, unreadable},
	"slice":                   {[]string{num("$.a[0:1]", "1")}, unreadable},
	"union":                   {[]string{num("$['a','b']", "1")}, unreadable},
	"root":                    {[]string{num("$", "1")}, unreadable},
	"root array":              {[]string{num("$[0]", "1")}, unreadable},
	"no root":                 {[]string{num("a", "1")}, unreadable},
	"empty path":              {[]string{num("", "1")}, unreadable},
	"ends in a dot":           {[]string{num("$.a.", "1")}, unreadable},
	"open bracket":            {[]string{num("$.a[0", "1")}, unreadable},
	"open quote":              {[]string{num("$['a]", "1")}, unreadable},
	"bad escape":              {[]string{num(`$['\x']`, "1")}, unreadable},
	"half a char in a name":   {[]string{num(`$['\ud83d']`, "1")}, unreadable},
	"after a bracket":         {[]string{num("$['a']b", "1")}, unreadable},
	"names in two cases":      {[]string{num("$.a", "1"), num("$.A", "2")}, unreadable},
	"no path":                 {[]string{`{"numberValue":1}`}, unreadable},
	"path a number":           {[]string{`{"jsonPath":1,"numberValue":1}`}, unreadable},
	"no value":                {[]string{`{"jsonPath":"$.a"}`}, unreadable},
	"two values":              {[]string{at("$.a", `"numberValue":1,"stringValue":"x"`)}, unreadable},
	"value in both spellings": {[]string{at("$.a", `"numberValue":1,"number_value":2`)}, unreadable},
	"value twice":             {[]string{at("$.a", `"numberValue":1,"numberValue":2`)}, unreadable},
	"value in another case":   {[]string{at("$.a", `"NumberValue":1`)}, unreadable},
	"path twice":              {[]string{`{"jsonPath":"$.a","jsonPath":"$.b","numberValue":1}`}, unreadable},
	"string as a number":      {[]string{at("$.a", `"numberValue":"1"`)}, unreadable},
	"number as a string":      {[]string{at("$.a", `"stringValue":1`)}, unreadable},
	"number as a bool":        {[]string{at("$.a", `"boolValue":1`)}, unreadable},
	"null that is something":  {[]string{at("$.a", `"nullValue":{"b":1}`)}, unreadable},
	"value of a new kind":     {[]string{at("$.a", `"structValue":{}`)}, unreadable},
	"goes on maybe":           {[]string{at("$.a", `"stringValue":"x","willContinue":1`)}, unreadable},
	"piece a string":          {[]string{`"$.a"`}, unreadable},
	"too deep":                {[]string{num("$"+strings.Repeat(".a", 300), "1")}, unreadable},
	"path too long":           {[]string{num("$."+strings.Repeat("a", 5000), "1")}, unreadable},
	"too large":               {[]string{str("$.a", strings.Repeat("x", 1<<20), false)}, faulty("rm", call.CodeArgsOversize)},
}

func TestPaths(t *testing.T) {
	for name, tt := range pathTable {
		t.Run(name, func(t *testing.T) {
			each := []string{begun}
			for _, p := range tt.pieces {
				each = append(each, more(p))
			}
			each = append(each, over)
			atOnce := []string{begun, last(tt.pieces...)}
			for how, framing := range streamed {
				t.Run(how, func(t *testing.T) {
					var elements []string
					for _, part := range each {
						elements = append(elements, says(part))
					}
					checkExpected(t, wire(framing, append(elements, ends(hiPart))...), framing, tt.want)
					checkExpected(t, wire(framing, ends(append(atOnce, hiPart)...)), framing, tt.want)
				})
			}
			checkExpected(t, []byte(ends(append(each, hiPart)...)), frame.Whole, tt.want)
		})
	}
}

// TestPieces checks what goes out in place of a call that comes in pieces: nothing, and the whole call with its end.
func TestPieces(t *testing.T) {
	whole := `{"functionCall":{"id":"a","name":"rm","args":{"p":1}}}`
	sig := func(part string) string { return strings.Replace(part, "}}", `},"thoughtSignature":"c2ln"}`, 1) }
	p1 := num("$.p", "1")
	cut := faultNotice("rm", "cut_short", cutShort)
	cutAfter := strings.Replace(cut, `"[weir]`, `"\n\n[weir]`, 1)
	allow := dialecttest.AllowAll()
	tests := map[string]refusalCase{
		"over three elements": {
			in:   []string{says(begun), says(more(p1)), says(over), bareEnd},
			want: []string{says(nothing), says(nothing), says(whole), bareEnd}, policy: allow,
		},
		"ended by its last piece": {
			in:   []string{says(begun), says(last(p1)), bareEnd},
			want: []string{says(nothing), says(whole), bareEnd}, policy: allow,
		},
		"arguments at once": {
			in:   []string{ends(piece(`"id":"a","name":"rm","partialArgs":[` + p1 + `]`))},
			want: []string{ends(whole)}, policy: allow,
		},
		"pieces with the id": {
			in:   []string{says(begun), says(piece(`"id":"a","partialArgs":[` + p1 + `],"willContinue":true`)), ends(piece(`"id":"a"`))},
			want: []string{says(nothing), says(nothing), ends(whole)}, policy: allow,
		},
		"text between": {
			in:   []string{says(begun, hiPart), says(more(p1)), ends(over)},
			want: []string{says(hiPart), says(nothing), ends(whole)}, policy: allow,
		},
		"text beside the pieces": {
			in:   []string{says(strings.Replace(begun, "{", `{"text":"one",`, 1)), ends(strings.Replace(last(p1), "{", `{"text":"two",`, 1))},
			want: []string{says(`{"text":"one"}`), ends(`{"text":"two","functionCall":{"id":"a","name":"rm","args":{"p":1}}}`)}, policy: allow,
		},
		"signature at the start": {
			in:   []string{says(sig(begun)), ends(last(p1))},
			want: []string{says(nothing), ends(`{"functionCall":{"id":"a","name":"rm","args":{"p":1}},"thoughtSignature":"c2ln"}`)}, policy: allow,
		},
		"signature at the end": {
			in:   []string{says(begun), says(more(p1)), ends(sig(over))},
			want: []string{says(nothing), says(nothing), ends(`{"functionCall":{"id":"a","name":"rm","args":{"p":1}},"thoughtSignature":"c2ln"}`)}, policy: allow,
		},
		"signature between": {
			in:   []string{says(begun), says(sig(more(p1))), ends(over)},
			want: []string{says(nothing), says(nothing), ends(`{"functionCall":{"id":"a","name":"rm","args":{"p":1}},"thoughtSignature":"c2ln"}`)}, policy: allow,
		},
		"two calls": {
			in:   []string{says(begun), says(last(p1)), says(strings.ReplaceAll(strings.ReplaceAll(begun, "rm", "ls"), `"a"`, `"b"`)), ends(over)},
			want: []string{says(nothing), says(whole), says(nothing), ends(`{"functionCall":{"id":"b","name":"ls","args":{}}}`)}, policy: allow,
		},
		"two candidates at once": {
			in: []string{
				element(candidate(0, begun), candidate(1, strings.Replace(begun, "rm", "ls", 1))),
				element(finished(0, "STOP", last(p1)), finished(1, "STOP", over)),
			},
			want: []string{
				element(candidate(0, nothing), candidate(1, nothing)),
				element(finished(0, "STOP", whole), finished(1, "STOP", `{"functionCall":{"id":"a","name":"ls","args":{}}}`)),
			}, policy: allow,
		},
		"snake case": {
			in:   []string{says(`{"function_call":{"id":"a","name":"rm","will_continue":true}}`), ends(`{"function_call":{"partial_args":[` + p1 + `]}}`)},
			want: []string{says(nothing), ends(`{"function_call":{"id":"a","name":"rm","args":{"p":1}}}`)}, policy: allow,
		},
		"refused": {
			in:   []string{says(begun), says(more(p1)), ends(over)},
			want: []string{says(nothing), says(nothing), ends(told("rm"))}, policy: refuse(false, "*"),
		},
		"refused, text in between": {
			in:   []string{says(begun, hiPart), ends(last(p1))},
			want: []string{says(hiPart), ends(toldAfter("rm"))}, policy: refuse(false, "*"),
		},
		"dropped": {
			in:   []string{says(hiPart, begun), ends(last(p1))},
			want: []string{says(hiPart), ends(nothing)}, policy: refuse(true, "*"),
		},
		"the turn ends inside it": {
			in:   []string{says(begun), bareEnd},
			want: []string{says(nothing), element(`{"finishReason":"STOP","index":0,"content":{"role":"model","parts":[` + cut + `]}}`)}, policy: allow,
		},
		"the turn ends with a piece": {
			in:   []string{says(begun), endsFor("MAX_TOKENS", more(p1))},
			want: []string{says(nothing), endsFor("MAX_TOKENS", cut)}, policy: allow,
		},
		"the turn ends inside it, dropped": {
			in:   []string{says(hiPart, begun), bareEnd},
			want: []string{says(hiPart), bareEnd}, policy: refuse(true),
		},
		"continued in another response": {
			in:     []string{says(hiPart, begun), element(`{"finishReason":"CONTINUATION","continuationToken":"ct","index":0}`)},
			want:   []string{says(hiPart), element(`{"finishReason":"CONTINUATION","continuationToken":"ct","index":0,"content":{"role":"model","parts":[` + cutAfter + `]}}`)},
			policy: allow,
		},
		"continued from another response": {
			in:   []string{says(last(p1)), bareEnd},
			want: []string{says(faultNotice("functionCall", "malformed", "It has no name.")), bareEnd}, policy: allow,
		},
		"another call begins": {
			in:   []string{says(begun), ends(lsPart)},
			want: []string{says(nothing), ends(cut, lsPart)}, policy: allow,
		},
		"another call begins in pieces": {
			in:   []string{says(begun), says(piece(`"name":"ls","willContinue":true`)), ends(over)},
			want: []string{says(nothing), says(cut), ends(`{"functionCall":{"name":"ls","args":{}}}`)}, policy: allow,
		},
		"pieces of another id": {
			in:   []string{says(begun), says(piece(`"id":"b","partialArgs":[` + p1 + `],"willContinue":true`)), ends(over)},
			want: []string{says(nothing), says(nothing), ends(faultNotice("rm", "malformed", "Its pieces are of two calls."))}, policy: allow,
		},
		"whole arguments among pieces": {
			in:   []string{says(begun), ends(piece(`"args":{"p":1}`))},
			want: []string{says(nothing), ends(faultNotice("rm", "malformed", "Its arguments come whole and in pieces."))}, policy: allow,
		},
		"whole arguments at the start": {
			in:   []string{says(piece(`"name":"rm","args":{"p":1},"willContinue":true`)), ends(over)},
			want: []string{says(nothing), ends(faultNotice("rm", "malformed", "Its arguments come whole and in pieces."))}, policy: allow,
		},
		"an error inside it": {
			in:   []string{says(begun), failure},
			want: []string{says(nothing), failure}, policy: allow,
		},
		"tokens of a piece go": {
			in: []string{
				element(`{"content":{"role":"model","parts":[` + begun + `]},"logprobsResult":{"chosenCandidates":[{"token":"{p"}]},"index":0}`), ends(last(p1)),
			},
			want: []string{element(`{"content":{"role":"model","parts":[{"text":""}]},"logprobsResult":{},"index":0}`), ends(whole)}, policy: allow,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for how, framing := range streamed {
				r := pass(wire(framing, tt.in...), framing, tt.policy)
				if diff := cmp.Diff(string(wire(framing, tt.want...)), string(r.Out)); diff != "" {
					t.Errorf("%s: what the agent gets (-want +got):\n%s", how, diff)
				}
				if seen := lenientCalls(dialecttest.Readers(framing)[0].Events(r.Out)); len(seen) != r.Outcome().Released {
					t.Errorf("%s: %d calls are counted, and clients see %v", how, r.Outcome().Released, seen)
				}
			}
		})
	}
}

// A call that broke off is recorded with the arguments that have come.
func TestPiecesOnRecord(t *testing.T) {
	for name, in := range map[string][]string{
		"the stream ends": {says(begun), says(more(num("$.p", "1")))},
		"the turn ends":   {says(begun), says(more(num("$.p", "1"))), bareEnd},
		"an error comes":  {says(begun), says(more(num("$.p", "1"))), failure},
	} {
		t.Run(name, func(t *testing.T) {
			r := pass(stream(in...), frame.Events, dialecttest.AllowAll())
			e := r.Events[0]
			if e.Kind != "refuse" || e.Ruling.Code != call.CodeCutShort || string(e.Call.Args) != `{"p":1}` {
				t.Errorf("the record is %+v", e)
			}
		})
	}
}
