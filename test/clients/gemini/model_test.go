package gemini

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

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
var lastTurn = turn{candidates: []said{{parts: []part{text("All ", "done.")}, finish: "STOP"}}}

// Answer implements clients.Model. Like the API, it takes only histories that are in order.
func (m model) Answer(k clients.Kind, r scripted.Request, release <-chan struct{}) scripted.Answer {
	verb, ok := strings.CutPrefix(r.Path, "/"+home(k)+"models/"+modelName+":")
	if r.Method != http.MethodPost || !ok || verb != "generateContent" && verb != "streamGenerateContent" {
		return failing(http.StatusNotFound, "NOT_FOUND", r.Method+" "+r.Path)
	}
	query, err := url.ParseQuery(r.RawQuery)
	if err != nil {
		return failing(http.StatusBadRequest, "INVALID_ARGUMENT", err.Error())
	}
	to := audience{release: release}
	switch alt := query.Get("alt"); {
	case verb == "generateContent":
	case alt == "sse":
		to.streamed = true
	default:
		to.streamed, to.array = true, true
	}
	var asked struct {
		Contents []jsontext.Value `json:"contents"`
	}
	if err := json.Unmarshal(r.Body, &asked); err != nil {
		return failing(http.StatusBadRequest, "INVALID_ARGUMENT", fmt.Sprintf("body: %v", err))
	}
	if err := checkHistory(asked.Contents, m.turn.calls()); err != nil {
		return failing(http.StatusBadRequest, "INVALID_ARGUMENT", err.Error())
	}
	switch {
	case len(asked.Contents) > 1 || strings.Contains(string(asked.Contents[0]), "Go on."):
		// Clients that keep the history leave out a turn that has nothing in it, with what it was the answer to.
		return plainly(lastTurn, to)
	case m.play == nil:
		return plainly(m.turn, to)
	}
	return m.play(m.turn, to)
}

// home is where the API of a kind is.
func home(k clients.Kind) string {
	switch {
	case k.Can(token):
		return "v1beta1/projects/weir/locations/europe-west1/publishers/google/"
	case k.Upstream == "vertex":
		return "v1beta1/publishers/google/"
	case strings.Contains(k.Name, "-python-"):
		return "v1/"
	}
	return "v1beta/"
}

func failing(code int, status, message string) scripted.Answer {
	return clients.JSON(code, errorBody(code, status, message))
}

func errorBody(code int, status, message string) string {
	return fmt.Sprintf(`{"error":{"code":%d,"message":%s,"status":%q}}`, code, quote(message), status)
}

// An audience is who a turn is sent to.
type audience struct {
	streamed, array bool
	release         <-chan struct{}
}

// begin is an answer that sends the first elements of a stream, and has no end yet.
func (a audience) begin(elements []string) scripted.Answer {
	if a.array {
		answer := clients.JSON(http.StatusOK, "["+elements[0])
		answer.Steps = append(answer.Steps, a.rest(elements[1:])...)
		return answer
	}
	return clients.SSE(nil, a.rest(elements)...)
}

// rest are steps that send elements after others.
func (a audience) rest(elements []string) []scripted.Step {
	var steps []scripted.Step
	for _, e := range elements {
		if a.array {
			e = "\n,\r\n" + e
		} else {
			e = "data: " + e + "\r\n\r\n"
		}
		steps = append(steps, scripted.Write([]byte(e)))
	}
	return steps
}

// end is the step that ends a stream.
func (a audience) end() scripted.Step {
	if a.array {
		return scripted.Write([]byte("\n]"))
	}
	return scripted.Write(nil)
}

// A play is a way to send a turn.
type play func(t turn, to audience) scripted.Answer

// plainly sends a turn as it should be.
func plainly(t turn, to audience) scripted.Answer {
	if !to.streamed {
		return clients.JSON(http.StatusOK, t.whole())
	}
	a := to.begin(t.elements())
	a.Steps = append(a.Steps, to.end())
	return a
}

// waiting sends the first n elements, and the rest when the client has got so far.
func waiting(n int) play {
	return func(t turn, to audience) scripted.Answer {
		elements := t.elements()
		a := to.begin(elements[:n])
		a.Steps = append(a.Steps, scripted.Wait(to.release))
		a.Steps = append(a.Steps, to.rest(elements[n:])...)
		a.Steps = append(a.Steps, to.end())
		return a
	}
}

// garbled sends the first n elements and then one that is not JSON, and does not end; a body lacks its last byte.
func garbled(n int) play {
	return func(t turn, to audience) scripted.Answer {
		if !to.streamed {
			body := t.whole()
			return clients.JSON(http.StatusOK, body[:len(body)-1])
		}
		a := to.begin(t.elements()[:n])
		a.Steps = append(a.Steps, to.rest([]string{`{"candidates":[{"content":` + clients.Marker + `}]}`})...)
		a.Steps = append(a.Steps, scripted.Wait(nil))
		return a
	}
}

// dying sends the first n elements, or half of the body, and drops the connection.
func dying(n int) play {
	return func(t turn, to audience) scripted.Answer {
		if !to.streamed {
			body := t.whole()
			return clients.JSON(http.StatusOK, body[:len(body)/2], scripted.Abort)
		}
		a := to.begin(t.elements()[:n])
		a.Steps = append(a.Steps, scripted.Abort)
		return a
	}
}

// overloaded sends the first n elements and then an error; of a body, the error alone.
func overloaded(n int) play {
	return func(t turn, to audience) scripted.Answer {
		body := errorBody(http.StatusServiceUnavailable, "UNAVAILABLE", "Overloaded")
		if !to.streamed {
			return clients.JSON(http.StatusServiceUnavailable, body)
		}
		a := to.begin(t.elements()[:n])
		a.Steps = append(append(a.Steps, to.rest([]string{body})...), to.end())
		return a
	}
}

// redirecting sends the client elsewhere.
func redirecting(turn, audience) scripted.Answer { return clients.Elsewhere() }

// rejecting finds fault with the request.
func rejecting(_ turn, to audience) scripted.Answer {
	body := errorBody(http.StatusBadRequest, "INVALID_ARGUMENT", "The tools are bad.")
	if to.array {
		body = "[" + body + "]"
	}
	return clients.JSON(http.StatusBadRequest, body)
}
