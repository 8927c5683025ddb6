package responses

import (
	"net/http"
	"slices"

	"github.com/weir-gate/weir/internal/weirtest/keeping"
	"github.com/weir-gate/weir/internal/weirtest/scripted"
	"github.com/weir-gate/weir/test/clients"
)

// A model says turns, one after the other, to a client that it remembers everything of.
type model struct {
	turns    []keeping.Turn
	play     clients.Play // how the first is sent
	provider *keeping.Provider
	released *released
}

// released is how a turn under way learns what the client has got. It is set when the client asks.
type released struct{ ch <-chan struct{} }

// says is a model that says turns and then the last one.
func says(turns ...keeping.Turn) model { return model{turns: append(turns, lastTurn)} }

// lastTurn ends every conversation.
var lastTurn = keeping.Turn{Output: []keeping.Item{keeping.Message("msg_99Last", "All ", "done.")}}

// Fresh implements clients.Remembering.
func (m model) Fresh() clients.Model {
	turns := append([]keeping.Turn{}, m.turns...)
	m.released = &released{}
	if m.play != nil {
		turns[0].Send = func(f keeping.Form) scripted.Answer { return m.play(send(f), m.released.ch) }
	}
	m.provider = keeping.New(keeping.Config{
		Turns: turns, Usage: keeping.Usage{Input: clients.InputTokens, Output: clients.OutputTokens},
	})
	return m
}

// Answer implements clients.Model.
func (m model) Answer(_ clients.Kind, r scripted.Request, release <-chan struct{}) scripted.Answer {
	m.released.ch = release
	return m.provider.Answer(r)
}

// send is a turn as it is sent.
func send(f keeping.Form) clients.Sent {
	const text, piece, done = "response.output_text.delta", "response.function_call_arguments.delta", "response.function_call_arguments.done"
	busy := `{"type":"error","sequence_number":20,"code":"server_error","message":"Overloaded","param":null}`
	s := clients.Sent{
		Streamed: f.Streamed, Type: "text/event-stream", Body: f.Body, Text: after(f.Events, text), Piece: after(f.Events, piece),
		Call:       after(f.Events, done) + 1,
		Bad:        keeping.Event{Type: text, Data: `{"type":"` + text + `","delta":"` + marker + `"`}.SSE(),
		Fault:      keeping.Event{Type: "error", Data: busy}.SSE(),
		Overloaded: clients.JSON(http.StatusServiceUnavailable, errorBody("overloaded", "Overloaded")),
		Rejected:   clients.JSON(http.StatusBadRequest, errorBody("bad_tools", "The tools are bad.")),
	}
	for _, e := range f.Events {
		s.Frames = append(s.Frames, e.SSE())
	}
	return s
}

// after is the number of events up to the first of a type.
func after(events []keeping.Event, typ string) int {
	return 1 + slices.IndexFunc(events, func(e keeping.Event) bool { return e.Type == typ })
}

func errorBody(code, message string) string {
	return `{"error":{"message":"` + message + `","type":"invalid_request_error","param":null,"code":"` + code + `"}}`
}
