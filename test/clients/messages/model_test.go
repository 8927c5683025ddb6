package messages

import (
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/weirtest/scripted"
	"github.com/weir-gate/weir/test/clients"
)

// A model plays a turn to whoever opens the conversation, and the last turn to whoever goes on with it.
type model struct {
	turn turn
	play play // how it is sent; nil: plainly
}

// lastTurn ends every conversation.
var lastTurn = turn{blocks: []block{text("All ", "done.")}, stop: "end_turn"}

// Answer implements clients.Model. Like the API, it takes only histories that are in order.
func (m model) Answer(_ clients.Kind, r scripted.Request, release <-chan struct{}) scripted.Answer {
	if r.Method != http.MethodPost || r.Path != "/v1/messages" {
		return clients.JSON(http.StatusNotFound, errorBody("not_found_error", r.Method+" "+r.Path))
	}
	var asked request
	if err := json.Unmarshal(r.Body, &asked); err != nil {
		return badRequest(fmt.Errorf("body: %w", err))
	}
	if err := checkHistory(asked.Messages, m.turn.seen()); err != nil {
		return badRequest(err)
	}
	switch {
	case len(asked.Messages) > 1:
		return plainly(lastTurn, asked.Stream, nil)
	case m.play == nil:
		return plainly(m.turn, asked.Stream, nil)
	}
	return m.play(m.turn, asked.Stream, release)
}

func badRequest(err error) scripted.Answer {
	return clients.JSON(http.StatusBadRequest, errorBody("invalid_request_error", err.Error()))
}

// A play is a way to send a turn.
type play func(t turn, streamed bool, release <-chan struct{}) scripted.Answer

// plainly sends a turn as it should be.
func plainly(t turn, streamed bool, _ <-chan struct{}) scripted.Answer {
	if streamed {
		return clients.SSE(t.events())
	}
	return clients.JSON(http.StatusOK, t.body())
}

// waiting sends the first n events, and the rest when the client has got so far.
func waiting(n int) play {
	return func(t turn, _ bool, release <-chan struct{}) scripted.Answer {
		events := t.events()
		a := clients.SSE(events[:n], scripted.Wait(release))
		a.Steps = append(a.Steps, clients.SSE(events[n:]).Steps...)
		return a
	}
}

// garbled sends the first n events and then one that is not JSON, and does not end; a body lacks its last byte.
func garbled(n int) play {
	bad := "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":" +
		"{\"type\":\"text_delta\",\"text\":\"" + clients.Marker + "\"}\n\n"
	return func(t turn, streamed bool, _ <-chan struct{}) scripted.Answer {
		if streamed {
			return clients.SSE(append(t.events()[:n:n], bad), scripted.Wait(nil))
		}
		body := t.body()
		return clients.JSON(http.StatusOK, body[:len(body)-1])
	}
}

// dying sends the first n events, or half of the body, and drops the connection.
func dying(n int) play {
	return func(t turn, streamed bool, _ <-chan struct{}) scripted.Answer {
		if streamed {
			return clients.SSE(t.events()[:n], scripted.Abort)
		}
		body := t.body()
		return clients.JSON(http.StatusOK, body[:len(body)/2], scripted.Abort)
	}
}

// overloaded sends the first n events and then an error; of a body, the error alone.
func overloaded(n int) play {
	const kind, says = "overloaded_error", "Overloaded"
	return func(t turn, streamed bool, _ <-chan struct{}) scripted.Answer {
		if streamed {
			return clients.SSE(append(t.events()[:n:n], "event: error\ndata: "+errorBody(kind, says)+"\n\n"))
		}
		return clients.JSON(529, errorBody(kind, says))
	}
}

// redirecting sends the client elsewhere.
func redirecting(turn, bool, <-chan struct{}) scripted.Answer { return clients.Elsewhere() }
