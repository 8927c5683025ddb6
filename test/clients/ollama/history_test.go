package ollama

import (
	"fmt"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/test/clients"
)

// A message is one of a conversation. Some clients leave out ids and indexes.
type message struct {
	Role      string `json:"role"`
	Content   string `json:"content"`
	Thinking  string `json:"thinking"`
	ToolCalls []struct {
		ID       string `json:"id"`
		Function struct {
			Index     *int           `json:"index"`
			Name      string         `json:"name"`
			Arguments jsontext.Value `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
	ToolName string `json:"tool_name"`
}

// Told implements clients.Teller.
func (m message) Told() (clients.Message, error) {
	told := clients.Message{Role: m.Role}
	if m.Role == "tool" {
		told.Items = []clients.Item{{Kind: clients.ResultItem, Name: m.ToolName}}
		return told, nil
	}
	if m.Content+m.Thinking != "" {
		told.Items = append(told.Items, clients.Item{})
	}
	for i, c := range m.ToolCalls {
		f := c.Function
		if f.Index != nil && *f.Index != i {
			return told, fmt.Errorf("tool_calls.%d has the index %d", i, *f.Index)
		}
		told.Items = append(told.Items, clients.Item{Kind: clients.CallItem, ID: c.ID, Name: f.Name, Args: string(f.Arguments)})
	}
	return told, nil
}

// told are the calls of a turn.
func (t turn) told() []clients.Item {
	var list []clients.Item
	for _, c := range t.calls {
		list = append(list, clients.Item{Kind: clients.CallItem, ID: c.id, Name: c.name, Args: c.args})
	}
	return list
}

// rules are what templates need.
var rules = clients.Rules{Ordered: true, LeftOut: true}

func TestCheckHistory(t *testing.T) {
	said := turn{calls: []saidCall{{"1", "a", `{"x":1}`}, {"2", "b", `{}`}}}.told()
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
	check := func(messages []jsontext.Value) error { return clients.CheckHistory[message](rules, messages, said) }
	clients.RunHistories(t, check, map[string][]string{
		"answered":             {user, calls(a + "," + b), ranA, ranB},
		"without id and index": {user, calls(bare), ranB},
		"thinking":             {user, `{"role":"assistant","thinking":"hm"}`, user},
	}, map[string][]string{
		"user without content": {`{"role":"user"}`},
		"nothing said":         {user, `{"role":"assistant","content":""}`, user},
		"other order":          {user, calls(a + "," + b), ranB, ranA},
		"gap":                  {user, calls(b), ranB},
		"unknown call":         {user, calls(`{"id":"9","function":{"name":"a","arguments":{"x":1}}}`), ranA},
		"other arguments":      {user, calls(`{"function":{"name":"a","arguments":{"x":2}}}`), ranA},
		"arguments are text":   {user, calls(`{"function":{"name":"a","arguments":"{\"x\":1}"}}`), ranA},
	})
}
