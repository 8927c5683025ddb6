package bedrock_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// A folder adds up the frames of a stream to the whole response, keeping every literal as it was written.
type folder struct {
	role    dialecttest.Tree
	blocks  []*folded
	index   map[string]*folded
	rest    []string // members of the response beside its output
	stopped bool
}

// folded is a content block with what its deltas added.
type folded struct {
	start                     dialecttest.Tree
	text, input, thought, sig string // still escaped
	redacted                  string
	results, cites            []string
}

// fold returns the body that a stream adds up to.
func fold(stream []byte) ([]byte, error) {
	f := folder{index: map[string]*folded{}}
	for i, e := range dialecttest.Readers(frame.Binary)[0].Events(stream) {
		tree, err := dialecttest.ParseTree([]byte(e.Data))
		if err != nil {
			return nil, fmt.Errorf("frame %d: %w", i, err)
		}
		f.frame(e.Name, tree)
	}
	if !f.stopped {
		return nil, errors.New("the stream does not come to its end")
	}
	var content []string
	for _, b := range f.blocks {
		content = append(content, b.json())
	}
	return []byte(`{"output":{"message":{"role":` + render(f.role) + `,"content":[` + strings.Join(content, ",") + `]}},` +
		strings.Join(f.rest, ",") + `}`), nil
}

func (f *folder) frame(name string, e dialecttest.Tree) {
	index := e.Get("contentBlockIndex").Literal
	switch name {
	case "messageStart":
		f.role = e.Get("role")
	case "contentBlockStart", "contentBlockDelta", "contentBlockStop":
		b := f.index[index]
		if b == nil {
			b = &folded{start: e.Get("start")}
			f.index[index] = b
			f.blocks = append(f.blocks, b)
		}
		b.add(e.Get("delta"))
	case "messageStop", "metadata":
		f.stopped = true
		for i, n := range e.Names {
			if n != "p" {
				f.rest = append(f.rest, quote(n)+":"+render(e.Values[i]))
			}
		}
	}
}

func (b *folded) add(delta dialecttest.Tree) {
	b.text += delta.Get("text").Literal
	b.input += delta.Get("toolUse").Get("input").Literal
	b.thought += delta.Get("reasoningContent").Get("text").Literal
	b.sig += delta.Get("reasoningContent").Get("signature").Literal
	b.redacted += delta.Get("reasoningContent").Get("redactedContent").Literal
	for _, v := range delta.Get("toolResult").Values {
		b.results = append(b.results, render(v))
	}
	if c := delta.Get("citation"); c.Kind != 0 {
		b.cites = append(b.cites, render(c))
	}
}

func (b *folded) json() string {
	call, result := b.start.Get("toolUse"), b.start.Get("toolResult")
	switch {
	case call.Kind != 0:
		input := dialecttest.Unquote(b.input)
		if input == "" {
			input = "{}"
		}
		set(&call, "input", raw(input))
		return `{"toolUse":` + render(call) + `}`
	case result.Kind != 0:
		set(&result, "content", raw("["+strings.Join(b.results, ",")+"]"))
		return `{"toolResult":` + render(result) + `}`
	case b.start.Kind != 0:
		return render(b.start)
	case b.redacted != "":
		return `{"reasoningContent":{"redactedContent":"` + b.redacted + `"}}`
	case b.thought+b.sig != "":
		return `{"reasoningContent":{"reasoningText":{"text":"` + b.thought + `","signature":"` + b.sig + `"}}}`
	case len(b.cites) > 0:
		return `{"citationsContent":{"content":[{"text":"` + b.text + `"}],"citations":[` + strings.Join(b.cites, ",") + `]}}`
	}
	return `{"text":"` + b.text + `"}`
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
