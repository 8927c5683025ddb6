package bundle_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// callNames and callTypes tell a call of any format, to a reader that does not mind where it stands.
var (
	callNames = []string{"tool_calls", "function_call", "functioncall"}
	callTypes = []string{"tool_use", "function_call", "custom_tool_call"}
)

// echoes are members that repeat what the client has sent: of a row or an operation, and of a response.
var (
	rowEchoes      = []string{"request", "inputConfig"}
	responseEchoes = []string{"tools", "tool_choice", "instructions", "input", "prompt", "text", "metadata"}
)

// findCall returns the name of a call's member, or the type of a call, that stands somewhere in t; "" if none does.
func findCall(t dialecttest.Tree) string {
	isResponse := t.Get("object").Text == "response"
	for i, name := range t.Names {
		v := t.Values[i]
		switch low := strings.ToLower(name); {
		case slices.Contains(rowEchoes, name), isResponse && slices.Contains(responseEchoes, name):
			continue
		case slices.Contains(callNames, low) && len(v.Values) > 0:
			return name
		case low == "type" && slices.Contains(callTypes, v.Text):
			return v.Text
		}
		if found := findCall(v); found != "" {
			return found
		}
	}
	if t.Kind == '[' {
		for _, v := range t.Values {
			if found := findCall(v); found != "" {
				return found
			}
		}
	}
	return ""
}

// checkNoCalls checks that no client finds a call in what went out, and that what went out can be read.
func checkNoCalls(t *testing.T, out []byte, whole bool) {
	t.Helper()
	framing := frame.Rows
	if whole {
		framing = frame.Whole
	}
	for _, reader := range dialecttest.Readers(framing) {
		for _, e := range reader.Events(out) {
			tree, err := dialecttest.ParseTree([]byte(e.Data))
			if err != nil {
				t.Errorf("read %s: %v:\n%s", reader.Name, err, e.Data)
			} else if found := findCall(tree); found != "" {
				t.Errorf("read %s, there is a %s:\n%s", reader.Name, found, e.Data)
			}
		}
	}
}

// seeds are all bundles of the tests.
func seeds() [][]byte {
	var all [][]byte
	for _, e := range examples() {
		all = append(all, []byte(e.in))
	}
	for _, row := range refusedFrames {
		all = append(all, []byte(lines(result("0", message("0", "ls")), row)), []byte(row))
	}
	all = append(all, []byte(lines(output("1", stored("a", "rm")), output("2", stored("b", "ls")))))
	slices.SortFunc(all, func(a, b []byte) int { return strings.Compare(string(a), string(b)) })
	return all
}

// FuzzResponse feeds any bytes to the gate, as lines and as a body, with every call refused: no client may see one. With a number it feeds
// it bundles that are nearly right: bytes alone rarely get past the first brace.
func FuzzResponse(f *testing.F) {
	all := seeds()
	for _, b := range all {
		f.Add(b, uint64(0))
	}
	for seed := range uint64(4) {
		f.Add([]byte("{}"), seed+1)
	}
	f.Fuzz(func(t *testing.T, in []byte, seed uint64) {
		if seed > 0 {
			in = dialecttest.Mutate(rand.New(rand.NewPCG(seed, 5)), append(slices.Clone(all), in), vocabulary)
		}
		checkRefuseAll(t, in)
	})
}

func TestMutated(t *testing.T) {
	all := seeds()
	for seed := range uint64(1500) {
		in := dialecttest.Mutate(rand.New(rand.NewPCG(seed, 6)), all, vocabulary)
		checkRefuseAll(t, in)
		if t.Failed() {
			t.Fatalf("seed %d:\n%s", seed, in)
		}
	}
}

func checkRefuseAll(t *testing.T, in []byte) {
	t.Helper()
	for _, whole := range []bool{false, true} {
		for _, p := range dialecttest.Policies()[1:3] {
			r := pass(string(in), whole, p)
			checkNoCalls(t, r.Out, whole)
			for _, e := range r.Events {
				if e.Ruling.Released {
					t.Errorf("a call to %s is released", e.Call.Tool)
				}
			}
		}
		checkAllowed(t, in, whole)
	}
}

// checkAllowed checks that a bundle in which every call is allowed, as it is or with other arguments, has no call in it that was not judged and that, if it is
// refused for nothing else, it keeps its lines.
func checkAllowed(t *testing.T, in []byte, whole bool) {
	t.Helper()
	for _, p := range []dialecttest.Policy{dialecttest.AllowAll(), dialecttest.ReplaceAll()} {
		checkAllowedBy(t, in, whole, p)
	}
}

func checkAllowedBy(t *testing.T, in []byte, whole bool, p dialecttest.Policy) {
	t.Helper()
	r := pass(string(in), whole, p)
	known, arguments := map[string]bool{}, ""
	for _, e := range r.Events {
		if e.Kind == "judge" && e.Ruling.Released {
			arguments += string(e.Sent()) // of an unknown unit, all of it
			for _, name := range append(e.Call.Aliases, e.Call.Tool) {
				known[name] = true
			}
		}
	}
	for _, e := range rows(r.Out, whole) {
		tree, err := dialecttest.ParseTree([]byte(e.Data))
		if err != nil {
			t.Errorf("%v:\n%s", err, e.Data)
		}
		for _, name := range calledIn(tree) {
			if !known[name] && !strings.Contains(arguments, quote(name)) {
				t.Errorf("there is a call to %q that was not judged:\n%s", name, e.Data)
			}
		}
	}
	if o := r.Outcome(); r.Err == nil && o.Code == "" && o.Refused == 0 && len(rows(in, whole)) != len(rows(r.Out, whole)) {
		t.Errorf("there are more lines, or less:\n%s", r.Out)
	}
}

// calledIn are the names of all tools that some client could find called in t.
func calledIn(t dialecttest.Tree) []string {
	var names []string
	add := func(holder dialecttest.Tree) {
		for _, name := range holder.All("name") {
			if name.Text != "" {
				names = append(names, name.Text)
			}
		}
	}
	isResponse := t.Get("object").Text == "response"
	for i, name := range t.Names {
		v := t.Values[i]
		switch low := strings.ToLower(name); {
		case slices.Contains(rowEchoes, name), isResponse && slices.Contains(responseEchoes, name):
			continue
		case low == "functioncall" || low == "function_call":
			add(v)
		case low == "tool_calls":
			for _, entry := range v.Values {
				for _, function := range entry.All("function") {
					add(function)
				}
			}
		case low == "type" && slices.Contains(callTypes, v.Text):
			add(t)
		case low == "input" || low == "args":
			continue // arguments may say anything
		}
		names = append(names, calledIn(v)...)
	}
	if t.Kind == '[' {
		for _, v := range t.Values {
			names = append(names, calledIn(v)...)
		}
	}
	return names
}

// rows are the lines, or the body, that have something in them.
func rows(b []byte, whole bool) []dialecttest.LooseEvent {
	framing := frame.Rows
	if whole {
		framing = frame.Whole
	}
	events := dialecttest.Readers(framing)[0].Events(b)
	return slices.DeleteFunc(events, func(e dialecttest.LooseEvent) bool { return strings.TrimSpace(e.Data) == "" })
}

// vocabulary is what mutations put in the place of other words.
var vocabulary = []string{
	"custom_id", "result", "message", "type", "succeeded", "response", "body", "error", "key", "request", "metadata", "status",
	"inlinedResponses", "output", "dest", "operations", "inputConfig", "object", "list", "data", "role", "id", "choices",
	"tool_calls", "function_call", "functionCall", "content", "candidates", "parts", "tool_use", "Response", "Message", "Body",
	"chat.completion", "assistant", "tools", "input", "{}", "[]", "null", "1", `\"`, "\\u0069d", " ", "\r", "\n", "\ufeff", "\u2028",
	"\x00", "\xff", ",", "}", "{", "]", `"`,
}
