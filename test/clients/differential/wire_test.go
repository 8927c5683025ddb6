package differential

import (
	"net/http"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/model/formats"
	kit "github.com/weir-gate/weir/internal/model/wire"
)

// A frame is one event, line or body: its JSON, and its name where the framing has names.
type frame struct{ name, data string }

// A wire is how a format is sent.
type wire struct {
	format   string
	dialect  string // as the record has it
	upstream string // as the configuration names it
	answer   func(g *generator) []frame
	body     func(g *generator) string
	encode   func([]frame) []byte
	header   string // the type of a stream
}

var wires = []wire{
	{"messages", "anthropic", "anthropic", (*generator).messages, (*generator).message, named, eventStream},
	{"chat", "openai-chat", "openai", (*generator).chat, (*generator).completion, unnamed, eventStream},
	{"responses", "openai-responses", "openai", (*generator).responses, (*generator).response, named, eventStream},
	{"gemini", "gemini", "gemini", (*generator).gemini, (*generator).content, unnamed, eventStream},
	{"bedrock", "bedrock", "bedrock", (*generator).converse, (*generator).conversed, binary, "application/vnd.amazon.eventstream"},
	{"ollama", "ollama", "ollama", (*generator).ollama, (*generator).line, lines, "application/x-ndjson"},
}

// request is how a client asks for a stream.
func (w wire) request() (path, body string) {
	f, _ := formats.Named(w.dialect)
	return f.Kit.Request(kit.Turn{Model: "m", Prompt: "hi"}, true)
}

const eventStream = "text/event-stream"

func named(frames []frame) []byte {
	var b strings.Builder
	for _, f := range frames {
		b.WriteString("event: " + f.name + "\ndata: " + f.data + "\n\n")
	}
	return []byte(b.String())
}

func unnamed(frames []frame) []byte {
	var b strings.Builder
	for _, f := range frames {
		b.WriteString("data: " + f.data + "\n\n")
	}
	return []byte(b.String())
}

func lines(frames []frame) []byte {
	var b strings.Builder
	for _, f := range frames {
		b.WriteString(f.data + "\n")
	}
	return []byte(b.String())
}

func binary(frames []frame) (out []byte) {
	for _, f := range frames {
		out = dialecttest.EventMessage(f.name, f.data).Append(out)
	}
	return out
}

func contentType(text string) http.Header { return http.Header{"Content-Type": {text}} }
