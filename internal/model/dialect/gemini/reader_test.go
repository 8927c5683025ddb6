package gemini_test

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// A pick is how a reader finds a member of an object.
type pick func(dialecttest.Tree, string) dialecttest.Tree

var picks = []pick{dialecttest.Last, dialecttest.First, dialecttest.LastInAnyCase, dialecttest.FirstInAnyCase}

// lenientCalls returns every call, or piece of one, that any client could see.
func lenientCalls(events []dialecttest.LooseEvent) []dialecttest.Seen {
	var trees []dialecttest.Tree
	for _, e := range events {
		if tree, err := dialecttest.ParseTree([]byte(e.Data)); err == nil {
			trees = append(trees, tree)
		}
	}
	var seen []dialecttest.Seen
	for i, get := range picks {
		for _, s := range newReader(get).read(trees) {
			if i == 0 || !slices.Contains(seen, s) {
				seen = append(seen, s)
			}
		}
	}
	return seen
}

// A reader is the most lenient client of the format: it looks at all candidates, reads members in camel case and snake case,
// takes arguments that are text for JSON, and goes on after every end.
type reader struct {
	get  pick
	ran  map[string]bool // kinds of calls that the provider ran, by candidate
	seen []dialecttest.Seen
}

func newReader(get pick) *reader { return &reader{get: get, ran: map[string]bool{}} }

func (r *reader) read(trees []dialecttest.Tree) []dialecttest.Seen {
	for _, t := range trees {
		r.element(t)
		if t.Kind == '[' {
			for _, v := range t.Values {
				r.element(v)
			}
		}
	}
	return r.seen
}

func (r *reader) element(t dialecttest.Tree) {
	r.response(t, "response", "candidates")
	if inner := r.get(t, "response"); inner.Kind == '{' {
		r.response(inner, "candidates")
	}
}

func (r *reader) response(t dialecttest.Tree, own ...string) {
	r.foreign(t, own...)
	for _, c := range r.get(t, "candidates").Values {
		content := r.get(c, "content")
		r.foreign(c, "content")
		r.foreign(content, "parts")
		index := r.get(c, "index").Literal
		if index == "" {
			index = "0"
		}
		for _, p := range r.get(content, "parts").Values {
			r.part(p, index)
		}
		r.message(c)
	}
}

// foreign notes what is a call where none belongs.
func (r *reader) foreign(v dialecttest.Tree, own ...string) {
	r.seen = append(r.seen, dialecttest.Foreign(v, own...)...)
}

func (r *reader) see(s dialecttest.Seen) { r.seen = append(r.seen, s) }

// part looks at every member of a part, whatever its case and however often it is there.
func (r *reader) part(p dialecttest.Tree, index string) {
	if p.Kind != '{' {
		return
	}
	for i, name := range p.Names {
		v := p.Values[i]
		if v.Kind == 'n' {
			continue
		}
		switch strings.ToLower(strings.ReplaceAll(name, "_", "")) {
		case "text", "thought", "thoughtsignature":
		case "inlinedata", "filedata", "videometadata", "partmetadata", "mediaresolution":
			r.foreign(dialecttest.Tree{Kind: '{', Names: []string{name}, Values: []dialecttest.Tree{v}})
		case "functioncall":
			r.call(v)
		case "toolcall":
			r.ran["tool "+index] = true
			name := cmp.Or(r.get(v, "toolType").Text, r.get(v, "tool_type").Text, p.Names[i])
			r.see(dialecttest.Seen{ID: r.get(v, "id").Text, Name: name, Args: argsOf(r.get(v, "args")), Ran: true})
		case "executablecode":
			r.ran["code "+index] = true
			r.see(dialecttest.Seen{ID: r.get(v, "id").Text, Name: "code_execution", Args: unitOf(v), Ran: true})
		case "toolresponse":
			r.result(v, "tool "+index, cmp.Or(r.get(v, "toolType").Text, r.get(v, "tool_type").Text), name)
		case "codeexecutionresult":
			r.result(v, "code "+index, "code_execution", name)
		default:
			r.see(dialecttest.Seen{Name: name, Args: unitOf(v)})
		}
	}
}

// result is of a call that was there, or tells of one that nobody saw.
func (r *reader) result(v dialecttest.Tree, kind, name, member string) {
	if r.ran[kind] {
		return
	}
	r.ran[kind] = true
	if name == "" {
		name = member
	}
	r.see(dialecttest.Seen{ID: r.get(v, "id").Text, Name: name, Args: "{}", Ran: true})
}

func (r *reader) call(v dialecttest.Tree) {
	for _, name := range []string{"partialArgs", "partial_args", "willContinue", "will_continue"} {
		if m := r.get(v, name); m.Kind == 't' || m.Kind == '[' || m.Kind == '{' {
			r.see(dialecttest.Seen{Name: "a piece of a call"})
			return
		}
	}
	r.see(dialecttest.Seen{ID: r.get(v, "id").Text, Name: r.get(v, "name").Text, Args: argsOf(r.get(v, "args"))})
}

// argsOf are arguments as clients read them: one takes text for JSON.
func argsOf(args dialecttest.Tree) string {
	switch args.Kind {
	case 0, 'n':
		return "{}"
	case '"':
		return dialecttest.Meaning([]byte(args.Text))
	}
	return args.String()
}

func unitOf(v dialecttest.Tree) string {
	if v.Kind == '{' {
		return v.String()
	}
	return `{"value":` + v.String() + `}`
}

// anyCall finds what is called in a text.
var anyCall = regexp.MustCompile(`[A-Za-z_]\w*\s*[({]|"name"\s*:\s*"[^"]|default_api\.\w`)

// inMessage is the name of a call that a message quotes, whatever it calls.
const inMessage = "finishMessage"

// message looks for a call that the end of a candidate quotes.
func (r *reader) message(c dialecttest.Tree) {
	text, reason := r.get(c, "finishMessage").Text, r.get(c, "finishReason").Text
	if anyCall.MatchString(text) || strings.TrimSpace(text) != "" && (reason == "MALFORMED_FUNCTION_CALL" || reason == "UNEXPECTED_TOOL_CALL") {
		r.see(dialecttest.Seen{Name: inMessage, Args: `{"message":` + quoted(text) + `}`, Ran: true})
	}
}

// wireName is what clients take for the name of a call.
func wireName(c call.Call) string {
	if c.Ran && c.WireID == "" && strings.HasPrefix(string(c.Args), `{"message":`) {
		return inMessage
	}
	return c.Tool
}

// quoted is text as Tree's String has it.
func quoted(text string) string { return dialecttest.Tree{Kind: '"', Text: text}.String() }
