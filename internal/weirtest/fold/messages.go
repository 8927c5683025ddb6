package fold

import (
	"fmt"
	"maps"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Messages is the Anthropic Messages API.
var Messages = Format{
	Name:   "Anthropic Messages",
	speaks: func(frame object) bool { return frame["type"] != nil },
	begin:  func() folder { return &messageFolder{} },
	whole: func(body object) (jsontext.Value, error) {
		if text(body["type"]) != "message" || body["status"] != nil { // an item of the Responses API is called so too
			return nil, nil
		}
		return json.Marshal(body, lenient)
	},
	acceptable: acceptableMessage,
	content:    messagesContent,
}

// A messageFolder makes one message of a stream, and fails where an official SDK would stumble.
type messageFolder struct {
	message object
	blocks  []*foldedBlock
	closing bool // message_delta came
	ended   bool // message_stop came
}

type foldedBlock struct {
	block object
	input []byte // joined partial_json, still escaped
	open  bool
}

func (f *messageFolder) take(name string, data []byte) {
	frame := parse[object](data, "frame")
	typ := text(frame["type"])
	switch {
	case typ != name:
		stumblef("an event of type %s is called %s", typ, name)
	case f.ended:
		stumblef("%s after message_stop", typ)
	case typ == "ping":
		return
	case typ == "error":
		panic(stumble{ErrFailed})
	case f.message == nil && typ != "message_start":
		stumblef("%s before message_start", typ)
	}
	switch typ {
	case "message_start":
		f.start(frame)
	case "content_block_start":
		f.open(frame)
	case "content_block_delta":
		f.delta(frame)
	case "content_block_stop":
		f.stop(frame)
	case "message_delta":
		f.close(frame)
	case "message_stop":
		f.end(frame)
	}
}

// guarded are what Amazon Bedrock says of a message at its end, which a whole one has too.
var guarded = []string{"amazon-bedrock-trace", "amazon-bedrock-guardrailAction"}

func (f *messageFolder) end(frame object) {
	f.ended = true
	if !f.closing {
		stumblef("message_stop without message_delta")
	}
	for _, member := range guarded {
		if frame[member] != nil {
			f.message[member] = frame[member]
		}
	}
}

func (f *messageFolder) start(frame object) {
	if f.message != nil {
		stumblef("a second message_start")
	}
	f.message = parse[object](frame["message"], "message_start")
	for _, b := range parse[[]object](f.message["content"], "message_start: content") {
		f.blocks = append(f.blocks, &foldedBlock{block: b})
	}
}

func (f *messageFolder) open(frame object) {
	if string(frame["index"]) != fmt.Sprint(len(f.blocks)) {
		stumblef("block %s starts where block %d is due", frame["index"], len(f.blocks))
	}
	if f.closing {
		stumblef("a block starts after message_delta")
	}
	f.blocks = append(f.blocks, &foldedBlock{open: true, block: parse[object](frame["content_block"], "content_block_start")})
}

func (f *messageFolder) block(frame object) *foldedBlock {
	for i, b := range f.blocks {
		if string(frame["index"]) == fmt.Sprint(i) && b.open {
			return b
		}
	}
	panic(stumbled("block %s is not open", frame["index"]))
}

// accumulated are the deltas whose text is joined, by type, and the member that it goes to.
var accumulated = map[string]string{
	"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature", "compaction_delta": "content",
}

func (f *messageFolder) delta(frame object) {
	b := f.block(frame)
	d := parse[object](frame["delta"], "content_block_delta")
	switch typ := text(d["type"]); typ {
	case "input_json_delta":
		piece := d["partial_json"]
		if len(piece) < 2 {
			stumblef("an input_json_delta without partial_json")
		}
		b.input = append(b.input, piece[1:len(piece)-1]...)
	case "citations_delta":
		list := strings.TrimSuffix(string(b.block["citations"]), "]")
		if strings.Trim(list, "[ ") != "" {
			list += ","
		}
		b.block["citations"] = jsontext.Value(list + string(d["citation"]) + "]")
	default:
		member, ok := accumulated[typ]
		if !ok {
			stumblef("a delta of type %s", typ)
		}
		b.block[member] = joined(b.block[member], d[member])
	}
}

func (f *messageFolder) stop(frame object) {
	b := f.block(frame)
	b.open = false
	if len(b.input) > 0 {
		b.block["input"] = jsontext.Value(text(jsontext.Value(`"` + string(b.input) + `"`)))
	}
}

func (f *messageFolder) close(frame object) {
	if f.closing {
		stumblef("a second message_delta")
	}
	f.closing = true
	for i, b := range f.blocks {
		if b.open {
			stumblef("block %d is open at message_delta", i)
		}
	}
	maps.Copy(f.message, parse[object](orElse(frame["delta"], "{}"), "message_delta"))
	usage := parse[object](f.message["usage"], "message_start: usage")
	maps.Copy(usage, parse[object](orElse(frame["usage"], "{}"), "message_delta: usage"))
	f.message["usage"] = written(usage)
}

func (f *messageFolder) result() (jsontext.Value, error) {
	if !f.ended {
		return nil, fmt.Errorf("the stream has no message_stop: %w", ErrUnfinished)
	}
	content := make([]object, len(f.blocks))
	for i, b := range f.blocks {
		content[i] = b.block
	}
	f.message["content"] = written(content)
	return written(f.message), nil
}

// acceptableMessage checks that there is content, and that the stop reason is true.
func acceptableMessage(message jsontext.Value) {
	m := parse[struct {
		Role       string `json:"role"`
		StopReason string `json:"stop_reason"`
		Content    []struct {
			Type string `json:"type"`
		} `json:"content"`
	}](message, "the message")
	switch {
	case m.Role != "assistant":
		stumblef("the message is of the role %q", m.Role)
	case len(m.Content) == 0:
		stumblef("the message has no content, and the API would not take it back")
	case m.StopReason == "":
		stumblef("the message has no stop reason")
	case m.StopReason != "tool_use":
		return
	}
	for _, b := range m.Content {
		switch b.Type {
		case "text", "thinking", "redacted_thinking", "compaction", "container_upload", "fallback", "mcp_tool_listing": // are no calls
		case "server_tool_use", "mcp_tool_use": // are run already
		default:
			if !strings.HasSuffix(b.Type, "_result") {
				return
			}
		}
	}
	stumblef("the stop reason is tool_use, and there is no call")
}
