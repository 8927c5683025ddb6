package anthropic_test

import (
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// harmless are the content blocks that no client takes for a call.
var harmless = map[string]bool{
	"text": true, "thinking": true, "redacted_thinking": true, "compaction": true, "container_upload": true,
	"fallback": true, "mcp_tool_listing": true,
	"web_search_tool_result": true, "web_fetch_tool_result": true, "code_execution_tool_result": true,
	"bash_code_execution_tool_result": true, "text_editor_code_execution_tool_result": true,
	"tool_search_tool_result": true, "advisor_tool_result": true, "mcp_tool_result": true,
}

// known are the frames of the format that carry no content block.
var known = map[string]bool{
	"ping": true, "error": true, "message_delta": true, "message_stop": true, "content_block_stop": true,
}

// A reader is the most lenient client of the format: it takes a frame for whatever any of its readings says, and a call
// for a call wherever it stands. It needs no end of a block to believe in it.
type reader struct {
	calls []*dialecttest.Pending
	open  map[string]*dialecttest.Pending // by index
}

// lenientCalls returns every call that any client could see.
func lenientCalls(events []dialecttest.LooseEvent) []dialecttest.Seen {
	r := reader{open: map[string]*dialecttest.Pending{}}
	for _, e := range events {
		tree, err := dialecttest.ParseTree([]byte(e.Data))
		if err != nil {
			continue
		}
		r.frame(e.Name, tree)
	}
	var seen []dialecttest.Seen
	for _, p := range r.calls {
		seen = append(seen, p.Finish())
	}
	return seen
}

func (r *reader) frame(name string, root dialecttest.Tree) {
	types := map[string]bool{}
	for _, t := range root.All("type") {
		types[t.Text] = true
	}
	if name != "" {
		types[name] = true
	}
	// Some clients never look at the type of a whole body.
	if name == "" && !types["message"] {
		r.content(root)
	}
	foreign := true
	for t := range types {
		foreign = foreign && !known[t]
		switch t {
		case "message_start":
			foreign = false
			for _, m := range root.All("message") {
				r.content(m)
			}
		case "message":
			foreign = false
			r.content(root)
		case "content_block_start":
			foreign = false
			for _, b := range root.All("content_block") {
				r.block(b, root.Get("index").Literal)
			}
		case "content_block_delta":
			foreign = false
			r.delta(root)
		}
	}
	if foreign {
		for _, seen := range dialecttest.Foreign(root) {
			r.calls = append(r.calls, &dialecttest.Pending{Seen: seen})
		}
	}
}

func (r *reader) content(message dialecttest.Tree) {
	for _, content := range message.All("content") {
		for _, b := range content.Values {
			r.block(b, "")
		}
	}
}

func (r *reader) block(b dialecttest.Tree, index string) {
	for _, t := range b.All("type") {
		if harmless[t.Text] {
			continue
		}
		p := &dialecttest.Pending{Input: last(b, "input"), Block: b}
		p.Seen = dialecttest.Seen{ID: last(b, "id").Text, Name: last(b, "name").Text}
		switch t.Text {
		case "tool_use":
		case "server_tool_use", "mcp_tool_use":
			p.Ran = true
		default:
			p.Other = true
			p.Seen = dialecttest.Seen{Name: t.Text}
		}
		r.calls = append(r.calls, p)
		r.open[index] = p
	}
}

func (r *reader) delta(root dialecttest.Tree) {
	open := r.open[root.Get("index").Literal]
	for _, d := range root.All("delta") {
		if open != nil && open.Other {
			open.More = append(open.More, d)
			continue
		}
		for _, piece := range d.All("partial_json") {
			if open == nil {
				open = &dialecttest.Pending{Seen: dialecttest.Seen{Name: "a piece of nothing"}}
				r.calls = append(r.calls, open)
			}
			open.Text += piece.Literal
		}
	}
}

var last = dialecttest.LastInAnyCase
