package openairesponses_test

import (
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
		// A call that was open when the response ended early has no fault of its own.
		if e.Kind == "refuse" && !e.Ruling.Silent && (got.code == "" || e.Ruling.Code != call.CodeCutShort) {
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

var (
	asSent    = expected{same: true}
	malformed = expected{code: call.CodeMalformed}
	rmAsSent  = expected{calls: []string{`rm {"p":1}`}, same: true}
	rmChanged = expected{calls: []string{`rm {"p":1}`}}
)

func faulty(code string) expected { return expected{fault: []string{code}} }

// alone is a stream with one item, which is added as it is done.
func alone(item string) []string { return flat(created, added(0, item), done(0, item), ended(item)) }

// one is a stream that is to arrive as it came, with one call.
func one(item, calls string) (row streamRow) {
	return streamRow{alone(item), expected{calls: []string{calls}, same: true}}
}

type streamRow struct {
	frames []string
	want   expected
}

// rmBegunThen is a call whose pieces have another id than its item, as some servers have it.
func rmBegunThen(id string) []string {
	frames := rmCall(0)
	for i := 1; i < 4; i++ {
		frames[i] = strings.Replace(frames[i], "fc_1", id, 1)
	}
	return frames
}

// without is a stream of frames that lack something.
func without(what string, frames []string) []string {
	var all []string
	for _, f := range frames {
		all = append(all, strings.ReplaceAll(f, what, ""))
	}
	return all
}

// streams are what upstreams send, in good faith and in bad.
var streams = map[string]streamRow{
	// The events of the reference, one by one.
	"text":                  {flat(created, hi(0), ended(hiItem)), asSent},
	"call":                  {flat(created, rmCall(0), ended(rmItem)), rmAsSent},
	"call, kept":            {flat(life("created", stored("true", "in_progress")), rmCall(0), life("completed", stored("true", "completed", rmItem))), rmAsSent},
	"queued":                {flat(created, life("queued", response("queued")), life("in_progress", response("in_progress")), rmCall(0), ended(rmItem)), rmAsSent},
	"incomplete":            {flat(created, rmCall(0), life("incomplete", response("incomplete", rmItem))), rmAsSent},
	"failed":                {flat(created, rmCall(0), life("failed", response("failed", rmItem))), rmAsSent},
	"cancelled":             {flat(created, rmCall(0), life("cancelled", response("cancelled", rmItem))), rmAsSent},
	"text and two calls":    {flat(created, hi(0), rmCall(1), lsCall(2), ended(hiItem, rmItem, lsItem)), expected{calls: []string{`rm {"p":1}`, `ls {"n":1.50}`}, same: true}},
	"done marker":           {flat(created, rmCall(0), ended(rmItem), "[DONE]"), rmAsSent},
	"no end":                {flat(created, rmCall(0)), rmAsSent},
	"keepalive":             {flat(created, event("keepalive"), rmCall(0), event("keepalive"), ended(rmItem)), rmAsSent},
	"custom":                {flat(created, added(0, strings.Replace(sqlItem, "select 1", "", 1)), piece("custom_tool_call_input", 0, "ctc_3", "select"), piece("custom_tool_call_input", 0, "ctc_3", " 1"), event("response.custom_tool_call_input.done", `"item_id":"ctc_3","output_index":0,"input":"select 1"`), done(0, sqlItem), ended(sqlItem)), expected{calls: []string{`sql {"input":"select 1"}`}, same: true}},
	"reasoning":             {flat(created, added(0, `{"id":"rs_1","type":"reasoning","summary":[]}`), event("response.reasoning_text.delta", `"item_id":"rs_1","output_index":0,"content_index":0,"delta":"x"`), event("response.reasoning_summary_text.delta", `"item_id":"rs_1","output_index":0,"summary_index":0,"delta":"x"`), done(0, `{"id":"rs_1","type":"reasoning","summary":[]}`), ended(`{"id":"rs_1","type":"reasoning","summary":[]}`)), asSent},
	"refusal":               {flat(created, added(0, hiBegun), event("response.content_part.added", `"item_id":"msg_1","output_index":0,"content_index":0,"part":{"type":"refusal","refusal":""}`), event("response.refusal.delta", `"item_id":"msg_1","output_index":0,"content_index":0,"delta":"no"`), done(0, hiItem), ended(hiItem)), asSent},
	"annotation":            {flat(created, hi(0)[:3], event("response.output_text.annotation.added", `"item_id":"msg_1","output_index":0,"content_index":0,"annotation_index":0,"annotation":{"type":"url_citation","url":"x"}`), hi(0)[3:], ended(hiItem)), asSent},
	"audio":                 {flat(created, event("response.audio.delta", `"delta":"AA"`), event("response.audio.transcript.delta", `"delta":"x"`), ended()), asSent},
	"obfuscation":           {flat(created, added(0, hiBegun), event("response.content_part.added", `"item_id":"msg_1","output_index":0,"content_index":0,"part":{"type":"output_text","text":""}`), event("response.output_text.delta", `"item_id":"msg_1","output_index":0,"content_index":0,"delta":"hi","obfuscation":"x9"`), done(0, hiItem), ended(hiItem)), asSent},
	"error":                 {flat(created, hi(0), event("error", `"code":"server_error","message":"x","param":null`)), asSent},
	"error in an error":     {flat(created, hi(0), `{"type":"error","error":{"type":"server_error","code":null,"message":"x"}}`), asSent},
	"error without a type":  {flat(created, hi(0), `{"error":{"type":"server_error","code":null,"message":"x"}}`), asSent},
	"error first":           {flat(event("error", `"code":"server_error","message":"x","param":null`)), asSent},
	"error after a call":    {flat(created, rmCall(0), event("error", `"code":"server_error","message":"x","param":null`)), rmAsSent},
	"error inside a call":   {flat(created, rmCall(0)[:3], event("error", `"code":"server_error","message":"x","param":null`)), expected{}},
	"failed inside a call":  {flat(created, rmCall(0)[:3], life("failed", response("failed"))), expected{}},
	"ended inside a call":   {flat(created, rmCall(0)[:3], ended()), faulty(call.CodeCutShort)},
	"unknown event":         {flat(created, event("response.weather", `"sun":true`), hi(0), ended(hiItem)), asSent},
	"unknown about text":    {flat(created, hi(0)[:3], event("response.weather", `"output_index":0,"item_id":"msg_1"`), hi(0)[3:], ended(hiItem)), asSent},
	"piece about text":      {flat(created, hi(0)[:2], event("response.future_call_code.delta", `"output_index":0,"item_id":"msg_1","delta":"x"`), ended(hiItem)), malformed},
	"unknown about a call":  {flat(created, rmCall(0)[:2], event("response.weather", `"output_index":0,"item_id":"fc_1"`), rmCall(0)[2:], ended(rmItem)), rmChanged},
	"unknown with an item":  {flat(created, event("response.weather", `"item":`+hiItem), ended(hiItem)), malformed},
	"unknown about tools":   {flat(created, event("response.tool_input.delta", `"delta":"rm -rf /"`), ended()), malformed},
	"unknown with unknown":  {flat(created, event("response.weather", `"item":{"id":"x","type":"future_call"}`), ended()), malformed},
	"unknown with a result": {flat(created, event("weather", `"response":{"output":[{"id":"x","type":"future_call"}]}`), ended()), malformed},
	"progress with unknown": {flat(created, search[0], event("response.web_search_call.searching", `"output_index":0,"item":{"id":"x","type":"future_call"}`), ended(searchItem)), malformed},
	"keepalive, unknown":    {flat(created, event("keepalive", `"item":{"id":"x","type":"future_call"}`), ended()), malformed},
	"error with unknown":    {flat(created, event("error", `"code":"x","item":{"id":"x","type":"future_call"}`)), malformed},
	"end with unknown":      {flat(created, strings.Replace(ended(), `"response"`, `"item":{"id":"x","type":"future_call"},"response"`, 1)), malformed},
	"sequence numbers fall": {flat(at(9, created), at(3, added(0, rmBegun)), at(5, done(0, rmItem)), at(1, ended(rmItem))), rmAsSent},

	// The items of the reference.
	"server":          one(strings.Replace(rmItem, `"name"`, `"namespace":"mcp__fs","name"`, 1), `fs/rm {"p":1}`),
	"namespace":       one(strings.Replace(rmItem, `"name"`, `"namespace":"fs","name"`, 1), `fs.rm {"p":1}`),
	"shell":           one(`{"id":"sh_1","type":"shell_call","call_id":"call_1","status":"completed","environment":{"type":"local"},"action":{"commands":["ls"]}}`, `shell {"commands":["ls"]}`),
	"shell, nowhere":  one(`{"id":"sh_1","type":"shell_call","call_id":"call_1","status":"completed","action":{"commands":["ls"]}}`, `shell {"commands":["ls"]}`),
	"container shell": one(`{"id":"sh_1","type":"shell_call","call_id":"call_1","status":"completed","environment":{"type":"container_reference","container_id":"c"},"action":{"commands":["ls"]}}`, `shell {"commands":["ls"]}`),
	"local shell":     one(`{"id":"ls_1","type":"local_shell_call","call_id":"call_1","status":"completed","action":{"type":"exec","command":["ls"],"env":{}}}`, `local_shell {"command":["ls"],"env":{},"type":"exec"}`),
	"patch":           one(`{"id":"ap_1","type":"apply_patch_call","call_id":"call_1","status":"completed","operation":{"type":"delete_file","path":"a"}}`, `apply_patch {"path":"a","type":"delete_file"}`),
	"computer":        one(`{"id":"cu_1","type":"computer_call","call_id":"call_1","status":"completed","pending_safety_checks":[],"action":{"type":"wait"}}`, `computer {"action":{"type":"wait"}}`),
	"computer, many":  one(`{"id":"cu_1","type":"computer_call","call_id":"call_1","status":"completed","actions":[{"type":"wait"}],"pending_safety_checks":[{"id":"s"}]}`, `computer {"actions":[{"type":"wait"}],"pending_safety_checks":[{"id":"s"}]}`),
	"tool search":     one(`{"id":"ts_1","type":"tool_search_call","call_id":"call_1","execution":"client","status":"completed","arguments":{"q":1}}`, `tool_search {"q":1}`),
	"approval":        one(`{"id":"mr_1","type":"mcp_approval_request","server_label":"tracker","name":"rm","arguments":"{\"p\":1}"}`, `tracker/rm {"p":1}`),
	"mcp call":        one(`{"id":"mc_1","type":"mcp_call","server_label":"tracker","name":"rm","arguments":"{\"p\":1}","output":"x"}`, `tracker/rm {"p":1}`),
	"mcp list":        one(`{"id":"ml_1","type":"mcp_list_tools","server_label":"tracker","tools":[{"name":"rm","input_schema":{"properties":{"tool_calls":{"type":"string"}}}}]}`, `tracker/mcp_list_tools {}`),
	"web search":      one(`{"id":"ws_1","type":"web_search_call","status":"completed","action":{"type":"search","query":"x"}}`, `web_search {"query":"x","type":"search"}`),
	"file search":     one(`{"id":"fs_1","type":"file_search_call","status":"completed","queries":["x"],"results":[{"text":"y"}]}`, `file_search {"queries":["x"]}`),
	"code":            one(`{"id":"ci_1","type":"code_interpreter_call","status":"completed","container_id":"c","code":"1","outputs":[{"type":"logs","logs":"1"}]}`, `code_interpreter {"code":"1","container_id":"c"}`),
	"image":           one(`{"id":"ig_1","type":"image_generation_call","status":"completed","result":"AA"}`, `image_generation {}`),
	"program":         one(`{"id":"pr_1","type":"program","call_id":"call_1","code":"f()"}`, `program {"code":"f()"}`),
	"by a program":    one(strings.Replace(rmItem, `"name"`, `"caller":{"type":"program","caller_id":"call_0"},"name"`, 1), `rm {"p":1}`),
	"unknown":         one(`{"id":"x_1","type":"future_call","call_id":"call_1","what":1.0}`, `future_call {"call_id":"call_1","id":"x_1","type":"future_call","what":1.0}`),
	"compaction":      {alone(`{"id":"cmp_1","type":"compaction","encrypted_content":"AA"}`), asSent},
	"more tools":      {alone(`{"id":"at_1","type":"additional_tools","tools":[{"type":"function","name":"x","parameters":{"properties":{"function_call":{"type":"string"}}}}]}`), asSent},
	"result":          {alone(`{"id":"o_1","type":"function_call_output","call_id":"call_0","output":"x"}`), asSent},
	"found tools":     {alone(`{"id":"o_1","type":"tool_search_output","call_id":"call_0","execution":"server","tools":[{"type":"function","name":"tool_calls"}]}`), asSent},

	// What is odd about calls.
	"approval under two ids":  {flat(created, added(0, approvalItem), done(0, approvalItem), ended(strings.Replace(approvalItem, "mr_1", "mr_2", 1))), expected{calls: []string{`fs/rm {}`}}},
	"search under two ids":    {flat(created, search, ended(strings.Replace(searchItem, "ws_1", "ws_2", 1))), expected{calls: []string{searchCall, searchCall}, same: true}},
	"no arguments":            {alone(strings.Replace(rmItem, `{\"p\":1}`, "", 1)), expected{calls: []string{"rm {}"}}},
	"arguments missing":       {alone(strings.Replace(rmItem, `"arguments":"{\"p\":1}",`, "", 1)), expected{calls: []string{"rm {}"}, same: true}},
	"arguments null":          {alone(strings.Replace(rmItem, `"{\"p\":1}"`, "null", 1)), expected{calls: []string{"rm {}"}, same: true}},
	"arguments a number":      {alone(strings.Replace(rmItem, `"{\"p\":1}"`, "7", 1)), faulty(call.CodeArgsUnreadable)},
	"arguments not an object": {alone(strings.Replace(rmItem, `{\"p\":1}`, "[1]", 1)), faulty(call.CodeArgsUnreadable)},
	"half a character":        {alone(strings.Replace(rmItem, `{\"p\":1}`, `{\"p\":\"\ud83d\"}`, 1)), faulty(call.CodeArgsUnreadable)},
	"half in custom":          {alone(strings.Replace(sqlItem, `select 1`, `\ud83d`, 1)), faulty(call.CodeArgsUnreadable)},
	"a character in pieces":   {flat(created, added(0, rmBegun), argsDelta(0, "fc_1", `{\"p\":\"\ud83d`), argsDelta(0, "fc_1", `\ude00\"}`), done(0, strings.Replace(rmItem, `{\"p\":1}`, `{\"p\":\"😀\"}`, 1)), ended(strings.Replace(rmItem, `{\"p\":1}`, `{\"p\":\"😀\"}`, 1))), expected{calls: []string{`rm {"p":"😀"}`}}},
	"action a string":         {alone(`{"id":"sh_1","type":"shell_call","call_id":"call_1","action":"ls"}`), faulty(call.CodeArgsUnreadable)},
	"action missing":          one(`{"id":"sh_1","type":"shell_call","call_id":"call_1"}`, `shell {}`),
	"search cut short":        one(`{"id":"ws_1","type":"web_search_call","status":"failed","action":{"type":"search"}}`, `web_search {"type":"search"}`),
	"status incomplete":       {alone(strings.Replace(rmItem, "completed", "incomplete", 1)), faulty(call.CodeCutShort)},
	"status in_progress":      {alone(strings.Replace(rmItem, "completed", "in_progress", 1)), faulty(call.CodeCutShort)},
	"one id for two":          {flat(created, without(`"call_id":"call_1",`, flat(rmCall(0), rmCall(1))), ended()), expected{calls: rmAsSent.calls, fault: []string{call.CodeMalformed}}},
	"no name":                 {alone(strings.Replace(rmItem, `,"name":"rm"`, "", 1)), faulty(call.CodeMalformed)},
	"no id but the call's":    {without(`"output_index":0,`, without(`"id":"fc_1",`, flat(created, rmBegunThen("call_1"), ended(rmItem)))), rmChanged},
	"no id when it is done":   {flat(created, added(0, strings.Replace(rmBegun, `"call_id":"call_1",`, "", 1)), done(0, strings.Replace(strings.Replace(rmItem, `"call_id":"call_1",`, "", 1), `"id":"fc_1",`, "", 1)), ended()), rmChanged},
	"another id at the end":   {flat(created, rmCall(0), ended(strings.Replace(rmItem, "call_1", "call_9", 1))), rmChanged},
	"no index":                {without(`"output_index":0,`, flat(created, rmCall(0), ended(rmItem))), rmChanged},
	"calls at the beginning":  {flat(life("created", response("in_progress", rmItem)), rmCall(0), ended(rmItem)), malformed},
	"calls at a later one":    {flat(created, life("in_progress", response("in_progress", rmItem)), rmCall(0), ended(rmItem)), malformed},
	"another call inside":     {alone(strings.Replace(rmItem, `"name"`, `"functionCall":{"name":"ls"},"name"`, 1)), malformed},
	"a call inside a result":  {alone(`{"id":"o_1","type":"function_call_output","call_id":"call_0","output":[` + rmItem + `]}`), malformed},

	"pieces found otherwise": {flat(created, rmCall(0)[:2], strings.Replace(rmCall(0)[2], `"output_index":0,`, "", 1), rmCall(0)[3:], ended(rmItem)), rmChanged},
	"pieces of other ids":    {flat(created, rmCall(0)[:2], strings.Replace(rmCall(0)[2], `fc_1`, "fc_8", 1), rmCall(0)[3:], ended(rmItem)), rmChanged},
	"pieces of one other id": {flat(created, rmBegunThen("fc_8"), ended(rmItem)), rmAsSent},
	"progress of nothing":    {flat(created, event("response.web_search_call.searching", `"output_index":0,"item_id":"ws_1"`), ended()), malformed},
	"picture of nothing":     {flat(created, event("response.image_generation_call.partial_image", `"output_index":0,"item_id":"ig_1","partial_image_b64":"AA"`), ended()), malformed},

	// A stream that goes on in the middle of another.
	"resumed in text":          {flat(hi(2)[3:], ended(hiItem)), asSent},
	"resumed in a call":        {flat(rmCall(2)[2:], ended(hiItem, hiItem, rmItem)), expected{calls: []string{`rm {"p":1}`}}},
	"resumed before a call":    {flat(hi(1)[5:], rmCall(2), ended(hiItem, rmItem)), rmAsSent},
	"resumed at the end":       {flat(ended(hiItem, rmItem)), rmAsSent},
	"resumed in a custom call": {flat(piece("custom_tool_call_input", 4, "ctc_3", "ct 1"), done(4, sqlItem), ended(sqlItem)), expected{calls: []string{`sql {"input":"select 1"}`}}},
	"resumed at an item done":  {flat(done(2, rmItem), ended(hiItem, hiItem, rmItem)), rmAsSent},
	"resumed, no arguments":    {flat(done(2, strings.Replace(rmItem, `{\"p\":1}`, "", 1)), ended(hiItem, hiItem, strings.Replace(rmItem, `{\"p\":1}`, "", 1))), expected{calls: []string{"rm {}"}}},
	"resumed in a search":      {flat(event("response.web_search_call.searching", `"output_index":1,"item_id":"ws_1"`), done(1, `{"id":"ws_1","type":"web_search_call","status":"completed"}`), ended(`{"id":"ws_1","type":"web_search_call","status":"completed"}`)), expected{calls: []string{"web_search {}"}}},
}

func TestStream(t *testing.T) {
	for name, tt := range streams {
		t.Run(name, func(t *testing.T) { checkExpected(t, stream(tt.frames...), false, tt.want) })
	}
}

// Comments say that the upstream is still there. They pass, also after the end.
func TestComments(t *testing.T) {
	comment := ": still here\n\n"
	in := comment + string(stream(created)) + comment + string(numbered(1, rmCall(0)...)) + comment + string(numbered(6, ended(rmItem))) + comment
	checkExpected(t, []byte(in), false, rmAsSent)
}
