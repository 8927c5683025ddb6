// Package model is a model that asks for calls by script, in the wire formats that agents speak.
package model

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/weir-gate/weir/internal/model/wire"
	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// An Answer is what the model says in one response. Calls come with a thought that led to them, where the wire has such.
type Answer struct {
	Text  string // ahead of the calls
	Calls []Call
	Whole bool // as one JSON object, although a stream was asked for
	Cut   bool // in the middle of the last call: its arguments are there, but it is not closed; Messages and Responses only
	// Pause is what happens between the last call and the end of a stream; nil: nothing.
	Pause scripted.Step
}

// A Wire is a format in which an agent asks and a model answers.
type Wire interface {
	// Dialect is its name in the record.
	Dialect() string
	// Read returns the conversation in a request. An error says what a strict provider would not take.
	Read(r scripted.Request) (History, error)
	// Play is an answer to a request; id is that of the response.
	Play(a Answer, h History, id string) scripted.Answer
}

// A History is a conversation as an agent sends it.
type History struct {
	Stream bool     // it wants to be answered by a stream
	Key    string   // that the agent holds
	Tools  int      // how many it offers
	Apart  bool     // it offers them in another place than usual
	Prompt string   // what the user said last; "" when outputs of calls came last
	Said   []string // by the model, in order
	Calls  []Past
}

// A Past is a call in a conversation.
type Past struct {
	ID, Name, Args string
	Output         string

	signed    bool   // it must have a signature
	signature string // of the thought that led to it, where the wire has that with the call
}

// Config sets up a Model.
type Config struct {
	Wire   Wire
	Key    string              // that an agent must have
	Script map[string][]Answer // what is answered to each prompt, in order
	// Meanwhile is what happens while the model says that all is done; nil: nothing.
	Meanwhile scripted.Step
}

// AllDone is what the model says about outputs of calls.
const AllDone = "All done."

// A Model answers prompts by script, and outputs of calls by saying that all is done. Requests that offer no tools are
// not part of the conversation; agents make them to find a title for it.
type Model struct {
	*scripted.Upstream
	wire      Wire
	key       string
	meanwhile scripted.Step

	mu     sync.Mutex
	script map[string][]Answer // what is left
	given  []Call              // so far
	asked  []Asked
	odd    []string // requests that no model understands
}

// Asked is a request that came when the model had given some calls already.
type Asked struct {
	Request scripted.Request
	History History
	given   []Call
}

// Start starts a Model, which ends with the test.
func Start(t testing.TB, cfg Config) *Model {
	t.Helper()
	m := &Model{wire: cfg.Wire, key: cfg.Key, meanwhile: cfg.Meanwhile, script: map[string][]Answer{}}
	for prompt, answers := range cfg.Script {
		m.script[prompt] = answers
	}
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

func (m *Model) answer(r scripted.Request) scripted.Answer {
	m.mu.Lock()
	defer m.mu.Unlock()
	h, err := m.wire.Read(r)
	var next Answer
	if err == nil {
		next, err = m.next(r, h)
	}
	if err != nil {
		m.odd = append(m.odd, fmt.Sprintf("%s %s: %v", r.Method, r.Path, err))
		return scripted.Answer{Status: 400, Steps: []scripted.Step{scripted.Write([]byte("no answer is scripted for this request\n"))}}
	}
	m.given = append(m.given, next.Calls...)
	return m.wire.Play(next, h, fmt.Sprintf("resp_%d", len(m.asked)))
}

// next finds the answer to a request.
func (m *Model) next(r scripted.Request, h History) (Answer, error) {
	m.asked = append(m.asked, Asked{Request: r, History: h, given: m.given[:len(m.given):len(m.given)]})
	if h.Tools == 0 {
		return Answer{Text: "A title"}, nil
	}
	if h.Prompt == "" {
		return Answer{Text: AllDone, Pause: m.meanwhile}, nil
	}
	for prompt, answers := range m.script {
		if strings.Contains(h.Prompt, prompt) && len(answers) > 0 {
			m.script[prompt] = answers[1:]
			return answers[0], nil
		}
	}
	return Answer{}, fmt.Errorf("nothing is left to answer to %q", h.Prompt)
}

// Asked are the requests that the model understood.
func (m *Model) Asked() []Asked {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.asked
}

// inPieces cuts a text into pieces of fewer letters than its words have.
func inPieces(text string) []string {
	const length = 5
	var pieces []string
	for len(text) > length {
		pieces, text = append(pieces, text[:length]), text[length:]
	}
	return append(pieces, text)
}

// blocks are the text and the calls of an answer.
func (a Answer) blocks() []wire.Block {
	var blocks []wire.Block
	if a.Text != "" {
		blocks = append(blocks, wire.Text(a.Text))
	}
	for _, c := range a.Calls {
		call := wire.Call(c.Name, inPieces(c.Args)...)
		call.ID = c.ID
		blocks = append(blocks, call)
	}
	return blocks
}

// play is an answer as a kit writes it.
func play(kit *wire.Kit, a Answer, h History, id string, blocks []wire.Block) scripted.Answer {
	turn := wire.Turn{Model: "scripted", ID: id, In: 17, Out: 42, Blocks: blocks}
	if a.Whole || !h.Stream {
		return whole(kit.Whole(turn))
	}
	var frames [][]byte
	last, end := 0, 0
	for i, s := range kit.Stream(turn) {
		frames = append(frames, kit.Encode(s))
		if s.Args != "" {
			last = i + 1
		}
		if s.Stop != "" {
			end = i
		}
	}
	return a.stream(frames, last, end)
}

// whole is an answer that is one JSON object.
func whole(body string) scripted.Answer {
	return scripted.Answer{
		Header: http.Header{"Content-Type": {"application/json"}},
		Steps:  []scripted.Step{scripted.Write([]byte(body))},
	}
}

// stream is an answer that is a stream: last closes the last call, end says why the turn ends.
func (a Answer) stream(frames [][]byte, last, end int) scripted.Answer {
	out := scripted.Answer{Header: http.Header{"Content-Type": {"text/event-stream"}}}
	for i, f := range frames {
		switch {
		case i == last && a.Cut:
			out.Steps = append(out.Steps, scripted.Abort)
			return out
		case i == end && a.Pause != nil:
			out.Steps = append(out.Steps, a.Pause)
		}
		out.Steps = append(out.Steps, scripted.Write(f))
	}
	return out
}
