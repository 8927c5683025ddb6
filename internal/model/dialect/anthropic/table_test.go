package anthropic_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/gate"
	"github.com/weir-gate/weir/internal/model/dialect/anthropic"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// The frames of small streams.
const (
	start  = `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}`
	end    = `{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":3}}`
	ending = `{"type":"message_stop"}`
)

func startBlock(index any, block string) string {
	return fmt.Sprintf(`{"type":"content_block_start","index":%v,"content_block":%s}`, index, block)
}

func toolBlock(index any, input string) string {
	return startBlock(index, `{"type":"tool_use","id":"toolu_1","name":"rm","input":`+input+`}`)
}

func textBlock(index any) string { return startBlock(index, `{"type":"text","text":""}`) }

func piece(index any, partial string) string {
	return delta(index, `{"type":"input_json_delta","partial_json":`+partial+`}`)
}

func delta(index any, d string) string {
	return fmt.Sprintf(`{"type":"content_block_delta","index":%v,"delta":%s}`, index, d)
}

func textDelta(index any, text string) string {
	return delta(index, `{"type":"text_delta","text":`+quote(text)+`}`)
}

func stopBlock(index any) string {
	return fmt.Sprintf(`{"type":"content_block_stop","index":%v}`, index)
}

func stopWith(reason string) string { return strings.Replace(end, `"tool_use"`, quote(reason), 1) }

// stream puts frames on the wire, each with the event name that its type asks for.
func stream(frames ...string) []byte {
	var b strings.Builder
	for _, f := range frames {
		tree, err := dialecttest.ParseTree([]byte(f))
		if name := tree.Get("type").Text; err == nil && name != "" {
			fmt.Fprintf(&b, "event: %s\n", name)
		}
		fmt.Fprintf(&b, "data: %s\n\n", f)
	}
	return []byte(b.String())
}

// Names that tables are full of.
var (
	quote     = dialecttest.Quote
	refuse    = dialecttest.Refuse
	noticeFor = dialecttest.NoticeFor
)

func pass(in []byte, whole bool, p dialecttest.Policy) dialecttest.Result {
	return dialecttest.Put(anthropic.Format(), framingOf(whole), in, p)
}

func framingOf(whole bool) frame.Framing {
	if whole {
		return frame.Whole
	}
	return frame.Events
}

// An expected is what is to become of a response.
type expected struct {
	code  string   // of the outcome; "" if the response is not refused
	calls []string // that the agent gets, as "name args"
	fault []string // codes of calls that are refused for what they are
}

func checkExpected(t *testing.T, in []byte, whole bool, want expected) dialecttest.Result {
	t.Helper()
	r := pass(in, whole, dialecttest.AllowAll())
	got := expected{code: r.Outcome().Code}
	for _, e := range r.Events {
		if e.Kind == "refuse" {
			got.fault = append(got.fault, e.Ruling.Code)
		}
	}
	for _, f := range dialecttest.Readers(framingOf(whole)) {
		seen, framing := lenientCalls(f.Events(r.Out)), f.Name
		got.calls = nil
		for _, s := range seen {
			got.calls = append(got.calls, s.Name+" "+s.Args)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(expected{}), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("read %s (-want +got):\n%s\n%s", framing, diff, r.Out)
		}
	}
	return r
}

func TestStream(t *testing.T) {
	rm := []string{`rm {"path":"/"}`}
	malformed := expected{code: call.CodeMalformed}
	tests := map[string]struct {
		frames []string
		want   expected
	}{
		// Calls, in every form they have.
		"arguments in pieces":       {[]string{start, toolBlock(0, `{}`), piece(0, `""`), piece(0, `"{\"path\":"`), piece(0, `"\"/\"}"`), stopBlock(0), end, ending}, expected{calls: rm}},
		"arguments in the start":    {[]string{start, toolBlock(0, `{"path":"/"}`), stopBlock(0), end, ending}, expected{calls: rm}},
		"no arguments":              {[]string{start, toolBlock(0, `{}`), stopBlock(0), end, ending}, expected{calls: []string{"rm {}"}}},
		"null input":                {[]string{start, toolBlock(0, `null`), stopBlock(0), end, ending}, expected{calls: []string{"rm {}"}}},
		"no arguments, then text":   {[]string{start, toolBlock(0, `{}`), stopBlock(0), textBlock(1), stopBlock(1), stopWith("max_tokens"), ending}, expected{calls: []string{"rm {}"}}},
		"no arguments, turn cut":    {[]string{start, toolBlock(0, `{}`), stopBlock(0), stopWith("max_tokens"), ending}, expected{fault: []string{call.CodeCutShort}}},
		"no arguments, window full": {[]string{start, toolBlock(0, `{}`), stopBlock(0), stopWith("model_context_window_exceeded"), ending}, expected{fault: []string{call.CodeCutShort}}},
		"no arguments, no end":      {[]string{start, toolBlock(0, `{}`), stopBlock(0)}, expected{fault: []string{call.CodeCutShort}}},
		"arguments, turn cut":       {[]string{start, toolBlock(0, `{"path":"/"}`), stopBlock(0), stopWith("max_tokens"), ending}, expected{calls: rm}},
		"arguments twice":           {[]string{start, toolBlock(0, `{"path":"/"}`), piece(0, `"{\"path\":\"/\"}"`), stopBlock(0), end, ending}, expected{fault: []string{call.CodeArgsUnreadable}}},
		"arguments not an object":   {[]string{start, toolBlock(0, `{}`), piece(0, `"[1]"`), stopBlock(0), end, ending}, expected{fault: []string{call.CodeArgsUnreadable}}},
		"input not an object":       {[]string{start, toolBlock(0, `"{}"`), stopBlock(0), end, ending}, expected{fault: []string{call.CodeArgsUnreadable}}},
		"two argument objects":      {[]string{start, toolBlock(0, `{}`), piece(0, `"{} {}"`), stopBlock(0), end, ending}, expected{fault: []string{call.CodeArgsUnreadable}}},
		"a name twice in arguments": {[]string{start, toolBlock(0, `{}`), piece(0, `"{\"a\":1,\"A\":2}"`), stopBlock(0), end, ending}, expected{fault: []string{call.CodeArgsUnreadable}}},
		"a name twice in input":     {[]string{start, toolBlock(0, `{"a":1,"a":2}`), stopBlock(0), end, ending}, expected{fault: []string{call.CodeArgsUnreadable}}},
		"half a character":          {[]string{start, toolBlock(0, `{}`), piece(0, `"{\"a\":\"\ud83d\"}"`), stopBlock(0), end, ending}, expected{fault: []string{call.CodeArgsUnreadable}}},
		"half a character escaped":  {[]string{start, toolBlock(0, `{}`), piece(0, `"{\"a\":\"\\ud83d\"}"`), stopBlock(0), end, ending}, expected{fault: []string{call.CodeArgsUnreadable}}},
		"a character in two pieces": {[]string{start, toolBlock(0, `{}`), piece(0, `"{\"a\":\"\ud83d"`), piece(0, `""`), piece(0, `"\ude00\"}"`), stopBlock(0), end, ending}, expected{calls: []string{`rm {"a":"😀"}`}}},
		"never closed":              {[]string{start, toolBlock(0, `{"path":"/"}`), end, ending}, expected{fault: []string{call.CodeCutShort}}},
		"closed by message_stop":    {[]string{start, toolBlock(0, `{"path":"/"}`), ending}, expected{fault: []string{call.CodeCutShort}}},
		"in message_start":          {[]string{strings.Replace(start, `"content":[]`, `"content":[{"type":"tool_use","name":"rm","input":{"path":"/"}}]`, 1), end, ending}, expected{calls: rm}},
		"programmatic caller":       {[]string{start, startBlock(0, `{"type":"tool_use","id":"t","name":"rm","input":{"path":"/"},"caller":{"type":"code_execution_20250825"}}`), stopBlock(0), end, ending}, expected{calls: rm}},

		// Provider-run calls are held like others.
		"server tool":            {[]string{start, startBlock(0, `{"type":"server_tool_use","id":"s","name":"web_search","input":{}}`), piece(0, `"{\"q\":1}"`), stopBlock(0), startBlock(1, `{"type":"web_search_tool_result","tool_use_id":"s","content":[]}`), stopBlock(1), stopWith("end_turn"), ending}, expected{calls: []string{`web_search {"q":1}`}}},
		"server tool, cut short": {[]string{start, startBlock(0, `{"type":"server_tool_use","id":"s","name":"web_search","input":{}}`), piece(0, `"{\"q\""`), stopBlock(0), stopWith("pause_turn"), ending}, expected{fault: []string{call.CodeArgsUnreadable}}},

		// What is said passes; what does not fit does not.
		"text":                      {[]string{start, textBlock(0), textDelta(0, "hi"), stopBlock(0), stopWith("end_turn"), ending}, expected{}},
		"citation":                  {[]string{start, textBlock(0), delta(0, `{"type":"citations_delta","citation":{}}`), stopBlock(0), stopWith("end_turn"), ending}, expected{}},
		"thinking":                  {[]string{start, startBlock(0, `{"type":"thinking","thinking":""}`), delta(0, `{"type":"thinking_delta","thinking":"x"}`), delta(0, `{"type":"signature_delta","signature":"x"}`), stopBlock(0), stopWith("end_turn"), ending}, expected{}},
		"compaction":                {[]string{start, startBlock(0, `{"type":"compaction","content":""}`), delta(0, `{"type":"compaction_delta","content":"x"}`), stopBlock(0), stopWith("end_turn"), ending}, expected{}},
		"half a character in text":  {[]string{start, textBlock(0), delta(0, `{"type":"text_delta","text":"\ud83d"}`), delta(0, `{"type":"text_delta","text":"\ude00"}`), stopBlock(0), stopWith("end_turn"), ending}, expected{}},
		"thinking in a text block":  {[]string{start, textBlock(0), delta(0, `{"type":"thinking_delta","thinking":"x"}`)}, malformed},
		"arguments in a text block": {[]string{start, textBlock(0), piece(0, `"{}"`)}, malformed},
		"arguments in a text delta": {[]string{start, textBlock(0), delta(0, `{"type":"text_delta","text":"","partial_json":"{}"}`)}, malformed},
		"arguments in another case": {[]string{start, textBlock(0), delta(0, `{"type":"text_delta","text":"","Partial_JSON":"{}"}`)}, malformed},
		"text in a tool block":      {[]string{start, toolBlock(0, `{}`), textDelta(0, "x")}, expected{code: call.CodeMalformed, fault: []string{call.CodeCutShort}}},
		"new kind of delta":         {[]string{start, textBlock(0), delta(0, `{"type":"sound_delta","sound":"x"}`), stopBlock(0), stopWith("end_turn"), ending}, expected{}},
		"arguments not a string":    {[]string{start, toolBlock(0, `{}`), piece(0, `{}`)}, expected{code: call.CodeMalformed, fault: []string{call.CodeCutShort}}},

		// Unknown blocks are calls.
		"unknown block":             {[]string{start, startBlock(0, `{"type":"new","x":1}`), stopBlock(0), end, ending}, expected{calls: []string{`new {"type":"new","x":1}`}}},
		"unknown block with deltas": {[]string{start, startBlock(0, `{"type":"new"}`), delta(0, `{"type":"d","y":2}`), delta(0, `{"z":3}`), stopBlock(0), end, ending}, expected{calls: []string{`new {"deltas":[{"type":"d","y":2},{"z":3}],"type":"new"}`}}},
		"unknown block, ambiguous":  {[]string{start, startBlock(0, `{"type":"new","x":1,"X":2}`), stopBlock(0), end, ending}, expected{fault: []string{call.CodeArgsUnreadable}}},
		"unknown block, unfinished": {[]string{start, startBlock(0, `{"type":"new","x":1}`), end, ending}, expected{fault: []string{call.CodeCutShort}}},
		"block without a type":      {[]string{start, startBlock(0, `{"x":1}`)}, malformed},
		"block not an object":       {[]string{start, startBlock(0, `[]`)}, malformed},
		"block missing":             {[]string{start, `{"type":"content_block_start","index":0}`}, malformed},
		"call without a name":       {[]string{start, startBlock(0, `{"type":"tool_use","id":"t","input":{}}`)}, malformed},
		"call with a broken name":   {[]string{start, startBlock(0, `{"type":"tool_use","id":"t","name":"\ud83d","input":{}}`)}, malformed},
		"call with a numeric id":    {[]string{start, startBlock(0, `{"type":"tool_use","id":1,"name":"rm","input":{}}`)}, malformed},
		"name twice":                {[]string{start, startBlock(0, `{"type":"tool_use","id":"t","name":"ls","name":"rm","input":{}}`)}, malformed},
		"input twice":               {[]string{start, startBlock(0, `{"type":"tool_use","id":"t","name":"ls","input":{},"Input":{}}`)}, malformed},

		// Impossible indexes.
		"negative index":         {[]string{start, toolBlock(-1, `{}`)}, malformed},
		"fractional index":       {[]string{start, toolBlock("0.0", `{}`)}, malformed},
		"exponent index":         {[]string{start, toolBlock("0e0", `{}`)}, malformed},
		"string index":           {[]string{start, toolBlock(`"0"`, `{}`)}, malformed},
		"null index":             {[]string{start, toolBlock("null", `{}`)}, malformed},
		"gap":                    {[]string{start, toolBlock(1, `{}`)}, malformed},
		"huge index":             {[]string{start, toolBlock("99999999999999999999", `{}`)}, malformed},
		"repeated index":         {[]string{start, textBlock(0), stopBlock(0), toolBlock(0, `{}`)}, malformed},
		"index twice":            {[]string{start, `{"type":"content_block_start","index":0,"index":0,"content_block":{"type":"text","text":""}}`}, malformed},
		"delta to nothing":       {[]string{start, textDelta(0, "x")}, malformed},
		"delta after stop":       {[]string{start, textBlock(0), stopBlock(0), textDelta(0, "x")}, malformed},
		"delta to minus one":     {[]string{start, textBlock(0), textDelta(-1, "x")}, malformed},
		"stop of nothing":        {[]string{start, stopBlock(0)}, malformed},
		"stop twice":             {[]string{start, textBlock(0), stopBlock(0), stopBlock(0)}, malformed},
		"piece after release":    {[]string{start, toolBlock(0, `{"path":"/"}`), stopBlock(0), piece(0, `"{}"`)}, expected{code: call.CodeMalformed, calls: rm}},
		"interleaved, crosswise": {[]string{start, toolBlock(0, `{}`), toolBlock(1, `{}`), piece(1, `"{\"b\":1}"`), piece(0, `"{\"a\":1}"`), stopBlock(1), stopBlock(0), end, ending}, expected{calls: []string{`rm {"a":1}`, `rm {"b":1}`}}},

		// Order.
		"no message_start":           {[]string{toolBlock(0, `{}`)}, malformed},
		"second message_start":       {[]string{start, start}, malformed},
		"message_start is a string":  {[]string{`{"type":"message_start","message":"x"}`}, malformed},
		"content is a string":        {[]string{strings.Replace(start, `"content":[]`, `"content":"x"`, 1)}, malformed},
		"block after message_delta":  {[]string{start, textBlock(0), stopBlock(0), stopWith("end_turn"), toolBlock(1, `{"path":"/"}`), stopBlock(1), ending}, malformed},
		"block after message_stop":   {[]string{start, textBlock(0), stopBlock(0), stopWith("end_turn"), ending, toolBlock(1, `{}`)}, malformed},
		"unknown after message_stop": {[]string{start, textBlock(0), stopBlock(0), stopWith("end_turn"), ending, `{"type":"new"}`}, malformed},
		"ping after message_stop":    {[]string{start, textBlock(0), stopBlock(0), stopWith("end_turn"), ending, `{"type":"ping"}`}, expected{}},
		"done at the end":            {[]string{start, textBlock(0), stopBlock(0), stopWith("end_turn"), ending, `[DONE]`}, expected{}},
		"done, then a call":          {[]string{start, `[DONE]`, toolBlock(0, `{"path":"/"}`), stopBlock(0), end, ending}, expected{calls: rm}},
		"error mid call":             {[]string{start, toolBlock(0, `{"path":"/"}`), `{"type":"error","error":{"type":"overloaded_error","message":"x"}}`}, expected{fault: []string{call.CodeCutShort}}},
		"error after a call":         {[]string{start, toolBlock(0, `{"path":"/"}`), stopBlock(0), `{"type":"error","error":{"type":"overloaded_error","message":"x"}}`}, expected{calls: rm}},
		"call after an error":        {[]string{start, `{"type":"error","error":{"type":"overloaded_error","message":"x"}}`, toolBlock(0, `{}`)}, malformed},
		"error alone":                {[]string{`{"type":"error","error":{"type":"overloaded_error","message":"x"}}`}, expected{}},

		// Frames of other formats and of none.
		"unknown frame":         {[]string{start, `{"type":"weather","sun":true}`, textBlock(0), stopBlock(0), stopWith("end_turn"), ending}, expected{}},
		"chat chunk":            {[]string{start, `{"type":"x","choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{"}}]}}]}`}, malformed},
		"chat chunk, no type":   {[]string{start, `{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{"}}]}}]}`}, malformed},
		"legacy chat chunk":     {[]string{start, `{"type":"x","choices":[{"delta":{"function_call":{"arguments":"{"}}}]}`}, malformed},
		"responses fragment":    {[]string{start, `{"type":"response.function_call_arguments.delta","delta":"{"}`}, malformed},
		"responses item":        {[]string{start, `{"type":"response.output_item.done","item":{"type":"custom_tool_call","name":"rm"}}`}, malformed},
		"responses shell":       {[]string{start, `{"type":"response.output_item.done","item":{"type":"local_shell_call"}}`}, malformed},
		"gemini part":           {[]string{start, `{"type":"x","candidates":[{"content":{"parts":[{"functionCall":{"name":"rm"}}]}}]}`}, malformed},
		"gemini, another case":  {[]string{start, `{"type":"x","candidates":[{"content":{"parts":[{"FUNCTIONCALL":{"name":"rm"}}]}}]}`}, malformed},
		"managed agent":         {[]string{start, `{"type":"agent.custom_tool_use","name":"rm"}`}, malformed},
		"whole message":         {[]string{start, `{"type":"message","role":"assistant","content":[{"type":"new"}]}`}, malformed},
		"not JSON":              {[]string{start, `{"type":"ping"`}, malformed},
		"not an object":         {[]string{start, `[1]`}, malformed},
		"type not a string":     {[]string{start, `{"type":1}`}, malformed},
		"type in another case":  {[]string{start, `{"TYPE":"ping"}`}, malformed},
		"delta in another case": {[]string{start, textBlock(0), `{"type":"content_block_delta","index":0,"Delta":{"type":"text_delta","text":"x"},"delta":{"type":"text_delta","text":"x"}}`}, malformed},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := checkExpected(t, stream(tt.frames...), false, tt.want)
			if cut := strings.HasSuffix(name, "no end"); cut != errors.Is(r.Err, gate.ErrBroken) || !cut && r.Err != nil {
				t.Errorf("Pass: %v", r.Err)
			}
		})
	}
}

func TestBody(t *testing.T) {
	message := func(content, reason string) string {
		return `{"id":"msg_1","type":"message","role":"assistant","model":"m","content":` + content +
			`,"stop_reason":` + quote(reason) + `,"usage":{"input_tokens":1,"output_tokens":2}}`
	}
	rm := `{"type":"tool_use","id":"t","name":"rm","input":{"path":"/"}}`
	tests := map[string]struct {
		body string
		want expected
	}{
		"call":                   {message(`[`+rm+`]`, "tool_use"), expected{calls: []string{`rm {"path":"/"}`}}},
		"unknown block":          {message(`[{"type":"new","x":1}]`, "tool_use"), expected{calls: []string{`new {"type":"new","x":1}`}}},
		"no arguments":           {message(`[{"type":"tool_use","name":"rm","input":{}}]`, "tool_use"), expected{calls: []string{"rm {}"}}},
		"no arguments, turn cut": {message(`[{"type":"tool_use","name":"rm","input":{}}]`, "max_tokens"), expected{fault: []string{call.CodeCutShort}}},
		"ambiguous arguments":    {message(`[{"type":"tool_use","name":"rm","input":{"a":1,"A":1}}]`, "tool_use"), expected{fault: []string{call.CodeArgsUnreadable}}},
		"content twice":          {strings.Replace(message(`[]`, "tool_use"), `"role"`, `"content":[`+rm+`],"role"`, 1), expected{code: call.CodeMalformed}},
		"content, another case":  {strings.Replace(message(`[]`, "tool_use"), `"role"`, `"Content":[`+rm+`],"role"`, 1), expected{code: call.CodeMalformed}},
		"type twice":             {strings.Replace(message(`[`+rm+`]`, "tool_use"), `"role"`, `"type":"error","role"`, 1), expected{code: call.CodeMalformed}},
		"error":                  {`{"type":"error","error":{"type":"api_error","message":"x"}}`, expected{}},
		"no content":             {`{"type":"message","role":"assistant","content":[],"stop_reason":"end_turn"}`, expected{}},
		"a frame of a stream":    {start, expected{code: call.CodeMalformed}},
		"not JSON":               {`{"type":"message"`, expected{code: call.CodeMalformed}},
		"call of another format": {`{"type":"x","choices":[{"message":{"tool_calls":[{}]}}]}`, expected{code: call.CodeMalformed}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := checkExpected(t, []byte(tt.body), true, tt.want)
			if _, err := dialecttest.ParseTree(r.Out); err != nil {
				t.Errorf("the body cannot be read: %v\n%s", err, r.Out)
			}
		})
	}
}
