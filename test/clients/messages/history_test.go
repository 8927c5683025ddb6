package messages

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A request is what a client asks of the model.
type request struct {
	Stream   bool      `json:"stream"`
	Messages []message `json:"messages"`
}

type message struct {
	Role    string         `json:"role"`
	Content jsontext.Value `json:"content"`
}

// A seenBlock is a content block as far as it is compared.
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

// blocks reads a message's content, of which plain text is a short form.
func (m message) blocks() ([]seenBlock, error) {
	if m.Content.Kind() == '"' {
		var s string
		err := json.Unmarshal(m.Content, &s)
		return []seenBlock{{Type: "text", Text: s}}, err
	}
	var list []seenBlock
	err := json.Unmarshal(m.Content, &list)
	return list, err
}

// checkHistory says what the API would object to in a conversation, and what is not as the model said it. said are the
// blocks of the model's turn.
func checkHistory(messages []message, said []seenBlock) error {
	if len(messages) == 0 {
		return errors.New("messages: at least one message is required")
	}
	var before []seenBlock
	for i, m := range messages {
		if want := []string{"user", "assistant"}[i%2]; m.Role != want {
			return fmt.Errorf("messages.%d: role %q, expected %q: roles must alternate", i, m.Role, want)
		}
		list, err := m.blocks()
		if err != nil {
			return fmt.Errorf("messages.%d: %w", i, err)
		}
		if len(list) == 0 {
			return fmt.Errorf("messages.%d: content must not be empty", i)
		}
		check := checkUser
		if m.Role == "assistant" {
			check = func(_, list []seenBlock) error { return checkAssistant(list, said) }
		}
		if err := check(before, list); err != nil {
			return fmt.Errorf("messages.%d: %w", i, err)
		}
		before = list
	}
	if messages[len(messages)-1].Role != "user" {
		return errors.New("messages: the last must be the user's")
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
			if b.Type == "text" && b.Text == "" {
				return errors.New("text blocks must not be empty")
			}
		case other:
			return errors.New("tool_result blocks must come first")
		case !open[b.ToolUseID]:
			return fmt.Errorf("tool_result for %q, which is no open call of the message before", b.ToolUseID)
		default:
			delete(open, b.ToolUseID)
		}
	}
	for id := range open {
		return fmt.Errorf("call %q has no tool_result", id)
	}
	return nil
}

// checkAssistant wants everything but text to be as the model said it.
func checkAssistant(list, said []seenBlock) error {
	ids := map[string]bool{}
	for i, b := range list {
		switch {
		case b.Type == "text":
			if b.Text == "" {
				return errors.New("text blocks must not be empty")
			}
			continue
		case !contains(said, b):
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

func contains(list []seenBlock, want seenBlock) bool {
	for _, b := range list {
		if reflect.DeepEqual(b, want) {
			return true
		}
	}
	return false
}

// seen reads the blocks of a turn as a client would.
func (t turn) seen() []seenBlock {
	list := make([]seenBlock, len(t.blocks))
	for i, b := range t.blocks {
		if err := json.Unmarshal([]byte(b.whole), &list[i]); err != nil {
			panic(err) // TestTurnForms shows where
		}
	}
	return list
}

func TestCheckHistory(t *testing.T) {
	said := turn{blocks: []block{
		thinking("hm", "sig"), call("toolu_1", "a", `{"x":1}`), serverCall("srv_1", "web_search", `{}`),
		complete(`{"type":"web_search_tool_result","tool_use_id":"srv_1"}`),
	}}.seen()
	const (
		user    = `{"role":"user","content":"hello"}`
		use     = `{"type":"tool_use","id":"toolu_1","name":"a","input":{"x":1}}`
		result  = `{"type":"tool_result","tool_use_id":"toolu_1","content":"done"}`
		thought = `{"type":"thinking","thinking":"hm","signature":"sig"}`
		search  = `{"type":"server_tool_use","id":"srv_1","name":"web_search","input":{}}`
		found   = `{"type":"web_search_tool_result","tool_use_id":"srv_1"}`
	)
	assistant := func(content string) string { return `{"role":"assistant","content":[` + content + `]}` }
	answers := func(content string) string { return `{"role":"user","content":[` + content + `]}` }
	for _, tt := range []struct {
		name     string
		messages []string
		good     bool
	}{
		{"first", []string{user}, true},
		{"text", []string{user, assistant(`{"type":"text","text":"hi"}`), user}, true},
		{"answered", []string{user, assistant(thought + "," + use), answers(result + `,{"type":"text","text":"go on"}`)}, true},
		{"provider-run", []string{user, assistant(search + "," + found), user}, true},
		{"none", nil, false},
		{"two users", []string{user, user}, false},
		{"assistant last", []string{user, assistant(`{"type":"text","text":"hi"}`)}, false},
		{"empty turn", []string{user, assistant(``), user}, false},
		{"empty text", []string{user, assistant(`{"type":"text","text":""}`), user}, false},
		{"empty user text", []string{`{"role":"user","content":""}`}, false},
		{"unanswered", []string{user, assistant(use), user}, false},
		{"answered twice", []string{user, assistant(use), answers(result + "," + result)}, false},
		{"answered late", []string{user, assistant(use), answers(`{"type":"text","text":"so"},` + result)}, false},
		{"answer without call", []string{user, assistant(`{"type":"text","text":"hi"}`), answers(result)}, false},
		{"call twice", []string{user, assistant(use + "," + use), answers(result)}, false},
		{"other arguments", []string{user, assistant(`{"type":"tool_use","id":"toolu_1","name":"a","input":{"x":2}}`), answers(result)}, false},
		{"other signature", []string{user, assistant(`{"type":"thinking","thinking":"hm","signature":"sigh"}`), user}, false},
		{"provider's result gone", []string{user, assistant(search), user}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			messages := make([]message, len(tt.messages))
			for i, m := range tt.messages {
				if err := json.Unmarshal([]byte(m), &messages[i]); err != nil {
					t.Fatal(err)
				}
			}
			if err := checkHistory(messages, said); (err == nil) != tt.good {
				t.Errorf("got %v, good: %v", err, tt.good)
			}
		})
	}
}
