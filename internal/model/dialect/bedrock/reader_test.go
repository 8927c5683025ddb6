package bedrock_test

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// harmless are the members of unions that no client takes for a call.
var harmless = map[string]bool{
	"text": true, "citation": true, "reasoningcontent": true, "toolresult": true, "image": true, "citationscontent": true,
	"document": true, "video": true, "audio": true, "guardcontent": true, "cachepoint": true, "searchresult": true,
}

// A reader is the most lenient client of the format: it takes names in any case and any of several members, and a call for
// a call wherever it stands. It needs no end of a block to believe in it.
type reader struct {
	calls []*partial
	open  map[string]*partial // by index
	// ordered says that it does not look at indexes: what comes belongs to the last block that began, until one ends.
	ordered bool
}

// A partial is a call under way.
type partial struct {
	seen  dialecttest.Seen
	input dialecttest.Tree
	block dialecttest.Tree
	text  string // of the pieces, still escaped
	other bool   // of a kind that the format does not know
	more  []dialecttest.Tree
}

// lenientCalls returns every call that any client could see. Clients that go by order must see the same as those that go by
// indexes.
func lenientCalls(events []dialecttest.LooseEvent) []dialecttest.Seen {
	byIndex, byOrder := readCalls(events, false), readCalls(events, true)
	if slices.Equal(byIndex, byOrder) {
		return byIndex
	}
	for i := range byOrder {
		byOrder[i].Name += ", by order"
	}
	return append(byIndex, byOrder...)
}

func readCalls(events []dialecttest.LooseEvent, ordered bool) []dialecttest.Seen {
	r := reader{open: map[string]*partial{}, ordered: ordered}
	for _, e := range events {
		if tree, err := dialecttest.ParseTree([]byte(e.Data)); err == nil {
			r.frame(e.Name, tree)
		}
	}
	var seen []dialecttest.Seen
	for _, p := range r.calls {
		seen = append(seen, p.finish())
	}
	return seen
}

func (r *reader) frame(name string, root dialecttest.Tree) {
	index := root.Get("contentBlockIndex").Literal
	if r.ordered {
		index = ""
	}
	own, known := "", true
	switch strings.ToLower(name) {
	case "":
		own = "output"
		for _, output := range root.All("output") {
			for _, message := range output.All("message") {
				for _, content := range message.All("content") {
					for _, b := range content.Values {
						r.block(b, "whole")
					}
				}
			}
		}
	case "contentblockstart":
		own = "start"
		for _, b := range root.All("start") {
			r.block(b, index)
		}
	case "contentblockdelta":
		own = "delta"
		for _, d := range root.All("delta") {
			r.delta(d, index)
		}
	case "contentblockstop":
		delete(r.open, index)
	case "messagestart", "messagestop", "metadata":
	default:
		known = false
	}
	for i, n := range root.Names {
		// A text or number beside what a frame of the format has is no call.
		if n != own && (!known || len(root.Values[i].Values) > 0) {
			r.foreign(dialecttest.Tree{Kind: '{', Names: []string{n}, Values: []dialecttest.Tree{root.Values[i]}})
		}
	}
}

// block reads a content block or the start of one.
func (r *reader) block(b dialecttest.Tree, index string) {
	for i, name := range b.Names {
		v := b.Values[i]
		if harmless[strings.ToLower(name)] || v.Kind == 'n' {
			continue
		}
		p := &partial{block: b, other: true, seen: dialecttest.Seen{Name: name}}
		if strings.EqualFold(name, "toolUse") {
			p.other = false
			p.input = last(v.All("input"))
			p.seen = dialecttest.Seen{ID: last(v.All("toolUseId")).Text, Name: last(v.All("name")).Text}
			for _, t := range v.All("type") {
				p.seen.Ran = p.seen.Ran || t.Text == "server_tool_use"
			}
		}
		r.calls = append(r.calls, p)
		r.open[index] = p
	}
}

func (r *reader) delta(d dialecttest.Tree, index string) {
	open := r.open[index]
	if open != nil && open.other {
		open.more = append(open.more, d)
		return
	}
	for i, name := range d.Names {
		v := d.Values[i]
		switch {
		case v.Kind == 'n', harmless[strings.ToLower(name)]:
		case !strings.EqualFold(name, "toolUse"):
			r.block(d, index)
		case open == nil:
			r.calls = append(r.calls, &partial{seen: dialecttest.Seen{Name: "a piece of nothing"}})
		default:
			for _, input := range v.All("input") {
				open.text += input.Literal
			}
		}
	}
}

// foreign looks for a call of any format where the format has none.
func (r *reader) foreign(root dialecttest.Tree) {
	root.Walk(func(v dialecttest.Tree) {
		for _, name := range []string{"toolUse", "tool_calls", "function_call", "functionCall", "partial_json"} {
			for _, c := range v.All(name) {
				if len(c.Values) > 0 || c.Kind == '"' {
					r.calls = append(r.calls, &partial{seen: dialecttest.Seen{Name: "foreign " + name}})
				}
			}
		}
		for _, t := range v.All("type") {
			if strings.Contains(t.Text, "tool_use") || strings.Contains(t.Text, "function_call") {
				r.calls = append(r.calls, &partial{seen: dialecttest.Seen{Name: "foreign " + t.Text}})
			}
		}
	})
}

// finish says what the call came to.
func (p *partial) finish() dialecttest.Seen {
	text := dialecttest.Unquote(p.text)
	switch {
	case p.other:
		if len(p.more) > 0 {
			set(&p.block, "deltas", dialecttest.Tree{Kind: '[', Values: p.more})
		}
		p.seen.Args = p.block.String()
	case text != "" && p.input.Kind != 0 && p.input.Kind != 'n':
		p.seen.Args = p.input.String() + " and then " + dialecttest.Meaning([]byte(text))
	case text != "":
		p.seen.Args = dialecttest.Meaning([]byte(text))
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
