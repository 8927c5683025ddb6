package chat

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
	Role         string         `json:"role"`
	Content      jsontext.Value `json:"content"`
	ToolCalls    jsontext.Value `json:"tool_calls"`
	FunctionCall jsontext.Value `json:"function_call"`
	ToolCallID   string         `json:"tool_call_id"`
	Name         string         `json:"name"`
}

// given says whether a member is there and not null.
func given(v jsontext.Value) bool { return len(v) > 0 && v.Kind() != 'n' }

// A historyCall is a call in a conversation.
type historyCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function *struct {
		Name      string  `json:"name"`
		Arguments *string `json:"arguments"`
	} `json:"function"`
	Custom *struct {
		Name  string  `json:"name"`
		Input *string `json:"input"`
	} `json:"custom"`
	Extra jsontext.Value `json:"extra_content"`
}

// A history is a conversation that is being checked. said are the calls of the model's turn.
type history struct {
	said     []saidCall
	extras   bool            // unknown members of calls must still be there
	open     map[string]bool // calls of the message before that have no answer yet
	function string          // the function_call of the message before
}

// checkHistory says what the API would object to in a conversation, and what is not as the model said it.
func checkHistory(messages []jsontext.Value, said []saidCall, extras bool) error {
	if len(messages) == 0 {
		return errors.New("messages: at least one message is required")
	}
	h := history{said: said, extras: extras}
	for i, raw := range messages {
		var m message
		if err := json.Unmarshal(raw, &m); err != nil {
			return fmt.Errorf("messages.%d: %w", i, err)
		}
		if err := h.next(m); err != nil {
			return fmt.Errorf("messages.%d: %w: %s", i, err, raw)
		}
		if last := i == len(messages)-1; last && m.Role == "assistant" {
			return errors.New("messages: the last must not be the assistant's")
		}
	}
	if len(h.open) > 0 {
		return errors.New("messages: a call has no answer")
	}
	return nil
}

func (h *history) next(m message) error {
	if m.Role != "tool" && len(h.open) > 0 {
		return errors.New("tool_calls must be followed by tool messages for each tool_call_id")
	}
	function := h.function
	h.function = ""
	switch m.Role {
	case "user":
		if !given(m.Content) {
			return errors.New("content is missing")
		}
	case "assistant":
		return h.assistant(m)
	case "tool":
		if !h.open[m.ToolCallID] {
			return errors.New("a tool message must answer a call of the message before")
		}
		delete(h.open, m.ToolCallID)
	case "function":
		if m.Name == "" || m.Name != function {
			return errors.New("a function message must answer the function_call of the message before")
		}
	default:
		return errors.New("unknown role")
	}
	return nil
}

// assistant wants text or calls, and the calls as the model said them.
func (h *history) assistant(m message) error {
	hasText := given(m.Content) && string(m.Content) != `""` && string(m.Content) != `[]`
	if !hasText && !given(m.ToolCalls) && !given(m.FunctionCall) {
		return errors.New("neither content nor calls")
	}
	if given(m.FunctionCall) {
		return h.functionCall(m.FunctionCall)
	}
	if len(m.ToolCalls) == 0 {
		return nil
	}
	var calls []historyCall
	if err := json.Unmarshal(m.ToolCalls, &calls); err != nil {
		return fmt.Errorf("tool_calls: %w", err)
	}
	if len(calls) == 0 {
		return errors.New("tool_calls must be an array that is not empty")
	}
	h.open = map[string]bool{}
	for i, c := range calls {
		if err := h.call(c); err != nil {
			return fmt.Errorf("tool_calls.%d: %w", i, err)
		}
		if h.open[c.ID] {
			return fmt.Errorf("call %q is there twice", c.ID)
		}
		h.open[c.ID] = true
	}
	return nil
}

func (h *history) functionCall(raw jsontext.Value) error {
	c := historyCall{Type: "legacy"}
	if err := json.Unmarshal(raw, &c.Function); err != nil {
		return fmt.Errorf("function_call: %w", err)
	}
	if err := h.call(c); err != nil {
		return fmt.Errorf("function_call: %w", err)
	}
	h.function = c.Function.Name
	return nil
}

// call wants a call to be as the model said it.
func (h *history) call(c historyCall) error {
	for _, s := range h.said {
		if s.id == c.ID && s.kind == c.Type {
			return c.check(s, h.extras)
		}
	}
	return fmt.Errorf("%s %q is no call of the model's", c.Type, c.ID)
}

func (c historyCall) check(s saidCall, extras bool) error {
	switch {
	case s.kind == "custom" && (c.Custom == nil || c.Custom.Name != s.name || c.Custom.Input == nil || *c.Custom.Input != s.text()):
		return errors.New("custom is not as the model said it")
	case s.kind != "custom" && (c.Function == nil || c.Function.Name != s.name || c.Function.Arguments == nil):
		return errors.New("function is not as the model said it")
	case s.kind != "custom" && !clients.SameJSON(*c.Function.Arguments, arguments(s.text())):
		return fmt.Errorf("the arguments %q are not as the model said them", *c.Function.Arguments)
	case extras && s.extra != "" && !clients.SameJSON(string(c.Extra), s.extra):
		return fmt.Errorf("extra_content is %s, want %s", c.Extra, s.extra)
	}
	return nil
}

// arguments reads text that is empty as what it stands for.
func arguments(text string) string {
	if text == "" {
		return "{}"
	}
	return text
}

func TestCheckHistory(t *testing.T) {
	a := saidCall{kind: "function", id: "call_1", name: "a", pieces: []string{`{"x":`, `1}`}}
	a.extra = `{"google":{"thought_signature":"c2ln"}}`
	saidCalls := []saidCall{
		a,
		{kind: "function", id: "call_2", name: "b"},
		{kind: "custom", id: "call_3", name: "c", pieces: []string{"go"}},
		{kind: "legacy", name: "d", pieces: []string{`{"y":2}`}},
	}
	const (
		user     = `{"role":"user","content":"hello"}`
		use      = `{"id":"call_1","type":"function","function":{"name":"a","arguments":"{\"x\": 1}"},"extra_content":{"google":{"thought_signature":"c2ln"}}}`
		useB     = `{"id":"call_2","type":"function","function":{"name":"b","arguments":"{}"}}`
		useC     = `{"id":"call_3","type":"custom","custom":{"name":"c","input":"go"}}`
		legacy   = `{"role":"assistant","content":null,"function_call":{"name":"d","arguments":"{\"y\":2}"}}`
		function = `{"role":"function","name":"d","content":"done"}`
	)
	assistant := func(calls string) string { return `{"role":"assistant","content":null,"tool_calls":[` + calls + `]}` }
	says := func(content string) string { return `{"role":"assistant","content":` + content + `}` }
	done := func(id string) string { return `{"role":"tool","tool_call_id":"` + id + `","content":"done"}` }
	for _, tt := range []struct {
		name     string
		messages []string
		good     bool
	}{
		{"first", []string{user}, true},
		{"text", []string{user, says(`"hi"`), user}, true},
		{"answered", []string{user, assistant(use + "," + useB), done("call_2"), done("call_1")}, true},
		{"custom", []string{user, assistant(useC), done("call_3"), user}, true},
		{"legacy", []string{user, legacy, function}, true},
		{"none", nil, false},
		{"assistant last", []string{user, says(`"hi"`)}, false},
		{"unknown role", []string{`{"role":"robot","content":"hi"}`}, false},
		{"user without content", []string{`{"role":"user"}`}, false},
		{"null content", []string{user, says(`null`), user}, false},
		{"empty content", []string{user, says(`""`), user}, false},
		{"no calls in an array", []string{user, `{"role":"assistant","content":"hi","tool_calls":[]}`, user}, false},
		{"null for calls", []string{user, `{"role":"assistant","content":"hi","tool_calls":null}`, user}, false},
		{"unanswered", []string{user, assistant(use), user}, false},
		{"unanswered at the end", []string{user, assistant(use + "," + useB), done("call_1")}, false},
		{"answered late", []string{user, assistant(use), user, done("call_1")}, false},
		{"answered twice", []string{user, assistant(use), done("call_1"), done("call_1")}, false},
		{"answer without call", []string{user, says(`"hi"`), done("call_1")}, false},
		{"call twice", []string{user, assistant(use + "," + use), done("call_1")}, false},
		{"unknown call", []string{user, assistant(`{"id":"call_9","type":"function","function":{"name":"a","arguments":"{}"}}`), done("call_9")}, false},
		{"other name", []string{user, assistant(`{"id":"call_2","type":"function","function":{"name":"a","arguments":"{}"}}`), done("call_2")}, false},
		{"other arguments", []string{user, assistant(`{"id":"call_2","type":"function","function":{"name":"b","arguments":"{\"z\":1}"}}`), done("call_2")}, false},
		{"arguments are no JSON", []string{user, assistant(`{"id":"call_2","type":"function","function":{"name":"b","arguments":""}}`), done("call_2")}, false},
		{"arguments are an object", []string{user, assistant(`{"id":"call_2","type":"function","function":{"name":"b","arguments":{}}}`), done("call_2")}, false},
		{"extras gone", []string{user, assistant(`{"id":"call_1","type":"function","function":{"name":"a","arguments":"{\"x\":1}"}}`), done("call_1")}, false},
		{"other input", []string{user, assistant(`{"id":"call_3","type":"custom","custom":{"name":"c","input":"stop"}}`), done("call_3")}, false},
		{"function without its call", []string{user, says(`"hi"`), function}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			messages := make([]jsontext.Value, len(tt.messages))
			for i, m := range tt.messages {
				messages[i] = jsontext.Value(m)
			}
			if err := checkHistory(messages, saidCalls, true); (err == nil) != tt.good {
				t.Errorf("got %v, good: %v", err, tt.good)
			}
		})
	}
}
