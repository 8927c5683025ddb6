package chat

import (
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/weirtest/scripted"
	"github.com/weir-gate/weir/test/clients"
)

// A model plays a turn to whoever opens the conversation, and the last turn to whoever goes on with it.
type model struct {
	turn turn
	play play // how it is sent; nil: plainly
}

const lastText = "All done."

// lastTurn ends every conversation.
var lastTurn = turn{choices: []said{{text: []string{"All ", "done."}, finish: "stop"}}}

// A request is what a client asks of the model.
type request struct {
	Model    string           `json:"model"`
	Stream   bool             `json:"stream"`
	Messages []jsontext.Value `json:"messages"`
}

// Answer implements clients.Model. Like the API, it takes only histories that are in order.
func (m model) Answer(k clients.Kind, r scripted.Request, release <-chan struct{}) scripted.Answer {
	path, query := "/v1/chat/completions", ""
	if k.Upstream == "azure" {
		path, query = "/openai/deployments/"+modelName+"/chat/completions", "api-version=2024-10-21"
	}
	if r.Method != http.MethodPost || r.Path != path || r.RawQuery != query {
		return clients.JSON(http.StatusNotFound, errorBody("not_found", fmt.Sprintf("%s %s?%s", r.Method, r.Path, r.RawQuery)))
	}
	var asked request
	if err := json.Unmarshal(r.Body, &asked); err != nil {
		return badRequest(fmt.Errorf("body: %w", err))
	}
	if err := checkHistory(asked.Messages, m.turn.calls(), k.Can(returns)); err != nil {
		return badRequest(err)
	}
	to := audience{streamed: asked.Stream, azure: k.Upstream == "azure", release: release}
	switch {
	case len(asked.Messages) > 1:
		return plainly(lastTurn, to)
	case m.play == nil:
		return plainly(m.turn, to)
	}
	return m.play(m.turn, to)
}

func badRequest(err error) scripted.Answer {
	return clients.JSON(http.StatusBadRequest, errorBody("bad_history", err.Error()))
}

func errorBody(code, message string) string {
	return `{"error":{"message":` + quote(message) + `,"type":"invalid_request_error","param":null,"code":` + quote(code) + `}}`
}

// An audience is who a turn is sent to.
type audience struct {
	streamed, azure bool
	release         <-chan struct{}
}

// sse is a stream of a turn's events.
func (a audience) sse(events []string, then ...scripted.Step) scripted.Answer {
	if a.azure {
		events = append([]string{prelude}, events...)
	}
	return clients.SSE(events, then...)
}

// A play is a way to send a turn.
type play func(t turn, to audience) scripted.Answer

// plainly sends a turn as it should be.
func plainly(t turn, to audience) scripted.Answer {
	if to.streamed {
		return to.sse(t.events())
	}
	return clients.JSON(http.StatusOK, t.whole())
}

// waiting sends the first n chunks, and the rest when the client has got so far.
func waiting(n int) play {
	return func(t turn, to audience) scripted.Answer {
		events := t.events()
		a := to.sse(events[:n], scripted.Wait(to.release))
		a.Steps = append(a.Steps, clients.SSE(events[n:]).Steps...)
		return a
	}
}

// garbled sends the first n chunks and then one that is not JSON, and does not end; a body lacks its last byte.
func garbled(n int) play {
	return func(t turn, to audience) scripted.Answer {
		if to.streamed {
			bad := t.chunk(delta(0, `{"content":`+quote(clients.Marker)+`}`), "")
			return to.sse(append(t.events()[:n:n], event(bad[:len(bad)-1])), scripted.Wait(nil))
		}
		body := t.whole()
		return clients.JSON(http.StatusOK, body[:len(body)-1])
	}
}

// dying sends the first n chunks, or half of the body, and drops the connection.
func dying(n int) play {
	return func(t turn, to audience) scripted.Answer {
		if to.streamed {
			return to.sse(t.events()[:n], scripted.Abort)
		}
		body := t.whole()
		return clients.JSON(http.StatusOK, body[:len(body)/2], scripted.Abort)
	}
}

// overloaded sends the first n chunks and then an error; of a body, the error alone.
func overloaded(n int) play {
	const body = `{"error":{"message":"Overloaded","type":"server_error","param":null,"code":"overloaded"}}`
	return func(t turn, to audience) scripted.Answer {
		if to.streamed {
			return to.sse(append(t.events()[:n:n], event(body)))
		}
		return clients.JSON(http.StatusServiceUnavailable, body)
	}
}

// redirecting sends the client elsewhere.
func redirecting(turn, audience) scripted.Answer { return clients.Elsewhere() }

// rejecting finds fault with the request.
func rejecting(turn, audience) scripted.Answer {
	return clients.JSON(http.StatusBadRequest, errorBody("bad_tools", "The tools are bad."))
}
