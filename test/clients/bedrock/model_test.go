package bedrock

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

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

// An audience is who a turn is sent to.
type audience struct {
	api      api
	streamed bool
	release  <-chan struct{}
}

// verbs are the ends of paths.
var verbs = map[string]audience{
	"converse": {api: converse{}}, "converse-stream": {api: converse{}, streamed: true},
	"invoke": {api: invoke{}}, "invoke-with-response-stream": {api: invoke{}, streamed: true},
}

// Answer implements clients.Model. Like the API, it takes only histories that are in order.
func (m model) Answer(k clients.Kind, r scripted.Request, release <-chan struct{}) scripted.Answer {
	to, err := asked(k, r)
	if err != nil {
		return failing(http.StatusNotFound, "ResourceNotFoundException", err.Error())
	}
	to.release = release
	history, err := readHistory(to.api, r.Body)
	if err == nil {
		err = checkHistory(history, blocks(m.turn.blocks...))
	}
	switch {
	case err != nil:
		return failing(http.StatusBadRequest, "ValidationException", err.Error())
	case len(history) > 1:
		return plainly(lastTurn, to)
	case m.play == nil:
		return plainly(m.turn, to)
	}
	return m.play(m.turn, to)
}

// asked finds out what a request is for, and that it came as a client of that kind sends it.
func asked(k clients.Kind, r scripted.Request) (audience, error) {
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
	if !ok || to.streamed != k.Streamed || (to.api == invoke{}) != k.Can(native) {
		return audience{}, fmt.Errorf("the client asks for %s", parts[3])
	}
	digest := sha256.Sum256(r.Body)
	if k.Can(signs) && (r.Header.Get("X-Amz-Date") == "" || r.Header.Get("X-Amz-Content-Sha256") != hex.EncodeToString(digest[:])) {
		return audience{}, errors.New("the body is not the one that was signed")
	}
	return to, nil
}

func failing(status int, typ, message string) scripted.Answer {
	a := clients.JSON(status, `{"message":`+quote(message)+`}`)
	a.Header.Set("X-Amzn-Errortype", typ)
	return a
}

// A play is a way to send a turn.
type play func(t turn, to audience) scripted.Answer

// plainly sends a turn as it should be.
func plainly(t turn, to audience) scripted.Answer {
	if !to.streamed {
		return clients.JSON(http.StatusOK, t.body(to.api))
	}
	list, _ := t.messages(to.api)
	return sending(list)
}

// A place is somewhere in a stream.
type place func(begins []int) int

// endOf is behind a block.
func endOf(block int) place { return func(begins []int) int { return begins[block+1] } }

// lastPieceOf is within a block, ahead of its last piece.
func lastPieceOf(block int) place { return func(begins []int) int { return begins[block+1] - 2 } }

// waiting sends the messages up to a place, and the rest when the client has got so far.
func waiting(at place) play {
	return func(t turn, to audience) scripted.Answer {
		list, begins := t.messages(to.api)
		n := at(begins)
		a := sending(list[:n], scripted.Wait(to.release))
		a.Steps = append(a.Steps, sending(list[n:]).Steps...)
		return a
	}
}

// garbled sends the messages up to a place, and then one whose checksum is wrong, and does not end; a body lacks its last byte.
func garbled(at place) play {
	return func(t turn, to audience) scripted.Answer {
		if !to.streamed {
			body := t.body(to.api)
			return clients.JSON(http.StatusOK, body[:len(body)-1])
		}
		list, begins := t.messages(to.api)
		n := at(begins)
		return sending(append(list[:n:n], spoilt(list[n])), scripted.Wait(nil))
	}
}

// dying sends the messages up to a place and half of the next, or half of the body, and drops the connection.
func dying(at place) play {
	return func(t turn, to audience) scripted.Answer {
		if !to.streamed {
			body := t.body(to.api)
			return clients.JSON(http.StatusOK, body[:len(body)/2], scripted.Abort)
		}
		list, begins := t.messages(to.api)
		n := at(begins)
		return sending(append(list[:n:n], list[n][:len(list[n])/2]), scripted.Abort)
	}
}

// overloaded sends the messages up to a place and then an exception; of a body, the error alone.
func overloaded(at place) play {
	return func(t turn, to audience) scripted.Answer {
		if !to.streamed {
			return failing(http.StatusTooManyRequests, "ThrottlingException", "Too many requests.")
		}
		list, begins := t.messages(to.api)
		n := at(begins)
		return sending(append(list[:n:n], exception("throttlingException", `{"message":"Too many requests."}`)))
	}
}

// redirecting sends the client elsewhere.
func redirecting(turn, audience) scripted.Answer { return clients.Elsewhere() }
