package responses

import (
	"net/http"

	"github.com/weir-gate/weir/internal/weirtest/keeping"
	"github.com/weir-gate/weir/internal/weirtest/scripted"
	"github.com/weir-gate/weir/test/clients"
)

// A model says turns, one after the other, to a client that it remembers everything of.
type model struct {
	turns    []keeping.Turn
	play     play // how the first is sent; nil: plainly
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
		turns[0].Send = func(f keeping.Form) scripted.Answer { return m.play(f, m.released.ch) }
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

// A play is a way to send a turn.
type play func(f keeping.Form, release <-chan struct{}) scripted.Answer

func sse(events []keeping.Event, then ...scripted.Step) scripted.Answer {
	texts := make([]string, len(events))
	for i, e := range events {
		texts[i] = e.SSE()
	}
	return clients.SSE(texts, then...)
}

// waiting sends the events up to one of a type and some more, and the rest when the client has got so far.
func waiting(until string, more int) play {
	return func(f keeping.Form, release <-chan struct{}) scripted.Answer {
		n := after(f.Events, until) + more
		a := sse(f.Events[:n], scripted.Wait(release))
		a.Steps = append(a.Steps, sse(f.Events[n:]).Steps...)
		return a
	}
}

// after is the number of events up to the first of a type.
func after(events []keeping.Event, typ string) int {
	for i, e := range events {
		if e.Type == typ {
			return i + 1
		}
	}
	return len(events)
}

const (
	firstText  = "response.output_text.delta"
	firstPiece = "response.function_call_arguments.delta"
	callDone   = "response.function_call_arguments.done"
)

// garbled sends the first piece of text and then an event that is not JSON, and does not end; a body lacks its last byte.
func garbled(f keeping.Form, _ <-chan struct{}) scripted.Answer {
	if !f.Streamed {
		return clients.JSON(http.StatusOK, f.Body[:len(f.Body)-1])
	}
	n := after(f.Events, firstText)
	bad := keeping.Event{Type: firstText, Data: `{"type":"` + firstText + `","delta":"` + marker + `"`}
	return sse(append(f.Events[:n:n], bad), scripted.Wait(nil))
}

// dying breaks off in the middle of a call, or of the body.
func dying(f keeping.Form, _ <-chan struct{}) scripted.Answer {
	if !f.Streamed {
		return clients.JSON(http.StatusOK, f.Body[:len(f.Body)/2], scripted.Abort)
	}
	return sse(f.Events[:after(f.Events, firstPiece)], scripted.Abort)
}

// overloaded sends an error in the middle of a call; of a body, the error alone.
func overloaded(f keeping.Form, _ <-chan struct{}) scripted.Answer {
	if !f.Streamed {
		return clients.JSON(http.StatusServiceUnavailable, errorBody("overloaded", "Overloaded"))
	}
	n := after(f.Events, firstPiece)
	bad := keeping.Event{Type: "error", Data: `{"type":"error","sequence_number":20,"code":"server_error","message":"Overloaded","param":null}`}
	return sse(append(f.Events[:n:n], bad))
}

func redirecting(keeping.Form, <-chan struct{}) scripted.Answer { return clients.Elsewhere() }

// rejecting finds fault with the request.
func rejecting(keeping.Form, <-chan struct{}) scripted.Answer {
	return clients.JSON(http.StatusBadRequest, errorBody("bad_tools", "The tools are bad."))
}

func errorBody(code, message string) string {
	return `{"error":{"message":"` + message + `","type":"invalid_request_error","param":null,"code":"` + code + `"}}`
}
