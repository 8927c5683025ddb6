package openairesponses_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/model/dialect/openairesponses"
)

func TestRecognises(t *testing.T) {
	tests := map[string]struct {
		name, data string
		want       bool
	}{
		"created":               {"", at(0, created), true},
		"resumed":               {"", at(9, argsDelta(0, "fc_1", "{")), true},
		"event's name only":     {"response.created", `{"response":{}}`, true},
		"keepalive":             {"", at(0, event("keepalive")), true},
		"error event":           {"", at(0, event("error", `"code":"x","message":"x","param":null`)), true},
		"error":                 {"", `{"error":{"message":"x","type":"invalid_request_error"}}`, true},
		"response":              {"", response("completed"), true},
		"failed response":       {"", strings.Replace(response("failed"), `"error":null`, `"error":{"code":"x"}`, 1), true},
		"compaction":            {"", `{"object":"response.compaction","output":[]}`, true},
		"item":                  {"", rmItem, true},
		"message":               {"", hiItem, true},
		"list of items":         {"", list(askItem, rmItem), true},
		"list of one call":      {"", list(rmItem), true},
		"another case":          {"", `{"Object":"response","output":[]}`, true},
		"a lie in one of two":   {"", `{"object":"x","object":"response"}`, true},
		"Chat":                  {"", `{"id":"c","object":"chat.completion","choices":[]}`, false},
		"Chat chunk":            {"", `{"object":"chat.completion.chunk","choices":[]}`, false},
		"Chat error":            {"", `{"choices":[],"error":{"message":"x"}}`, false},
		"Anthropic":             {"message_start", `{"type":"message_start","message":{}}`, false},
		"Anthropic body":        {"", `{"id":"msg_1","type":"message","role":"assistant","content":[{"type":"text","text":"x"}],"stop_reason":"end_turn"}`, false},
		"Anthropic delta":       {"content_block_delta", `{"type":"content_block_delta","index":0,"delta":{}}`, false},
		"Gemini":                {"", `{"candidates":[{"content":{"parts":[]}}]}`, false},
		"Ollama":                {"", `{"model":"m","message":{"content":"x"},"done":false}`, false},
		"models":                {"", `{"object":"list","data":[{"id":"m","object":"model"}]}`, false},
		"files":                 {"", `{"object":"list","data":[{"id":"f","object":"file","type":"x"}]}`, false},
		"empty list":            {"", `{"object":"list","data":[]}`, false},
		"no error":              {"", `{"error":null}`, false},
		"not JSON":              {"", `{"object":"response"`, false},
		"not an object":         {"", `[` + rmItem + `]`, false},
		"nothing that we know":  {"", `{"type":"weather"}`, false},
		"the end of some other": {"", `[DONE]`, false},
	}
	for name, tt := range tests {
		if got := openairesponses.Format().Recognises(frame.Frame{Type: []byte(tt.name), Data: []byte(tt.data)}); got != tt.want {
			t.Errorf("%s: recognised %v, want %v", name, got, tt.want)
		}
	}
}

func TestAsks(t *testing.T) {
	tests := []struct {
		method, path string
		want         dialect.Ask
	}{
		{http.MethodPost, "/v1/responses", dialect.Turn},
		{http.MethodPost, "/v1/responses/", dialect.Turn},
		{http.MethodPost, "/responses", dialect.Turn},
		{http.MethodPost, "/openai/v1/responses", dialect.Turn},
		{http.MethodPost, "/backend-api/codex/responses", dialect.Turn},
		{http.MethodGet, "/v1/responses/resp_1", dialect.Stored},
		{http.MethodPost, "/v1/responses/resp_1/cancel", dialect.Stored},
		{http.MethodGet, "/v1/responses/resp_1/input_items", dialect.Stored},
		{http.MethodPost, "/v1/responses/compact", dialect.Stored},
		{http.MethodGet, "/v1/conversations/conv_1/items", dialect.Stored},
		{http.MethodPost, "/v1/conversations/conv_1/items", dialect.Stored},
		{http.MethodGet, "/v1/conversations/conv_1/items/msg_1", dialect.Stored},
		{http.MethodPost, "/v1/responses/input_tokens", dialect.Stored},
		{http.MethodDelete, "/v1/responses/resp_1", dialect.Nothing},
		{http.MethodGet, "/v1/responses", dialect.Nothing},
		{http.MethodGet, "/v1/conversations/conv_1", dialect.Nothing},
		{http.MethodPost, "/v1/conversations", dialect.Stored},
		{http.MethodPost, "/v1/chat/completions", dialect.Nothing},
		{http.MethodPost, "/v1/messages", dialect.Nothing},
		{http.MethodGet, "/v1/models", dialect.Nothing},
	}
	for _, tt := range tests {
		if got := openairesponses.Format().Asks(&http.Request{Method: tt.method}, tt.path); got != tt.want {
			t.Errorf("%s %s: asks %v, want %v", tt.method, tt.path, got, tt.want)
		}
	}
}

func TestError(t *testing.T) {
	kinds := map[int][2]string{
		400: {"invalid_request_error", "firewall_blocked"}, 401: {"invalid_request_error", "invalid_api_key"},
		403: {"invalid_request_error", "permission_denied"}, 404: {"invalid_request_error", "not_found"},
		413: {"invalid_request_error", "firewall_blocked"}, 426: {"invalid_request_error", "firewall_blocked"},
		429: {"rate_limit_error", "rate_limit_exceeded"}, 500: {"server_error", "server_error"}, 502: {"server_error", "server_error"},
	}
	for status, kind := range kinds {
		got := openairesponses.Format().Error(dialect.Error{Status: status, Message: "a \"b\"", RequestID: "req_1"})
		want := `{"error":{"message":"a \"b\"","type":"` + kind[0] + `","param":null,"code":"` + kind[1] + `"}}`
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%d (-want +got):\n%s", status, diff)
		}
	}
}

func TestAuthorise(t *testing.T) {
	h := http.Header{"Authorization": {"Bearer theirs"}}
	openairesponses.Format().Authorise(h, "ours")
	if diff := cmp.Diff(http.Header{"Authorization": {"Bearer ours"}}, h); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What a response says of itself is known in both forms alike.
func TestMeta(t *testing.T) {
	tests := map[string]struct {
		with         string // what the last response has in place of its usage
		conversation string
		usage        call.Usage
	}{
		"nothing":                {`"usage":null`, "", call.Usage{}},
		"usage":                  {`"usage":{"input_tokens":7,"output_tokens":3,"input_tokens_details":{"cached_tokens":5},"total_tokens":10}`, "", call.Usage{Input: 2, Output: 3, CacheRead: 5}},
		"conversation":           {`"conversation":{"id":"conv_1"}`, "conv_1", call.Usage{}},
		"conversation as text":   {`"conversation":"conv_1"`, "conv_1", call.Usage{}},
		"conversation as null":   {`"conversation":null`, "", call.Usage{}},
		"conversation as number": {`"conversation":7`, "", call.Usage{}},
	}
	for name, tt := range tests {
		last := strings.Replace(response("completed", rmItem), `"usage":null`, tt.with, 1)
		for where, r := range map[string]dialecttest.Result{
			"stream": pass(stream(flat(created, rmCall(0), life("completed", last))...), false, dialecttest.AllowAll()),
			"body":   pass([]byte(last), true, dialecttest.AllowAll()),
		} {
			want := call.Outcome{
				Exchange: call.Exchange{Dialect: openairesponses.Name, ResponseID: "resp_1", Model: "m", Conversation: tt.conversation},
				Usage:    tt.usage, Released: 1, Clean: true,
			}
			if diff := cmp.Diff(want, r.Outcome()); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", name, where, diff)
			}
		}
	}
}

// The provider keeps calls unless it says that it does not. Then the judge knows what kind of call it is, and which message
// stands in its place.
func TestKept(t *testing.T) {
	tests := map[string]struct {
		says string
		want bool
	}{
		"stored":                   {`"store":true`, true},
		"not stored":               {`"store":false`, false},
		"not said":                 {`"x":1`, true},
		"null":                     {`"store":null`, true},
		"in a conversation":        {`"store":false,"conversation":{"id":"conv_1"}`, true},
		"in one, said before":      {`"conversation":{"id":"conv_1"},"store":false`, true},
		"in one, stored":           {`"store":true,"conversation":"conv_1"`, true},
		"in none":                  {`"store":false,"conversation":null`, false},
		"said in a way of its own": {`"store":"false"`, true},
		"said twice":               {`"store":false,"store":true`, true},
	}
	for name, tt := range tests {
		say := func(s string) string { return strings.Replace(s, `"store":false`, tt.says, 1) }
		for where, r := range map[string]dialecttest.Result{
			"stream": pass(stream(flat(say(created), rmCall(0), say(ended(rmItem)))...), false, dialecttest.AllowAll()),
			"body":   pass([]byte(say(response("completed", rmItem))), true, dialecttest.AllowAll()),
		} {
			unit := ""
			if tt.want {
				unit = "function_call"
			}
			if got := r.Events[0].Call; got.Unit != unit || got.Notice != rmNotice {
				t.Errorf("%s, %s: kept as %q, notice %q", name, where, got.Unit, got.Notice)
			}
		}
	}
}

// Items that are not in a response of their own are kept: they come from where they are.
func TestKeptLists(t *testing.T) {
	for _, body := range []string{list(rmItem), rmItem} {
		if got := pass([]byte(body), true, dialecttest.AllowAll()).Events[0].Call.Unit; got != "function_call" {
			t.Errorf("kept as %q: %s", got, body)
		}
	}
}

// What cannot pass for its size is refused, and recorded as far as it may be.
func TestOversize(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	text := `[weir] The call to "rm" was refused (args_oversize): Its arguments are larger than weir's bound. ` +
		"Do not retry it; continue without it or ask the user."
	big := strings.Replace(rmItem, `1}`, `\"`+long+`\"}`, 1)
	for name, frames := range map[string][]string{
		"done only": {added(0, rmBegun), done(0, big)},
		"pieces":    {added(0, rmBegun), argsDelta(0, "fc_1", `{\"p\":\"`+long[:1<<19]), argsDelta(0, "fc_1", long[:1<<19]+`\"}`), done(0, big)},
		"custom":    {added(0, strings.NewReplacer("select 1", "", "sql", "rm", "ctc_3", "fc_1", "call_3", "call_1").Replace(sqlItem)), done(0, strings.NewReplacer("select 1", long, "sql", "rm", "ctc_3", "fc_1", "call_3", "call_1").Replace(sqlItem))},
		"unknown":   {added(0, `{"id":"x","type":"rm","call_id":"call_1"}`), done(0, `{"id":"x","type":"rm","call_id":"call_1","p":"`+long+`"}`)},
	} {
		r := pass(stream(flat(created, frames, ended())...), false, dialecttest.AllowAll())
		if got := len(r.Events[0].Call.Args); got > 1<<20+64 {
			t.Errorf("%s: %d bytes are recorded", name, got)
		}
		want := wire(own(flat(at(0, created), notice(1, 0, rmNotice, text))...)...)
		if !strings.HasPrefix(string(r.Out), want) || strings.Contains(string(r.Out), "xxxx") {
			t.Errorf("%s: %.3000s", name, r.Out)
		}
	}
}
