package anthropic_test

import (
	"strings"

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
	calls []*partial
	open  map[string]*partial // by index
}

// A partial is a call under way.
type partial struct {
	seen  dialecttest.Seen
	input dialecttest.Tree
	block dialecttest.Tree
	text  string // of the pieces, still escaped
	other bool   // of a type that the format does not know
	more  []dialecttest.Tree
}

// lenientCalls returns every call that any client could see.
func lenientCalls(events []dialecttest.LooseEvent) []dialecttest.Seen {
	r := reader{open: map[string]*partial{}}
	for _, e := range events {
		tree, err := dialecttest.ParseTree([]byte(e.Data))
		if err != nil {
			continue
		}
		r.frame(e.Name, tree)
	}
	var seen []dialecttest.Seen
	for _, p := range r.calls {
		seen = append(seen, p.finish())
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
		r.foreign(root)
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
		p := &partial{input: last(b.All("input")), block: b}
		p.seen = dialecttest.Seen{ID: last(b.All("id")).Text, Name: last(b.All("name")).Text}
		switch t.Text {
		case "tool_use":
		case "server_tool_use", "mcp_tool_use":
			p.seen.Ran = true
		default:
			p.other = true
			p.seen = dialecttest.Seen{Name: t.Text}
		}
		r.calls = append(r.calls, p)
		r.open[index] = p
	}
}

func (r *reader) delta(root dialecttest.Tree) {
	open := r.open[root.Get("index").Literal]
	for _, d := range root.All("delta") {
		if open != nil && open.other {
			open.more = append(open.more, d)
			continue
		}
		for _, piece := range d.All("partial_json") {
			if open == nil {
				open = &partial{seen: dialecttest.Seen{Name: "a piece of nothing"}}
				r.calls = append(r.calls, open)
			}
			open.text += piece.Literal
		}
	}
}

// foreign looks for a call of any format in a frame that the format does not have: clients hand it to the program.
func (r *reader) foreign(root dialecttest.Tree) {
	root.Walk(func(v dialecttest.Tree) {
		for _, name := range []string{"tool_calls", "function_call", "functionCall", "partial_json"} {
			if len(v.All(name)) > 0 {
				r.calls = append(r.calls, &partial{seen: dialecttest.Seen{Name: "foreign " + name}})
			}
		}
		for _, t := range v.All("type") {
			if strings.Contains(t.Text, "tool_use") || strings.Contains(t.Text, "function_call") {
				r.calls = append(r.calls, &partial{seen: dialecttest.Seen{Name: "foreign " + t.Text}})
			}
		}
	})
}

// finish says what the call came to: the pieces or, if they say nothing, what stood in the block.
func (p *partial) finish() dialecttest.Seen {
	text := dialecttest.Unquote(p.text)
	switch {
	case p.other:
		if len(p.more) > 0 {
			set(&p.block, "deltas", dialecttest.Tree{Kind: '[', Values: p.more})
		}
		p.seen.Args = p.block.String()
	case text != "":
		p.seen.Args = dialecttest.Meaning([]byte(text))
		if in := p.input.String(); in != "" && in != "{}" && in != "null" {
			p.seen.Args = in + " and then " + p.seen.Args
		}
	case p.input.Kind == 0 || p.input.Kind == 'n':
		p.seen.Args = "{}"
	default:
		p.seen.Args = p.input.String()
	}
	return p.seen
}

func last(trees []dialecttest.Tree) dialecttest.Tree {
	if len(trees) == 0 {
		return dialecttest.Tree{}
	}
	return trees[len(trees)-1]
}
