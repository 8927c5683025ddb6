package openaichat_test

import (
	"fmt"
	"slices"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// The ways in which a call is written.
const (
	kindFunction = "function"
	kindCustom   = "custom"
	kindLegacy   = "legacy"
	kindOther    = "other"
)

// A found is a call in a response.
type found struct {
	seen   dialecttest.Seen
	kind   string
	text   string // of its pieces, still escaped
	heard  string // of its pieces, each decoded by itself: some clients do not join the halves of a character
	object *dialecttest.Tree
}

// A reader is the most lenient client of the format: it takes a member for whatever any of its readings says, a call for a
// call wherever it stands, reads on after every end, and adds up everything that is said of a call.
type reader struct {
	calls []*found
	open  map[string]*found // by choice and index
	// merges says that it takes the first choice of every chunk for the only one, and every name of a function for the beginning of
	// a call.
	merges bool
}

// lenientCalls returns every call, or piece of one, that any client could see. Who merges choices must not see others.
func lenientCalls(events []dialecttest.LooseEvent) []dialecttest.Seen {
	seen := readCalls(events, false)
	for _, s := range readCalls(events, true) {
		if !slices.Contains(seen, s) {
			s.Name += ", of choices that are merged"
			seen = append(seen, s)
		}
	}
	return seen
}

func readCalls(events []dialecttest.LooseEvent, merges bool) []dialecttest.Seen {
	r := reader{open: map[string]*found{}, merges: merges}
	for _, e := range events {
		if tree, err := dialecttest.ParseTree([]byte(e.Data)); err == nil {
			r.frame(tree)
		}
	}
	var seen []dialecttest.Seen
	for _, f := range r.calls {
		if !merges || f.kind == kindFunction {
			seen = append(seen, f.finish())
		}
	}
	return seen
}

func (r *reader) frame(root dialecttest.Tree) {
	r.foreign(root, "choices")
	for _, choices := range root.All("choices") {
		for i, c := range choices.Values {
			r.foreign(c, "delta", "message")
			key := fmt.Sprint(i)
			for _, index := range c.All("index") {
				key = index.Literal
			}
			if r.merges {
				if key = "only"; i > 0 {
					break
				}
			}
			for _, d := range c.All("delta") {
				r.body(d, key, false)
			}
			for _, m := range c.All("message") {
				r.body(m, key, true)
			}
		}
	}
}

func (r *reader) body(body dialecttest.Tree, choice string, whole bool) {
	r.foreign(body, "tool_calls", "function_call")
	for _, calls := range body.All("tool_calls") {
		for _, entry := range calls.Values {
			r.at(choice, entry, whole).add(entry)
		}
	}
	for _, call := range body.All("function_call") {
		if call.Kind != '{' {
			continue
		}
		key := choice + " legacy"
		f := r.open[key]
		if f == nil || whole {
			f = r.begin(key, whole)
		}
		f.kind = kindLegacy
		f.addBody(call, "arguments")
	}
}

// at is the call that an entry belongs to.
func (r *reader) at(choice string, entry dialecttest.Tree, whole bool) *found {
	key := ""
	for _, index := range entry.All("index") {
		key = choice + " " + index.Literal
	}
	named := r.merges && entry.Get("function").Get("name").Text != ""
	if f := r.open[key]; f != nil && !whole && !named && key != "" {
		return f
	}
	return r.begin(key, whole)
}

func (r *reader) begin(key string, whole bool) *found {
	f := &found{kind: kindOther}
	r.calls = append(r.calls, f)
	if !whole {
		r.open[key] = f
	}
	return f
}

// add takes everything that an entry says; what is said twice shows twice.
func (f *found) add(entry dialecttest.Tree) {
	for _, id := range entry.All("id") {
		f.seen.ID += id.Text
	}
	plain := false
	for _, fn := range entry.All("function") {
		f.kind, plain = kindFunction, true
		f.addBody(fn, "arguments")
	}
	for _, fn := range entry.All("custom") {
		f.kind, plain = kindCustom, true
		f.addBody(fn, "input")
	}
	for _, typ := range entry.All("type") {
		if !plain && typ.Text != kindFunction && typ.Text != kindCustom {
			f.seen.Name += typ.Text
			f.text += unit(entry)
		}
	}
}

func (f *found) addBody(body dialecttest.Tree, text string) {
	for _, name := range body.All("name") {
		f.seen.Name += name.Text
	}
	for _, piece := range body.All(text) {
		if piece.Kind == '{' {
			f.object = &piece
		}
		if piece.Kind == 'n' && f.text != "" {
			piece.Literal, piece.Text = "null", "null" // as some clients have it
		}
		f.text += piece.Literal
		f.heard += piece.Text
	}
}

// unit is what an entry of a type that nobody knows says, but for where it stands.
func unit(entry dialecttest.Tree) string {
	for i, name := range entry.Names {
		if name == "index" {
			entry.Names = slices.Concat(entry.Names[:i], entry.Names[i+1:])
			entry.Values = slices.Concat(entry.Values[:i], entry.Values[i+1:])
			break
		}
	}
	return entry.String()
}

func (f *found) finish() dialecttest.Seen {
	text := dialecttest.Unquote(f.text)
	switch {
	case f.kind != kindOther && f.object == nil && text != f.heard:
		f.seen.Args = "in pieces: " + f.heard
	case f.object != nil:
		f.seen.Args = "an object: " + f.object.String()
	case f.kind == kindOther:
		f.seen.Args = f.text
	case f.kind == kindCustom:
		f.seen.Args = `{"input":` + fmt.Sprintf("%q", text) + `}`
	default:
		f.seen.Args = dialecttest.Meaning([]byte(text))
	}
	return f.seen
}

// foreign notes what is a call among the members of v, where none belongs.
func (r *reader) foreign(v dialecttest.Tree, but ...string) {
	for _, seen := range dialecttest.Foreign(v, but...) {
		r.calls = append(r.calls, &found{seen: seen, kind: kindOther})
	}
}
