// Package anthropic parses and edits responses of the Anthropic Messages API.
package anthropic

import (
	"crypto/rand"
	"net/http"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/wire"
	"github.com/weir-gate/weir/internal/strictjson"
)

// Name is the format's name in events and configuration.
const Name = "anthropic"

// Format returns the format for doors.
func Format() dialect.Format {
	return dialect.Format{
		Name: Name, Title: "Anthropic Messages",
		Provider:   "anthropic",
		Variables:  []string{"ANTHROPIC_BASE_URL"},
		Kit:        &wire.Messages,
		Recognises: recognises,
		New:        func(o dialect.Options) dialect.Dialect { return newEditor(o) },
		Asks:       asks,
		Wants:      wants,
		Streams:    []frame.Framing{frame.Events, frame.Chunks},
		Error:      renderError,
		Authorise:  func(h http.Header, key string) { h.Set("X-Api-Key", key) },
		Patience:   patience,
		Requests:   requests.Requests(),
	}
}

// patience is for Claude Code: it breaks off 600 seconds after the last event that is not a ping, and sends the request again.
const patience = 570 * time.Second

// frameTypes are the types of frames by which a response of this format is recognised.
var frameTypes = []string{
	typeMessage, typeMessageStart, typeBlockStart, typeBlockDelta, typeBlockStop, typeMessageDelta, typeMessageStop,
	typePing, typeError,
}

// recognises is generous: it also accepts a frame that has a type of this format in only one of several readings, so that Scan sees
// it and refuses it.
func recognises(f frame.Frame) bool {
	if f.Failure {
		return true
	}
	var doc strictjson.Doc
	if doc.Parse(f.Data) != nil || doc.Root().Kind() != strictjson.Object {
		return false
	}
	typed, known := false, false
	for name, val := range doc.Root().Members() {
		if !name.Folds("type") {
			continue
		}
		typed = true
		for _, t := range frameTypes {
			known = known || val.Is(t)
		}
	}
	if typed {
		return known
	}
	for _, t := range frameTypes {
		if string(f.Type) == t {
			return true
		}
	}
	return false
}

// streamedEnd is the end of the paths of Vertex AI whose responses are always events.
const streamedEnd = ":streamRawPredict"

// Ends of the paths of Amazon Bedrock. The model's name comes before them.
const (
	bedrockEnd         = "/invoke"
	bedrockStreamedEnd = "/invoke-with-response-stream"
)

// asksBedrock says whether a path asks Amazon Bedrock for a response in the model's own format, and the model's name shows that it
// is this format. For some resources only the response shows the format.
func asksBedrock(path string) bool {
	if !dialect.PathEnds(path, bedrockEnd, bedrockStreamedEnd) {
		return false
	}
	segments := strings.Split(strings.ToLower(path), "/")
	if len(segments) < 3 || segments[len(segments)-3] != "model" {
		return false
	}
	model := segments[len(segments)-2]
	return strings.Contains(model, "anthropic") || strings.Contains(model, "claude")
}

func asks(r *http.Request, path string) dialect.Ask {
	vertex := strings.Contains(strings.ToLower(path), "/publishers/anthropic/models/") && dialect.PathEnds(path, ":rawPredict", streamedEnd)
	if r.Method == http.MethodPost && (vertex || asksBedrock(path) || dialect.PathEnds(path, "/v1/messages")) {
		return dialect.Turn
	}
	return dialect.Nothing
}

func wants(r *http.Request, body []byte) (frame.Framing, error) {
	switch {
	case dialect.PathEnds(r.URL.Path, streamedEnd):
		return frame.Events, nil
	case dialect.PathEnds(r.URL.Path, bedrockStreamedEnd):
		return frame.Chunks, nil
	case dialect.PathEnds(r.URL.Path, bedrockEnd):
		return frame.Whole, nil
	}
	return dialect.WantsEvents(r, body)
}

// errorTypes are the API's error types by HTTP status.
var errorTypes = map[int]string{
	http.StatusBadRequest:            "invalid_request_error",
	http.StatusUnauthorized:          "authentication_error",
	http.StatusForbidden:             "permission_error",
	http.StatusNotFound:              "not_found_error",
	http.StatusRequestEntityTooLarge: "request_too_large",
	http.StatusTooManyRequests:       "rate_limit_error",
	http.StatusGatewayTimeout:        "timeout_error",
}

func renderError(e dialect.Error) []byte {
	kind := errorTypes[e.Status]
	switch {
	case kind == "" && e.Status < 500:
		kind = "invalid_request_error"
	case kind == "":
		kind = "api_error"
	}
	b := []byte(`{"type":"error","error":{"type":`)
	b = strictjson.AppendString(b, kind)
	b = append(b, `,"message":`...)
	b = strictjson.AppendString(b, e.Message)
	b = append(b, `},"request_id":`...)
	b = strictjson.AppendString(b, e.RequestID)
	return append(b, '}')
}

// inventedID returns an id for a message that weir made.
func inventedID() string { return "msg_weir_" + rand.Text() }
