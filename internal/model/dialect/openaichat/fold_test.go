package openaichat_test

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// A folder adds up the chunks of a stream to the whole completion, keeping every literal as it was written.
type folder struct {
	head    map[string]string // members of the completion
	choices map[int]*folded
	ended   bool
}

// folded is a choice with what its deltas added.
type folded struct {
	texts  map[string]string // members of the message, still escaped
	more   dialecttest.Tree  // the others
	calls  []*foldedCall
	legacy *foldedCall
	finish string
}

// foldedCall is a call with what its entries added.
type foldedCall struct {
	index   string
	members map[string]string // as JSON
	body    string            // function or custom
	name    string            // still escaped
	text    string
}

// fold returns the completion that a stream adds up to.
func fold(stream []byte) ([]byte, error) {
	f := folder{head: map[string]string{"object": `"chat.completion"`}, choices: map[int]*folded{}}
	for i, e := range dialecttest.Framings()[1].Events(stream) {
		if e.Data == "[DONE]" {
			f.ended = true
			continue
		}
		tree, err := dialecttest.ParseTree([]byte(e.Data))
		if err != nil {
			return nil, fmt.Errorf("frame %d: %w", i, err)
		}
		f.frame(tree)
	}
	if !f.ended {
		return nil, errors.New("the stream does not come to its end")
	}
	var choices []string
	for i := range len(f.choices) {
		if f.choices[i] == nil {
			return nil, errors.New("a choice is missing")
		}
		choices = append(choices, f.choices[i].json(i))
	}
	f.head["choices"] = "[" + strings.Join(choices, ",") + "]"
	return []byte(object(f.head)), nil
}

func (f *folder) frame(root dialecttest.Tree) {
	for _, name := range []string{"id", "model", "created"} {
		v := root.Get(name)
		if f.head[name] == "" && (v.Text != "" || v.Literal != "" && v.Literal != "0") {
			f.head[name] = render(v)
		}
	}
	for _, name := range []string{"citations", "search_results"} {
		if v := root.Get(name); v.Kind == '[' {
			f.head[name] = render(v)
		}
	}
	if usage := root.Get("usage"); usage.Kind == '{' {
		f.head["usage"] = render(usage)
	}
	for i, c := range root.Get("choices").Values {
		if n, err := strconv.Atoi(c.Get("index").Literal); err == nil {
			i = n
		}
		if f.choices[i] == nil {
			f.choices[i] = &folded{texts: map[string]string{}}
		}
		f.choices[i].add(c.Get("delta"))
		if reason := c.Get("finish_reason"); reason.Text != "" {
			f.choices[i].finish = render(reason)
		}
	}
}

func (c *folded) add(delta dialecttest.Tree) {
	for _, name := range []string{"content", "refusal", "reasoning_content"} {
		if v := delta.Get(name); v.Kind == '"' {
			c.texts[name] += v.Literal // there, if only empty
		}
	}
	for i, name := range delta.Names {
		switch name {
		case "role", "content", "refusal", "reasoning_content", "tool_calls", "function_call":
		default:
			c.more = merge(c.more, dialecttest.Tree{Kind: '{', Names: []string{name}, Values: delta.Values[i : i+1]})
		}
	}
	for _, entry := range delta.Get("tool_calls").Values {
		c.entry(entry)
	}
	if call := delta.Get("function_call"); call.Kind == '{' {
		if c.legacy == nil {
			c.legacy = &foldedCall{}
		}
		c.legacy.name += call.Get("name").Literal
		c.legacy.text += call.Get("arguments").Literal
	}
}

// merge adds b to a as clients add up deltas: texts and arrays go on, elements of arrays with an index are known by it.
func merge(a, b dialecttest.Tree) dialecttest.Tree {
	switch {
	case a.Kind == 0 || a.Kind == 'n' || a.Kind != b.Kind:
		return b
	case b.Kind == '"':
		a.Literal += b.Literal
	case b.Kind == '[':
		a.Values = slices.Clone(a.Values)
		for _, elem := range b.Values {
			index := elem.Get("index").Literal
			at := slices.IndexFunc(a.Values, func(v dialecttest.Tree) bool { return index != "" && v.Get("index").Literal == index })
			if at < 0 {
				a.Values = append(a.Values, elem)
			} else {
				a.Values[at] = merge(a.Values[at], elem)
			}
		}
	case b.Kind == '{':
		a.Names, a.Values = slices.Clone(a.Names), slices.Clone(a.Values)
		for i, name := range b.Names {
			at := slices.Index(a.Names, name)
			switch {
			case at < 0:
				a.Names, a.Values = append(a.Names, name), append(a.Values, b.Values[i])
			case name != "id" && name != "type" && name != "index" && name != "format":
				a.Values[at] = merge(a.Values[at], b.Values[i])
			}
		}
	}
	return a
}

func (c *folded) entry(entry dialecttest.Tree) {
	index := entry.Get("index").Literal
	at := slices.IndexFunc(c.calls, func(call *foldedCall) bool { return index != "" && call.index == index })
	if at < 0 {
		at = len(c.calls)
		c.calls = append(c.calls, &foldedCall{index: index, members: map[string]string{}})
	}
	call := c.calls[at]
	for i, name := range entry.Names {
		switch v := entry.Values[i]; {
		case name == "function" || name == "custom":
			call.body = name
			call.name += v.Get("name").Literal
			call.text += v.Get("arguments").Literal + v.Get("input").Literal
		case name != "index" && (v.Kind != 'n' || name != "id" && name != "type"):
			call.members[name] = render(v)
		}
	}
}

func (c *folded) json(index int) string {
	message := map[string]string{"role": `"assistant"`, "content": "null"}
	for name, text := range c.texts {
		message[name] = `"` + text + `"`
	}
	for i, name := range c.more.Names {
		message[name] = render(c.more.Values[i])
	}
	var calls []string
	for _, call := range c.calls {
		if call.members["type"] == "" {
			call.members["type"] = `"function"`
		}
		switch call.body {
		case "function":
			call.members["function"] = `{"name":"` + call.name + `","arguments":"` + call.text + `"}`
		case "custom":
			call.members["custom"] = `{"name":"` + call.name + `","input":"` + call.text + `"}`
		}
		calls = append(calls, object(call.members))
	}
	if len(calls) > 0 {
		message["tool_calls"] = "[" + strings.Join(calls, ",") + "]"
	}
	if c.legacy != nil {
		message["function_call"] = `{"name":"` + c.legacy.name + `","arguments":"` + c.legacy.text + `"}`
	}
	finish := c.finish
	if finish == "" {
		finish = "null"
	}
	return fmt.Sprintf(`{"index":%d,"message":%s,"logprobs":null,"finish_reason":%s}`, index, object(message), finish)
}

// object writes members, which are JSON, as an object.
func object(members map[string]string) string {
	var list []string
	for name, value := range members {
		list = append(list, quote(name)+":"+value)
	}
	slices.Sort(list)
	return "{" + strings.Join(list, ",") + "}"
}

// render writes a tree as JSON, with literals as they were.
func render(t dialecttest.Tree) string {
	var parts []string
	switch t.Kind {
	case '0':
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
