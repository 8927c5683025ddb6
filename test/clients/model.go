package clients

import (
	"net/http"
	"sync"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/expect"
	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

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
	kind     Kind
	model    Model
	waitsFor string
	release  chan struct{} // closed when the client has got as far as the scene waits for

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
		expect.Is(t, m.Close(), nil)
	})
	return m
}

// open makes a stage.
func (m *model) open(name string, st *stage) *stage {
	m.mu.Lock()
	defer m.mu.Unlock()
	st.release = make(chan struct{})
	if r, ok := st.model.(Remembering); ok {
		st.model = r.Fresh()
	}
	m.stages[name] = st
	return st
}

func (m *model) answer(r scripted.Request) scripted.Answer {
	m.mu.Lock()
	st := m.stages[r.Header.Get(stageHeader)]
	m.mu.Unlock()
	if st == nil {
		return JSON(http.StatusNotFound, `{"error":{"type":"not_found_error","message":"no such stage"}}`)
	}
	st.mu.Lock()
	st.requests = append(st.requests, r)
	st.mu.Unlock()
	return st.model.Answer(st.kind, r, st.release)
}

// asked are the requests that came so far.
func (st *stage) asked() []scripted.Request {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.requests
}

// progress lets the scene go on when the client has got as far as it waits for.
func (st *stage) progress(what string) {
	if what == st.waitsFor {
		close(st.release)
	}
}

// JSON is a body.
func JSON(status int, body string, then ...scripted.Step) scripted.Answer {
	return scripted.Answer{
		Status: status, Header: http.Header{"Content-Type": {"application/json"}},
		Steps: append([]scripted.Step{scripted.Write([]byte(body))}, then...),
	}
}
