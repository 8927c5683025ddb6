package bedrock

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/test/clients"
)

// A turn is one answer of the model, which can be sent in both APIs, in pieces or whole.
type turn struct {
	blocks []block
	stop   string // the stop reason, which has the same name in both
}

// A block is one content block of a turn.
type block struct {
	converse, native rendering
}

// A rendering is a block in JSON, in the words of one API.
type rendering struct {
	start  string   // as it opens; "": it has no start
	deltas []string // what is added to it
	whole  string   // as it is in a body
}

// text is a text block that comes in pieces.
func text(pieces ...string) block {
	b := block{native: rendering{start: `{"type":"text","text":""}`}}
	for _, p := range pieces {
		b.converse.deltas = append(b.converse.deltas, `{"text":`+quote(p)+`}`)
		b.native.deltas = append(b.native.deltas, `{"type":"text_delta","text":`+quote(p)+`}`)
	}
	all := quote(strings.Join(pieces, ""))
	b.converse.whole, b.native.whole = `{"text":`+all+`}`, `{"type":"text","text":`+all+`}`
	return b
}

func thinking(thought, signature string) block {
	return block{
		converse: rendering{
			deltas: []string{`{"reasoningContent":{"text":` + quote(thought) + `}}`, `{"reasoningContent":{"signature":` + quote(signature) + `}}`},
			whole:  `{"reasoningContent":{"reasoningText":{"text":` + quote(thought) + `,"signature":` + quote(signature) + `}}}`,
		},
		native: rendering{
			start: `{"type":"thinking","thinking":"","signature":""}`,
			deltas: []string{
				`{"type":"thinking_delta","thinking":` + quote(thought) + `}`, `{"type":"signature_delta","signature":` + quote(signature) + `}`,
			},
			whole: `{"type":"thinking","thinking":` + quote(thought) + `,"signature":` + quote(signature) + `}`,
		},
	}
}

// call is one that the client is to run, whose arguments come in pieces. In a body, arguments that do not add up are empty.
func call(id, name string, pieces ...string) block { return calling("tool_use", id, name, pieces) }

// serverCall is a call that the provider runs.
func serverCall(id, name string, pieces ...string) block {
	return calling("server_tool_use", id, name, pieces)
}

func calling(typ, id, name string, pieces []string) block {
	head := `{"toolUseId":` + quote(id) + `,"name":` + quote(name)
	if typ != "tool_use" {
		head += `,"type":` + quote(typ)
	}
	nativeHead := `{"type":` + quote(typ) + `,"id":` + quote(id) + `,"name":` + quote(name) + `,"input":`
	b := block{converse: rendering{start: `{"toolUse":` + head + `}}`}, native: rendering{start: nativeHead + `{}}`}}
	for _, p := range pieces {
		b.converse.deltas = append(b.converse.deltas, `{"toolUse":{"input":`+quote(p)+`}}`)
		b.native.deltas = append(b.native.deltas, `{"type":"input_json_delta","partial_json":`+quote(p)+`}`)
	}
	input := strings.Join(pieces, "")
	if json.Unmarshal([]byte(input), new(map[string]any)) != nil {
		input = "{}"
	}
	b.converse.whole, b.native.whole = `{"toolUse":`+head+`,"input":`+input+`}}`, nativeHead+input+`}`
	return b
}

// result is what a call of the provider gave.
func result(id, said string) block {
	native := `{"type":"web_search_tool_result","tool_use_id":` + quote(id) + `,"content":[{"type":"web_search_result","title":` + quote(said) + `,"url":"https://example.org/","encrypted_content":"c2VjcmV0"}]}`
	return block{
		converse: rendering{
			start:  `{"toolResult":{"toolUseId":` + quote(id) + `}}`,
			deltas: []string{`{"toolResult":[{"text":` + quote(said) + `}]}`},
			whole:  `{"toolResult":{"toolUseId":` + quote(id) + `,"content":[{"text":` + quote(said) + `}]}}`,
		},
		native: rendering{start: native, whole: native},
	}
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // texts in tests are UTF-8
	}
	return string(b)
}

// An api is one of the two ways to ask the service.
type api interface {
	render(b block) rendering
	// opening, frame and closing are the messages of a stream; those of a block are named alike in both.
	opening() []string
	frame(what string, index int, value string) string
	closing(stop string) []string
	body(content, stop string) string
}

// messages is the turn as a stream, and where each block begins in it, and where the last one ends.
func (t turn) messages(a api) (list []string, begins []int) {
	list = a.opening()
	for i, b := range t.blocks {
		r := a.render(b)
		begins = append(begins, len(list))
		if r.start != "" {
			list = append(list, a.frame("start", i, r.start))
		}
		for _, d := range r.deltas {
			list = append(list, a.frame("delta", i, d))
		}
		list = append(list, a.frame("stop", i, ""))
	}
	begins = append(begins, len(list))
	return append(list, a.closing(t.stop)...), begins
}

// body is the turn as a whole.
func (t turn) body(a api) string {
	content := make([]string, len(t.blocks))
	for i, b := range t.blocks {
		content[i] = a.render(b).whole
	}
	return a.body(strings.Join(content, ","), t.stop)
}

// converse is the API of the service itself.
type converse struct{}

const padding = `,"p":"abcdefghijk"}`

func (converse) render(b block) rendering { return b.converse }
func (converse) opening() []string {
	return []string{event("messageStart", `{"role":"assistant"`+padding)}
}

func (converse) frame(what string, index int, value string) string {
	at := fmt.Sprintf(`{"contentBlockIndex":%d`, index)
	switch what {
	case "start":
		return event("contentBlockStart", at+`,"start":`+value+padding)
	case "delta":
		return event("contentBlockDelta", at+`,"delta":`+value+padding)
	}
	return event("contentBlockStop", at+padding)
}

const usage = `"usage":{"inputTokens":%d,"outputTokens":%d,"totalTokens":%d},"metrics":{"latencyMs":551}`

func (converse) closing(stop string) []string {
	return []string{
		event("messageStop", `{"stopReason":`+quote(stop)+padding),
		event("metadata", "{"+fmt.Sprintf(usage, clients.InputTokens, clients.OutputTokens, clients.InputTokens+clients.OutputTokens)+padding),
	}
}

func (converse) body(content, stop string) string {
	return fmt.Sprintf(`{"output":{"message":{"role":"assistant","content":[%s]}},"stopReason":%q,`+usage+"}",
		content, stop, clients.InputTokens, clients.OutputTokens, clients.InputTokens+clients.OutputTokens)
}

// invoke is the API for models in their own format, which here is Claude's.
type invoke struct{}

func (invoke) render(b block) rendering { return b.native }

func (invoke) opening() []string {
	return []string{chunk(`{"type":"message_start","message":` + invokeMessage("", "null", 1) + `}`)}
}

func (invoke) frame(what string, index int, value string) string {
	at := fmt.Sprintf(`"index":%d`, index)
	switch what {
	case "start":
		return chunk(`{"type":"content_block_start",` + at + `,"content_block":` + value + `}`)
	case "delta":
		return chunk(`{"type":"content_block_delta",` + at + `,"delta":` + value + `}`)
	}
	return chunk(`{"type":"content_block_stop",` + at + `}`)
}

func (invoke) closing(stop string) []string {
	return []string{
		chunk(fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":%q,"stop_sequence":null},"usage":{"output_tokens":%d}}`, stop, clients.OutputTokens)),
		chunk(fmt.Sprintf(`{"type":"message_stop","amazon-bedrock-invocationMetrics":{"inputTokenCount":%d,"outputTokenCount":%d}}`, clients.InputTokens, clients.OutputTokens)),
	}
}

func (invoke) body(content, stop string) string {
	return invokeMessage(content, quote(stop), clients.OutputTokens)
}

func invokeMessage(content, stop string, output int) string {
	return fmt.Sprintf(`{"id":"msg_bdrk_01Scripted","type":"message","role":"assistant","model":"claude-scripted","content":[%s],"stop_reason":%s,`+
		`"stop_sequence":null,"usage":{"input_tokens":%d,"output_tokens":%d}}`, content, stop, clients.InputTokens, output)
}

// All forms of a turn must be JSON, or what the clients are compared with means nothing.
func TestTurnForms(t *testing.T) {
	for _, s := range scenes() {
		said := s.Model.(model).turn
		for _, b := range said.blocks {
			for _, r := range []rendering{b.converse, b.native} {
				for _, form := range append([]string{r.whole, r.start}, r.deltas...) {
					if form != "" && json.Unmarshal([]byte(form), new(map[string]any)) != nil {
						t.Errorf("%s: %s", s.Name, form)
					}
				}
			}
		}
		for _, a := range []api{converse{}, invoke{}} {
			if err := json.Unmarshal([]byte(said.body(a)), new(map[string]any)); err != nil {
				t.Errorf("%s: %s: %v", s.Name, said.body(a), err)
			}
		}
	}
}
