package fold

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Converse is the Converse API of Amazon Bedrock.
var Converse = Format{
	Name:   "Amazon Bedrock Converse",
	speaks: func(frame object) bool { return frame["contentBlockIndex"] != nil || frame["stopReason"] != nil },
	begin:  func() folder { return &converseFolder{top: object{}} },
	whole: func(body object) (jsontext.Value, error) {
		if body["output"].Kind() != '{' {
			return nil, nil
		}
		if body["usage"].Kind() != '{' { // a stream may break off ahead of it
			return nil, errors.New("the message does not say what it cost")
		}
		return json.Marshal(body, lenient)
	},
	acceptable: acceptableConverse,
	content:    converseContent,
}

// A converseFolder makes one message of a stream, and fails where a client would stumble: some go by the indexes of blocks
// and some by their order.
type converseFolder struct {
	top    object // beside the output
	role   jsontext.Value
	blocks []*converseBlock
	ended  bool // messageStop came
}

func (f *converseFolder) take(name string, data []byte) {
	frame := parse[object](data, name)
	delete(frame, "p")
	switch {
	case (f.role == nil) != (name == "messageStart"):
		stumblef("%s, and the message begins elsewhere", name)
	case f.ended && name != "metadata":
		stumblef("%s after messageStop", name)
	}
	switch name {
	case "messageStart":
		f.role = orElse(frame["role"], `"nobody"`)
	case "contentBlockStart", "contentBlockDelta", "contentBlockStop":
		f.block(name, frame)
	case "messageStop":
		f.ended = true
		f.add(frame)
	case "metadata":
		if !f.ended {
			stumblef("metadata before messageStop")
		}
		f.add(frame)
	}
}

// add takes the members of a frame as those of the message.
func (f *converseFolder) add(frame object) {
	for member, v := range frame {
		if f.top[member] != nil {
			stumblef("%s is there twice", member)
		}
		f.top[member] = v
	}
}

// block takes a frame of a block. Those of text have no start.
func (f *converseFolder) block(name string, frame object) {
	index, err := strconv.Atoi(string(frame["contentBlockIndex"]))
	if err != nil || index < 0 || index > len(f.blocks) || index == len(f.blocks) && name == "contentBlockStop" {
		stumblef("%s of block %s where block %d is due", name, frame["contentBlockIndex"], len(f.blocks))
	}
	if fresh := index == len(f.blocks); fresh {
		f.blocks = append(f.blocks, &converseBlock{block: object{}})
	} else if name == "contentBlockStart" {
		stumblef("block %d starts twice", index)
	}
	b := f.blocks[index]
	if b.closed {
		stumblef("%s of block %d, which is not open", name, index)
	}
	switch name {
	case "contentBlockStart":
		b.block = parse[object](frame["start"], name)
	case "contentBlockDelta":
		b.add(frame["delta"])
	default:
		b.closed = true
	}
}

func (f *converseFolder) result() (jsontext.Value, error) {
	if !f.ended {
		return nil, fmt.Errorf("the stream has no messageStop: %w", ErrUnfinished)
	}
	content := make([]jsontext.Value, len(f.blocks))
	for i, b := range f.blocks {
		if !b.closed {
			return nil, fmt.Errorf("block %d is open at messageStop: %w", i, ErrUnfinished)
		}
		content[i] = b.whole()
	}
	f.top["output"] = written(map[string]any{"message": map[string]any{"role": f.role, "content": content}})
	return written(f.top), nil
}
