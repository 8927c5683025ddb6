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
	play clients.Play
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
	if err := clients.CheckHistory[message](clients.Rules{}, asked.Messages, m.turn.told(k.Can(returns))); err != nil {
		return badRequest(err)
	}
	if len(asked.Messages) > 1 {
		return clients.Play(nil).Send(send(k, lastTurn, asked.Stream), nil)
	}
	return m.play.Send(send(k, m.turn, asked.Stream), release)
}

func badRequest(err error) scripted.Answer {
	return clients.JSON(http.StatusBadRequest, errorBody("bad_history", err.Error()))
}

func errorBody(code, message string) string {
	return `{"error":{"message":` + clients.Quote(message) + `,"type":"invalid_request_error","param":null,"code":` + clients.Quote(code) + `}}`
}

// send is a turn as it is sent.
func send(k clients.Kind, t turn, streamed bool) clients.Sent {
	const busy = `{"error":{"message":"Overloaded","type":"server_error","param":null,"code":"overloaded"}}`
	bad := t.chunk(delta(0, `{"content":`+clients.Quote(clients.Marker)+`}`), "")
	s := clients.Sent{
		Streamed: streamed, Type: "text/event-stream", Frames: t.events(), Body: t.whole(),
		Bad: event(bad[:len(bad)-1]), Fault: event(busy), Overloaded: clients.JSON(http.StatusServiceUnavailable, busy),
		Rejected: clients.JSON(http.StatusBadRequest, errorBody("bad_tools", "The tools are bad.")),
		Text:     2, // the role, and a piece
	}
	s.Piece = s.Text + 1 + 2 // the rest of the text; the opening and a piece
	s.Call = s.Piece + 2
	if k.Upstream == "azure" {
		s.Frames = append([]string{prelude}, s.Frames...)
		s.Text, s.Piece, s.Call = s.Text+1, s.Piece+1, s.Call+1
	}
	return s
}
