package ollama_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// fold returns the answer that a stream adds up to: the texts and calls of all lines, and the rest of the last. Literals
// stay as they were written.
func fold(stream []byte) ([]byte, error) {
	texts, calls := map[string]string{}, []string{}
	root := map[string]string{}
	ended := false
	for i, e := range dialecttest.Readers(framing)[0].Events(stream) {
		tree, err := dialecttest.ParseTree([]byte(e.Data))
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i, err)
		}
		message := tree.Get("message")
		for _, name := range []string{"content", "thinking"} {
			if v := message.Get(name); v.Kind == '"' {
				texts[name] += v.Literal
			}
		}
		if v := tree.Get("response"); v.Kind == '"' {
			texts["response"] += v.Literal
		}
		for _, c := range message.Get("tool_calls").Values {
			calls = append(calls, render(c))
		}
		clear(root)
		for i, name := range tree.Names {
			root[name] = render(tree.Values[i])
		}
		ended = tree.Get("done").Kind == 't'
	}
	if !ended {
		return nil, errors.New("the stream does not come to its end")
	}
	if root["message"] != "" {
		root["message"] = message(texts, calls)
	}
	if text, ok := texts["response"]; ok || root["message"] == "" {
		root["response"] = `"` + text + `"`
	}
	return []byte(object(root)), nil
}

func message(texts map[string]string, calls []string) string {
	m := map[string]string{"role": `"assistant"`, "content": `"` + texts["content"] + `"`}
	if t, ok := texts["thinking"]; ok {
		m["thinking"] = `"` + t + `"`
	}
	if len(calls) > 0 {
		m["tool_calls"] = "[" + strings.Join(calls, ",") + "]"
	}
	return object(m)
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
