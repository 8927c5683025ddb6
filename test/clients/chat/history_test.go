package chat

import (
	"errors"
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
	FunctionCall *named         `json:"function_call"`
	ToolCallID   string         `json:"tool_call_id"`
	Name         string         `json:"name"`
}

// named is a function with its arguments.
type named struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Told implements clients.Teller.
func (m message) Told() (clients.Message, error) {
	told := clients.Message{Role: m.Role}
	switch m.Role {
	case "tool":
		told.Items = []clients.Item{{Kind: clients.ResultItem, ID: m.ToolCallID}}
		return told, nil
	case "function":
		return clients.Message{Role: "tool", Items: []clients.Item{{Kind: clients.ResultItem, Name: m.Name}}}, nil
	}
	if text := string(m.Content); text != "" && text != "null" && text != `""` && text != "[]" {
		told.Items = append(told.Items, clients.Item{})
	}
	if f := m.FunctionCall; f != nil {
		told.Items = append(told.Items, clients.Item{Kind: clients.CallItem, Type: "legacy", Name: f.Name, Args: f.Arguments})
	}
	calls, err := m.calls()
	told.Items = append(told.Items, calls...)
	return told, err
}

func (m message) calls() ([]clients.Item, error) {
	if m.ToolCalls == nil {
		return nil, nil
	}
	var calls []struct {
		ID       string `json:"id"`
		Type     string `json:"type"`
		Function *named `json:"function"`
		Custom   *struct {
			Name  string `json:"name"`
			Input string `json:"input"`
		} `json:"custom"`
		Extra jsontext.Value `json:"extra_content"`
	}
	if err := json.Unmarshal(m.ToolCalls, &calls); err != nil {
		return nil, err
	}
	if len(calls) == 0 {
		return nil, errors.New("tool_calls must be an array that is not empty")
	}
	var items []clients.Item
	for _, c := range calls {
		item := clients.Item{Kind: clients.CallItem, Type: c.Type, ID: c.ID, Extra: string(c.Extra)}
		switch {
		case c.Type == "custom" && c.Custom != nil:
			item.Name, item.Args = c.Custom.Name, clients.Quote(c.Custom.Input)
		case c.Type != "custom" && c.Function != nil:
			item.Name, item.Args = c.Function.Name, c.Function.Arguments
		}
		items = append(items, item)
	}
	return items, nil
}

// told are the calls of a turn as they are to come back, with unknown members if extras says so.
func (t turn) told(extras bool) []clients.Item {
	var items []clients.Item
	for _, choice := range t.choices {
		for _, c := range choice.calls {
			item := clients.Item{Kind: clients.CallItem, Type: c.kind, ID: c.id, Name: c.name, Args: c.text()}
			if c.kind == "custom" {
				item.Args = clients.Quote(item.Args)
			}
			if extras {
				item.Extra = c.extra
			}
			items = append(items, item)
		}
	}
	return items
}

func TestCheckHistory(t *testing.T) {
	a := saidCall{kind: "function", id: "call_1", name: "a", pieces: []string{`{"x":`, `1}`}, extra: `{"google":{"thought_signature":"c2ln"}}`}
	said := turn{choices: []said{{calls: []saidCall{
		a,
		{kind: "function", id: "call_2", name: "b"},
		{kind: "custom", id: "call_3", name: "c", pieces: []string{"go"}},
		{kind: "legacy", name: "d", pieces: []string{`{"y":2}`}},
	}}}}.told(true)
	const (
		user     = `{"role":"user","content":"hello"}`
		useB     = `{"id":"call_2","type":"function","function":{"name":"b","arguments":"{}"}}`
		legacy   = `{"role":"assistant","content":null,"function_call":{"name":"d","arguments":"{\"y\":2}"}}`
		function = `{"role":"function","name":"d","content":"done"}`
	)
	use := a.whole()
	assistant := func(calls string) string { return `{"role":"assistant","content":null,"tool_calls":[` + calls + `]}` }
	says := func(content string) string { return `{"role":"assistant","content":` + content + `}` }
	done := func(id string) string { return `{"role":"tool","tool_call_id":"` + id + `","content":"done"}` }
	check := func(messages []jsontext.Value) error {
		return clients.CheckHistory[message](clients.Rules{}, messages, said)
	}
	clients.RunHistories(t, check, map[string][]string{
		"text":     {user, says(`"hi"`), user},
		"answered": {user, assistant(use + "," + useB), done("call_2"), done("call_1")},
		"custom":   {user, assistant(`{"id":"call_3","type":"custom","custom":{"name":"c","input":"go"}}`), done("call_3"), user},
		"legacy":   {user, legacy, function},
	}, map[string][]string{
		"user without content":             {`{"role":"user"}`},
		"null content":                     {user, says(`null`), user},
		"empty content":                    {user, says(`""`), user},
		"no calls in an array":             {user, `{"role":"assistant","content":"hi","tool_calls":[]}`, user},
		"null for calls":                   {user, `{"role":"assistant","content":"hi","tool_calls":null}`, user},
		"arguments are no JSON":            {user, assistant(`{"id":"call_2","type":"function","function":{"name":"b","arguments":""}}`), done("call_2")},
		"arguments are an object":          {user, assistant(`{"id":"call_2","type":"function","function":{"name":"b","arguments":{}}}`), done("call_2")},
		"no function":                      {user, assistant(`{"id":"call_2","type":"function"}`), done("call_2")},
		"extras gone":                      {user, assistant(`{"id":"call_1","type":"function","function":{"name":"a","arguments":"{\"x\":1}"}}`), done("call_1")},
		"other input":                      {user, assistant(`{"id":"call_3","type":"custom","custom":{"name":"c","input":"stop"}}`), done("call_3")},
		"function without its call":        {user, says(`"hi"`), function},
		"function and its call unanswered": {user, legacy, user},
	})
}
