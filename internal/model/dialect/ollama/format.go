// Package ollama parses and edits responses of Ollama's own API: lines of JSON, or one object.
package ollama

import (
	"net/http"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/wire"
	"github.com/weir-gate/weir/internal/strictjson"
)

// Name is the format's name in events and configuration.
const Name = "ollama"

// Format returns the format for doors.
func Format() dialect.Format {
	return dialect.Format{
		Name: Name, Title: "Ollama",
		Provider:   "ollama",
		Variables:  []string{"OLLAMA_HOST"},
		Kit:        &wire.Ollama,
		Recognises: recognises,
		New:        func(o dialect.Options) dialect.Dialect { return newEditor(o) },
		Asks:       asks,
		Wants:      dialect.WantsRows,
		Streams:    []frame.Framing{frame.Rows},
		Error:      func(e dialect.Error) []byte { return []byte(`{"error":` + dialect.Quote(e.Message) + `}`) },
		Authorise:  func(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) },
		Requests:   requests.Requests(),
	}
}

// recognises is generous: it also accepts a line that is in this format in only one of several readings, so that Scan sees it and
// refuses it.
func recognises(f frame.Frame) bool {
	var doc strictjson.Doc
	if doc.Parse(f.Data) != nil {
		return false
	}
	root := doc.Root()
	failure, err := root.Member("error")
	return dialect.HasMember(root, "done") && holdsTurn(root) || err == nil && failure.Kind() == strictjson.String
}

// holdsTurn says whether an object has a message, or the text of one. The member done alone is not enough: other APIs have it, too.
func holdsTurn(root strictjson.Value) bool {
	for name, v := range root.Members() {
		if name.Folds("message") || name.Folds("response") && v.Kind() != strictjson.Object {
			return true
		}
	}
	return false
}

func asks(r *http.Request, path string) dialect.Ask {
	if r.Method == http.MethodPost && dialect.PathEnds(path, "/api/chat", "/api/generate") {
		return dialect.Turn
	}
	return dialect.Nothing
}
