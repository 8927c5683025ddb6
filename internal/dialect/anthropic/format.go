// Package anthropic reads and edits responses of the Anthropic Messages API.
package anthropic

import (
	"crypto/rand"
	"net/http"
	"strings"

	"github.com/weir-gate/weir/internal/dialect"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/strictjson"
)

// Name is the format's name in events and configuration.
const Name = "anthropic"

// Format returns the format for doors.
func Format() dialect.Format {
	return dialect.Format{
		Name:       Name,
		Recognises: recognises,
		New:        func(o dialect.Options) dialect.Dialect { return newResponse(o) },
		Asks:       asks,
		Wants:      dialect.WantsEvents,
		Error:      renderError,
		Authorise:  func(h http.Header, key string) { h.Set("X-Api-Key", key) },
	}
}

// frameTypes are the frames by which a response of this format shows itself.
var frameTypes = []string{
	typeMessage, typeMessageStart, typeBlockStart, typeBlockDelta, typeBlockStop, typeMessageDelta, typeMessageStop,
	typePing, typeError,
}

// recognises is generous: a frame that lies about its type in only one of several readings is of this format too, so
// that Scan sees it and refuses it.
func recognises(f frame.Frame) bool {
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

func asks(r *http.Request, path string) dialect.Ask {
	if r.Method == http.MethodPost && strings.HasSuffix(strings.TrimSuffix(path, "/"), "/v1/messages") {
		return dialect.Turn
	}
	return dialect.Nothing
}

// errorTypes name the API's error for a status.
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

// inventedID names a message that weir made.
func inventedID() string { return "msg_weir_" + rand.Text() }
