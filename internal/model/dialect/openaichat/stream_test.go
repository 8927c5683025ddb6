package openaichat_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// An expected is what is to become of a response when every call is allowed.
type expected struct {
	code  string   // of the outcome; "" if the response is not refused
	calls []string // that the agent gets, as "name args"
	fault []string // codes of calls that are refused for what they are
	same  bool     // it goes out byte for byte
}

func checkExpected(t *testing.T, in []byte, whole bool, want expected) {
	t.Helper()
	r := pass(in, whole, dialecttest.AllowAll())
	got := expected{code: r.Outcome().Code, same: string(in) == string(r.Out)}
	for _, e := range r.Events {
		if e.Kind == "refuse" {
			got.fault = append(got.fault, e.Ruling.Code)
		}
	}
	events := dialecttest.Framings()[0].Events(r.Out)
	if whole {
		events = []dialecttest.LooseEvent{{Data: string(r.Out)}}
	}
	for _, s := range lenientCalls(events) {
		got.calls = append(got.calls, s.Name+" "+s.Args)
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(expected{}), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s\n%s", diff, r.Out)
	}
}

const (
	rmEntry     = `{"index":0,"id":"a","type":"function","function":{"name":"rm","arguments":"{}"}}`
	customEntry = `{"index":0,"id":"a","type":"custom","custom":{"name":"sql","input":"select 1"}}`
	failure     = `{"error":{"message":"x","type":"server_error","param":null,"code":null}}`
)

var (
	rm        = expected{calls: []string{"rm {}"}}
	rmAsSent  = expected{calls: []string{"rm {}"}, same: true}
	asSent    = expected{same: true}
	malformed = expected{code: call.CodeMalformed}
)

func faulty(code string) expected { return expected{fault: []string{code}} }

// streams are what upstreams send, in good faith and in bad.
var streams = map[string]struct {
	frames []string
	want   expected
}{
	// Calls as they should be.
	"whole call":               {[]string{role, tool(rmEntry), finish("tool_calls"), "[DONE]"}, rmAsSent},
	"no [DONE]":                {[]string{role, tool(rmEntry), finish("tool_calls")}, rmAsSent},
	"pieces":                   {[]string{role, tool(open(0, "a", "rm", "")), tool(more(0, "{")), tool(more(0, "}")), finish("tool_calls"), "[DONE]"}, rmAsSent},
	"pieces with nulls":        {[]string{role, tool(open(0, "a", "rm", "")), tool(`{"index":0,"id":null,"type":null,"function":{"name":null,"arguments":"{}"}}`), finish("tool_calls"), "[DONE]"}, rmAsSent},
	"white space after":        {[]string{role, tool(rmEntry), tool(more(0, ` \n\t`)), tool(more(0, "")), finish("tool_calls"), "[DONE]"}, rmAsSent},
	"white space before":       {[]string{role, tool(open(0, "a", "rm", ` \n{}`)), finish("tool_calls"), "[DONE]"}, rmAsSent},
	"interleaved":              {[]string{role, tool(open(0, "a", "rm", "")), tool(open(1, "b", "ls", "")), tool(more(1, "{"), more(0, "{")), tool(more(0, "}"), more(1, "}")), finish("tool_calls"), "[DONE]"}, expected{calls: []string{"rm {}", "ls {}"}}},
	"content with a call":      {[]string{role, delta(`{"content":"hi","tool_calls":[` + rmEntry + `]}`), finish("tool_calls"), "[DONE]"}, rmAsSent},
	"call and finish":          {[]string{chunk(`{"index":0,"delta":{"role":"assistant","tool_calls":[` + rmEntry + `]},"finish_reason":"tool_calls"}`), "[DONE]"}, rmAsSent},
	"forced tool":              {[]string{role, tool(rmEntry), finish("stop"), "[DONE]"}, rmAsSent},
	"length after a call":      {[]string{role, tool(rmEntry), finish("length"), "[DONE]"}, rmAsSent},
	"signature on the call":    {[]string{role, tool(strings.Replace(rmEntry, `{"index"`, `{"extra_content":{"google":{"thought_signature":"s"}},"index"`, 1)), finish("stop"), "[DONE]"}, rmAsSent},
	"signature after the call": {[]string{role, tool(rmEntry), tool(`{"index":0,"extra_content":{"google":{"thought_signature":"s"}}}`), finish("stop"), "[DONE]"}, rmAsSent},
	"signature in the delta":   {[]string{role, tool(rmEntry), delta(`{"extra_content":{"google":{"thought_signature":"s"}}}`), finish("stop"), "[DONE]"}, rmAsSent},
	"n=2":                      {[]string{role, choiceTool(1, open(0, "b", "ls", `{}`)), choiceTool(0, rmEntry), choiceEnd(1, "tool_calls"), choiceEnd(0, "tool_calls"), "[DONE]"}, expected{calls: []string{"ls {}", "rm {}"}, same: true}},
	"legacy":                   {[]string{role, delta(`{"function_call":{"name":"rm","arguments":""}}`), delta(`{"function_call":{"arguments":"{}"}}`), finish("function_call"), "[DONE]"}, rmAsSent},
	"legacy and new":           {[]string{role, delta(`{"function_call":{"name":"ls","arguments":"{}"},"tool_calls":[` + rmEntry + `]}`), finish("tool_calls"), "[DONE]"}, expected{calls: []string{"rm {}", "ls {}"}, same: true}},
	"custom":                   {[]string{role, tool(customEntry), finish("tool_calls"), "[DONE]"}, expected{calls: []string{`sql {"input":"select 1"}`}, same: true}},
	"custom, empty":            {[]string{role, tool(strings.Replace(customEntry, "select 1", "", 1)), finish("tool_calls"), "[DONE]"}, expected{calls: []string{`sql {"input":""}`}, same: true}},
	"type of its own":          {[]string{role, tool(strings.Replace(rmEntry, `"type":"function"`, `"type":"builtin_function"`, 1)), finish("tool_calls"), "[DONE]"}, rmAsSent},
	"unknown type":             {[]string{role, tool(`{"index":0,"id":"a","type":"shell","cmd":"ls"}`), finish("tool_calls"), "[DONE]"}, expected{calls: []string{`shell {"cmd":"ls","id":"a","type":"shell"}`}, same: true}},
	"unknown type, no index":   {[]string{role, tool(rmEntry), tool(`{"id":"b","type":"shell"}`), finish("tool_calls"), "[DONE]"}, expected{calls: []string{"rm {}", `shell {"id":"b","type":"shell"}`}}},
	"unknown type, used id":    {[]string{role, tool(rmEntry), tool(`{"id":"a","type":"shell"}`), finish("tool_calls"), "[DONE]"}, expected{code: call.CodeMalformed, calls: []string{"rm {}"}}},
	"unknown type, ambiguous":  {[]string{role, tool(`{"index":0,"type":"shell","cmd":"ls","Cmd":"rm"}`), finish("tool_calls"), "[DONE]"}, faulty(call.CodeArgsUnreadable)},

	// Calls that clients would read differently.
	"no id":                    {[]string{role, tool(`{"index":0,"type":"function","function":{"name":"rm","arguments":"{}"}}`), finish("tool_calls"), "[DONE]"}, rm},
	"string index":             {[]string{role, tool(open(`"0"`, "a", "rm", "{"), open(`"1"`, "b", "ls", "{")), tool(more(`"1"`, "}")), tool(more(`"0"`, "}")), finish("tool_calls"), "[DONE]"}, expected{calls: []string{"rm {}", "ls {}"}}},
	"fractional index":         {[]string{role, tool(open("0.0", "a", "rm", "{}")), finish("tool_calls"), "[DONE]"}, rm},
	"huge index":               {[]string{role, tool(open("99999999999999999999", "a", "rm", "{}")), finish("tool_calls"), "[DONE]"}, rm},
	"index from one":           {[]string{role, tool(open(1, "a", "rm", "{")), tool(more(1, "}")), finish("tool_calls"), "[DONE]"}, rm},
	"no index, by id":          {[]string{role, tool(`{"id":"a","type":"function","function":{"name":"rm","arguments":"{"}}`), tool(`{"id":"a","function":{"arguments":"}"}}`), finish("tool_calls"), "[DONE]"}, rm},
	"no index, by place":       {[]string{role, tool(`{"id":"a","type":"function","function":{"name":"rm","arguments":"{"}}`), tool(`{"function":{"arguments":"}"}}`), finish("tool_calls"), "[DONE]"}, rm},
	"no index, no id":          {[]string{role, tool(`{"type":"function","function":{"name":"rm","arguments":"{}"}}`, `{"type":"function","function":{"name":"ls","arguments":"{}"}}`), finish("tool_calls"), "[DONE]"}, expected{calls: []string{"rm {}", "ls {}"}}},
	"all index 0":              {[]string{role, tool(open(0, "a", "rm", "{}"), open(0, "b", "ls", "{}")), tool(open(0, "c", "rm", "{}")), finish("stop"), "[DONE]"}, expected{calls: []string{"rm {}", "ls {}", "rm {}"}}},
	"vLLM":                     {[]string{role, tool(open(0, "a", "rm", "")), tool(`{"index":0,"type":"function","function":{"name":"","arguments":"{}"}}`), tool(`{"index":0,"type":"function","function":{"name":"","arguments":""}}`), finish("tool_calls"), "[DONE]"}, rm},
	"type repeated":            {[]string{role, tool(open(0, "a", "rm", "{")), tool(`{"index":0,"type":"function","function":{"arguments":"}"}}`), finish("tool_calls"), "[DONE]"}, rm},
	"name after the id":        {[]string{role, tool(`{"index":0,"id":"a","type":"function"}`), tool(`{"index":0,"function":{"name":"rm"}}`), tool(more(0, "{}")), finish("tool_calls"), "[DONE]"}, rm},
	"id after the name":        {[]string{role, tool(`{"index":0,"type":"function","function":{"name":"rm","arguments":""}}`), tool(`{"index":0,"id":"a","function":{"name":"rm","arguments":"{}"}}`), finish("tool_calls"), "[DONE]"}, rm},
	"repeated after the end":   {[]string{role, tool(rmEntry), tool(open(0, "a", "rm", "")), finish("tool_calls"), "[DONE]"}, rm},
	"null after the end":       {[]string{role, tool(rmEntry), tool(`{"index":0,"function":{"arguments":null}}`), finish("tool_calls"), "[DONE]"}, rm},
	"signature ahead":          {[]string{role, tool(`{"index":0,"extra_content":{"s":1}}`), tool(rmEntry), finish("stop"), "[DONE]"}, rm},
	"signature ahead, bare":    {[]string{role, tool(`{"extra_content":{"s":1}}`), tool(rmEntry), finish("stop"), "[DONE]"}, rm},
	"signature after, bare":    {[]string{role, tool(rmEntry), tool(`{"extra_content":{"s":1}}`), finish("stop"), "[DONE]"}, rm},
	"signature in between":     {[]string{role, tool(open(0, "a", "rm", "{"), `{"extra_content":{"s":1}}`), tool(more(0, "}")), finish("stop"), "[DONE]"}, rm},
	"signature of nothing":     {[]string{role, tool(`{"index":0,"extra_content":{"s":1}}`), finish("stop"), "[DONE]"}, expected{}},
	"signature after finish":   {[]string{role, tool(rmEntry), finish("tool_calls"), tool(`{"index":0,"extra_content":{"s":1}}`), "[DONE]"}, rmAsSent},
	"custom in message":        {[]string{role, chunk(`{"index":0,"message":{"role":"assistant","tool_calls":[{"id":"a","type":"custom","custom":{"name":"sql","input":"x"}}]},"finish_reason":"tool_calls"}`), "[DONE]"}, expected{calls: []string{`sql {"input":"x"}`}, same: true}},
	"deltas, then the message": {[]string{role, tool(rmEntry), chunk(`{"index":0,"message":{"role":"assistant","tool_calls":[` + rmEntry + `]},"finish_reason":"tool_calls"}`), "[DONE]"}, expected{calls: []string{"rm {}", "rm {}"}, same: true}},
	"custom, type first":       {[]string{role, tool(`{"index":0,"id":"a","type":"custom"}`), tool(`{"index":0,"custom":{"name":"sql","input":"x"}}`), finish("tool_calls"), "[DONE]"}, expected{calls: []string{`sql {"input":"x"}`}}},
	"type lies":                {[]string{role, tool(strings.Replace(rmEntry, `"type":"function"`, `"type":"custom"`, 1)), finish("tool_calls"), "[DONE]"}, rm},
	"type in the second piece": {[]string{role, tool(`{"index":0,"id":"a","function":{"name":"rm","arguments":"{"}}`), tool(`{"index":0,"type":"function","function":{"arguments":"}"}}`), finish("tool_calls"), "[DONE]"}, rm},

	// Arguments.
	"empty arguments":            {[]string{role, tool(open(0, "a", "rm", "")), finish("tool_calls"), "[DONE]"}, rm},
	"white space only":           {[]string{role, tool(open(0, "a", "rm", " ")), finish("stop"), "[DONE]"}, rm},
	"no arguments":               {[]string{role, tool(`{"index":0,"id":"a","type":"function","function":{"name":"rm"}}`), finish("tool_calls"), "[DONE]"}, rm},
	"empty arguments, cut":       {[]string{role, tool(open(0, "a", "rm", "")), finish("length"), "[DONE]"}, faulty(call.CodeCutShort)},
	"empty arguments, filtered":  {[]string{role, tool(open(0, "a", "rm", "")), finish("content_filter"), "[DONE]"}, faulty(call.CodeCutShort)},
	"empty arguments, no end":    {[]string{role, tool(open(0, "a", "rm", "")), "[DONE]"}, faulty(call.CodeCutShort)},
	"two empty, cut":             {[]string{role, tool(open(0, "a", "rm", "")), tool(open(1, "b", "ls", "")), finish("length"), "[DONE]"}, expected{fault: []string{call.CodeCutShort, call.CodeCutShort}}},
	"arguments cut":              {[]string{role, tool(open(0, "a", "rm", `{\"p`)), finish("length"), "[DONE]"}, faulty(call.CodeCutShort)},
	"arguments unfinished":       {[]string{role, tool(open(0, "a", "rm", `{\"p`)), finish("tool_calls"), "[DONE]"}, faulty(call.CodeArgsUnreadable)},
	"custom cut":                 {[]string{role, tool(customEntry), finish("length"), "[DONE]"}, faulty(call.CodeCutShort)},
	"custom, no end":             {[]string{role, tool(customEntry), "[DONE]"}, faulty(call.CodeCutShort)},
	"custom, half a character":   {[]string{role, tool(strings.Replace(customEntry, "select", `\ud83d`, 1)), finish("tool_calls"), "[DONE]"}, faulty(call.CodeArgsUnreadable)},
	"not an object":              {[]string{role, tool(open(0, "a", "rm", `[1]`)), finish("tool_calls"), "[DONE]"}, faulty(call.CodeArgsUnreadable)},
	"two objects, one fragment":  {[]string{role, tool(open(0, "a", "rm", `{} {}`)), finish("tool_calls"), "[DONE]"}, faulty(call.CodeArgsUnreadable)},
	"broken, and more of it":     {[]string{role, tool(open(0, "a", "rm", `x`)), tool(more(0, `y`)), finish("tool_calls"), "[DONE]"}, faulty(call.CodeArgsUnreadable)},
	"two objects, two fragments": {[]string{role, tool(rmEntry), tool(more(0, `{}`)), finish("tool_calls"), "[DONE]"}, expected{code: call.CodeMalformed, calls: []string{"rm {}"}}},
	"text after the brace":       {[]string{role, tool(rmEntry), tool(more(0, `x`)), finish("tool_calls"), "[DONE]"}, expected{code: call.CodeMalformed, calls: []string{"rm {}"}}},
	"no-break space after":       {[]string{role, tool(rmEntry), tool(more(0, `\u00a0`)), finish("tool_calls"), "[DONE]"}, expected{code: call.CodeMalformed, calls: []string{"rm {}"}}},
	"no-break space before":      {[]string{role, tool(open(0, "a", "rm", `\u00a0{}`)), finish("tool_calls"), "[DONE]"}, faulty(call.CodeArgsUnreadable)},
	"a name twice":               {[]string{role, tool(open(0, "a", "rm", `{\"a\":1,\"A\":2}`)), finish("tool_calls"), "[DONE]"}, faulty(call.CodeArgsUnreadable)},
	"a name twice in an object":  {[]string{role, tool(`{"index":0,"id":"a","type":"function","function":{"name":"rm","arguments":{"a":1,"a":2}}}`), finish("tool_calls"), "[DONE]"}, faulty(call.CodeArgsUnreadable)},
	"half a character":           {[]string{role, tool(open(0, "a", "rm", `{\"a\":\"\ud83d\"}`)), finish("tool_calls"), "[DONE]"}, faulty(call.CodeArgsUnreadable)},
	"half a character, escaped":  {[]string{role, tool(open(0, "a", "rm", `{\"a\":\"\\ud83d\"}`)), finish("tool_calls"), "[DONE]"}, faulty(call.CodeArgsUnreadable)},
	"half a character at end":    {[]string{role, tool(open(0, "a", "rm", `{}\ud83d`)), finish("tool_calls"), "[DONE]"}, faulty(call.CodeArgsUnreadable)},
	"object, then text":          {[]string{role, tool(`{"index":0,"id":"a","type":"function","function":{"name":"rm","arguments":{}}}`), tool(more(0, `{}`))}, expected{code: call.CodeMalformed, calls: []string{"rm {}"}}},
	"text, then object":          {[]string{role, tool(open(0, "a", "rm", "{")), tool(`{"index":0,"function":{"arguments":{}}}`)}, expected{code: call.CodeMalformed, fault: []string{call.CodeCutShort}}},
	"arguments a number":         {[]string{role, tool(`{"index":0,"id":"a","type":"function","function":{"name":"rm","arguments":1}}`)}, malformed},
	"no name":                    {[]string{role, tool(`{"index":0,"id":"a","type":"function","function":{"arguments":"{}"}}`), finish("tool_calls"), "[DONE]"}, faulty(call.CodeMalformed)},
	"no name, no arguments":      {[]string{role, tool(`{"index":0,"id":"a","type":"function"}`), finish("tool_calls"), "[DONE]"}, faulty(call.CodeMalformed)},
	"no name, no end":            {[]string{role, tool(`{"index":0,"id":"a","type":"function"}`), text("hi"), "[DONE]"}, faulty(call.CodeCutShort)},
	"name in many pieces":        {append(append([]string{role}, manyNames()...), tool(more(0, "{}")), finish("tool_calls"), "[DONE]"), faulty(call.CodeMalformed)},
	"too many calls":             {[]string{role, tool(manyCalls()...)}, malformed},
	"half a name":                {[]string{role, tool(`{"index":0,"id":"a","type":"function","function":{"name":"\ud83d","arguments":"{}"}}`)}, malformed},

	// What may not follow, or stand together.
	"another name after the end":  {[]string{role, tool(rmEntry), tool(open(0, "a", "ls", "")), finish("tool_calls"), "[DONE]"}, expected{code: call.CodeMalformed, calls: []string{"rm {}"}}},
	"another id after the end":    {[]string{role, tool(rmEntry), tool(`{"index":0,"id":"b"}`), finish("tool_calls"), "[DONE]"}, expected{code: call.CodeMalformed, calls: []string{"rm {}"}}},
	"legacy repeated":             {[]string{role, delta(`{"function_call":{"name":"rm","arguments":"{}"}}`), delta(`{"function_call":{"name":"rm","arguments":""}}`)}, expected{code: call.CodeMalformed, calls: []string{"rm {}"}}},
	"unknown type goes on":        {[]string{role, tool(`{"index":0,"id":"a","type":"shell","cmd":"ls"}`), tool(`{"index":0,"cmd":" -R"}`)}, expected{code: call.CodeMalformed, calls: []string{`shell {"cmd":"ls","id":"a","type":"shell"}`}}},
	"custom goes on after finish": {[]string{role, tool(customEntry), finish("tool_calls"), tool(`{"index":0,"custom":{"input":" "}}`)}, expected{code: call.CodeMalformed, calls: []string{`sql {"input":"select 1"}`}}},
	"custom becomes a function":   {[]string{role, tool(customEntry), tool(more(0, "{}")), finish("tool_calls")}, expected{code: call.CodeMalformed, fault: []string{call.CodeCutShort}}},
	"two kinds at once":           {[]string{role, tool(strings.Replace(rmEntry, `"function":`, `"custom":{"name":"sql","input":"x"},"function":`, 1))}, malformed},
	"done in a broken frame":      {[]string{role, tool(open(0, "a", "rm", "{")), tool(more(0, "}"), `[]`)}, expected{code: call.CodeMalformed, fault: []string{call.CodeCutShort}}},
	"after finish":                {[]string{role, text("hi"), finish("stop"), tool(rmEntry), "[DONE]"}, faulty(call.CodeMalformed)},
	"unknown after finish":        {[]string{role, text("hi"), finish("stop"), tool(`{"index":0,"type":"shell"}`), "[DONE]"}, faulty(call.CodeMalformed)},
	"piece after finish":          {[]string{role, tool(open(0, "a", "rm", "")), finish("tool_calls"), tool(more(0, `{}`))}, expected{code: call.CodeMalformed, calls: []string{"rm {}"}}},
	"legacy after finish":         {[]string{role, text("hi"), finish("stop"), delta(`{"function_call":{"name":"rm","arguments":"{}"}}`), "[DONE]"}, faulty(call.CodeMalformed)},
	"text after finish":           {[]string{role, finish("stop"), text("hi"), "[DONE]"}, asSent},
	"finish twice":                {[]string{role, tool(rmEntry), finish("tool_calls"), finish("tool_calls"), "[DONE]"}, rmAsSent},
	"text after [DONE]":           {[]string{role, finish("stop"), "[DONE]", text("hi")}, malformed},
	"[DONE] twice":                {[]string{role, finish("stop"), "[DONE]", "[DONE]"}, malformed},
	"[DONE] and more":             {[]string{role, finish("stop"), "[DONE]x"}, malformed},

	// Errors.
	"error":                   {[]string{role, failure}, asSent},
	"error alone":             {[]string{failure}, asSent},
	"error, then [DONE]":      {[]string{role, failure, "[DONE]"}, asSent},
	"error mid call":          {[]string{role, tool(open(0, "a", "rm", "{")), failure}, faulty(call.CodeCutShort)},
	"error before a name":     {[]string{role, tool(`{"index":0,"id":"a"}`), failure}, faulty(call.CodeCutShort)},
	"error after a call":      {[]string{role, tool(rmEntry), failure}, rmAsSent},
	"error, then a call":      {[]string{role, failure, tool(rmEntry)}, malformed},
	"error with choices":      {[]string{role, tool(open(0, "a", "rm", "{")), strings.Replace(chunk(`{"index":0,"delta":{"content":""},"finish_reason":"error"}`), `"choices"`, `"error":{"code":502,"message":"x"},"choices"`, 1)}, faulty(call.CodeCutShort)},
	"error with the rest":     {[]string{role, tool(open(0, "a", "rm", "{")), strings.Replace(tool(more(0, "}")), `"choices"`, `"error":{"code":502,"message":"x"},"choices"`, 1)}, faulty(call.CodeCutShort)},
	"error of Mistral":        {[]string{role, tool(open(0, "a", "rm", "{")), `{"object":"error","message":"x"}`}, faulty(call.CodeCutShort)},
	"no error":                {[]string{strings.Replace(role, `"choices"`, `"error":null,"choices"`, 1), strings.Replace(tool(rmEntry), `"choices"`, `"error":"","choices"`, 1), finish("tool_calls"), "[DONE]"}, rmAsSent},
	"error twice":             {[]string{role, `{"error":null,"error":{"message":"x"}}`}, malformed},
	"error in another case":   {[]string{role, `{"Error":{"message":"x"}}`}, malformed},
	"error around a call":     {[]string{role, `{"error":{"tool_calls":[` + rmEntry + `]}}`}, malformed},
	"error next to a call":    {[]string{role, strings.Replace(tool(rmEntry), `"choices"`, `"error":{"code":502},"choices"`, 1)}, faulty(call.CodeCutShort)},
	"error in another choice": {[]string{role, choiceTool(1, open(0, "b", "ls", "{")), failure, "[DONE]"}, faulty(call.CodeCutShort)},

	// What is said passes.
	"text":                {[]string{role, text("hi"), finish("stop"), "[DONE]"}, asSent},
	"half in text":        {[]string{role, delta(`{"content":"\ud83d"}`), delta(`{"content":"\ude00"}`), finish("stop"), "[DONE]"}, asSent},
	"refusal":             {[]string{role, delta(`{"refusal":"no"}`), finish("stop"), "[DONE]"}, asSent},
	"reasoning":           {[]string{role, delta(`{"reasoning_content":"x","reasoning":"y","reasoning_details":[{"type":"reasoning.text","text":"z"}]}`), finish("stop"), "[DONE]"}, asSent},
	"content in parts":    {[]string{role, delta(`{"content":[{"type":"text","text":"hi"},{"type":"reference","reference_ids":[1]}]}`), finish("stop"), "[DONE]"}, asSent},
	"audio, annotations":  {[]string{role, delta(`{"audio":{"id":"x","data":"AA"},"annotations":[{"type":"url_citation"}]}`), finish("stop"), "[DONE]"}, asSent},
	"empty calls":         {[]string{role, delta(`{"content":"x","tool_calls":[],"function_call":null}`), finish("stop"), "[DONE]"}, asSent},
	"null calls":          {[]string{role, delta(`{"content":"x","tool_calls":null}`), finish("stop"), "[DONE]"}, asSent},
	"finish_reason empty": {[]string{role, chunk(`{"index":0,"delta":{"content":"x"},"finish_reason":""}`), chunk(`{"index":0,"delta":{"tool_calls":[` + open(0, "a", "rm", "") + `]},"finish_reason":""}`), tool(more(0, "{}")), finish("tool_calls"), "[DONE]"}, rmAsSent},
	"Azure prelude":       {[]string{`{"id":"","object":"","created":0,"model":"","prompt_filter_results":[{"prompt_index":0}],"choices":[]}`, role, text("x"), finish("stop"), "[DONE]"}, asSent},
	"Azure filter":        {[]string{role, text("x"), chunk(`{"index":0,"finish_reason":null,"content_filter_results":{"hate":{"filtered":false}},"content_filter_offsets":{"check_offset":1}}`), finish("stop"), "[DONE]"}, asSent},
	"usage last":          {[]string{role, finish("stop"), `{"id":"c1","choices":[],"usage":{"prompt_tokens":1}}`, "[DONE]"}, asSent},
	"usage without":       {[]string{role, finish("stop"), `{"usage":{"prompt_tokens":1}}`, "[DONE]"}, asSent},
	"choices null":        {[]string{role, `{"choices":null}`, finish("stop"), "[DONE]"}, asSent},
	"unknown frame":       {[]string{role, `{"weather":"sun"}`, finish("stop"), "[DONE]"}, asSent},
	"old completions":     {[]string{`{"object":"text_completion","choices":[{"index":0,"text":"hi","finish_reason":"stop"}]}`, "[DONE]"}, asSent},

	// Frames that cannot be understood, and frames of other formats.
	"not JSON":                {[]string{role, `{"choices":[`}, malformed},
	"frame not an object":     {[]string{role, `[1]`}, malformed},
	"choices an object":       {[]string{role, `{"choices":{}}`}, malformed},
	"choices twice":           {[]string{role, `{"choices":[],"choices":[]}`}, malformed},
	"choices in another case": {[]string{role, `{"Choices":[]}`}, malformed},
	"choice twice":            {[]string{role, chunk(`{"index":0,"delta":{"content":"x"}}`, `{"index":0,"delta":{},"finish_reason":"stop"}`)}, malformed},
	"choice null":             {[]string{role, chunk(`null`)}, malformed},
	"choice index negative":   {[]string{role, chunk(`{"index":-1,"delta":{}}`)}, malformed},
	"choice index a string":   {[]string{role, chunk(`{"index":"0","delta":{}}`)}, malformed},
	"choice index twice":      {[]string{role, chunk(`{"index":0,"index":1,"delta":{}}`)}, malformed},
	"too many choices":        {[]string{chunk(manyChoices()...)}, malformed},
	"tokens twice":            {[]string{role, chunk(`{"index":0,"delta":{"tool_calls":[` + rmEntry + `]},"logprobs":null,"logprobs":{"content":[]}}`)}, malformed},
	"object twice":            {[]string{role, `{"object":"error","object":"x","choices":[]}`}, malformed},
	"delta a string":          {[]string{role, delta(`"x"`)}, malformed},
	"delta twice":             {[]string{role, chunk(`{"index":0,"delta":{},"delta":{"tool_calls":[` + rmEntry + `]}}`)}, malformed},
	"delta in another case":   {[]string{role, chunk(`{"index":0,"Delta":{"tool_calls":[` + rmEntry + `]}}`)}, malformed},
	"message in another case": {[]string{role, chunk(`{"index":0,"delta":{},"MESSAGE":{"tool_calls":[` + rmEntry + `]}}`)}, malformed},
	"calls an object":         {[]string{role, delta(`{"tool_calls":{"0":` + rmEntry + `}}`)}, malformed},
	"call a string":           {[]string{role, tool(`"rm"`)}, malformed},
	"function a string":       {[]string{role, tool(`{"index":0,"id":"a","type":"function","function":"rm"}`)}, malformed},
	"function twice":          {[]string{role, tool(`{"index":0,"id":"a","type":"function","function":{},"function":{"name":"rm","arguments":"{}"}}`)}, malformed},
	"name twice":              {[]string{role, tool(`{"index":0,"id":"a","type":"function","function":{"name":"ls","name":"rm","arguments":"{}"}}`)}, malformed},
	"arguments in any case":   {[]string{role, tool(`{"index":0,"id":"a","type":"function","function":{"name":"rm","Arguments":"{}"}}`)}, malformed},
	"id twice":                {[]string{role, tool(`{"index":0,"id":"a","id":"b","type":"function","function":{"name":"rm","arguments":"{}"}}`)}, malformed},
	"id a number":             {[]string{role, tool(`{"index":0,"id":1,"type":"function","function":{"name":"rm","arguments":"{}"}}`)}, malformed},
	"name a number":           {[]string{role, tool(`{"index":0,"id":"a","type":"function","function":{"name":1,"arguments":"{}"}}`)}, malformed},
	"index twice":             {[]string{role, tool(`{"index":0,"index":1,"id":"a","type":"function","function":{"name":"rm","arguments":"{}"}}`)}, malformed},
	"type a number":           {[]string{role, tool(`{"index":0,"id":"a","type":1,"function":{"name":"rm","arguments":"{}"}}`)}, malformed},
	"custom twice":            {[]string{role, tool(`{"index":0,"id":"a","type":"custom","custom":{},"custom":{"name":"sql","input":"x"}}`)}, malformed},
	"legacy name twice":       {[]string{role, delta(`{"function_call":{"name":"ls","name":"rm","arguments":"{}"}}`)}, malformed},
	"legacy a string":         {[]string{role, delta(`{"function_call":"rm"}`)}, malformed},
	"legacy in another case":  {[]string{role, delta(`{"Function_Call":{"name":"rm","arguments":"{}"}}`)}, malformed},
	"finish_reason a number":  {[]string{role, chunk(`{"index":0,"delta":{},"finish_reason":1}`)}, malformed},
	"finish_reason twice":     {[]string{role, chunk(`{"index":0,"delta":{},"finish_reason":null,"finish_reason":"stop"}`)}, malformed},
	"a call in a part":        {[]string{role, delta(`{"content":[{"type":"tool_use","name":"rm","input":{}}]}`)}, malformed},
	"a call in a choice":      {[]string{role, chunk(`{"index":0,"delta":{},"other":{"tool_calls":[]}}`)}, malformed},
	"a call in a vendor part": {[]string{role, delta(`{"content":"x","extra":{"functionCall":{}}}`)}, malformed},
	"Anthropic block":         {[]string{role, `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","name":"rm"}}`}, malformed},
	"Anthropic and Chat":      {[]string{role, `{"choices":[],"type":"content_block_start","index":0,"content_block":{"type":"tool_use","name":"rm"}}`}, malformed},
	"Anthropic piece":         {[]string{role, `{"choices":[],"delta":{"type":"input_json_delta","partial_json":"{}"}}`}, malformed},
	"Responses fragment":      {[]string{role, `{"type":"response.function_call_arguments.delta","delta":"{"}`}, malformed},
	"Responses and Chat":      {[]string{role, `{"choices":[],"type":"response.function_call_arguments.delta","delta":"{"}`}, malformed},
	"Gemini part":             {[]string{role, `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"rm"}}]}}]}`}, malformed},
	"Gemini and Chat":         {[]string{role, `{"choices":[],"candidates":[{"content":{"parts":[{"functionCall":{"name":"rm"}}]}}]}`}, malformed},
	"Ollama and Chat":         {[]string{role, `{"choices":[],"message":{"tool_calls":[{"function":{"name":"rm","arguments":{}}}]}}`}, malformed},
}

// manyNames are pieces of a name, each different.
func manyNames() []string {
	var frames []string
	for i := range 33 {
		frames = append(frames, tool(open(0, "a", fmt.Sprint("p", i), "")))
	}
	return frames
}

// manyChoices are more choices than a response may have.
func manyChoices() []string {
	var choices []string
	for i := range 129 {
		choices = append(choices, fmt.Sprintf(`{"index":%d,"delta":{"content":"x"}}`, i))
	}
	return choices
}

// manyCalls are more calls than a choice may have.
func manyCalls() []string {
	var entries []string
	for i := range 1025 {
		entries = append(entries, open(i, fmt.Sprint("a", i), "rm", "{}"))
	}
	return entries
}

// Comments say that the upstream is still there. They pass, also after the end.
func TestComments(t *testing.T) {
	comment := ": OPENROUTER PROCESSING\n\n"
	in := comment + string(stream(role)) + comment + string(stream(tool(rmEntry))) + comment + string(stream(finish("tool_calls"), "[DONE]")) + comment
	checkExpected(t, []byte(in), false, rmAsSent)
}

func TestStream(t *testing.T) {
	for name, tt := range streams {
		t.Run(name, func(t *testing.T) { checkExpected(t, stream(tt.frames...), false, tt.want) })
	}
}
