package openairesponses_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// notCalls are the items that ask for nothing.
var notCalls = []string{"message", "reasoning", "compaction", "additional_tools", "mcp_approval_response", "item_reference"}

// ranItems are those that the provider runs.
var ranItems = []string{
	"mcp_call", "mcp_list_tools", "web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call", "program",
}

// readCall returns the call that an item is.
func readCall(get pick, item dialecttest.Tree) (dialecttest.Seen, bool) {
	typ := get(item, "type").Text
	if typ == "" && get(item, "role").Kind == '"' {
		typ = "message"
	}
	if typ == "" || slices.Contains(notCalls, typ) || strings.HasSuffix(typ, "_output") {
		return dialecttest.Seen{}, false
	}
	s := dialecttest.Seen{ID: get(item, "call_id").Text, Name: strings.TrimSuffix(typ, "_call"), Args: argumentsOf(get, typ, item)}
	if s.ID == "" {
		s.ID = get(item, "id").Text
	}
	switch typ {
	case "function_call", "custom_tool_call", "mcp_call", "mcp_approval_request":
		s.Name = get(item, "name").Text
		if namespace := get(item, "namespace").Text; strings.HasPrefix(namespace, "mcp__") {
			s.Name = strings.TrimPrefix(namespace, "mcp__") + "/" + s.Name
		} else if namespace != "" {
			s.Name = namespace + "." + s.Name
		}
	case "shell_call", "local_shell_call", "apply_patch_call", "computer_call", "tool_search_call":
	default:
		if !slices.Contains(ranItems, typ) {
			s.Name = typ
		}
	}
	if server := get(item, "server_label").Text; server != "" && !strings.HasPrefix(get(item, "namespace").Text, "mcp__") {
		s.Name = server + "/" + s.Name
	}
	s.Ran = slices.Contains(ranItems, typ)
	return s, true
}

// argumentsOf is what the arguments of an item mean.
func argumentsOf(get pick, typ string, item dialecttest.Tree) string {
	some := func(names ...string) string {
		var o dialecttest.Tree
		o.Kind = '{'
		for _, name := range names {
			if v := get(item, name); v.Kind != 0 && v.Kind != 'n' && (v.Kind != '[' || len(v.Values) > 0) {
				o.Names, o.Values = append(o.Names, name), append(o.Values, v)
			}
		}
		return o.String()
	}
	one := func(name string) string {
		switch v := get(item, name); {
		case v.Kind == 0, v.Kind == 'n', v.Kind == '"' && v.Text == "":
			return "{}"
		case v.Kind == '"':
			return dialecttest.Meaning([]byte(v.Text))
		default:
			return v.String()
		}
	}
	switch typ {
	case "function_call", "mcp_call", "mcp_approval_request":
		if v := get(item, "arguments"); v.Kind == '{' || v.Kind == '[' {
			return "an object: " + v.String()
		}
		return one("arguments")
	case "custom_tool_call":
		return fmt.Sprintf(`{"input":%q}`, get(item, "input").Text)
	case "shell_call", "local_shell_call", "web_search_call":
		return one("action")
	case "apply_patch_call":
		return one("operation")
	case "tool_search_call":
		return one("arguments")
	case "computer_call":
		return some("action", "actions", "pending_safety_checks")
	case "file_search_call":
		return some("queries")
	case "code_interpreter_call":
		return some("code", "container_id")
	case "program":
		return some("code")
	case "image_generation_call", "mcp_list_tools":
		return "{}"
	}
	return item.String()
}

// pieceKinds are the events that bring a text in pieces, with the member of the item that it becomes.
var pieceKinds = map[string][]string{
	"function_call_arguments":         {"arguments"},
	"mcp_call_arguments":              {"arguments"},
	"custom_tool_call_input":          {"input"},
	"code_interpreter_call_code":      {"code"},
	"shell_call_command":              {"action", "commands"},
	"apply_patch_call_operation_diff": {"operation", "diff"},
}

// isPiece says whether an event of this type speaks of a call that is under way.
func isPiece(typ string) bool {
	return strings.HasPrefix(typ, "response.") && (strings.Contains(typ, "_call") || strings.Contains(typ, ".mcp_"))
}

// piece takes an event that speaks of a call: text of it, or how it goes on.
func (r *reader) piece(typ string, tree dialecttest.Tree) {
	kind, step, _ := strings.Cut(strings.TrimPrefix(typ, "response."), ".")
	id, index := r.get(tree, "item_id").Text, r.get(tree, "output_index").Literal
	owners := r.owners(id, index)
	path, text := pieceKinds[kind]
	switch {
	case text && step == "delta":
		for _, by := range []string{"id " + id, "index " + index} {
			r.collect(by, kind, tree, owners)
		}
	case text && step == "done":
		member := path[len(path)-1]
		if member == "commands" {
			member = "command"
		}
		key := fmt.Sprint("whole ", len(r.runs))
		r.runs[key] = &run{kind: kind, command: r.get(tree, "command_index").Literal, literal: r.get(tree, member).Literal, at: owners}
		r.order = append(r.order, key)
		if name := r.get(tree, "name").Text; name != "" && len(owners) > 0 && name != r.get(owners[0].item, "name").Text {
			r.strays = append(r.strays, dialecttest.Seen{ID: owners[0].seen.ID, Name: name, Args: "of a piece"})
		}
	case text && step == "added":
	case len(owners) == 0, strings.HasSuffix(typ, ".delta") && !slices.ContainsFunc(owners, func(m *mention) bool { return m.seen.Ran }):
		r.strays = append(r.strays, dialecttest.Seen{Name: "stray " + typ})
	}
	if text && len(owners) == 0 {
		r.strays = append(r.strays, dialecttest.Seen{Name: "stray " + typ, Args: r.get(tree, "delta").Text})
	}
}

// owners are the items that a piece could belong to.
func (r *reader) owners(id, index string) []*mention {
	var owners []*mention
	for _, m := range []*mention{r.byIndex[index], r.byID[id]} {
		if m != nil && !slices.Contains(owners, m) {
			owners = append(owners, m)
		}
	}
	return owners
}

// collect adds a delta to the text that has come under the same id, or the same index since its item was added.
func (r *reader) collect(by, kind string, tree dialecttest.Tree, owners []*mention) {
	owner := ""
	for _, m := range owners {
		owner += m.seen.ID + " "
	}
	command := r.get(tree, "command_index").Literal
	key := fmt.Sprint(by, kind, command, owner)
	if r.runs[key] == nil {
		r.runs[key] = &run{kind: kind, command: command}
		r.order = append(r.order, key)
	}
	r.runs[key].literal += r.get(tree, "delta").Literal
	r.runs[key].at = owners
}

// finish puts together what was said of the same call.
func (r *reader) finish() []dialecttest.Seen {
	var seen []dialecttest.Seen
	add := func(s dialecttest.Seen) {
		if !slices.Contains(seen, s) {
			seen = append(seen, s)
		}
	}
	for _, m := range r.mentions {
		if m.place == inWhole {
			add(m.seen)
			continue
		}
		// A call that is not whole anywhere is seen as it began; one that is, as it began only if it became another.
		if whole := r.wholeOf(m); whole == nil || !grows(m, whole) {
			add(m.seen)
		} else {
			add(whole.seen)
		}
	}
	for _, key := range r.order {
		for _, s := range r.unlike(r.runs[key]) {
			add(s)
		}
	}
	return append(seen, r.strays...)
}

// wholeOf is the first whole mention of a call that began.
func (r *reader) wholeOf(begun *mention) *mention {
	for _, m := range r.mentions {
		if m.place == inWhole && m.seen.ID == begun.seen.ID {
			return m
		}
	}
	return nil
}

// grows says whether a call that began could become the whole: what it has already stays.
func grows(begun, whole *mention) bool {
	if begun.seen.Name != whole.seen.Name || begun.seen.Ran != whole.seen.Ran {
		return false
	}
	for i, name := range begun.item.Names {
		if name != "status" && name != "id" && !becomes(begun.item.Values[i], whole.item.Get(name)) {
			return name == "arguments" && strings.HasPrefix(whole.item.Get(name).Text, begun.item.Values[i].Text) && dialecttest.Meaning([]byte(begun.item.Values[i].Text))[0] == 'n'
		}
	}
	return true
}

// becomes says whether a value could become another while a call is written: it was not there, was empty, or stays.
func becomes(begun, whole dialecttest.Tree) bool {
	if begun.Kind == 0 || begun.Kind == 'n' || begun.Kind == '"' && begun.Text == "" || begun.Kind == '[' && len(begun.Values) == 0 {
		return true
	}
	if begun.Kind != '{' || whole.Kind != '{' {
		return begun.String() == whole.String()
	}
	for i, name := range begun.Names {
		if !becomes(begun.Values[i], whole.Get(name)) {
			return false
		}
	}
	return true
}

// unlike are the calls that a run of text makes of its items, where that is not what they say themselves.
func (r *reader) unlike(p *run) []dialecttest.Seen {
	text := dialecttest.Unquote(p.literal)
	var seen []dialecttest.Seen
	for _, owner := range p.at {
		whole := owner
		if owner.place == inAdded {
			if w := r.wholeOf(owner); w != nil {
				whole = w
			}
		}
		if whole.seen.Ran {
			continue // nobody runs it again
		}
		said := whole.item
		for _, name := range pieceKinds[p.kind] {
			said = r.get(said, name)
		}
		if said.Kind == '[' {
			i := 0
			_, _ = fmt.Sscan(p.command, &i)
			if i < 0 || i >= len(said.Values) {
				said = dialecttest.Tree{}
			} else {
				said = said.Values[i]
			}
		}
		begun := r.get(owner.item, pieceKinds[p.kind][0]).Text
		if said.Text != text && (begun+text != said.Text || dialecttest.Meaning([]byte(text))[0] == '{') {
			seen = append(seen, dialecttest.Seen{ID: owner.seen.ID, Name: whole.seen.Name, Args: "pieces: " + text})
		}
	}
	return seen
}
