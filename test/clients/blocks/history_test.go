package blocks

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/test/clients"
)

// A seenBlock is a content block as far as it is compared, in the words of the Messages API.
type seenBlock struct {
	Type      string `json:"type"`
	Text      string `json:"text,omitzero"`
	Thinking  string `json:"thinking,omitzero"`
	Signature string `json:"signature,omitzero"`
	ID        string `json:"id,omitzero"`
	Name      string `json:"name,omitzero"`
	Input     any    `json:"input,omitzero"`
	ToolUseID string `json:"tool_use_id,omitzero"`
}

// blocks are as a client sees them.
func blocks(list ...block) []seenBlock {
	seen := make([]seenBlock, len(list))
	for i, b := range list {
		if err := json.Unmarshal([]byte(b.native.whole), &seen[i]); err != nil {
			panic(err) // blocks in tests are JSON
		}
	}
	return seen
}

// readHistory reads the conversation in a request of an API, and says what the API would object to in the rest of it.
func readHistory(to audience, body []byte) ([]clients.Message, error) {
	var r struct {
		Messages []struct {
			Role    string         `json:"role"`
			Content jsontext.Value `json:"content"`
		} `json:"messages"`
		Version    string         `json:"anthropic_version"`
		Model      jsontext.Value `json:"model"`
		Stream     jsontext.Value `json:"stream"`
		ToolConfig jsontext.Value `json:"toolConfig"`
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return nil, fmt.Errorf("body: %w", err)
	}
	switch {
	case to.api == messages && (r.Model == nil || to.streamed != (string(r.Stream) == "true")):
		return nil, errors.New("model is required; stream says how the answer is to come")
	case to.api == invoke && (r.Version == "" || r.Model != nil || r.Stream != nil):
		return nil, errors.New("anthropic_version is required; model and stream are not permitted")
	case to.api == converse && r.ToolConfig == nil:
		return nil, errors.New("toolConfig is required where there are tools in the conversation")
	}
	var history []clients.Message
	for i, m := range r.Messages {
		read := converseBlocks
		if to.api.native {
			read = nativeBlocks
		}
		list, err := read(m.Content)
		told := clients.Message{Role: m.Role}
		if err == nil {
			told.Items, err = items(m.Role, list)
		}
		if err != nil {
			return nil, fmt.Errorf("messages.%d: %w", i, err)
		}
		history = append(history, told)
	}
	return history, nil
}

// nativeBlocks reads a message's content, of which plain text is a short form.
func nativeBlocks(content jsontext.Value) ([]seenBlock, error) {
	if content.Kind() == '"' {
		var s string
		err := json.Unmarshal(content, &s)
		return []seenBlock{{Type: "text", Text: s}}, err
	}
	var list []seenBlock
	err := json.Unmarshal(content, &list)
	return list, err
}

// converseBlocks reads a message's content in the words of the Converse API.
func converseBlocks(content jsontext.Value) ([]seenBlock, error) {
	var list []struct {
		Text    *string `json:"text"`
		ToolUse *struct {
			ID    string `json:"toolUseId"`
			Name  string `json:"name"`
			Type  string `json:"type"`
			Input any    `json:"input"`
		} `json:"toolUse"`
		ToolResult *struct {
			ID string `json:"toolUseId"`
		} `json:"toolResult"`
		Reasoning *struct {
			Text struct {
				Text      string `json:"text"`
				Signature string `json:"signature"`
			} `json:"reasoningText"`
		} `json:"reasoningContent"`
	}
	if err := json.Unmarshal(content, &list); err != nil {
		return nil, err
	}
	var seen []seenBlock
	for i, b := range list {
		switch {
		case b.Text != nil:
			seen = append(seen, seenBlock{Type: "text", Text: *b.Text})
		case b.ToolUse != nil:
			typ := cmp.Or(b.ToolUse.Type, "tool_use")
			seen = append(seen, seenBlock{Type: typ, ID: b.ToolUse.ID, Name: b.ToolUse.Name, Input: b.ToolUse.Input})
		case b.ToolResult != nil:
			seen = append(seen, seenBlock{Type: "tool_result", ToolUseID: b.ToolResult.ID})
		case b.Reasoning != nil:
			seen = append(seen, seenBlock{Type: "thinking", Thinking: b.Reasoning.Text.Text, Signature: b.Reasoning.Text.Signature})
		default:
			return nil, fmt.Errorf("content.%d is of no known kind", i)
		}
	}
	return seen, nil
}

// items are the blocks of a message in the words of no format. What the provider ran must be together with its result.
func items(role string, list []seenBlock) ([]clients.Item, error) {
	all := make([]clients.Item, len(list))
	for i, b := range list {
		all[i] = b.item(role)
		switch {
		case b.Type == "text" && b.Text == "":
			return nil, errors.New("the text field is blank")
		case b.Type == "server_tool_use" && (i+1 == len(list) || list[i+1].ToolUseID != b.ID):
			return nil, fmt.Errorf("call %q is without its result", b.ID)
		}
	}
	return all, nil
}

func (b seenBlock) item(role string) clients.Item {
	input, err := json.Marshal(b.Input)
	if err != nil {
		panic(err) // it was read from JSON
	}
	switch {
	case b.Type == "text":
		return clients.Item{}
	case b.Type == "tool_use":
		return clients.Item{Kind: clients.CallItem, ID: b.ID, Name: b.Name, Args: string(input)}
	case b.Type == "tool_result" && role == "user":
		return clients.Item{Kind: clients.ResultItem, ID: b.ToolUseID}
	case b.ToolUseID != "": // of which the APIs have different names
		b.Type, b.Name = providerResult, b.ToolUseID
	case b.Type == "thinking":
		b.Name = b.Thinking
	}
	return clients.Item{Kind: clients.OtherItem, Type: b.Type, ID: b.ID, Name: b.Name, Args: string(input), Extra: clients.Quote(b.Signature)}
}

// told is what the model says.
func (t turn) told() []clients.Item {
	var all []clients.Item
	for _, b := range blocks(t.blocks...) {
		all = append(all, b.item("assistant"))
	}
	return all
}

// rules are those of both formats.
var rules = clients.Rules{Alternate: true, Ahead: true}

// providerResult is the type of a result of the provider's in the Messages API.
const providerResult = "web_search_tool_result"

func TestCheckHistory(t *testing.T) {
	said := turn{blocks: []block{
		thinking("hm", "sig"), call(clients.Calling("t1", "a", `{"x":1}`)), call(hosted("s1", "web_search", `{}`)), result("s1", providerResult, "[]", "found"),
	}}.told()
	const (
		user    = `{"role":"user","content":[{"text":"hello"}]}`
		use     = `{"toolUse":{"toolUseId":"t1","name":"a","input":{"x":1}}}`
		done    = `{"toolResult":{"toolUseId":"t1","content":[{"text":"done"}]}}`
		thought = `{"reasoningContent":{"reasoningText":{"text":"hm","signature":"sig"}}}`
		search  = `{"toolUse":{"toolUseId":"s1","name":"web_search","type":"server_tool_use","input":{}}}`
		found   = `{"toolResult":{"toolUseId":"s1","content":[{"text":"found"}]}}`
		hi      = `{"text":"hi"}`
	)
	message := func(role, content string) string { return `{"role":"` + role + `","content":[` + content + `]}` }
	assistant := func(content string) string { return message("assistant", content) }
	answers := func(content string) string { return message("user", content) }
	check := func(messages []jsontext.Value) error {
		list, err := json.Marshal(messages)
		if err != nil {
			return err
		}
		history, err := readHistory(audience{api: converse}, []byte(`{"toolConfig":{},"messages":`+string(list)+`}`))
		if err != nil {
			return err
		}
		return rules.Check(history, said)
	}
	clients.RunHistories(t, check, map[string][]string{
		"answered":     {user, assistant(thought + "," + use), answers(done + "," + hi)},
		"provider-run": {user, assistant(search + "," + found), user},
	}, map[string][]string{
		"two users":              {user, user},
		"empty turn":             {user, assistant(""), user},
		"blank text":             {user, assistant(`{"text":""}`), user},
		"unknown kind":           {user, assistant(`{"odd":{}}`), user},
		"unanswered":             {user, assistant(use), user},
		"answered late":          {user, assistant(use), answers(hi + "," + done)},
		"other arguments":        {user, assistant(`{"toolUse":{"toolUseId":"t1","name":"a","input":{"x":2}}}`), answers(done)},
		"other signature":        {user, assistant(`{"reasoningContent":{"reasoningText":{"text":"hm","signature":"s"}}}`), user},
		"other thought":          {user, assistant(`{"reasoningContent":{"reasoningText":{"text":"eh","signature":"sig"}}}`), user},
		"other search":           {user, assistant(strings.Replace(search, "web_search", "web_find", 1) + "," + found), user},
		"other query":            {user, assistant(strings.Replace(search, "{}", `{"q":1}`, 1) + "," + found), user},
		"search twice":           {user, assistant(search + "," + found + "," + search + "," + found), user},
		"provider's result gone": {user, assistant(search), user},
	})
	for body, a := range map[string]api{
		`{"messages":[` + user + `]}`: converse, `{"messages":[]}`: invoke, `{"anthropic_version":"v","model":"m","messages":[]}`: invoke,
		`{"model":"m","stream":true,"messages":[]}`: messages, `{"messages": []}`: messages,
	} {
		if _, err := readHistory(audience{api: a}, []byte(body)); err == nil {
			t.Errorf("%s is taken", body)
		}
	}
}
