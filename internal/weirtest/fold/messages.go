package fold

import (
	"errors"
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

func (f *messageFolder) take(name string, data []byte) error {
	var frame object
	if err := json.Unmarshal(data, &frame, lenient); err != nil {
		return fmt.Errorf("event %s: %w", name, err)
	}
	typ := text(frame["type"])
	switch {
	case typ != name:
		return fmt.Errorf("an event of type %s is called %s", typ, name)
	case f.ended:
		return fmt.Errorf("%s after message_stop", typ)
	case typ == "ping":
		return nil
	case typ == "error":
		return ErrFailed
	case f.message == nil && typ != "message_start":
		return fmt.Errorf("%s before message_start", typ)
	}
	switch typ {
	case "message_start":
		return f.start(frame)
	case "content_block_start":
		return f.open(frame)
	case "content_block_delta":
		return f.delta(frame)
	case "content_block_stop":
		return f.stop(frame)
	case "message_delta":
		return f.close(frame)
	case "message_stop":
		return f.end(frame)
	}
	return nil
}

// guarded are what Amazon Bedrock says of a message at its end, which a whole one has too.
var guarded = []string{"amazon-bedrock-trace", "amazon-bedrock-guardrailAction"}

func (f *messageFolder) end(frame object) error {
	f.ended = true
	if !f.closing {
		return errors.New("message_stop without message_delta")
	}
	for _, member := range guarded {
		if frame[member] != nil {
			f.message[member] = frame[member]
		}
	}
	return nil
}

func (f *messageFolder) start(frame object) error {
	if f.message != nil {
		return errors.New("a second message_start")
	}
	if err := json.Unmarshal(frame["message"], &f.message, lenient); err != nil {
		return fmt.Errorf("message_start: %w", err)
	}
	var content []object
	if err := json.Unmarshal(f.message["content"], &content, lenient); err != nil {
		return fmt.Errorf("message_start: content: %w", err)
	}
	for _, b := range content {
		f.blocks = append(f.blocks, &foldedBlock{block: b})
	}
	return nil
}

func (f *messageFolder) open(frame object) error {
	if string(frame["index"]) != fmt.Sprint(len(f.blocks)) {
		return fmt.Errorf("block %s starts where block %d is due", frame["index"], len(f.blocks))
	}
	if f.closing {
		return errors.New("a block starts after message_delta")
	}
	b := &foldedBlock{open: true}
	if err := json.Unmarshal(frame["content_block"], &b.block, lenient); err != nil {
		return fmt.Errorf("content_block_start: %w", err)
	}
	f.blocks = append(f.blocks, b)
	return nil
}

func (f *messageFolder) block(frame object) (*foldedBlock, error) {
	for i, b := range f.blocks {
		if string(frame["index"]) == fmt.Sprint(i) && b.open {
			return b, nil
		}
	}
	return nil, fmt.Errorf("block %s is not open", frame["index"])
}

// accumulated are the deltas whose text is joined, by type, and the member that it goes to.
var accumulated = map[string]string{
	"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature", "compaction_delta": "content",
}

func (f *messageFolder) delta(frame object) error {
	b, err := f.block(frame)
	if err != nil {
		return err
	}
	var d object
	if err := json.Unmarshal(frame["delta"], &d, lenient); err != nil {
		return fmt.Errorf("content_block_delta: %w", err)
	}
	switch typ := text(d["type"]); typ {
	case "input_json_delta":
		piece := d["partial_json"]
		if len(piece) < 2 {
			return errors.New("an input_json_delta without partial_json")
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
			return fmt.Errorf("a delta of type %s", typ)
		}
		b.block[member] = joined(b.block[member], d[member])
	}
	return nil
}

func (f *messageFolder) stop(frame object) error {
	b, err := f.block(frame)
	if err != nil {
		return err
	}
	b.open = false
	if len(b.input) > 0 {
		b.block["input"] = jsontext.Value(text(jsontext.Value(`"` + string(b.input) + `"`)))
	}
	return nil
}

func (f *messageFolder) close(frame object) error {
	if f.closing {
		return errors.New("a second message_delta")
	}
	f.closing = true
	for i, b := range f.blocks {
		if b.open {
			return fmt.Errorf("block %d is open at message_delta", i)
		}
	}
	var delta, usage, more object
	for member, into := range map[string]*object{"delta": &delta, "usage": &more} {
		if frame[member] != nil {
			if err := json.Unmarshal(frame[member], into, lenient); err != nil {
				return fmt.Errorf("message_delta: %w", err)
			}
		}
	}
	maps.Copy(f.message, delta)
	if err := json.Unmarshal(f.message["usage"], &usage, lenient); err != nil {
		return fmt.Errorf("message_start: usage: %w", err)
	}
	maps.Copy(usage, more)
	var err error
	f.message["usage"], err = json.Marshal(usage, lenient)
	return err
}

func (f *messageFolder) result() (jsontext.Value, error) {
	if !f.ended {
		return nil, fmt.Errorf("the stream has no message_stop: %w", ErrUnfinished)
	}
	content := make([]object, len(f.blocks))
	for i, b := range f.blocks {
		content[i] = b.block
	}
	var err error
	if f.message["content"], err = json.Marshal(content, lenient); err != nil {
		return nil, fmt.Errorf("fold content: %w", err)
	}
	return json.Marshal(f.message, lenient)
}

// acceptableMessage checks that there is content, and that the stop reason is true.
func acceptableMessage(message jsontext.Value) error {
	var m struct {
		Role       string `json:"role"`
		StopReason string `json:"stop_reason"`
		Content    []struct {
			Type string `json:"type"`
		} `json:"content"`
	}
	if err := json.Unmarshal(message, &m, lenient); err != nil {
		return fmt.Errorf("the message: %w", err)
	}
	switch {
	case m.Role != "assistant":
		return fmt.Errorf("the message is of the role %q", m.Role)
	case len(m.Content) == 0:
		return errors.New("the message has no content, and the API would not take it back")
	case m.StopReason == "":
		return errors.New("the message has no stop reason")
	case m.StopReason != "tool_use":
		return nil
	}
	for _, b := range m.Content {
		switch b.Type {
		case "text", "thinking", "redacted_thinking", "compaction", "container_upload", "fallback", "mcp_tool_listing": // are no calls
		case "server_tool_use", "mcp_tool_use": // are run already
		default:
			if !strings.HasSuffix(b.Type, "_result") {
				return nil
			}
		}
	}
	return errors.New("the stop reason is tool_use, and there is no call")
}
