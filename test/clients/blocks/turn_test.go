package blocks

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/weirtest/notation"
	"github.com/weir-gate/weir/test/clients"
)

// A turn is one answer of the model, which can be sent in all APIs, in pieces or whole.
type turn struct {
	blocks []block
	stop   string // the stop reason, which has the same name in all
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
		b.converse.deltas = append(b.converse.deltas, `{"text":`+clients.Quote(p)+`}`)
		b.native.deltas = append(b.native.deltas, `{"type":"text_delta","text":`+clients.Quote(p)+`}`)
	}
	all := clients.Quote(strings.Join(pieces, ""))
	b.converse.whole, b.native.whole = `{"text":`+all+`}`, `{"type":"text","text":`+all+`}`
	return b
}

func thinking(thought, signature string) block {
	thought, signature = clients.Quote(thought), clients.Quote(signature)
	return block{
		converse: rendering{
			deltas: []string{`{"reasoningContent":{"text":` + thought + `}}`, `{"reasoningContent":{"signature":` + signature + `}}`},
			whole:  `{"reasoningContent":{"reasoningText":{"text":` + thought + `,"signature":` + signature + `}}}`,
		},
		native: rendering{
			start:  `{"type":"thinking","thinking":"","signature":""}`,
			deltas: []string{`{"type":"thinking_delta","thinking":` + thought + `}`, `{"type":"signature_delta","signature":` + signature + `}`},
			whole:  `{"type":"thinking","thinking":` + thought + `,"signature":` + signature + `}`,
		},
	}
}

// call is a call whose arguments come in pieces. In a body, arguments that do not add up are empty.
func call(s clients.Saying) block {
	id, name, typ, converseType := clients.Quote(s.ID), clients.Quote(s.Tool), "tool_use", ""
	if s.Hosted {
		typ = "server_tool_use"
		converseType = `,"type":"server_tool_use"`
	}
	head := `{"toolUseId":` + id + `,"name":` + name + converseType
	nativeHead := `{"type":` + clients.Quote(typ) + `,"id":` + id + `,"name":` + name + `,"input":`
	b := block{converse: rendering{start: `{"toolUse":` + head + `}}`}, native: rendering{start: nativeHead + `{}}`}}
	b.native.deltas = []string{`{"type":"input_json_delta","partial_json":""}`} // so it begins
	for _, p := range s.Pieces {
		b.converse.deltas = append(b.converse.deltas, `{"toolUse":{"input":`+clients.Quote(p)+`}}`)
		b.native.deltas = append(b.native.deltas, `{"type":"input_json_delta","partial_json":`+clients.Quote(p)+`}`)
	}
	input := s.Said()
	if json.Unmarshal([]byte(input), new(map[string]any)) != nil {
		input = "{}"
	}
	b.converse.whole, b.native.whole = `{"toolUse":`+head+`,"input":`+input+`}}`, nativeHead+input+`}`
	return b
}

// result is what a call of the provider gave. content is in the words of the Messages API.
func result(id, typ, content, said string) block {
	whole := `{"type":` + clients.Quote(typ) + `,"tool_use_id":` + clients.Quote(id) + `,"content":` + content + `}`
	return block{
		converse: rendering{
			start:  `{"toolResult":{"toolUseId":` + clients.Quote(id) + `}}`,
			deltas: []string{`{"toolResult":[{"text":` + clients.Quote(said) + `}]}`},
			whole:  `{"toolResult":{"toolUseId":` + clients.Quote(id) + `,"content":[{"text":` + clients.Quote(said) + `}]}}`,
		},
		native: rendering{start: whole, whole: whole},
	}
}

// An api is one of the ways to ask for a turn.
type api struct {
	native bool // it has the words of the Messages API
	sse    bool // its streams are events; else they are messages of a binary event stream
}

var (
	messages = api{native: true, sse: true}
	invoke   = api{native: true}
	converse = api{}
)

// frame is an event of a stream. members are all but its type.
func (a api) frame(name, members string) string {
	switch {
	case a.sse:
		return "event: " + name + "\ndata: {\"type\":\"" + name + "\"" + members + "}\n\n"
	case a.native:
		return packet(notation.Packet{Kind: notation.Chunk, Name: "chunk", Payload: []byte(`{"type":"` + name + `"` + members + `}`), Padding: "abcdefghijklmno"})
	}
	return packet(notation.Packet{Name: name, Payload: []byte(`{` + strings.TrimPrefix(members+`,"p":"abcdefghijk"}`, ","))})
}

func packet(p notation.Packet) string { return string(p.Bytes()) }

func (a api) render(b block) rendering {
	if a.native {
		return b.native
	}
	return b.converse
}

const usage = `"usage":{"inputTokens":%d,"outputTokens":%d,"totalTokens":%d},"metrics":{"latencyMs":551}`

// frames is the turn as a stream, and where each block begins in it, and where the last one ends.
func (t turn) frames(a api) (list []string, begins []int) {
	add := func(name, members string) { list = append(list, a.frame(name, members)) }
	start, delta, stop, index := "contentBlockStart", "contentBlockDelta", "contentBlockStop", `,"contentBlockIndex":%d`
	opened := `,"start":`
	if a.native {
		start, delta, stop, index = "content_block_start", "content_block_delta", "content_block_stop", `,"index":%d`
		opened = `,"content_block":`
		add("message_start", `,"message":`+nativeMessage("", "null", 1))
	} else {
		add("messageStart", `,"role":"assistant"`)
	}
	for i, b := range t.blocks {
		r, at := a.render(b), fmt.Sprintf(index, i)
		begins = append(begins, len(list))
		if r.start != "" {
			add(start, at+opened+r.start)
		}
		for _, d := range r.deltas {
			add(delta, at+`,"delta":`+d)
		}
		add(stop, at)
	}
	begins = append(begins, len(list))
	if a.native {
		add("message_delta", fmt.Sprintf(`,"delta":{"stop_reason":%q,"stop_sequence":null},"usage":{"output_tokens":%d}`, t.stop, clients.OutputTokens))
		metrics := ""
		if !a.sse {
			metrics = fmt.Sprintf(`,"amazon-bedrock-invocationMetrics":{"inputTokenCount":%d,"outputTokenCount":%d}`, clients.InputTokens, clients.OutputTokens)
		}
		add("message_stop", metrics)
		return list, begins
	}
	add("messageStop", `,"stopReason":`+clients.Quote(t.stop))
	add("metadata", ","+fmt.Sprintf(usage, clients.InputTokens, clients.OutputTokens, clients.InputTokens+clients.OutputTokens))
	return list, begins
}

// body is the turn as a whole.
func (t turn) body(a api) string {
	content := make([]string, len(t.blocks))
	for i, b := range t.blocks {
		content[i] = a.render(b).whole
	}
	if a.native {
		return nativeMessage(strings.Join(content, ","), clients.Quote(t.stop), clients.OutputTokens)
	}
	return fmt.Sprintf(`{"output":{"message":{"role":"assistant","content":[%s]}},"stopReason":%q,`+usage+"}",
		strings.Join(content, ","), t.stop, clients.InputTokens, clients.OutputTokens, clients.InputTokens+clients.OutputTokens)
}

func nativeMessage(content, stop string, output int) string {
	return fmt.Sprintf(`{"id":"msg_01Scripted","type":"message","role":"assistant","model":"claude-scripted","content":[%s],"stop_reason":%s,`+
		`"stop_sequence":null,"usage":{"input_tokens":%d,"output_tokens":%d}}`, content, stop, clients.InputTokens, output)
}
