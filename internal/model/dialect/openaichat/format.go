// Package openaichat parses and edits responses of the OpenAI Chat Completions API and of the many compatible APIs.
package openaichat

import (
	"crypto/rand"
	"net/http"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/openaierror"
	"github.com/weir-gate/weir/internal/model/wire"
	"github.com/weir-gate/weir/internal/strictjson"
)

// Name is the format's name in events and configuration.
const Name = "openai-chat"

// Format returns the format for doors.
func Format() dialect.Format {
	return dialect.Format{
		Name: Name, Title: "OpenAI Chat Completions",
		Provider:   "openai",
		Variables:  []string{"OPENAI_BASE_URL", "OPENAI_API_BASE"},
		Kit:        &wire.Chat,
		Recognises: recognises,
		New:        func(o dialect.Options) dialect.Dialect { return newEditor(o) },
		Asks:       asks,
		Wants:      dialect.WantsEvents,
		Error:      openaierror.Render,
		Authorise:  func(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) },
		Requests:   requests.Requests(),
	}
}

// done is the payload with which a stream ends. It is not JSON.
const done = "[DONE]"

// recognises is generous: it also accepts a frame that has a choice in only one of several readings, so that Scan sees it and
// refuses it.
func recognises(f frame.Frame) bool {
	if string(f.Data) == done {
		return true
	}
	var doc strictjson.Doc
	if doc.Parse(f.Data) != nil {
		return false
	}
	known := false
	if object, err := doc.Root().Member("object"); err == nil && object.Is("error") {
		return true // some servers give their errors their own type
	}
	for name, val := range doc.Root().Members() {
		switch {
		case name.Folds("choices"):
			known = known || val.Kind() == strictjson.Array || val.Kind() == strictjson.Object
		case name.Folds("object") && val.Is("response"), name.Folds("type"), name.Folds("candidates"):
			return false // of another format
		case name.Folds("object"):
			known = known || val.Is("chat.completion") || val.Is("chat.completion.chunk")
		case name.Folds("error"):
			known = known || dialect.Present(val)
		}
	}
	return known
}

func asks(r *http.Request, path string) dialect.Ask {
	if r.Method == http.MethodPost && dialect.PathEnds(path, "/chat/completions") {
		return dialect.Turn
	}
	return dialect.Nothing
}

// inventedID returns an id for a completion that weir made.
func inventedID() string { return "chatcmpl-weir-" + rand.Text() }
