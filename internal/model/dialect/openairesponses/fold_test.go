package openairesponses_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// fold returns the response that a stream adds up to: what its last event says, provided that the events before it say the
// same of every item.
func fold(stream []byte) ([]byte, error) {
	items := map[string]dialecttest.Tree{}
	var last dialecttest.Tree
	for i, e := range dialecttest.Framings()[1].Events(stream) {
		if e.Data == "[DONE]" {
			continue
		}
		tree, err := dialecttest.ParseTree([]byte(e.Data))
		if err != nil {
			return nil, fmt.Errorf("frame %d: %w", i, err)
		}
		switch typ := tree.Get("type").Text; typ {
		case "response.output_item.done":
			items[tree.Get("output_index").Literal] = tree.Get("item")
		case "response.completed", "response.incomplete", "response.failed":
			last = tree.Get("response")
		}
	}
	if last.Kind != '{' {
		return nil, errors.New("the stream does not come to its end")
	}
	output := last.Get("output").Values
	if len(output) != len(items) {
		return nil, fmt.Errorf("%d items at the end, %d before", len(output), len(items))
	}
	for i, item := range output {
		if before := items[fmt.Sprint(i)]; before.String() != item.String() {
			return nil, fmt.Errorf("item %d was %s and ends as %s", i, before, item)
		}
	}
	return []byte(render(last)), nil
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
