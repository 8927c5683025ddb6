package gemini

import (
	"errors"
	"fmt"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/test/clients"
)

// A content is one of a conversation.
type content struct {
	Role  string           `json:"role"`
	Parts []jsontext.Value `json:"parts"`
}

// A historyPart is a part of a conversation. One of its members must be there.
type historyPart struct {
	Text             *string        `json:"text"`
	FunctionCall     *historyCall   `json:"functionCall"`
	FunctionResponse *historyCall   `json:"functionResponse"`
	Signature        string         `json:"thoughtSignature"`
	Code             jsontext.Value `json:"executableCode"`
	CodeResult       jsontext.Value `json:"codeExecutionResult"`
	Tool             jsontext.Value `json:"toolCall"`
	ToolResult       jsontext.Value `json:"toolResponse"`
}

// A historyCall is a call in a conversation, or what answers it.
type historyCall struct {
	ID       string         `json:"id"`
	Name     string         `json:"name"`
	Args     jsontext.Value `json:"args"`
	Response jsontext.Value `json:"response"`
}

// A history is a conversation that is being checked. said are the calls of the model's turn.
type history struct {
	said  []part
	open  []historyCall // calls of the model's turn before that have no answer yet
	model bool          // the content before is the model's
}

// checkHistory says what the API would object to in a conversation, and what is not as the model said it.
func checkHistory(contents []jsontext.Value, said []part) error {
	if len(contents) == 0 {
		return errors.New("contents is not specified")
	}
	h := history{said: said}
	for i, raw := range contents {
		var c content
		if err := json.Unmarshal(raw, &c); err != nil {
			return fmt.Errorf("contents[%d]: %w", i, err)
		}
		if err := h.next(c); err != nil {
			return fmt.Errorf("contents[%d]: %w: %s", i, err, raw)
		}
	}
	if h.model {
		return errors.New("please ensure that the last content is the user's")
	}
	return nil
}

// next takes a content. Those of the model that follow each other are one turn.
func (h *history) next(c content) error {
	if len(c.Parts) == 0 {
		return errors.New("parts must not be empty")
	}
	parts := make([]historyPart, len(c.Parts))
	for i, raw := range c.Parts {
		if err := json.Unmarshal(raw, &parts[i]); err != nil {
			return fmt.Errorf("parts[%d]: %w", i, err)
		}
		if p := parts[i]; p.Text == nil && p.FunctionCall == nil && p.FunctionResponse == nil && !p.hosted() {
			return fmt.Errorf("parts[%d]: required oneof field 'data' must have one initialized field", i)
		}
	}
	switch c.Role {
	case "user":
		return h.user(parts)
	case "model":
		return h.modelSays(parts)
	}
	return errors.New("please use a valid role: user, model")
}

// hosted says whether a part is of what the provider runs.
func (p historyPart) hosted() bool {
	return p.Code != nil || p.CodeResult != nil || p.Tool != nil || p.ToolResult != nil
}

// modelSays wants the calls as the model said them. If it signs calls, the first of a turn has to have its signature.
func (h *history) modelSays(parts []historyPart) error {
	if !h.model {
		h.open = nil
	}
	h.model = true
	for i, p := range parts {
		if p.FunctionResponse != nil {
			return fmt.Errorf("parts[%d]: the model answers no calls", i)
		}
		if p.FunctionCall == nil {
			continue
		}
		s, ok := h.find(*p.FunctionCall)
		switch {
		case !ok:
			return fmt.Errorf("parts[%d]: %q is no call of the model's", i, p.FunctionCall.Name)
		case len(h.open) == 0 && h.signs() && p.Signature == "":
			return fmt.Errorf("parts[%d]: function call %s is missing a thought_signature", i, s.name)
		case s.signature != "" && p.Signature != s.signature:
			return fmt.Errorf("parts[%d]: thought signature is not valid", i)
		}
		h.open = append(h.open, *p.FunctionCall)
	}
	return nil
}

// signs says whether the model signs its calls.
func (h *history) signs() bool {
	for _, s := range h.said {
		if s.signature != "" {
			return true
		}
	}
	return false
}

// find is the call that the model said. Clients may make up ids where there are none.
func (h *history) find(c historyCall) (part, bool) {
	for _, s := range h.said {
		if s.name == c.Name && (s.id == "" || s.id == c.ID) && clients.SameJSON(givenArgs(string(c.Args)), givenArgs(s.args)) {
			return s, true
		}
	}
	return part{}, false
}

// givenArgs reads arguments that are left out as what that stands for.
func givenArgs(args string) string {
	if args == "" || args == "null" {
		return "{}"
	}
	return args
}

// user wants as many answers as there are calls, in their order. They may leave out the ids.
func (h *history) user(parts []historyPart) error {
	var answers []historyCall
	for _, p := range parts {
		if p.FunctionCall != nil {
			return errors.New("the user calls nothing")
		}
		if p.FunctionResponse != nil {
			answers = append(answers, *p.FunctionResponse)
		}
	}
	if len(answers) != len(h.open) {
		return fmt.Errorf("please ensure that the number of function response parts (%d) is equal to the number of function call parts (%d)",
			len(answers), len(h.open))
	}
	for i, a := range answers {
		if a.Name != h.open[i].Name || a.ID != "" && a.ID != h.open[i].ID {
			return fmt.Errorf("%q answers the call %q", a.Name, h.open[i].Name)
		}
		if a.Response.Kind() != '{' {
			return fmt.Errorf("the response of %q is not an object", a.Name)
		}
	}
	h.model, h.open = false, nil
	return nil
}

func TestCheckHistory(t *testing.T) {
	saidCalls := []part{
		{typ: "call", id: "1", name: "a", args: `{"x":1}`, signature: "c2ln"}, {typ: "call", id: "2", name: "b"}, {typ: "call", name: "c", args: `{}`},
	}
	const (
		user = `{"role":"user","parts":[{"text":"hello"}]}`
		a    = `{"functionCall":{"id":"1","name":"a","args":{"x":1.0}},"thoughtSignature":"c2ln"}`
		b    = `{"functionCall":{"id":"2","name":"b"}}`
		c    = `{"functionCall":{"name":"c","args":{}}}`
		ranA = `{"functionResponse":{"id":"1","name":"a","response":{}}}`
		ranB = `{"functionResponse":{"id":"2","name":"b","response":{}}}`
	)
	says := func(parts string) string { return `{"role":"model","parts":[` + parts + `]}` }
	ran := func(parts string) string { return `{"role":"user","parts":[` + parts + `]}` }
	for _, tt := range []struct {
		name     string
		contents []string
		good     bool
	}{
		{"first", []string{user}, true},
		{"text", []string{user, says(`{"text":"hi"}`), user}, true},
		{"empty text", []string{user, says(`{"text":"hi"}`), says(`{"text":""}`), user}, true},
		{"answered", []string{user, says(a + "," + b), ran(ranA + "," + ranB)}, true},
		{"answered in a turn of two contents", []string{user, says(a), says(b), ran(ranA + "," + ranB), says(`{"text":"hi"}`), user}, true},
		{"answered without id", []string{user, says(a), ran(`{"functionResponse":{"name":"a","response":{}}}`)}, true},
		{"code", []string{user, says(`{"executableCode":{"code":"1"}},{"codeExecutionResult":{}}`), user}, true},
		{"none", nil, false},
		{"model last", []string{user, says(`{"text":"hi"}`)}, false},
		{"unknown role", []string{`{"role":"robot","parts":[{"text":"hi"}]}`}, false},
		{"no parts", []string{user, says(``), user}, false},
		{"no member", []string{user, says(`{"text":"hi"},{}`), user}, false},
		{"only a signature", []string{user, says(`{"thoughtSignature":"c2ln"}`), user}, false},
		{"unanswered", []string{user, says(a), user}, false},
		{"partly answered", []string{user, says(a + "," + b), ran(ranA)}, false},
		{"answered twice", []string{user, says(a), ran(ranA + "," + ranA)}, false},
		{"answer without call", []string{user, says(`{"text":"hi"}`), ran(ranA)}, false},
		{"answer without turn", []string{ran(ranA)}, false},
		{"other order", []string{user, says(a + "," + b), ran(ranB + "," + ranA)}, false},
		{"other id", []string{user, says(a), ran(`{"functionResponse":{"id":"2","name":"a","response":{}}}`)}, false},
		{"unknown call", []string{user, says(`{"functionCall":{"id":"9","name":"a","args":{"x":1}},"thoughtSignature":"c2ln"}`), ran(ranA)}, false},
		{"other arguments", []string{user, says(`{"functionCall":{"id":"1","name":"a","args":{"x":2}},"thoughtSignature":"c2ln"}`), ran(ranA)}, false},
		{"first not signed", []string{user, says(b), ran(ranB)}, false},
		{"first without id not signed", []string{user, says(c), ran(`{"functionResponse":{"name":"c","response":{}}}`)}, false},
		{"signature gone", []string{user, says(`{"functionCall":{"id":"1","name":"a","args":{"x":1}}}`), ran(ranA)}, false},
		{"other signature", []string{user, says(`{"functionCall":{"id":"1","name":"a","args":{"x":1}},"thoughtSignature":"YWJj"}`), ran(ranA)}, false},
		{"response is text", []string{user, says(a), ran(`{"functionResponse":{"id":"1","name":"a","response":"done"}}`)}, false},
		{"user calls", []string{ran(a)}, false},
		{"model answers", []string{user, says(ranA), user}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			contents := make([]jsontext.Value, len(tt.contents))
			for i, c := range tt.contents {
				contents[i] = jsontext.Value(c)
			}
			if err := checkHistory(contents, saidCalls); (err == nil) != tt.good {
				t.Errorf("got %v, good: %v", err, tt.good)
			}
		})
	}
}
