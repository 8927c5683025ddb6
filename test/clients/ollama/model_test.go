package ollama

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

// lastTurn ends every conversation.
var lastTurn = turn{text: []string{"All ", "done."}, reason: "stop"}

// A request is what a client asks of the model. Without a word about it, streams are meant.
type request struct {
	Model    string           `json:"model"`
	Name     string           `json:"name"` // of the model, in the words of older clients
	Stream   *bool            `json:"stream"`
	Messages []jsontext.Value `json:"messages"`
}

// Answer implements clients.Model. It takes only histories that are in order.
func (m model) Answer(_ clients.Kind, r scripted.Request, release <-chan struct{}) scripted.Answer {
	var asked request
	if err := json.Unmarshal(r.Body, &asked); err != nil {
		return failing(http.StatusBadRequest, fmt.Sprintf("body: %v", err))
	}
	to := audience{streamed: asked.Stream == nil || *asked.Stream, say: chatting}
	switch {
	case r.Method != http.MethodPost || r.RawQuery != "" || asked.Model+asked.Name != modelName:
		return failing(http.StatusNotFound, r.Method+" of "+asked.Model+asked.Name)
	case r.Path == "/api/generate":
		to.say = generating
		return m.play.Send(to.send(m.turn), release)
	case r.Path == "/api/pull":
		return pulled(to)
	case r.Path != "/api/chat":
		return failing(http.StatusNotFound, r.Path)
	}
	if err := clients.CheckHistory[message](rules, asked.Messages, m.turn.told()); err != nil {
		return failing(http.StatusBadRequest, err.Error())
	}
	if len(asked.Messages) > 1 {
		return clients.Play(nil).Send(to.send(lastTurn), nil)
	}
	return m.play.Send(to.send(m.turn), release)
}

// ndjson is the type of streams.
const ndjson = "application/x-ndjson"

// pulled is the answer to a request for a new model.
func pulled(to audience) scripted.Answer {
	const success = `{"status":"success"}`
	if !to.streamed {
		return clients.JSON(http.StatusOK, success)
	}
	return clients.Play(nil).Send(clients.Sent{Streamed: true, Type: ndjson, Frames: []string{
		`{"status":"pulling manifest"}` + "\n", `{"status":"pulling 1234","digest":"sha256:1234","total":10,"completed":10}` + "\n", success + "\n",
	}}, nil)
}

func failing(status int, message string) scripted.Answer {
	return clients.JSON(status, `{"error":`+clients.Quote(message)+`}`)
}

// An audience is who a turn is sent to.
type audience struct {
	streamed bool
	say      speech
}

// send is a turn as it is sent.
func (to audience) send(t turn) clients.Sent {
	bad := t.line(to.say(clients.Marker, "", ""), false)
	return clients.Sent{
		Streamed: to.streamed, Type: ndjson, Frames: t.lines(to.say), Body: t.whole(to.say),
		Bad: bad[:len(bad)-1] + "\n", Fault: `{"error":"Overloaded"}` + "\n",
		Overloaded: failing(http.StatusServiceUnavailable, "Overloaded"), Rejected: failing(http.StatusBadRequest, "The tools are bad."),
		Text: 1, Call: 3, Piece: 2, // a call is on one line
	}
}
