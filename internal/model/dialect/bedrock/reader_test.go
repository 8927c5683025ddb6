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
	calls []*dialecttest.Pending
	open  map[string]*dialecttest.Pending // by index
	// ordered says that it does not look at indexes: what comes belongs to the last block that began, until one ends.
	ordered bool
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
	r := reader{open: map[string]*dialecttest.Pending{}, ordered: ordered}
	for _, e := range events {
		if tree, err := dialecttest.ParseTree([]byte(e.Data)); err == nil {
			r.frame(e.Name, tree)
		}
	}
	var seen []dialecttest.Seen
	for _, p := range r.calls {
		seen = append(seen, p.Finish())
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
			for _, seen := range dialecttest.Foreign(dialecttest.Tree{Kind: '{', Names: []string{n}, Values: root.Values[i : i+1]}) {
				r.calls = append(r.calls, &dialecttest.Pending{Seen: seen})
			}
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
		p := &dialecttest.Pending{Block: b, Other: true, Seen: dialecttest.Seen{Name: name}}
		if strings.EqualFold(name, "toolUse") {
			p.Other = false
			p.Input = last(v, "input")
			p.Seen = dialecttest.Seen{ID: last(v, "toolUseId").Text, Name: last(v, "name").Text}
			for _, t := range v.All("type") {
				p.Ran = p.Ran || t.Text == "server_tool_use"
			}
		}
		r.calls = append(r.calls, p)
		r.open[index] = p
	}
}

func (r *reader) delta(d dialecttest.Tree, index string) {
	open := r.open[index]
	if open != nil && open.Other {
		open.More = append(open.More, d)
		return
	}
	for i, name := range d.Names {
		v := d.Values[i]
		switch {
		case v.Kind == 'n', harmless[strings.ToLower(name)]:
		case !strings.EqualFold(name, "toolUse"):
			r.block(d, index)
		case open == nil:
			r.calls = append(r.calls, &dialecttest.Pending{Seen: dialecttest.Seen{Name: "a piece of nothing"}})
		default:
			for _, input := range v.All("input") {
				open.Text += input.Literal
			}
		}
	}
}

var last = dialecttest.LastInAnyCase
