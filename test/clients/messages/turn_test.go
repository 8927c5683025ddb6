package messages

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/test/clients"
)

// A turn is one answer of the model, which can be sent in pieces or whole.
type turn struct {
	blocks []block
	stop   string // the stop reason
}

// A block is one content block of a turn, in JSON.
type block struct {
	start  string   // as it opens
	deltas []string // what is added to it
	whole  string   // as it is in a body
}

// text is a text block that comes in pieces.
func text(pieces ...string) block {
	b := block{start: `{"type":"text","text":""}`}
	for _, p := range pieces {
		b.deltas = append(b.deltas, `{"type":"text_delta","text":`+quote(p)+`}`)
	}
	b.whole = `{"type":"text","text":` + quote(strings.Join(pieces, "")) + `}`
	return b
}

func thinking(thought, signature string) block {
	return block{
		start: `{"type":"thinking","thinking":"","signature":""}`,
		deltas: []string{
			`{"type":"thinking_delta","thinking":` + quote(thought) + `}`,
			`{"type":"signature_delta","signature":` + quote(signature) + `}`,
		},
		whole: `{"type":"thinking","thinking":` + quote(thought) + `,"signature":` + quote(signature) + `}`,
	}
}

// call is a tool_use block whose arguments come in pieces. In a body, arguments that do not add up are empty.
func call(id, name string, pieces ...string) block { return calling("tool_use", id, name, pieces) }

// serverCall is a call that the provider runs.
func serverCall(id, name string, pieces ...string) block {
	return calling("server_tool_use", id, name, pieces)
}

func calling(typ, id, name string, pieces []string) block {
	head := `{"type":` + quote(typ) + `,"id":` + quote(id) + `,"name":` + quote(name) + `,"input":`
	b := block{start: head + `{}}`}
	for _, p := range append([]string{""}, pieces...) {
		b.deltas = append(b.deltas, `{"type":"input_json_delta","partial_json":`+quote(p)+`}`)
	}
	input := strings.Join(pieces, "")
	if json.Unmarshal([]byte(input), new(map[string]any)) != nil {
		input = "{}"
	}
	b.whole = head + input + `}`
	return b
}

// complete is a block that opens with all it has.
func complete(whole string) block { return block{start: whole, whole: whole} }

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // texts in tests are UTF-8
	}
	return string(b)
}

func event(typ, rest string) string {
	return "event: " + typ + "\ndata: {\"type\":\"" + typ + "\"" + rest + "}\n\n"
}

// events is the turn as a stream.
func (t turn) events() []string {
	list := []string{event("message_start", `,"message":`+t.message("", "null", 1))}
	for i, b := range t.blocks {
		at := fmt.Sprintf(`,"index":%d`, i)
		list = append(list, event("content_block_start", at+`,"content_block":`+b.start))
		for _, d := range b.deltas {
			list = append(list, event("content_block_delta", at+`,"delta":`+d))
		}
		list = append(list, event("content_block_stop", at))
	}
	return append(list,
		event("message_delta", fmt.Sprintf(`,"delta":{"stop_reason":%q,"stop_sequence":null},"usage":{"output_tokens":%d}`, t.stop, clients.OutputTokens)),
		event("message_stop", ""))
}

// body is the turn as a whole.
func (t turn) body() string {
	content := make([]string, len(t.blocks))
	for i, b := range t.blocks {
		content[i] = b.whole
	}
	return t.message(strings.Join(content, ","), quote(t.stop), clients.OutputTokens)
}

func (t turn) message(content, stop string, output int) string {
	return fmt.Sprintf(`{"id":"msg_01Scripted","type":"message","role":"assistant","model":%q,"content":[%s],"stop_reason":%s,`+
		`"stop_sequence":null,"usage":{"input_tokens":%d,"output_tokens":%d}}`, modelName, content, stop, clients.InputTokens, output)
}

func errorBody(typ, message string) string {
	return `{"type":"error","error":{"type":` + quote(typ) + `,"message":` + quote(message) + `}}`
}

// Both forms of a turn must say the same, or what the clients are compared with means nothing.
func TestTurnForms(t *testing.T) {
	for _, s := range scenes() {
		said := s.Model.(model).turn
		var whole struct {
			Content []seenBlock `json:"content"`
		}
		if err := json.Unmarshal([]byte(said.body()), &whole); err != nil {
			t.Fatalf("%s: body: %v", s.Name, err)
		}
		if got, want := len(whole.Content), len(said.blocks); got != want {
			t.Errorf("%s: %d blocks, want %d", s.Name, got, want)
		}
		for _, e := range said.events() {
			_, data, _ := strings.Cut(e, "data: ")
			if err := json.Unmarshal([]byte(data), new(map[string]any)); err != nil {
				t.Errorf("%s: %s: %v", s.Name, e, err)
			}
		}
	}
}
