package ollama_test

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// lenientCalls returns every call that any client could see: it takes a member for whatever any of its readings says, a
// call for a call wherever it stands, and reads on after every end.
func lenientCalls(events []dialecttest.LooseEvent) []dialecttest.Seen {
	var r reader
	for _, e := range events {
		if tree, err := dialecttest.ParseTree([]byte(e.Data)); err == nil {
			r.line(tree)
		}
	}
	return r.seen
}

type reader struct{ seen []dialecttest.Seen }

func (r *reader) line(root dialecttest.Tree) {
	if root.Kind == '[' {
		for _, v := range root.Values {
			r.line(v)
		}
	}
	r.foreign(root, "message")
	for _, message := range root.All("message") {
		bodies := []dialecttest.Tree{message}
		if message.Kind == '[' {
			bodies = message.Values
		}
		for _, body := range bodies {
			r.message(body)
		}
	}
}

func (r *reader) message(body dialecttest.Tree) {
	r.foreign(body, "tool_calls")
	for _, calls := range body.All("tool_calls") {
		entries := calls.Values
		if calls.Kind == '{' {
			entries = []dialecttest.Tree{calls}
		}
		for _, e := range entries {
			r.entry(e)
		}
	}
}

// entry takes everything that an entry says; what is said twice shows twice.
func (r *reader) entry(entry dialecttest.Tree) {
	var s dialecttest.Seen
	for _, id := range entry.All("id") {
		s.ID += id.Text
	}
	for _, fn := range entry.All("function") {
		if fn.Kind == 'n' {
			continue
		}
		for _, name := range fn.All("name") {
			s.Name += name.Text
		}
		for _, args := range fn.All("arguments") {
			s.Args += argumentsOf(args)
		}
		if s.Args == "" {
			s.Args = "{}"
		}
	}
	for _, name := range []string{"name", "arguments", "input"} {
		for _, v := range entry.All(name) {
			if s.Args != "" && v.Kind != 'n' {
				s.Name += " and " + v.String()
			}
		}
	}
	if s.Args == "" {
		s.Name, s.Args = entry.Get("type").Text, entry.String()
		if s.Name == "" {
			s.Name = "tool_call"
		}
	}
	r.seen = append(r.seen, s)
}

// argumentsOf is what arguments mean: some clients take text for JSON.
func argumentsOf(args dialecttest.Tree) string {
	if args.Kind == '"' {
		return dialecttest.Meaning([]byte(args.Text))
	}
	return args.String()
}

// callMembers are the names under which the formats have calls.
var callMembers = []string{"tool_calls", "function_call", "functionCall", "toolUse", "partial_json"}

// foreign looks for a call of any format among the members of v, but for those where calls belong.
func (r *reader) foreign(v dialecttest.Tree, but string) {
	see := func(name string) { r.seen = append(r.seen, dialecttest.Seen{Name: "foreign " + name}) }
	isCall := func(t dialecttest.Tree) bool {
		return strings.Contains(t.Text, "tool_use") || strings.Contains(t.Text, "function_call")
	}
	for i, name := range v.Names {
		if strings.EqualFold(but, name) {
			continue
		}
		if slices.ContainsFunc(callMembers, func(n string) bool { return strings.EqualFold(n, name) }) && len(v.Values[i].Values) > 0 {
			see(name)
		}
		v.Values[i].Walk(func(inner dialecttest.Tree) {
			for _, n := range callMembers {
				for _, held := range inner.All(n) {
					if held.Text != "" || len(held.Values) > 0 {
						see(n)
					}
				}
			}
			if slices.ContainsFunc(inner.All("type"), isCall) {
				see("type")
			}
		})
	}
	if slices.ContainsFunc(v.All("type"), isCall) && len(v.All(but)) == 0 {
		see("type")
	}
}
