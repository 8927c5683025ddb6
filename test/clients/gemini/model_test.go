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
	play clients.Play
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
	streamed := verb == "streamGenerateContent"
	inArray := streamed && query.Get("alt") != "sse"
	var asked struct {
		Contents []jsontext.Value `json:"contents"`
	}
	if err := json.Unmarshal(r.Body, &asked); err != nil {
		return failing(http.StatusBadRequest, "INVALID_ARGUMENT", fmt.Sprintf("body: %v", err))
	}
	if err := clients.CheckHistory[content](historyRules, asked.Contents, m.turn.told()); err != nil {
		return failing(http.StatusBadRequest, "INVALID_ARGUMENT", err.Error())
	}
	if len(asked.Contents) > 1 || strings.Contains(string(asked.Contents[0]), "Go on.") {
		// Clients that keep the history leave out a turn that has nothing in it, with what it was the answer to.
		return clients.Play(nil).Send(send(lastTurn, streamed, inArray), nil)
	}
	return m.play.Send(send(m.turn, streamed, inArray), release)
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
	return fmt.Sprintf(`{"error":{"code":%d,"message":%s,"status":%q}}`, code, clients.Quote(message), status)
}

// send is a turn as it is sent, as events or as an array that grows.
func send(t turn, streamed, array bool) clients.Sent {
	busy := errorBody(http.StatusServiceUnavailable, "UNAVAILABLE", "Overloaded")
	bad := errorBody(http.StatusBadRequest, "INVALID_ARGUMENT", "The tools are bad.")
	s := clients.Sent{
		Streamed: streamed, Type: "text/event-stream", Body: t.whole(), Overloaded: clients.JSON(http.StatusServiceUnavailable, busy),
		Rejected: clients.JSON(http.StatusBadRequest, bad), Text: 1, Call: 3, Piece: 4,
	}
	framed := func(element string) string { return "data: " + element + "\r\n\r\n" }
	if array {
		s.Type, s.End, s.Rejected = "application/json", "\n]", clients.JSON(http.StatusBadRequest, "["+bad+"]")
		framed = func(element string) string { return "\n,\r\n" + element }
	}
	for _, e := range t.elements() {
		s.Frames = append(s.Frames, framed(e))
	}
	if array {
		s.Frames[0] = "[" + strings.TrimPrefix(s.Frames[0], framed(""))
	}
	s.Bad, s.Fault = framed(`{"candidates":[{"content":`+clients.Marker+`}]}`), framed(busy)
	return s
}
