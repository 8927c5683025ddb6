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
	play play // how it is sent; nil: plainly
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
	to := audience{streamed: asked.Stream == nil || *asked.Stream, release: release, say: chatting}
	switch {
	case r.Method != http.MethodPost || r.RawQuery != "" || asked.Model+asked.Name != modelName:
		return failing(http.StatusNotFound, r.Method+" of "+asked.Model+asked.Name)
	case r.Path == "/api/generate":
		to.say = generating
		return m.send(to)
	case r.Path == "/api/pull":
		return pulled(to)
	case r.Path != "/api/chat":
		return failing(http.StatusNotFound, r.Path)
	}
	if err := checkHistory(asked.Messages, m.turn.calls); err != nil {
		return failing(http.StatusBadRequest, err.Error())
	}
	if len(asked.Messages) > 1 {
		return plainly(lastTurn, to)
	}
	return m.send(to)
}

func (m model) send(to audience) scripted.Answer {
	if m.play == nil {
		return plainly(m.turn, to)
	}
	return m.play(m.turn, to)
}

// pulled is the answer to a request for a new model.
func pulled(to audience) scripted.Answer {
	const success = `{"status":"success"}`
	if !to.streamed {
		return clients.JSON(http.StatusOK, success)
	}
	return rows([]string{
		`{"status":"pulling manifest"}` + "\n", `{"status":"pulling 1234","digest":"sha256:1234","total":10,"completed":10}` + "\n", success + "\n",
	})
}

func failing(status int, message string) scripted.Answer {
	return clients.JSON(status, `{"error":`+quote(message)+`}`)
}

// An audience is who a turn is sent to.
type audience struct {
	streamed bool
	release  <-chan struct{}
	say      speech
}

// rows is a stream of lines.
func rows(lines []string, then ...scripted.Step) scripted.Answer {
	a := scripted.Answer{Header: http.Header{"Content-Type": {"application/x-ndjson"}}}
	for _, l := range lines {
		a.Steps = append(a.Steps, scripted.Write([]byte(l)))
	}
	a.Steps = append(a.Steps, then...)
	return a
}

// A play is a way to send a turn.
type play func(t turn, to audience) scripted.Answer

// plainly sends a turn as it should be.
func plainly(t turn, to audience) scripted.Answer {
	if to.streamed {
		return rows(t.lines(to.say))
	}
	return clients.JSON(http.StatusOK, t.whole(to.say))
}

// waiting sends the first n lines, and the rest when the client has got so far.
func waiting(n int) play {
	return func(t turn, to audience) scripted.Answer {
		lines := t.lines(to.say)
		a := rows(lines[:n], scripted.Wait(to.release))
		a.Steps = append(a.Steps, rows(lines[n:]).Steps...)
		return a
	}
}

// garbled sends the first n lines and then one that is not JSON, and does not end; a body lacks its last byte.
func garbled(n int) play {
	return func(t turn, to audience) scripted.Answer {
		if to.streamed {
			bad := t.line(to.say(clients.Marker, "", ""), false)
			return rows(append(t.lines(to.say)[:n:n], bad[:len(bad)-1]+"\n"), scripted.Wait(nil))
		}
		body := t.whole(to.say)
		return clients.JSON(http.StatusOK, body[:len(body)-1])
	}
}

// dying sends the first n lines and half of the next, or half of the body, and drops the connection.
func dying(n int) play {
	return func(t turn, to audience) scripted.Answer {
		if to.streamed {
			lines := t.lines(to.say)
			return rows(append(lines[:n:n], lines[n][:len(lines[n])-10]), scripted.Abort)
		}
		body := t.whole(to.say)
		return clients.JSON(http.StatusOK, body[:len(body)/2], scripted.Abort)
	}
}

// overloaded sends the first n lines and then an error; of a body, the error alone.
func overloaded(n int) play {
	return func(t turn, to audience) scripted.Answer {
		if to.streamed {
			return rows(append(t.lines(to.say)[:n:n], `{"error":"Overloaded"}`+"\n"))
		}
		return failing(http.StatusServiceUnavailable, "Overloaded")
	}
}

// redirecting sends the client elsewhere.
func redirecting(turn, audience) scripted.Answer { return clients.Elsewhere() }

// rejecting finds fault with the request.
func rejecting(turn, audience) scripted.Answer {
	return failing(http.StatusBadRequest, "The tools are bad.")
}
