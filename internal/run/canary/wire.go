package canary

import (
	"strings"

	"github.com/weir-gate/weir/internal/policy"
)

// A Wire is a format in which models are asked.
type Wire struct {
	Name  string // as the record has it
	Title string // as people know it

	paths [2]string // for a whole answer, and for a stream
	// ends are how the paths of its requests end; those of the second kind ask for a stream by themselves.
	ends, streamEnds []string
	byDefault        bool // a body that says nothing of streams asks for one
	body             func(streamed bool) string
	turn             func(nonce string, streamed bool) (kind string, body []byte)
	// marks stand in every answer with a call, and in no other.
	marks []string
}

// The names that answers have in them.
const (
	model = "weir-canary"
	text  = "The canary sings."
	tool  = policy.CanaryTool
)

// question is what is asked. It does not matter.
const question = "canary"

// arguments are those of the call, in the pieces in which they are streamed. The nonce is in one piece, so that it stands in an
// answer as it is if it does at all.
func arguments(nonce string) []string { return []string{`{"nonce":`, quote(nonce), `}`} }

// wireID is the id of the call.
func wireID(prefix, nonce string) string { return prefix + "_canary_" + nonce }

// Wires are all the formats.
func Wires() []Wire {
	return []Wire{anthropic(), chat(), responses(), gemini(), ollama(), bedrock()}
}

// Request is the path and the body of a request for a turn.
func (w Wire) Request(streamed bool) (path, body string) {
	if streamed {
		return w.paths[1], w.body(true)
	}
	return w.paths[0], w.body(false)
}

// answers says whether a request is of this format, and whether it asks for a stream.
func (w Wire) answers(path string, body []byte) (streamed, ok bool) {
	for _, end := range w.streamEnds {
		if strings.HasSuffix(path, end) {
			return true, true
		}
	}
	for _, end := range w.ends {
		if strings.HasSuffix(path, end) {
			return len(w.streamEnds) == 0 && wantsStream(body, w.byDefault), true
		}
	}
	return false, false
}

// events puts server-sent events together.
type events struct{ strings.Builder }

func (e *events) add(typ, data string) {
	if typ != "" {
		e.WriteString("event: " + typ + "\n")
	}
	e.WriteString("data: " + data + "\n\n")
}

const (
	eventStream = "text/event-stream"
	jsonBody    = "application/json"
)
