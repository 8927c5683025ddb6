package blocks

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/weirtest/expect"
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

// A said is a message of a conversation.
type said struct {
	role   string
	blocks []seenBlock
}

// readHistory reads the conversation in a request of an API, and says what the API would object to in the rest of it.
func readHistory(to audience, body []byte) ([]said, error) {
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
	var history []said
	for i, m := range r.Messages {
		read := converseBlocks
		if to.api.native {
			read = nativeBlocks
		}
		list, err := read(m.Content)
		if err != nil {
			return nil, fmt.Errorf("messages.%d: %w", i, err)
		}
		history = append(history, said{m.Role, list})
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
		case b.ToolUse != nil && b.ToolUse.Type == "":
			seen = append(seen, seenBlock{Type: "tool_use", ID: b.ToolUse.ID, Name: b.ToolUse.Name, Input: b.ToolUse.Input})
		case b.ToolUse != nil:
			seen = append(seen, seenBlock{Type: b.ToolUse.Type, ID: b.ToolUse.ID, Name: b.ToolUse.Name, Input: b.ToolUse.Input})
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

// checkHistory says what the API would object to in a conversation, and what is not as the model said it. turn are the blocks
// of the model's turn.
func checkHistory(history []said, turn []seenBlock) error {
	if len(history) == 0 {
		return errors.New("messages: at least one message is required")
	}
	var before []seenBlock
	for i, m := range history {
		if want := []string{"user", "assistant"}[i%2]; m.role != want {
			return fmt.Errorf("messages.%d: role %q, expected %q: roles must alternate", i, m.role, want)
		}
		err := checkBlocks(m.blocks)
		switch {
		case err != nil:
		case m.role == "assistant":
			err = checkAssistant(m.blocks, turn)
		default:
			err = checkUser(before, m.blocks)
		}
		if err != nil {
			return fmt.Errorf("messages.%d: %w", i, err)
		}
		before = m.blocks
	}
	if history[len(history)-1].role != "user" {
		return errors.New("messages: the last must be the user's")
	}
	return nil
}

// checkBlocks wants something to be said.
func checkBlocks(list []seenBlock) error {
	if len(list) == 0 {
		return errors.New("the content is empty")
	}
	for _, b := range list {
		if b.Type == "text" && b.Text == "" {
			return errors.New("the text field is blank")
		}
	}
	return nil
}

// checkUser wants an answer, ahead of everything else, for each call of the message before, and for nothing else.
func checkUser(before, list []seenBlock) error {
	open := map[string]bool{}
	for _, b := range before {
		if b.Type == "tool_use" {
			open[b.ID] = true
		}
	}
	other := false
	for _, b := range list {
		switch {
		case b.Type != "tool_result":
			other = true
		case other:
			return errors.New("results must come first")
		case !open[b.ToolUseID]:
			return fmt.Errorf("a result for %q, which is no open call of the message before", b.ToolUseID)
		}
		delete(open, b.ToolUseID)
	}
	for id := range open {
		return fmt.Errorf("call %q has no result", id)
	}
	return nil
}

// checkAssistant wants everything but text to be as the model said it.
func checkAssistant(list, turn []seenBlock) error {
	ids := map[string]bool{}
	for i, b := range list {
		if b.ToolUseID != "" {
			b.Type = providerResult // of which the APIs have different names
		}
		switch {
		case b.Type == "text":
			continue
		case !contains(turn, b):
			return fmt.Errorf("block %d (%s %s %s) is not as the model said it", i, b.Type, b.ID, b.Name)
		case b.ID != "" && ids[b.ID]:
			return fmt.Errorf("call %q is there twice", b.ID)
		case b.Type == "server_tool_use" && (i+1 == len(list) || list[i+1].ToolUseID != b.ID):
			return fmt.Errorf("call %q is without its result", b.ID)
		}
		ids[b.ID] = true
	}
	return nil
}

// providerResult is the type of a result of the provider's in the Messages API.
const providerResult = "web_search_tool_result"

func contains(list []seenBlock, want seenBlock) bool {
	for _, b := range list {
		if reflect.DeepEqual(b, want) {
			return true
		}
	}
	return false
}

func TestCheckHistory(t *testing.T) {
	turn := blocks(thinking("hm", "sig"), call(clients.Calling("t1", "a", `{"x":1}`)), call(hosted("s1", "web_search", `{}`)),
		result("s1", providerResult, "[]", "found"))
	const (
		user    = `{"role":"user","content":[{"text":"hello"}]}`
		use     = `{"toolUse":{"toolUseId":"t1","name":"a","input":{"x":1}}}`
		done    = `{"toolResult":{"toolUseId":"t1","content":[{"text":"done"}]}}`
		thought = `{"reasoningContent":{"reasoningText":{"text":"hm","signature":"sig"}}}`
		search  = `{"toolUse":{"toolUseId":"s1","name":"web_search","type":"server_tool_use","input":{}}}`
		found   = `{"toolResult":{"toolUseId":"s1","content":[{"text":"found"}]}}`
		hi      = `{"text":"hi"}`
	)
	assistant := func(content string) string { return `,{"role":"assistant","content":[` + content + `]}` }
	answers := func(content string) string { return `,{"role":"user","content":[` + content + `]}` }
	for _, tt := range []struct {
		name, messages string
		good           bool
	}{
		{"first", user, true},
		{"text", user + assistant(hi) + "," + user, true},
		{"answered", user + assistant(thought+","+use) + answers(done+","+hi), true},
		{"provider-run", user + assistant(search+","+found) + "," + user, true},
		{"none", "", false},
		{"two users", user + "," + user, false},
		{"assistant last", user + assistant(hi), false},
		{"empty turn", user + assistant("") + "," + user, false},
		{"blank text", user + assistant(`{"text":""}`) + "," + user, false},
		{"unknown kind", user + assistant(`{"odd":{}}`) + "," + user, false},
		{"unanswered", user + assistant(use) + "," + user, false},
		{"answered twice", user + assistant(use) + answers(done+","+done), false},
		{"answered late", user + assistant(use) + answers(hi+","+done), false},
		{"answer without call", user + assistant(hi) + answers(done), false},
		{"call twice", user + assistant(use+","+use) + answers(done), false},
		{"other arguments", user + assistant(`{"toolUse":{"toolUseId":"t1","name":"a","input":{"x":2}}}`) + answers(done), false},
		{"other signature", user + assistant(`{"reasoningContent":{"reasoningText":{"text":"hm","signature":"s"}}}`) + "," + user, false},
		{"provider's result gone", user + assistant(search) + "," + user, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			history, err := readHistory(audience{api: converse}, []byte(`{"toolConfig":{},"messages":[`+tt.messages+`]}`))
			if err == nil {
				err = checkHistory(history, turn)
			}
			expect.Equal(t, err == nil, tt.good, "got %v, good: %v", err, tt.good)
		})
	}
	for body, a := range map[string]api{
		`{"messages":[` + user + `]}`: converse, `{"messages":[]}`: invoke, `{"anthropic_version":"v","model":"m","messages":[]}`: invoke,
		`{"model":"m","stream":true,"messages":[]}`: messages, `{"messages": []}`: messages,
	} {
		if _, err := readHistory(audience{api: a}, []byte(body)); err == nil {
			t.Errorf("%s is taken", body)
		}
	}
}
