// Package openairesponses parses and edits responses of the OpenAI Responses API, and the requests that continue them.
package openairesponses

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/openaierror"
	"github.com/weir-gate/weir/internal/model/wire"
	"github.com/weir-gate/weir/internal/strictjson"
)

// Name is the format's name in events and configuration.
const Name = "openai-responses"

// Format returns the format for doors.
func Format() dialect.Format {
	return dialect.Format{
		Name: Name, Title: "OpenAI Responses",
		Provider:   "openai",
		Variables:  []string{"OPENAI_BASE_URL", "OPENAI_API_BASE"},
		Kit:        &wire.Responses,
		Recognises: recognises,
		New:        func(o dialect.Options) dialect.Dialect { return newEditor(o) },
		Asks:       asks,
		Wants:      wants,
		Error:      openaierror.Render,
		Authorise:  func(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) },
		Chain:      &dialect.Chain{About: about, Read: readLinks, Mend: mend},
		Requests:   requests.Requests(),
	}
}

// recognises is generous: it also accepts a frame that is in this format in only one of several readings, so that Scan sees it and
// refuses it.
func recognises(f frame.Frame) bool {
	var doc strictjson.Doc
	if doc.Parse(f.Data) != nil || doc.Root().Kind() != strictjson.Object {
		return false
	}
	root := doc.Root()
	known := strings.HasPrefix(string(f.Type), eventPrefix) && !dialect.HasMember(root, "type")
	for name, v := range root.Members() {
		switch {
		case name.Folds("type"):
			text, _ := v.Text()
			_, item := units[text]
			item = item || unitOf(text).kind == result
			item = item && !dialect.HasMember(root, "stop_reason") // else it is a message of another API
			known = known || strings.HasPrefix(text, eventPrefix) || item || text == typeKeepAlive || text == typeError
		case name.Folds("object"):
			text, _ := v.Text()
			known = known || text == objectResponse || strings.HasPrefix(text, objectResponse+".") || text == objectList && listsItems(root)
		case name.Folds("error"):
			known = known || v.Kind() == strictjson.Object && !dialect.HasMember(root, "choices")
		}
	}
	return known
}

// listsItems says whether a list is a list of items. Items have a type; the elements of other lists of the API have a member
// object.
func listsItems(list strictjson.Value) bool {
	for name, data := range list.Members() {
		if !name.Folds("data") {
			continue
		}
		for v := range data.Elems() {
			if dialect.HasMember(v, "type") && !dialect.HasMember(v, "object") {
				return true
			}
		}
	}
	return false
}

// asks looks at the end of the path: the API is served below many prefixes.
func asks(r *http.Request, path string) dialect.Ask {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	n := len(parts)
	below := func(i int, name string) bool { return n >= i && strings.EqualFold(parts[n-i], name) }
	read, sent := r.Method == http.MethodGet, r.Method == http.MethodPost
	switch {
	case sent && below(1, "responses"):
		return dialect.Turn
	case sent && below(1, "conversations"),
		sent && below(2, "responses") && below(1, "compact"),
		sent && below(2, "responses") && below(1, "input_tokens"),
		sent && below(3, "responses") && below(1, "cancel"),
		read && below(2, "responses"),
		read && below(3, "responses") && below(1, "input_items"),
		(read || sent) && below(3, "conversations") && below(1, "items"),
		read && below(4, "conversations") && below(2, "items"):
		return dialect.Stored
	}
	return dialect.Nothing
}

// wants also looks at the query: a GET of a stored response asks for events there.
func wants(r *http.Request, body []byte) (frame.Framing, error) {
	if r.Method == http.MethodGet && r.URL.Query().Get("stream") == "true" {
		return frame.Events, nil
	}
	return dialect.WantsEvents(r, body)
}

// about finds the id of the response or conversation in a path. The input items of a response belong to other responses.
func about(path string) (links dialect.Links) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	for i, part := range parts[:len(parts)-1] {
		id, err := url.PathUnescape(parts[i+1])
		switch {
		case err != nil:
		case strings.EqualFold(part, "conversations"):
			links.Conversation = id
		case strings.EqualFold(part, "responses") && !slices.Contains([]string{"compact", "input_tokens"}, id) &&
			!strings.EqualFold(parts[len(parts)-1], "input_items"):
			links.Response = id
		}
	}
	return links
}

// The prefixes of ids that weir makes. The provider does not know these ids.
const (
	noticePrefix   = "msg_weir_"
	responsePrefix = "resp_weir_"
)

// noticeID is the id of the message that replaces a call. It is the same each time the call is read.
func noticeID(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return noticePrefix + hex.EncodeToString(sum[:16])
}

// inventedID returns an id for a response that weir made. It contains the id of the previous response, so that the next request can
// continue that one.
func inventedID(previous string) string {
	id := responsePrefix + rand.Text()
	if previous != "" {
		id += "." + previous
	}
	return id
}

// previousOf returns the previous response's id in an invented id; "" if it has none. It returns any other id unchanged.
func previousOf(id string) string {
	for strings.HasPrefix(id, responsePrefix) {
		_, id, _ = strings.Cut(id, ".")
	}
	return id
}

// isOneOf says whether a string value is one of several.
func isOneOf(v strictjson.Value, texts ...string) bool {
	return slices.ContainsFunc(texts, v.Is)
}
