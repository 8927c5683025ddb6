// Package bedrock parses and edits responses of the Converse API of Amazon Bedrock.
package bedrock

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/wire"
	"github.com/weir-gate/weir/internal/strictjson"
)

// Name is the format's name in events and configuration.
const Name = "bedrock"

// Format returns the format for doors.
func Format() dialect.Format {
	return dialect.Format{
		Name: Name, Title: "Amazon Bedrock Converse",
		Provider:    "aws.bedrock",
		Variables:   []string{"AWS_ENDPOINT_URL_BEDROCK_RUNTIME", "ANTHROPIC_BEDROCK_BASE_URL"},
		Kit:         &wire.Converse,
		Recognises:  recognises,
		New:         func(o dialect.Options) dialect.Dialect { return newEditor(o) },
		Asks:        asks,
		Wants:       wants,
		Streams:     []frame.Framing{frame.Binary},
		Error:       renderError,
		Speaks:      speaks,
		ErrorHeader: func(h http.Header, e dialect.Error) { h.Set("X-Amzn-Errortype", errorType(e.Status)) },
		Authorise:   func(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) },
		Requests:    requests.Requests(),
	}
}

// recognises looks at the type of a message or, in a body, at members that only this format has. It is generous: it also accepts a
// frame that is in this format in only one of several readings, so that Scan sees it and refuses it.
func recognises(f frame.Frame) bool {
	if f.Failure {
		return true
	}
	for _, t := range frameTypes {
		if strings.EqualFold(string(f.Type), t) {
			return true
		}
	}
	var doc strictjson.Doc
	if len(f.Type) > 0 || doc.Parse(f.Data) != nil {
		return false
	}
	reason := len(folding(doc.Root(), "stopReason")) > 0
	for _, output := range folding(doc.Root(), "output") {
		if reason && output.Kind() == strictjson.Object {
			return true
		}
		for _, message := range folding(output, "message") {
			if len(folding(message, "content")) > 0 {
				return true
			}
		}
	}
	return false
}

// folding returns the members of an object that some client could read as the member of that name.
func folding(v strictjson.Value, member string) []strictjson.Value {
	var found []strictjson.Value
	for name, value := range v.Members() {
		if name.Folds(member) {
			found = append(found, value)
		}
	}
	return found
}

// streamedEnd is the end of the paths whose responses are streams.
const streamedEnd = "/converse-stream"

func asks(r *http.Request, path string) dialect.Ask {
	model := strings.Contains(strings.ToLower(path), "/model/")
	if r.Method == http.MethodPost && model && dialect.PathEnds(path, "/converse", streamedEnd) {
		return dialect.Turn
	}
	return dialect.Nothing
}

// modelIn returns the model that a path names, or "".
func modelIn(path string) string {
	segments := strings.Split(path, "/")
	for i := len(segments) - 3; i >= 0; i-- {
		if strings.EqualFold(segments[i], "model") {
			name, err := url.PathUnescape(segments[i+1])
			if err != nil {
				return segments[i+1]
			}
			return name
		}
	}
	return ""
}

func wants(r *http.Request, _ []byte) (frame.Framing, error) {
	if dialect.PathEnds(r.URL.Path, streamedEnd) {
		return frame.Binary, nil
	}
	return frame.Whole, nil
}

// speaks looks at a header of Amazon's clients, and at paths that only this service has.
func speaks(r *http.Request, path string) bool {
	path = strings.ToLower(path)
	return r.Header.Get("Amz-Sdk-Invocation-Id") != "" || strings.HasPrefix(path, "/model/") || strings.HasPrefix(path, "/async-invoke")
}

func renderError(e dialect.Error) []byte {
	return append(strictjson.AppendString([]byte(`{"message":`), e.Message), '}')
}

// errorType is the service's name, in a header, for an error with this HTTP status.
func errorType(status int) string {
	switch status {
	case http.StatusBadRequest:
		return "ValidationException"
	case http.StatusUnauthorized, http.StatusForbidden:
		return "AccessDeniedException"
	case http.StatusNotFound:
		return "ResourceNotFoundException"
	case http.StatusRequestTimeout, http.StatusGatewayTimeout:
		return "ModelTimeoutException"
	case http.StatusTooManyRequests:
		return "ThrottlingException"
	case http.StatusServiceUnavailable:
		return "ServiceUnavailableException"
	}
	return "InternalServerException"
}
