package openairesponses_test

import (
	"strings"
	"testing"
)

// A member on the way to a call that is there twice, or in another case, ends the response: clients would disagree.
func TestAmbiguousMembers(t *testing.T) {
	shell := `{"id":"sh_1","type":"shell_call","call_id":"call_1","environment":{"type":"local"},"action":{"commands":["ls"]}}`
	found := `{"id":"ts_1","type":"tool_search_call","call_id":"call_1","execution":"client","arguments":{"q":1}}`
	files := `{"id":"fs_1","type":"file_search_call","status":"completed","queries":["x"]}`
	approval := `{"id":"mr_1","type":"mcp_approval_request","server_label":"fs","name":"rm","arguments":"{}"}`
	spaced := strings.Replace(rmItem, `"name"`, `"namespace":"fs","name"`, 1)
	tests := map[string]struct {
		frames []string
		member string // which has a twin in some frame
	}{
		"the type of an event":   {rmCall(0), "type"},
		"the index":              {rmCall(0), "output_index"},
		"the item":               {rmCall(0), "item"},
		"the id of a piece":      {rmCall(0)[:3], "item_id"},
		"a piece":                {rmCall(0)[:3], "delta"},
		"arguments, whole":       {rmCall(0)[:4], "arguments"},
		"the status":             {rmCall(0), "status"},
		"the id of a call":       {rmCall(0), "call_id"},
		"the name":               {rmCall(0), "name"},
		"the namespace":          {[]string{added(0, spaced)}, "namespace"},
		"the input":              {[]string{added(0, sqlItem)}, "input"},
		"the action":             {[]string{added(0, shell)}, "action"},
		"the environment":        {[]string{added(0, shell)}, "environment"},
		"who executes":           {[]string{added(0, found)}, "execution"},
		"the queries":            {[]string{added(0, files)}, "queries"},
		"the server":             {[]string{added(0, approval)}, "server_label"},
		"the id of a search":     {[]string{added(0, searchItem), event("response.web_search_call.searching", `"item_id":"ws_1"`)}, "item_id"},
		"the response":           {[]string{ended(rmItem)}, "response"},
		"the output":             {[]string{ended(rmItem)}, "output"},
		"an event that we doubt": {[]string{event("response.weather", `"item":{"type":"message","role":"assistant","content":[]}`)}, "item"},
		"one with a response":    {[]string{event("response.weather", `"response":{"output":[]}`)}, "output"},
		"text":                   {hi(0)[:3], "output_index"},
	}
	for name, tt := range tests {
		for _, twin := range []string{tt.member, strings.ToUpper(tt.member)} {
			frames := append([]string(nil), tt.frames...)
			last := len(frames) - 1
			old := `"` + tt.member + `":`
			at := strings.LastIndex(frames[last], old)
			if at < 0 {
				t.Fatalf("%s: no %s in %s", name, tt.member, frames[last])
			}
			frames[last] = frames[last][:at] + `"` + twin + `":null,` + frames[last][at:]
			t.Run(name+" and "+twin, func(t *testing.T) {
				checkExpected(t, stream(flat(created, frames)...), false, malformed)
			})
		}
	}
}
