package openairesponses_test

import (
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// list is a list of items as the API returns one.
func list(items ...string) string {
	return `{"object":"list","data":[` + strings.Join(items, ", ") + `],"first_id":"a","last_id":"b","has_more":false}`
}

const (
	askItem    = `{"id":"msg_0","type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}`
	answerItem = `{"id":"fco_1","type":"function_call_output","call_id":"call_1","output":"x"}`
	searchItem = `{"id":"ws_1","type":"web_search_call","status":"completed","action":{"type":"search","query":"q"}}`
	searchCall = `web_search {"query":"q","type":"search"}`

	approvalItem = `{"id":"mr_1","type":"mcp_approval_request","server_label":"fs","name":"rm","arguments":"{}"}`

	begunItem = `{"id":"fc_9","type":"function_call","status":"in_progress","arguments":"{\"p","call_id":"call_9","name":"rm"}`
)

// bodies are what upstreams answer at once.
var bodies = map[string]struct {
	body string
	want expected
}{
	"call":                    {response("completed", rmItem), rmAsSent},
	"text":                    {response("completed", hiItem), asSent},
	"nothing":                 {response("completed"), asSent},
	"no output":               {`{"id":"resp_1","object":"response","status":"queued"}`, asSent},
	"output null":             {strings.Replace(response("completed"), "[]", "null", 1), asSent},
	"all kinds":               {response("completed", hiItem, rmItem, sqlItem, searchItem), expected{calls: []string{`rm {"p":1}`, `sql {"input":"select 1"}`, `web_search {"query":"q","type":"search"}`}, same: true}},
	"incomplete":              {response("incomplete", rmItem), rmAsSent},
	"incomplete call":         {response("incomplete", strings.Replace(rmItem, "completed", "incomplete", 1)), faulty(call.CodeCutShort)},
	"failed":                  {response("failed", rmItem), rmAsSent},
	"cancelled":               {response("cancelled", rmItem, begunItem), expected{calls: []string{`rm {"p":1}`}, fault: []string{call.CodeCutShort}}},
	"polled, queued":          {response("queued"), asSent},
	"polled, call complete":   {response("in_progress", rmItem), rmAsSent},
	"polled, call begun":      {response("in_progress", begunItem), expected{}},
	"polled, one of two":      {response("in_progress", rmItem, begunItem), rmChanged},
	"polled, unknown begun":   {response("in_progress", `{"id":"x","type":"future_call","status":"in_progress"}`), expected{}},
	"polled, search begun":    {response("in_progress", strings.Replace(searchItem, "completed", "searching", 1)), expected{calls: []string{`web_search {"query":"q","type":"search"}`}, same: true}},
	"list":                    {list(askItem, rmItem, answerItem), rmAsSent},
	"empty list":              {list(), asSent},
	"list of texts":           {list(askItem, hiItem), asSent},
	"item":                    {rmItem, rmAsSent},
	"message":                 {hiItem, asSent},
	"message without a type":  {`{"object":"list","data":[{"role":"user","content":"hi"}]}`, asSent},
	"reference":               {list(`{"type":"item_reference","id":"fc_1"}`), asSent},
	"compaction":              {`{"id":"resp_1","object":"response.compaction","output":[{"id":"c","type":"compaction","encrypted_content":"AA"}]}`, asSent},
	"call in a compaction":    {`{"id":"resp_1","object":"response.compaction","output":[` + rmItem + `]}`, rmAsSent},
	"deleted":                 {`{"id":"resp_1","object":"response","deleted":true}`, asSent},
	"error":                   {`{"error":{"message":"x","type":"invalid_request_error","param":null,"code":null}}`, asSent},
	"error with a call":       {`{"error":{"message":"x"},"output":[` + rmItem + `]}`, malformed},
	"error with the unknown":  {`{"error":{"message":"x"},"item":{"id":"x","type":"future_call"}}`, malformed},
	"of no kind":              {`{"item":{"id":"x","type":"future_call"}}`, malformed},
	"empty":                   {`{}`, malformed},
	"error about calls":       {`{"error":{"message":"No tool output found for function call call_1.","type":"invalid_request_error"}}`, asSent},
	"event":                   {at(0, ended(rmItem)), malformed},
	"event of text":           {at(0, event("response.output_text.delta", `"delta":"x"`)), malformed},
	"keepalive":               {at(0, event("keepalive")), malformed},
	"response in an item":     {strings.Replace(rmItem, `"name"`, `"output":[`+lsItem+`],"name"`, 1), malformed},
	"response in a message":   {strings.Replace(hiItem, `"role"`, `"output":[`+lsItem+`],"role"`, 1), malformed},
	"response in a result":    {strings.Replace(answerItem, `"x"`, `[`+lsItem+`]`, 1), malformed},
	"unknown in a message":    {strings.Replace(hiItem, `"role"`, `"output":[{"id":"x","type":"future_call"}],"role"`, 1), malformed},
	"result in parts":         {strings.Replace(answerItem, `"x"`, `[{"type":"input_text","text":"x"}]`, 1), asSent},
	"response in the unknown": {`{"id":"x","type":"future","output":[` + lsItem + `]}`, malformed},
	"response in a list":      {strings.Replace(list(askItem), `"first_id"`, `"output":[`+lsItem+`],"first_id"`, 1), malformed},
	"list in a response":      {strings.Replace(response("completed"), `"store"`, `"data":[`+lsItem+`],"store"`, 1), malformed},
	"unknown beside":          {strings.Replace(response("completed"), `"store"`, `"data":[{"id":"x","type":"future_call"}],"store"`, 1), malformed},
	"unknown beside a list":   {strings.Replace(list(askItem), `"first_id"`, `"output":[{"id":"x","type":"future_call"}],"first_id"`, 1), malformed},
	"calls of Chat beside":    {strings.Replace(response("completed"), `"store"`, `"choices":[{"message":{"tool_calls":[{"id":"a"}]}}],"store"`, 1), malformed},
	"tools that look so":      {strings.Replace(response("completed"), `"tools":[]`, `"tools":[{"type":"function","name":"x","parameters":{"properties":{"function_call":{"type":"object"}}}}],"tool_choice":{"type":"function","name":"x"}`, 1), asSent},
	"metadata":                {strings.Replace(response("completed"), `"tools"`, `"metadata":{"function_call":"x"},"tools"`, 1), asSent},
	"call id twice":           {response("completed", rmItem, strings.Replace(lsItem, "call_2", "call_1", 1)), expected{calls: rmAsSent.calls, fault: []string{call.CodeMalformed}}},
	"output twice":            {strings.Replace(response("completed"), `"store"`, `"output":[`+rmItem+`],"store"`, 1), malformed},
	"output in another case":  {strings.Replace(response("completed", rmItem), `"output"`, `"Output"`, 1), malformed},
	"data twice":              {strings.Replace(list(), `"first_id"`, `"data":[`+rmItem+`],"first_id"`, 1), malformed},
	"object twice":            {strings.Replace(response("completed", rmItem), `"object"`, `"object":"list","object"`, 1), malformed},
	"status a number":         {strings.Replace(response("completed", rmItem), `"completed"`, `7`, 1), malformed},
	"item a string":           {response("completed", `"rm"`), malformed},
	"item in an item":         {response("completed", `[`+rmItem+`]`), malformed},
	"not JSON":                {`{"object":"response"`, malformed},
	"list of responses":       {`{"object":"list","data":[` + response("completed", rmItem) + `]}`, malformed},
	"array":                   {`[` + rmItem + `]`, malformed},
}

func TestBody(t *testing.T) {
	for name, tt := range bodies {
		t.Run(name, func(t *testing.T) { checkExpected(t, []byte(tt.body), true, tt.want) })
	}
}

// told is the message that stands in the place of a call.
func told(id, text string) string {
	return `{"id":"` + id + `","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","annotations":[],"logprobs":[],"text":` + quote(text) + `}]}`
}

func TestRefusedInBody(t *testing.T) {
	rm, ls, sql := told(rmNotice, noticeFor("rm")), told(lsNotice, noticeFor("ls")), told(sqlNotice, noticeFor("sql"))
	search := told(searchNotice, noticeFor("web_search"))
	reasoning := `{"id":"rs_1","type":"reasoning","summary":[]}`
	container := `{"id":"sh_1","type":"shell_call","call_id":"call_4","environment":{"type":"container_reference"},"action":{"commands":["ls"]}}`
	output := `{"id":"sho_1","type":"shell_call_output","call_id":"call_4","output":[{"stdout":"only-in-the-result"}]}`
	tests := map[string]struct {
		in, want string
		policy   dialecttest.Policy
	}{
		"all":                     {response("completed", hiItem, rmItem, sqlItem), response("completed", hiItem, rm, sql), refuse(false, "*")},
		"one":                     {response("completed", rmItem, lsItem), response("completed", rm, lsItem), refuse(false, "rm")},
		"the other":               {response("completed", rmItem, lsItem), response("completed", rmItem, ls), refuse(false, "ls")},
		"kept":                    {stored("true", "completed", rmItem), stored("true", "completed", rm), refuse(false, "*")},
		"in a list":               {list(askItem, rmItem), list(askItem, rm), refuse(false, "*")},
		"alone":                   {rmItem, rm, refuse(false, "*")},
		"alone, dropped":          {rmItem, rm, refuse(true, "*")},
		"dropped":                 {response("completed", hiItem, rmItem, lsItem), response("completed", hiItem, lsItem), refuse(true, "rm")},
		"dropped, first":          {response("completed", rmItem, lsItem), response("completed", lsItem), refuse(true, "rm")},
		"dropped, all":            {response("completed", rmItem, lsItem), response("completed"), refuse(true, "*")},
		"dropped, from a list":    {list(askItem, rmItem, hiItem), list(askItem, hiItem), refuse(true, "*")},
		"dropped after reasoning": {response("completed", reasoning, rmItem), response("completed", reasoning, rm), refuse(true, "*")},
		"search":                  {response("completed", searchItem, hiItem), response("completed", search, hiItem), refuse(false, "web_search")},
		"shell and its result":    {response("completed", container, output), response("completed", told(shellNotice, noticeFor("shell"))), refuse(false, "shell")},
		"result ahead":            {list(output, container), list(told(shellNotice, noticeFor("shell"))), refuse(false, "shell")},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := pass([]byte(tt.in), true, tt.policy)
			dialecttest.CheckOut(t, tt.want, r)
		})
	}
}
