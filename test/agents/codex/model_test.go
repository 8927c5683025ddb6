package codex

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// A model answers prompts by script, and the outputs of calls by saying that all is done.
type model struct {
	*scripted.Upstream

	mu     sync.Mutex
	script map[string][]answer // what is left to answer to each prompt, in order
	given  []call              // so far
	asked  []asked
	odd    []string // requests that no model understands
}

// allDone is what the model says about outputs.
const allDone = "All done."

// asked is what the model was asked when it had given some calls already.
type asked struct {
	request scripted.Request
	body    body
	given   []call
}

// A body is that of a request, as far as it matters here.
type body struct {
	Stream bool             `json:"stream"`
	Store  bool             `json:"store"`
	Tools  []jsontext.Value `json:"tools"`
	Input  []input          `json:"input"`
}

// An input is an item of the conversation.
type input struct {
	Type    string         `json:"type"`
	ID      string         `json:"id"`
	CallID  string         `json:"call_id"`
	Role    string         `json:"role"`
	Content jsontext.Value `json:"content"`
	Output  jsontext.Value `json:"output"`
}

func startModel(t *testing.T, script map[string][]answer) *model {
	t.Helper()
	m := &model{script: map[string][]answer{}}
	for prompt, answers := range script {
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

func (m *model) answer(r scripted.Request) scripted.Answer {
	m.mu.Lock()
	defer m.mu.Unlock()
	next, err := m.next(r)
	if err != nil {
		m.odd = append(m.odd, fmt.Sprintf("%s %s: %v", r.Method, r.Path, err))
		return scripted.Answer{Status: 400, Steps: []scripted.Step{scripted.Write([]byte("no answer is scripted for this request\n"))}}
	}
	m.given = append(m.given, next.calls...)
	return next.play(fmt.Sprintf("resp_%d", len(m.asked)))
}

// next reads a request and finds the answer to it.
func (m *model) next(r scripted.Request) (answer, error) {
	if r.Method != "POST" || r.Path != "/v1/responses" {
		return answer{}, fmt.Errorf("the model has no such endpoint")
	}
	a := asked{request: r, given: m.given[:len(m.given):len(m.given)]}
	if err := json.Unmarshal(r.Body, &a.body); err != nil {
		return answer{}, fmt.Errorf("read the request: %w", err)
	}
	m.asked = append(m.asked, a)
	if len(a.body.Input) == 0 {
		return answer{}, fmt.Errorf("the conversation is empty")
	}
	last := a.body.Input[len(a.body.Input)-1]
	if strings.HasSuffix(last.Type, "_output") {
		return answer{text: allDone}, nil
	}
	for prompt, answers := range m.script {
		if last.Role == "user" && slices.Contains(last.texts(), prompt) && len(answers) > 0 {
			m.script[prompt] = answers[1:]
			return answers[0], nil
		}
	}
	return answer{}, fmt.Errorf("nothing is left to answer to %s %s", last.Type, last.Content)
}

// check compares what the model was asked with what must have become of its calls.
func (m *model) check(t *testing.T) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, what := range m.odd {
		t.Errorf("the model was asked in vain: %s", what)
	}
	for prompt, answers := range m.script {
		if len(answers) > 0 {
			t.Errorf("%d answers to %q were never asked for", len(answers), prompt)
		}
	}
	for i, a := range m.asked {
		if err := a.check(); err != nil {
			t.Errorf("request %d: %v", i+1, err)
		}
	}
}

// requests are those that the model understood.
func (m *model) requests() []asked {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.asked
}
