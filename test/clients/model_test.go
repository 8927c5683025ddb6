package clients

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

const modelName = "claude-scripted"

// stageHeader says on which stage a request belongs. weir passes it on like any other header.
const stageHeader = "X-Stage"

// A model is the upstream of all weirs. It plays every scene on a stage of its own.
type model struct {
	*scripted.Upstream
	mu     sync.Mutex
	stages map[string]*stage
}

// A stage is one scene played to one client.
type stage struct {
	scene   scene
	release chan struct{} // closed when the client has got as far as the scene waits for

	mu       sync.Mutex
	requests []scripted.Request
}

func startModel(t *testing.T) *model {
	t.Helper()
	m := &model{stages: map[string]*stage{}}
	var err error
	if m.Upstream, err = scripted.New(scripted.Config{Answer: m.answer}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// open makes a stage for a scene.
func (m *model) open(name string, s scene) *stage {
	m.mu.Lock()
	defer m.mu.Unlock()
	st := &stage{scene: s, release: make(chan struct{})}
	m.stages[name] = st
	return st
}

func (m *model) answer(r scripted.Request) scripted.Answer {
	m.mu.Lock()
	st := m.stages[r.Header.Get(stageHeader)]
	m.mu.Unlock()
	if st == nil {
		return jsonAnswer(http.StatusNotFound, errorBody("not_found_error", "no such stage"))
	}
	return st.answer(r)
}

// asked are the requests that came so far.
func (st *stage) asked() []scripted.Request {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.requests
}

// lastTurn ends every conversation.
var lastTurn = turn{blocks: []block{text("All ", "done.")}, stop: "end_turn"}

// answer plays the scene to whoever opens the conversation, and the last turn to whoever goes on with it. Like the API,
// it takes only histories that are in order.
func (st *stage) answer(r scripted.Request) scripted.Answer {
	st.mu.Lock()
	st.requests = append(st.requests, r)
	st.mu.Unlock()
	if r.Method != http.MethodPost || r.Path != "/v1/messages" {
		return jsonAnswer(http.StatusNotFound, errorBody("not_found_error", r.Method+" "+r.Path))
	}
	var asked request
	if err := json.Unmarshal(r.Body, &asked); err != nil {
		return badRequest(fmt.Errorf("body: %w", err))
	}
	if err := checkHistory(asked.Messages, st.scene.turn.seen()); err != nil {
		return badRequest(err)
	}
	if len(asked.Messages) > 1 {
		return plainly(lastTurn, asked.Stream, nil)
	}
	play := st.scene.play
	if play == nil {
		play = plainly
	}
	return play(st.scene.turn, asked.Stream, st.release)
}

func badRequest(err error) scripted.Answer {
	return jsonAnswer(http.StatusBadRequest, errorBody("invalid_request_error", err.Error()))
}

// A play is a way to send a turn.
type play func(t turn, streamed bool, release <-chan struct{}) scripted.Answer

// plainly sends a turn as it should be.
func plainly(t turn, streamed bool, _ <-chan struct{}) scripted.Answer {
	if streamed {
		return sse(t.events())
	}
	return jsonAnswer(http.StatusOK, t.body())
}

// waiting sends the first n events, and the rest when the client has got so far.
func waiting(n int) play {
	return func(t turn, _ bool, release <-chan struct{}) scripted.Answer {
		events := t.events()
		a := sse(events[:n], scripted.Wait(release))
		a.Steps = append(a.Steps, sse(events[n:]).Steps...)
		return a
	}
}

// garbled sends the first n events and then one that is not JSON, and does not end; a body lacks its last byte.
func garbled(n int) play {
	bad := "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":" +
		"{\"type\":\"text_delta\",\"text\":\"" + marker + "\"}\n\n"
	return func(t turn, streamed bool, _ <-chan struct{}) scripted.Answer {
		if streamed {
			return sse(append(t.events()[:n:n], bad), scripted.Wait(nil))
		}
		body := t.body()
		return jsonAnswer(http.StatusOK, body[:len(body)-1])
	}
}

// dying sends the first n events, or half of the body, and drops the connection.
func dying(n int) play {
	return func(t turn, streamed bool, _ <-chan struct{}) scripted.Answer {
		if streamed {
			return sse(t.events()[:n], scripted.Abort)
		}
		body := t.body()
		return jsonAnswer(http.StatusOK, body[:len(body)/2], scripted.Abort)
	}
}

// overloaded sends the first n events and then an error; of a body, the error alone.
func overloaded(n int) play {
	const kind, says = "overloaded_error", "Overloaded"
	return func(t turn, streamed bool, _ <-chan struct{}) scripted.Answer {
		if streamed {
			return sse(append(t.events()[:n:n], "event: error\ndata: "+errorBody(kind, says)+"\n\n"))
		}
		return jsonAnswer(529, errorBody(kind, says))
	}
}

// redirecting sends the client elsewhere.
func redirecting(turn, bool, <-chan struct{}) scripted.Answer {
	return scripted.Answer{
		Status: http.StatusTemporaryRedirect, Header: http.Header{"Location": {"http://127.0.0.1:1/v1/messages"}},
		Steps: []scripted.Step{scripted.Write(nil)},
	}
}
