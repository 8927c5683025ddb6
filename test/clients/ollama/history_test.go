package ollama

import (
	"errors"
	"fmt"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/test/clients"
)

// A message is one of a conversation.
type message struct {
	Role      string        `json:"role"`
	Content   *string       `json:"content"`
	Thinking  string        `json:"thinking"`
	ToolCalls []historyCall `json:"tool_calls"`
	ToolName  string        `json:"tool_name"`
}

// A historyCall is a call in a conversation. Some clients leave out ids and indexes.
type historyCall struct {
	ID       string `json:"id"`
	Function struct {
		Index     *int           `json:"index"`
		Name      string         `json:"name"`
		Arguments jsontext.Value `json:"arguments"`
	} `json:"function"`
}

// A history is a conversation that is being checked. said are the calls of the model's turn.
type history struct {
	said []saidCall
	open []historyCall // calls of the message before that have no answer yet
}

// checkHistory says what a template would stumble over in a conversation, and what is not as the model said it.
func checkHistory(messages []jsontext.Value, said []saidCall) error {
	if len(messages) == 0 {
		return errors.New("messages: there is none")
	}
	h := history{said: said}
	for i, raw := range messages {
		var m message
		if err := json.Unmarshal(raw, &m); err != nil {
			return fmt.Errorf("messages.%d: %w", i, err)
		}
		if err := h.next(m); err != nil {
			return fmt.Errorf("messages.%d: %w: %s", i, err, raw)
		}
		if last := i == len(messages)-1; last && (m.Role == "assistant" || len(h.open) > 0) {
			return errors.New("messages: the last is the assistant's, or a call has no answer")
		}
	}
	return nil
}

func (h *history) next(m message) error {
	if m.Role != "tool" && len(h.open) > 0 {
		return errors.New("a call has no answer")
	}
	switch m.Role {
	case "user":
		if m.Content == nil {
			return errors.New("content is missing")
		}
	case "assistant":
		if (m.Content == nil || *m.Content == "") && m.Thinking == "" && len(m.ToolCalls) == 0 {
			return errors.New("neither content nor calls")
		}
		return h.assistant(m)
	case "tool":
		if len(h.open) == 0 || h.open[0].Function.Name != m.ToolName {
			return errors.New("a tool message must answer the next call")
		}
		h.open = h.open[1:]
	default:
		return errors.New("unknown role")
	}
	return nil
}

// assistant wants the calls as the model said them, with their indexes in order.
func (h *history) assistant(m message) error {
	for i, c := range m.ToolCalls {
		if n := c.Function.Index; n != nil && *n != i {
			return fmt.Errorf("tool_calls.%d has the index %d", i, *n)
		}
		if !h.says(c) {
			return fmt.Errorf("tool_calls.%d is no call of the model's", i)
		}
	}
	h.open = m.ToolCalls
	return nil
}

func (h *history) says(c historyCall) bool {
	for _, s := range h.said {
		if s.name == c.Function.Name && (c.ID == "" || c.ID == s.id) && clients.SameJSON(string(c.Function.Arguments), s.args) {
			return true
		}
	}
	return false
}

func TestCheckHistory(t *testing.T) {
	saidCalls := []saidCall{{"1", "a", `{"x":1}`}, {"2", "b", `{}`}}
	const (
		user = `{"role":"user","content":"hello"}`
		a    = `{"id":"1","function":{"index":0,"name":"a","arguments":{"x":1}}}`
		b    = `{"id":"2","function":{"index":1,"name":"b","arguments":{}}}`
		bare = `{"function":{"name":"b","arguments":{}}}`
		ranA = `{"role":"tool","content":"done","tool_name":"a"}`
		ranB = `{"role":"tool","content":"done","tool_name":"b"}`
		says = `{"role":"assistant","content":"hi"}`
	)
	calls := func(list string) string { return `{"role":"assistant","content":"","tool_calls":[` + list + `]}` }
	for _, tt := range []struct {
		name     string
		messages []string
		good     bool
	}{
		{"first", []string{user}, true},
		{"text", []string{user, says, user}, true},
		{"answered", []string{user, calls(a + "," + b), ranA, ranB}, true},
		{"without id and index", []string{user, calls(bare), ranB}, true},
		{"none", nil, false},
		{"assistant last", []string{user, says}, false},
		{"unknown role", []string{`{"role":"robot","content":"hi"}`}, false},
		{"user without content", []string{`{"role":"user"}`}, false},
		{"nothing said", []string{user, `{"role":"assistant","content":""}`, user}, false},
		{"unanswered", []string{user, calls(a), user}, false},
		{"partly answered", []string{user, calls(a + "," + b), ranA}, false},
		{"answered twice", []string{user, calls(a), ranA, ranA}, false},
		{"other order", []string{user, calls(a + "," + b), ranB, ranA}, false},
		{"answer without call", []string{user, says, ranA}, false},
		{"gap", []string{user, calls(b), ranB}, false},
		{"unknown call", []string{user, calls(`{"id":"9","function":{"name":"a","arguments":{"x":1}}}`), ranA}, false},
		{"other arguments", []string{user, calls(`{"function":{"name":"a","arguments":{"x":2}}}`), ranA}, false},
		{"arguments are text", []string{user, calls(`{"function":{"name":"a","arguments":"{\"x\":1}"}}`), ranA}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			messages := make([]jsontext.Value, len(tt.messages))
			for i, m := range tt.messages {
				messages[i] = jsontext.Value(m)
			}
			if err := checkHistory(messages, saidCalls); (err == nil) != tt.good {
				t.Errorf("got %v, good: %v", err, tt.good)
			}
		})
	}
}
