package main

import (
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/model/wire"
	"github.com/weir-gate/weir/internal/weirtest/fold"
)

// A mode is how an answer is cut into frames.
type mode string

const (
	events  mode = "events" // server-sent events
	array   mode = "array"  // a JSON array that grows
	lines   mode = "lines"  // lines of JSON
	packets mode = "binary" // messages of Amazon's event streams
	whole   mode = "whole"  // one body
)

// kinds are what readers call the modes.
var kinds = map[mode]fold.Kind{events: fold.Events, array: fold.Array, lines: fold.Lines, packets: fold.Packets, whole: fold.Whole}

// A piece is the least that an answer sends at once.
type piece struct {
	name string // of an event; "": it has none
	data string
}

// A format is a wire format as its clients know it.
type format struct {
	name string
	// named says that its events have names.
	named bool
	modes []mode
	kit   *wire.Kit
	// stream is a turn in pieces, if it is not just what the kit says.
	stream func(turn) []piece
	// request is what asks for a turn; "": what the kit does.
	request   string
	endpoints []endpoint
}

// An endpoint is where a format is served.
type endpoint struct {
	method string // "": POST
	path   string // {verb} stands for what the mode is called in the path
	verbs  map[mode]string
	query  map[mode]string
	// builtIn is an upstream that needs no declaration and serves the endpoint; "": there is none.
	builtIn string
	// below is the path after that upstream's own address, where this has a path itself; "": path.
	below string
	modes []mode // nil: those of the format
	// stream and body render a turn as this endpoint sends it; nil: as the format has it.
	stream func(turn) []piece
	body   func(turn) string
	// messages are those in an answer that is more than one message, or less, each as a whole body; nil: it is a message.
	messages func(answer []byte) ([][]byte, error)
	// callOnly says that the text of a turn is not in its answers.
	callOnly bool
}

// formats are those that weir reads.
var formats = []*format{&messagesFormat, &chatFormat, &responsesFormat, &geminiFormat, &ollamaFormat, &converseFormat, &invokeFormat}

func (e *endpoint) verb() string {
	if e.method == "" {
		return http.MethodPost
	}
	return e.method
}

// name is how the endpoint is called in tables.
func (e *endpoint) name() string { return e.verb() + " " + e.path }

// pieces are a turn as a mode of an endpoint sends it.
func (f *format) pieces(e *endpoint, m mode, t turn) []piece {
	switch {
	case m == whole && e.body != nil:
		return []piece{{data: e.body(t)}}
	case m == whole:
		return []piece{{data: f.kit.Whole(t.said())}}
	case e.stream != nil:
		return e.stream(t)
	case f.stream != nil:
		return f.stream(t)
	}
	return played(f.kit, t)
}

// played are the frames of a turn as a kit writes it.
func played(kit *wire.Kit, t turn) []piece {
	var list []piece
	for _, s := range kit.Stream(t.said()) {
		list = append(list, piece{s.Type, s.Data})
	}
	return list
}

// read fills a value from JSON as clients do, who do not mind what they do not know.
func read(text []byte, into any) error {
	return json.Unmarshal(text, into, jsontext.AllowDuplicateNames(true))
}
