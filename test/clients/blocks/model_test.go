package blocks

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/weir-gate/weir/internal/weirtest/notation"
	"github.com/weir-gate/weir/internal/weirtest/scripted"
	"github.com/weir-gate/weir/test/clients"
)

// A model plays a turn to whoever opens the conversation, and the last turn to whoever goes on with it.
type model struct {
	turn turn
	play clients.Play
}

// lastTurn ends every conversation.
var lastTurn = turn{blocks: []block{text("All ", "done.")}, stop: "end_turn"}

// An audience is who a turn is sent to.
type audience struct {
	api      api
	streamed bool
}

// verbs are the ends of paths of Bedrock.
var verbs = map[string]audience{
	"converse": {converse, false}, "converse-stream": {converse, true}, "invoke": {invoke, false},
	"invoke-with-response-stream": {invoke, true},
}

// Answer implements clients.Model. Like the API, it takes only histories that are in order.
func (m model) Answer(k clients.Kind, r scripted.Request, release <-chan struct{}) scripted.Answer {
	to, err := asked(k, r)
	if err != nil {
		return to.failing(http.StatusNotFound, "not_found_error", "ResourceNotFoundException", err.Error())
	}
	history, err := readHistory(to, r.Body)
	if err == nil {
		err = rules.Check(history, m.turn.told())
	}
	switch {
	case err != nil:
		return to.failing(http.StatusBadRequest, "invalid_request_error", "ValidationException", err.Error())
	case len(history) > 1:
		return clients.Play(nil).Send(to.send(lastTurn), nil)
	}
	return m.play.Send(to.send(m.turn), release)
}

// asked finds out what a request is for, and that it came as a client of that kind sends it.
func asked(k clients.Kind, r scripted.Request) (audience, error) {
	if k.Upstream == "anthropic" {
		if r.Method != http.MethodPost || r.Path != "/v1/messages" {
			return audience{api: messages}, fmt.Errorf("%s of %s", r.Method, r.Path)
		}
		return audience{messages, k.Streamed}, nil
	}
	parts := strings.Split(r.Path, "/")
	if r.Method != http.MethodPost || r.RawQuery != "" || len(parts) != 4 || parts[1] != "model" {
		return audience{}, fmt.Errorf("%s of %s", r.Method, r.Path)
	}
	want := modelName
	if k.Can(profile) {
		want = profileName
	}
	if name, err := url.PathUnescape(parts[2]); err != nil || name != want {
		return audience{}, fmt.Errorf("there is no model %s", parts[2])
	}
	to, ok := verbs[parts[3]]
	if !ok || to.streamed != k.Streamed || to.api.native != k.Can(native) {
		return audience{}, fmt.Errorf("the client asks for %s", parts[3])
	}
	digest := sha256.Sum256(r.Body)
	if k.Can(signs) && (r.Header.Get("X-Amz-Date") == "" || r.Header.Get("X-Amz-Content-Sha256") != hex.EncodeToString(digest[:])) {
		return audience{}, errors.New("the body is not the one that was signed")
	}
	return to, nil
}

// failing is an error, which has a name in each API.
func (to audience) failing(status int, typ, exception, message string) scripted.Answer {
	if to.api == messages {
		return clients.JSON(status, errorBody(typ, message))
	}
	a := clients.JSON(status, `{"message":`+clients.Quote(message)+`}`)
	a.Header.Set("X-Amzn-Errortype", exception)
	return a
}

func errorBody(typ, message string) string {
	return `{"type":"error","error":{"type":` + clients.Quote(typ) + `,"message":` + clients.Quote(message) + `}}`
}

// send is a turn as it is sent.
func (to audience) send(t turn) clients.Sent {
	const busy = "Too many requests."
	frames, begins := t.frames(to.api)
	s := clients.Sent{
		Streamed: to.streamed, Type: "application/vnd.amazon.eventstream", Frames: frames, Body: t.body(to.api),
		Fault:      packet(notation.Packet{Kind: notation.Exception, Name: "throttlingException", Payload: []byte(`{"message":"` + busy + `"}`)}),
		Overloaded: to.failing(http.StatusTooManyRequests, "", "ThrottlingException", busy),
		Rejected:   to.failing(http.StatusBadRequest, "invalid_request_error", "ValidationException", "The tools are bad."),
		Text:       begins[1] - 2,
	}
	if len(begins) > 2 {
		s.Call, s.Piece = begins[2], begins[2]-2
	}
	spoilt := []byte(frames[s.Text])
	spoilt[len(spoilt)-1] ^= 1 // its checksum is wrong
	s.Bad = string(spoilt)
	if to.api == messages {
		s.Type = "text/event-stream"
		s.Fault = "event: error\ndata: " + errorBody("overloaded_error", "Overloaded") + "\n\n"
		s.Overloaded = clients.JSON(529, errorBody("overloaded_error", "Overloaded"))
		s.Bad = strings.Replace(to.api.frame("content_block_delta", `,"index":0,"delta":{"type":"text_delta","text":"`+clients.Marker+`"}`), "}}\n", "}\n", 1)
	}
	return s
}
