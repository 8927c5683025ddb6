// Package gemini parses and edits responses of the Gemini generateContent API: as server-sent events, as a streamed array, or
// whole; plain or in the wrapper of Code Assist.
package gemini

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/wire"
	"github.com/weir-gate/weir/internal/strictjson"
)

// Name is the format's name in events and configuration.
const Name = "gemini"

// Format returns the format for doors.
func Format() dialect.Format {
	return dialect.Format{
		Name: Name, Title: "Gemini",
		Provider: "gcp.gen_ai", Operation: "generate_content",
		Variables:  []string{"GOOGLE_GEMINI_BASE_URL", "CODE_ASSIST_ENDPOINT"},
		Kit:        &wire.Gemini,
		Recognises: recognises,
		New:        func(o dialect.Options) dialect.Dialect { return newEditor(o) },
		Asks:       asks,
		Wants:      wants,
		Streams:    []frame.Framing{frame.Events, frame.Elements},
		Error:      renderError,
		Authorise:  func(h http.Header, key string) { h.Set("X-Goog-Api-Key", key) },
		Requests:   requests.Requests(),
	}
}

// ownMembers are the members by which a response of this format is recognised.
var ownMembers = []string{"candidates", "promptFeedback", "usageMetadata", "modelVersion"}

// recognises is generous: it also accepts a frame that is in this format in only one of several readings, so that Scan sees it and
// refuses it.
func recognises(f frame.Frame) bool {
	var doc strictjson.Doc
	if doc.Parse(f.Data) != nil {
		return false
	}
	for name, v := range doc.Root().Members() {
		switch {
		case showsFormat(name):
			return true
		case name.Folds("response"):
			for inner := range v.Members() {
				if showsFormat(inner) {
					return true
				}
			}
		case name.Folds("error"):
			if status, _ := v.Member("status"); status.Kind() == strictjson.String {
				return true
			}
		}
	}
	return false
}

func showsFormat(name strictjson.Value) bool {
	for _, own := range ownMembers {
		if name.Folds(own) {
			return true
		}
	}
	return false
}

// asks looks at the verb at the end of the path: the API is served below many prefixes.
func asks(r *http.Request, path string) dialect.Ask {
	if r.Method == http.MethodPost && dialect.PathEnds(path, ":generateContent", ":streamGenerateContent") {
		return dialect.Turn
	}
	return dialect.Nothing
}

// errNotJSON says that a request asks for a response that weir cannot read.
var errNotJSON = errors.New("the request asks for a response that is not JSON; use alt=sse or alt=json")

// wants looks at the path's verb and the query: they say which framing the request wants.
func wants(r *http.Request, _ []byte) (frame.Framing, error) {
	alt, readable := altOf(r.URL.Query())
	framing := frame.Elements
	switch {
	case !dialect.PathEnds(r.URL.Path, ":streamGenerateContent"):
		framing = frame.Whole
	case alt == "sse":
		framing = frame.Events
	}
	if !readable {
		return framing, errNotJSON
	}
	return framing, nil
}

// altOf returns the form in which a query asks for the response; not readable if weir cannot read that form, or the query names
// two.
func altOf(query url.Values) (alt string, readable bool) {
	readable = true
	for name, values := range query {
		if name != "alt" && name != "$alt" {
			continue
		}
		for _, v := range values {
			readable = readable && (alt == "" || alt == v) && (v == "sse" || v == "json")
			alt = v
		}
	}
	return alt, readable
}

// statusNames are the API's names of HTTP statuses.
var statusNames = map[int]string{
	http.StatusBadRequest:         "INVALID_ARGUMENT",
	http.StatusUnauthorized:       "UNAUTHENTICATED",
	http.StatusForbidden:          "PERMISSION_DENIED",
	http.StatusNotFound:           "NOT_FOUND",
	http.StatusTooManyRequests:    "RESOURCE_EXHAUSTED",
	http.StatusServiceUnavailable: "UNAVAILABLE",
	http.StatusBadGateway:         "UNAVAILABLE",
	http.StatusGatewayTimeout:     "DEADLINE_EXCEEDED",
}

func renderError(e dialect.Error) []byte {
	status, known := statusNames[e.Status]
	switch {
	case !known && e.Status < 500:
		status = "INVALID_ARGUMENT"
	case !known:
		status = "INTERNAL"
	}
	details := ""
	if status == "INVALID_ARGUMENT" {
		details = `,"details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"FIREWALL_BLOCKED","domain":"weir"}]`
	}
	return []byte(`{"error":{"code":` + strconv.Itoa(e.Status) + `,"message":` + dialect.Quote(e.Message) +
		`,"status":"` + status + `"` + details + `}}`)
}
