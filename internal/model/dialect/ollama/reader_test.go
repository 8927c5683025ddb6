package ollama_test

import (
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
	r.seen = append(r.seen, dialecttest.Foreign(root, "message")...)
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
	r.seen = append(r.seen, dialecttest.Foreign(body, "tool_calls")...)
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
