package bedrock_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/bedrock"
)

func TestRecognises(t *testing.T) {
	tests := map[string]struct {
		frame frame.Frame
		want  bool
	}{
		"messageStart":      {frame.Frame{Type: []byte("messageStart"), Data: []byte(`{"role":"assistant"}`)}, true},
		"delta":             {frame.Frame{Type: []byte("contentBlockDelta"), Data: []byte(`{}`)}, true},
		"start":             {frame.Frame{Type: []byte("contentBlockStart"), Data: []byte(`{}`)}, true},
		"stop":              {frame.Frame{Type: []byte("contentBlockStop"), Data: []byte(`{}`)}, true},
		"messageStop":       {frame.Frame{Type: []byte("messageStop"), Data: []byte(`{}`)}, true},
		"metadata":          {frame.Frame{Type: []byte("metadata"), Data: []byte(`{}`)}, true},
		"another case":      {frame.Frame{Type: []byte("MessageStart"), Data: []byte(`{}`)}, true},
		"exception":         {frame.Frame{Type: []byte("throttlingException"), Data: []byte(`{}`), Failure: true}, true},
		"body":              {frame.Frame{Data: []byte(body("end_turn"))}, true},
		"body, no reason":   {frame.Frame{Data: []byte(`{"output":{"message":{"content":[]}}}`)}, true},
		"body, no message":  {frame.Frame{Data: []byte(`{"output":{},"stopReason":"x"}`)}, true},
		"body, other case":  {frame.Frame{Data: []byte(`{"Output":{"Message":{"Content":[]}}}`)}, true},
		"body, second one":  {frame.Frame{Data: []byte(`{"output":1,"output":{"message":{"content":[]}}}`)}, true},
		"chunk":             {frame.Frame{Type: []byte("chunk"), Data: []byte(`{"bytes":"e30="}`)}, false},
		"error":             {frame.Frame{Data: []byte(`{"message":"no"}`)}, false},
		"messages":          {frame.Frame{Type: []byte("message_start"), Data: []byte(`{"type":"message_start"}`)}, false},
		"responses":         {frame.Frame{Data: []byte(`{"object":"response","output":[{"type":"message","content":[]}]}`)}, false},
		"gemini":            {frame.Frame{Data: []byte(`{"candidates":[]}`)}, false},
		"not JSON":          {frame.Frame{Data: []byte(`{"output":{`)}, false},
		"not an object":     {frame.Frame{Data: []byte(`[]`)}, false},
		"event with a body": {frame.Frame{Type: []byte("x"), Data: []byte(body("end_turn"))}, false},
	}
	for name, tt := range tests {
		if got := bedrock.Format().Recognises(tt.frame); got != tt.want {
			t.Errorf("%s: recognised %v, want %v", name, got, tt.want)
		}
	}
}

func TestAsksAndWants(t *testing.T) {
	const model = "/model/us.anthropic.claude-sonnet-4:0"
	tests := []struct {
		method, path string
		ask          dialect.Ask
		wants        frame.Framing
	}{
		{http.MethodPost, model + "/converse", dialect.Turn, frame.Whole},
		{http.MethodPost, model + "/converse-stream", dialect.Turn, frame.Binary},
		{http.MethodPost, model + "/converse-stream/", dialect.Turn, frame.Binary},
		{http.MethodPost, "/Model/x/Converse-Stream", dialect.Turn, frame.Binary},
		{http.MethodPost, "/model/arn:aws:bedrock:eu-west-1:1:inference-profile/x/converse", dialect.Turn, frame.Whole},
		{http.MethodGet, model + "/converse", dialect.Nothing, frame.Whole},
		{http.MethodPost, model + "/invoke", dialect.Nothing, frame.Whole},
		{http.MethodPost, model + "/invoke-with-response-stream", dialect.Nothing, frame.Whole},
		{http.MethodPost, model + "/count-tokens", dialect.Nothing, frame.Whole},
		{http.MethodPost, "/converse", dialect.Nothing, frame.Whole},
		{http.MethodPost, "/v1/messages", dialect.Nothing, frame.Whole},
	}
	for _, tt := range tests {
		r := &http.Request{Method: tt.method, URL: &url.URL{Path: tt.path}}
		if got := bedrock.Format().Asks(r, tt.path); got != tt.ask {
			t.Errorf("%s %s: asks %v, want %v", tt.method, tt.path, got, tt.ask)
		}
		if got, err := bedrock.Format().Wants(r, nil); got != tt.wants || err != nil {
			t.Errorf("%s: wants %v (%v), want %v", tt.path, got, err, tt.wants)
		}
	}
	if diff := cmp.Diff([]frame.Framing{frame.Binary}, bedrock.Format().Streams); diff != "" {
		t.Errorf("streams (-want +got):\n%s", diff)
	}
}

func TestError(t *testing.T) {
	got := string(bedrock.Format().Error(dialect.Error{Status: 400, Message: "a \"b\" (firewall_blocked)", RequestID: "r"}))
	if diff := cmp.Diff(`{"message":"a \"b\" (firewall_blocked)"}`, got); diff != "" {
		t.Errorf("error (-want +got):\n%s", diff)
	}
	for status, want := range map[int]string{
		400: "ValidationException", 401: "AccessDeniedException", 403: "AccessDeniedException", 404: "ResourceNotFoundException",
		408: "ModelTimeoutException", 429: "ThrottlingException", 500: "InternalServerException", 502: "InternalServerException",
		503: "ServiceUnavailableException", 504: "ModelTimeoutException",
	} {
		h := http.Header{}
		bedrock.Format().ErrorHeader(h, dialect.Error{Status: status})
		if got := h.Get("x-amzn-ErrorType"); got != want {
			t.Errorf("%d is %s, want %s", status, got, want)
		}
	}
}

func TestAuthorise(t *testing.T) {
	h := http.Header{"Authorization": {"AWS4-HMAC-SHA256 x"}}
	bedrock.Format().Authorise(h, "k")
	if diff := cmp.Diff(http.Header{"Authorization": {"Bearer k"}}, h); diff != "" {
		t.Errorf("header (-want +got):\n%s", diff)
	}
}
