package openaichat_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/model/dialect/openaichat"
)

func TestRecognises(t *testing.T) {
	tests := map[string]struct {
		data string
		want bool
	}{
		"chunk":                {role, true},
		"completion":           {message(`{"role":"assistant","content":"x"}`, "stop"), true},
		"no object":            {`{"choices":[]}`, true},
		"azure prelude":        {`{"id":"","object":"","choices":[],"prompt_filter_results":[]}`, true},
		"object only":          {`{"object":"chat.completion.chunk"}`, true},
		"another case":         {`{"Choices":[]}`, true},
		"a lie in one of two":  {`{"choices":null,"choices":[]}`, true},
		"error":                {failure, true},
		"error of Mistral":     {`{"object":"error","message":"x"}`, true},
		"done":                 {`[DONE]`, true},
		"Anthropic":            {`{"type":"message_start","message":{}}`, false},
		"Anthropic error":      {`{"type":"error","error":{"type":"x"}}`, false},
		"Anthropic with more":  {`{"type":"message","content":[],"choices":[]}`, false},
		"Responses":            {`{"type":"response.created","response":{}}`, false},
		"Responses body":       {`{"id":"resp_1","object":"response","output":[],"error":null}`, false},
		"Responses failed":     {`{"id":"resp_1","object":"response","output":[],"error":{"code":"x"}}`, false},
		"Gemini":               {`{"candidates":[{"content":{"parts":[]}}]}`, false},
		"Gemini with an error": {`{"candidates":[],"error":{"code":1}}`, false},
		"Ollama":               {`{"model":"m","message":{"content":"x"},"done":false}`, false},
		"models":               {`{"object":"list","data":[]}`, false},
		"stored completions":   {`{"object":"list","data":[` + role + `]}`, false},
		"no error":             {`{"error":null}`, false},
		"not JSON":             {`{"choices":[`, false},
		"not an object":        {`[{"choices":[]}]`, false},
	}
	for name, tt := range tests {
		if got := openaichat.Format().Recognises(frame.Frame{Data: []byte(tt.data)}); got != tt.want {
			t.Errorf("%s: recognised %v, want %v", name, got, tt.want)
		}
	}
}

func TestAsks(t *testing.T) {
	tests := []struct {
		method, path string
		want         bool
	}{
		{http.MethodPost, "/v1/chat/completions", true},
		{http.MethodPost, "/v1/chat/completions/", true},
		{http.MethodPost, "/openai/deployments/gpt/chat/completions", true},
		{http.MethodPost, "/v1beta/openai/chat/completions", true},
		{http.MethodGet, "/v1/chat/completions", false},
		{http.MethodPost, "/v1/completions", false},
		{http.MethodPost, "/v1/responses", false},
		{http.MethodPost, "/v1/messages", false},
	}
	for _, tt := range tests {
		if got := openaichat.Format().Asks(&http.Request{Method: tt.method}, tt.path) == dialect.Turn; got != tt.want {
			t.Errorf("%s %s: asks %v, want %v", tt.method, tt.path, got, tt.want)
		}
	}
}

func TestError(t *testing.T) {
	kinds := map[int][2]string{
		400: {"invalid_request_error", "firewall_blocked"}, 401: {"invalid_request_error", "invalid_api_key"},
		403: {"invalid_request_error", "permission_denied"}, 404: {"invalid_request_error", "not_found"},
		413: {"invalid_request_error", "firewall_blocked"}, 429: {"rate_limit_error", "rate_limit_exceeded"},
		500: {"server_error", "server_error"}, 502: {"server_error", "server_error"},
	}
	for status, kind := range kinds {
		got := openaichat.Format().Error(dialect.Error{Status: status, Message: "a \"b\"", RequestID: "req_1"})
		want := `{"error":{"message":"a \"b\"","type":"` + kind[0] + `","param":null,"code":"` + kind[1] + `"}}`
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%d (-want +got):\n%s", status, diff)
		}
	}
}

// Usage may stand anywhere, and the last counts.
func TestMeta(t *testing.T) {
	usage := `"usage":{"prompt_tokens":7,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":5}}`
	want := call.Usage{Input: 2, Output: 3, CacheRead: 5}
	tests := map[string][]string{
		"own chunk":      {role, finish("stop"), `{"choices":[],` + usage + `}`, "[DONE]"},
		"no choices":     {role, finish("stop"), `{` + usage + `}`, "[DONE]"},
		"on the finish":  {role, finish("stop")[:len(finish("stop"))-1] + "," + usage + "}", "[DONE]"},
		"on every chunk": {role[:len(role)-1] + `,"usage":{"prompt_tokens":7,"completion_tokens":1}}`, text("x")[:len(text("x"))-1] + "," + usage + "}", finish("stop"), "[DONE]"},
		"null after it":  {role, `{"choices":[],` + usage + `}`, finish("stop")[:len(finish("stop"))-1] + `,"usage":null}`, "[DONE]"},
		"azure prelude":  {`{"id":"","model":"","created":0,"choices":[]}`, role, `{"choices":[],` + usage + `}`, finish("stop"), "[DONE]"},
	}
	for name, frames := range tests {
		got := pass(stream(frames...), false, dialecttest.AllowAll()).Outcome()
		expected := call.Outcome{Exchange: call.Exchange{Dialect: openaichat.Name, ResponseID: "c1", Model: "m"}, Usage: want, Clean: true}
		if diff := cmp.Diff(expected, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestAuthorise(t *testing.T) {
	h := http.Header{"Authorization": {"Bearer theirs"}}
	openaichat.Format().Authorise(h, "ours")
	if diff := cmp.Diff(http.Header{"Authorization": {"Bearer ours"}}, h); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
