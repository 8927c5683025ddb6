package dialecttest

import (
	"slices"
	"strings"
)

// A Pending call is one under way, to a reader that adds up what is said of it.
type Pending struct {
	Seen
	Block Tree   // that the call stands in
	Input Tree   // its arguments, as the block has them
	Text  string // its arguments, in pieces, still escaped
	// Other says that its block is of a kind that the format does not know: all of it is arguments, and what comes after it More.
	Other bool
	More  []Tree
}

// Finish is what the call came to: the pieces or, if they say nothing, what stood in the block.
func (p *Pending) Finish() Seen {
	text, input := Unquote(p.Text), p.Input.String()
	switch {
	case p.Other:
		if len(p.More) > 0 {
			p.Block = p.Block.With("deltas", Tree{Kind: '[', Values: p.More})
		}
		p.Args = p.Block.String()
	case text != "" && input != "" && input != "{}" && input != "null":
		p.Args = input + " and then " + Meaning([]byte(text))
	case text != "":
		p.Args = Meaning([]byte(text))
	case input == "" || input == "null":
		p.Args = "{}"
	default:
		p.Args = input
	}
	return p.Seen
}

// callMembers are the names under which the formats have calls.
var callMembers = []string{"tool_calls", "function_call", "functionCall", "toolUse", "toolCalls", "partial_json", "partialArgs"}

// callTypes are parts of the types that the formats give to calls, and to pieces of them.
var callTypes = []string{
	"tool_use", "tool_call", "function_call", "shell_call", "patch_call", "computer_call", "approval_request", "input_json",
}

// Foreign are what any client of any format could take for a call among the members of v, but for those where calls belong: clients hand
// to the program what they do not know. A number or nothing under such a name is no call, nor is a text beside what belongs there.
func Foreign(v Tree, but ...string) (found []Seen) {
	look := func(t Tree) {
		for _, name := range callMembers {
			if slices.ContainsFunc(t.All(name), func(held Tree) bool { return held.Text != "" || len(held.Values) > 0 }) {
				found = append(found, Seen{Name: "foreign " + name})
			}
		}
		for _, typ := range t.All("type") {
			if slices.ContainsFunc(callTypes, func(part string) bool { return strings.Contains(typ.Text, part) }) {
				found = append(found, Seen{Name: "foreign " + typ.Text})
			}
		}
	}
	if len(but) == 0 {
		look(v)
	}
	for i, name := range v.Names {
		if slices.ContainsFunc(but, func(b string) bool { return strings.EqualFold(b, name) }) {
			continue
		}
		if len(but) > 0 && len(v.Values[i].Values) > 0 {
			look(Tree{Kind: '{', Names: []string{name}, Values: v.Values[i : i+1]})
		}
		v.Values[i].Walk(look)
	}
	return found
}

// How readers find a member of an object: JavaScript and Python take the last of two, some Go the first, and Go's standard library
// does not mind case.
var (
	Last           = func(t Tree, name string) Tree { return t.Get(name) }
	First          = func(t Tree, name string) Tree { return at(t, slices.Index(t.Names, name)) }
	LastInAnyCase  = func(t Tree, name string) Tree { return last(t.All(name)) }
	FirstInAnyCase = func(t Tree, name string) Tree {
		return at(t, slices.IndexFunc(t.Names, func(n string) bool { return strings.EqualFold(n, name) }))
	}
)

// at is the value of a member; the zero Tree if there is none.
func at(t Tree, i int) Tree {
	if i < 0 {
		return Tree{}
	}
	return t.Values[i]
}

func last(trees []Tree) Tree {
	if len(trees) == 0 {
		return Tree{}
	}
	return trees[len(trees)-1]
}
