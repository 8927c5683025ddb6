package ollama_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/model/dialect/ollama"
)

func TestRecognises(t *testing.T) {
	tests := map[string]struct {
		data string
		want bool
	}{
		"text":                {text("hi"), true},
		"call":                {tools(rm), true},
		"end":                 {done, true},
		"answer":              {generated("hi"), true},
		"error":               {failure, true},
		"another case":        {`{"Message":{},"DONE":false}`, true},
		"a lie in one of two": {`{"message":{},"message":1,"done":false}`, true},
		"Anthropic":           {`{"type":"message_start","message":{}}`, false},
		"Anthropic error":     {`{"type":"error","error":{"type":"x"}}`, false},
		"Chat":                {`{"object":"chat.completion.chunk","choices":[]}`, false},
		"Chat error":          {`{"error":{"message":"x"}}`, false},
		"Responses":           {`{"type":"response.created","response":{}}`, false},
		"Gemini":              {`{"candidates":[{"content":{"parts":[]}}]}`, false},
		"models":              {`{"models":[]}`, false},
		"progress of a pull":  {`{"status":"pulling manifest"}`, false},
		"error null":          {`{"error":null}`, false},
		"two errors":          {`{"error":"x","error":{}}`, false},
		"not JSON":            {`{"message":{},"done":`, false},
		"not an object":       {`[` + text("hi") + `]`, false},
	}
	for name, tt := range tests {
		if got := ollama.Format().Recognises(frame.Frame{Data: []byte(tt.data)}); got != tt.want {
			t.Errorf("%s: recognised %v, want %v", name, got, tt.want)
		}
	}
}

func TestAsks(t *testing.T) {
	tests := []struct {
		method, path string
		want         dialect.Ask
	}{
		{http.MethodPost, "/api/chat", dialect.Turn},
		{http.MethodPost, "/api/chat/", dialect.Turn},
		{http.MethodPost, "/api/generate", dialect.Turn},
		{http.MethodPost, "/ollama/api/chat", dialect.Turn},
		{http.MethodGet, "/api/chat", dialect.Nothing},
		{http.MethodGet, "/api/tags", dialect.Nothing},
		{http.MethodPost, "/api/embed", dialect.Nothing},
		{http.MethodPost, "/api/pull", dialect.Nothing},
		{http.MethodPost, "/v1/chat/completions", dialect.Nothing},
		{http.MethodPost, "/chat", dialect.Nothing},
	}
	for _, tt := range tests {
		if got := ollama.Format().Asks(&http.Request{Method: tt.method}, tt.path); got != tt.want {
			t.Errorf("%s %s: asks %v, want %v", tt.method, tt.path, got, tt.want)
		}
	}
}

// Lines are what comes unless the request says that it wants one answer.
func TestWants(t *testing.T) {
	tests := map[string]frame.Framing{
		`{"model":"m"}`:                  frame.Rows,
		`{"model":"m","stream":true}`:    frame.Rows,
		`{"model":"m","stream":false}`:   frame.Whole,
		`{"stream":false,"stream":true}`: frame.Rows,
	}
	f := ollama.Format()
	for body, want := range tests {
		if got, err := f.Wants(nil, []byte(body)); got != want || err != nil {
			t.Errorf("%s: wants %v (%v), want %v", body, got, err, want)
		}
	}
	if diff := cmp.Diff([]frame.Framing{frame.Rows}, f.Streams); diff != "" {
		t.Errorf("streams (-want +got):\n%s", diff)
	}
}

func TestError(t *testing.T) {
	got := ollama.Format().Error(dialect.Error{Status: 400, Message: "a \"b\"", RequestID: "req_1"})
	if want := `{"error":"a \"b\""}`; string(got) != want {
		t.Errorf("the error is %s, want %s", got, want)
	}
}

func TestAuthorise(t *testing.T) {
	h := http.Header{"Authorization": {"Bearer theirs"}}
	ollama.Format().Authorise(h, "ours")
	if diff := cmp.Diff(http.Header{"Authorization": {"Bearer ours"}}, h); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMeta(t *testing.T) {
	exchange := call.Exchange{Dialect: ollama.Name, Model: "m"}
	usage := call.Usage{Input: 7, Output: 3}
	tests := map[string]struct {
		in   []string
		want call.Outcome
	}{
		"usage on the last line": {[]string{text("hi"), done}, call.Outcome{Exchange: exchange, Usage: usage, Clean: true}},
		"a call":                 {[]string{tools(rm), done}, call.Outcome{Exchange: exchange, Usage: usage, Clean: true, Released: 1}},
		"no last line":           {[]string{text("hi")}, call.Outcome{Exchange: exchange, Clean: true}},
		"an error":               {[]string{text("hi"), failure}, call.Outcome{Exchange: exchange, Clean: true}},
		"refused": {[]string{text("hi"), "1"}, call.Outcome{
			Exchange: exchange, Code: call.CodeMalformed, Reason: "a frame is not a JSON object",
		}},
	}
	for name, tt := range tests {
		if diff := cmp.Diff(tt.want, pass(lines(tt.in...), false, dialecttest.AllowAll()).Outcome()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	d := ollama.Format().New(dialect.Options{})
	if _, err := d.Scan(frame.Frame{Data: []byte(failure), Plain: true}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(dialect.Meta{Ended: true, Failed: true}, d.Meta()); diff != "" {
		t.Errorf("after an error (-want +got):\n%s", diff)
	}
}
