package anthropic_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// A folder adds up the frames of a stream to the whole message, keeping every literal as it was written.
type folder struct {
	message dialecttest.Tree
	blocks  []*folded
	ended   bool
}

// folded is a content block with what its deltas added.
type folded struct {
	tree  dialecttest.Tree
	added map[string]string // string members, still escaped
	cites []dialecttest.Tree
}

// fold returns the message that a stream adds up to.
func fold(stream []byte) ([]byte, error) {
	var f folder
	for i, e := range dialecttest.Framings()[1].Events(stream) {
		if e.Data == "[DONE]" {
			continue
		}
		tree, err := dialecttest.ParseTree([]byte(e.Data))
		if err != nil {
			return nil, fmt.Errorf("frame %d: %w", i, err)
		}
		if tree.Get("type").Kind == 0 {
			set(&tree, "type", dialecttest.Tree{Kind: '"', Text: e.Name})
		}
		if err := f.frame(tree); err != nil {
			return nil, fmt.Errorf("frame %d: %w", i, err)
		}
	}
	if !f.ended {
		return nil, errors.New("the stream does not come to its end")
	}
	var content []string
	for _, b := range f.blocks {
		content = append(content, b.json())
	}
	set(&f.message, "content", raw("["+strings.Join(content, ",")+"]"))
	return []byte(render(f.message)), nil
}

func (f *folder) frame(e dialecttest.Tree) error {
	index, _ := strconv.Atoi(e.Get("index").Literal)
	switch e.Get("type").Text {
	case "message_start":
		f.message = e.Get("message")
		for _, b := range f.message.Get("content").Values {
			f.blocks = append(f.blocks, &folded{tree: b})
		}
	case "content_block_start":
		f.blocks = append(f.blocks, &folded{tree: e.Get("content_block"), added: map[string]string{}})
	case "content_block_delta":
		if index >= len(f.blocks) {
			return errors.New("a delta without a block")
		}
		f.blocks[index].add(e.Get("delta"))
	case "message_delta":
		delta := e.Get("delta")
		for i, name := range delta.Names {
			set(&f.message, name, delta.Values[i])
		}
		usage, more := f.message.Get("usage"), e.Get("usage")
		for i, name := range more.Names {
			set(&usage, name, more.Values[i])
		}
		set(&f.message, "usage", usage)
	case "message_stop":
		f.ended = true
	}
	return nil
}

func (b *folded) add(delta dialecttest.Tree) {
	for i, name := range delta.Names {
		switch v := delta.Values[i]; {
		case name == "type":
		case name == "citation":
			b.cites = append(b.cites, v)
		case v.Kind == '"':
			b.added[name] += v.Literal
		}
	}
}

func (b *folded) json() string {
	for name, body := range b.added {
		if name == "partial_json" {
			if text := dialecttest.Unquote(body); text != "" {
				set(&b.tree, "input", raw(text))
			}
			continue
		}
		set(&b.tree, name, raw(`"`+b.tree.Get(name).Literal+body+`"`))
	}
	if len(b.cites) > 0 {
		set(&b.tree, "citations", dialecttest.Tree{Kind: '[', Values: append(b.tree.Get("citations").Values, b.cites...)})
	}
	return render(b.tree)
}

// kindRaw marks a tree whose literal is JSON to be written as it is.
const kindRaw = 'r'

func raw(json string) dialecttest.Tree { return dialecttest.Tree{Kind: kindRaw, Literal: json} }

// set gives an object a member, in the place of one that it has.
func set(t *dialecttest.Tree, name string, v dialecttest.Tree) {
	names, values := append([]string(nil), t.Names...), append([]dialecttest.Tree(nil), t.Values...)
	t.Kind = '{'
	for i, n := range names {
		if n == name {
			values[i] = v
			t.Names, t.Values = names, values
			return
		}
	}
	t.Names, t.Values = append(names, name), append(values, v)
}

// render writes a tree as JSON, with literals as they were.
func render(t dialecttest.Tree) string {
	var parts []string
	switch t.Kind {
	case kindRaw, '0':
		return t.Literal
	case '"':
		return `"` + t.Literal + `"`
	case '[':
		for _, v := range t.Values {
			parts = append(parts, render(v))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case '{':
		for i, v := range t.Values {
			parts = append(parts, quote(t.Names[i])+":"+render(v))
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	return t.String()
}
