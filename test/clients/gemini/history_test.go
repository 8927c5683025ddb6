package gemini

import (
	"errors"
	"fmt"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/test/clients"
)

// A content is one of a conversation.
type content struct {
	Role  string        `json:"role"`
	Parts []historyPart `json:"parts"`
}

// A historyPart is a part of a conversation. One of its members must be there.
type historyPart struct {
	Text         *string `json:"text"`
	FunctionCall *struct {
		ID   string         `json:"id"`
		Name string         `json:"name"`
		Args jsontext.Value `json:"args"`
	} `json:"functionCall"`
	FunctionResponse *struct {
		ID       string         `json:"id"`
		Name     string         `json:"name"`
		Response jsontext.Value `json:"response"`
	} `json:"functionResponse"`
	Signature  string         `json:"thoughtSignature"`
	Code       jsontext.Value `json:"executableCode"`
	CodeResult jsontext.Value `json:"codeExecutionResult"`
	Tool       jsontext.Value `json:"toolCall"`
	ToolResult jsontext.Value `json:"toolResponse"`
}

// Told implements clients.Teller.
func (c content) Told() (clients.Message, error) {
	told := clients.Message{Role: c.Role}
	if c.Role == "model" {
		told.Role = "assistant"
	}
	for i, p := range c.Parts {
		it, err := p.item()
		if err != nil {
			return told, fmt.Errorf("parts[%d]: %w", i, err)
		}
		told.Items = append(told.Items, it)
	}
	return told, nil
}

func (p historyPart) item() (clients.Item, error) {
	call, result := p.FunctionCall, p.FunctionResponse
	switch {
	case call != nil:
		return calling(call.ID, call.Name, string(call.Args), p.Signature), nil
	case result != nil && (result.Name == "" || result.Response.Kind() != '{'):
		return clients.Item{}, errors.New("a response has a name, and is an object")
	case result != nil:
		return clients.Item{Kind: clients.ResultItem, ID: result.ID, Name: result.Name}, nil
	case p.Text == nil && p.Code == nil && p.CodeResult == nil && p.Tool == nil && p.ToolResult == nil:
		return clients.Item{}, errors.New("required oneof field 'data' must have one initialized field")
	}
	return clients.Item{}, nil
}

// calling is a call. Arguments may be left out.
func calling(id, name, args, signature string) clients.Item {
	it := clients.Item{Kind: clients.CallItem, ID: id, Name: name, Args: args}
	if args == "" || args == "null" {
		it.Args = "{}"
	}
	if signature != "" {
		it.Extra = clients.Quote(signature)
	}
	return it
}

// told are the calls of a turn.
func (t turn) told() []clients.Item {
	var list []clients.Item
	for _, c := range t.candidates {
		for _, p := range c.parts {
			if p.typ == "call" {
				list = append(list, calling(p.id, p.name, p.args, p.signature))
			}
		}
	}
	return list
}

// historyRules are those of the API. Clients may make up ids where there are none.
var historyRules = clients.Rules{Joined: true, Ordered: true, MadeUp: true, Leads: true}

func TestCheckHistory(t *testing.T) {
	saidCalls := turn{candidates: []said{{parts: []part{
		{typ: "call", id: "1", name: "a", args: `{"x":1}`, signature: "c2ln"}, {typ: "call", id: "2", name: "b"}, {typ: "call", name: "c", args: `{}`},
	}}}}.told()
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
	check := func(contents []jsontext.Value) error {
		return clients.CheckHistory[content](historyRules, contents, saidCalls)
	}
	clients.RunHistories(t, check, map[string][]string{
		"empty text":                         {user, says(`{"text":"hi"}`), says(`{"text":""}`), user},
		"answered":                           {user, says(a + "," + b), ran(ranA + "," + ranB)},
		"answered in a turn of two contents": {user, says(a), says(b), ran(ranA + "," + ranB), says(`{"text":"hi"}`), user},
		"answered without id":                {user, says(a), ran(`{"functionResponse":{"name":"a","response":{}}}`)},
		"code":                               {user, says(`{"executableCode":{"code":"1"}},{"codeExecutionResult":{}}`), user},
	}, map[string][]string{
		"model last":                  {user, says(`{"text":"hi"}`)},
		"no parts":                    {user, says(``), user},
		"no member":                   {user, says(`{"text":"hi"},{}`), user},
		"only a signature":            {user, says(`{"thoughtSignature":"c2ln"}`), user},
		"other order":                 {user, says(a + "," + b), ran(ranB + "," + ranA)},
		"unknown call":                {user, says(`{"functionCall":{"id":"9","name":"a","args":{"x":1}},"thoughtSignature":"c2ln"}`), ran(ranA)},
		"first not signed":            {user, says(b), ran(ranB)},
		"first without id not signed": {user, says(c), ran(`{"functionResponse":{"name":"c","response":{}}}`)},
		"signature gone":              {user, says(`{"functionCall":{"id":"1","name":"a","args":{"x":1}}}`), ran(ranA)},
		"other signature":             {user, says(`{"functionCall":{"id":"1","name":"a","args":{"x":1}},"thoughtSignature":"YWJj"}`), ran(ranA)},
		"response is text":            {user, says(a), ran(`{"functionResponse":{"id":"1","name":"a","response":"done"}}`)},
		"model answers":               {user, says(ranA), user},
		"answered without a name":     {user, says(a), ran(`{"functionResponse":{"id":"1","response":{}}}`)},
	})
}
