package anthropic

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// orphansOf returns the parts of a request that make no sense without the tools that are gone.
func orphansOf(l *dialect.Lookup, unit strictjson.Value, gone dialect.Gone) []dialect.Cut {
	r := newRest(readOffers(l, unit), gone)
	if r.lost {
		r.readChoice(unit)
		r.readMessages(unit)
	}
	return r.orphans
}

// A rest is what is left of a request's offers when some are gone.
type rest struct {
	lost bool // something is gone
	some bool // a tool is left
	// left maps names of tools to whether such a tool is left. servers does the same for servers that offer all of their tools.
	left, servers map[string]bool
	orphans       []dialect.Cut
}

// newRest returns what is left of the offers.
func newRest(offers []dialect.Offer, gone dialect.Gone) *rest {
	r := &rest{left: map[string]bool{}, servers: map[string]bool{}}
	for _, o := range offers {
		left := !gone.Has(o)
		r.lost = r.lost || !left
		r.some = r.some || left && o.Names[0] != containerTool
		if o.Open {
			r.servers[o.Server] = left
			continue
		}
		for _, name := range o.Names {
			if o.Server != "" {
				name = serverTool(o.Server, name)
			}
			r.left[name] = r.left[name] || left
		}
	}
	return r
}

// serverTool is the name of a server's tool in requests.
func serverTool(server, tool string) string { return server + "_" + tool }

// lacks says whether a tool that the request names is gone.
func (r *rest) lacks(name string) bool {
	left, known := r.left[name]
	for i := range min(len(name), dialect.MaxName) {
		if name[i] == '_' {
			isLeft, isKnown := r.servers[name[:i]]
			left, known = left || isLeft, known || isKnown
		}
	}
	return known && !left
}

// readChoice finds a choice of a tool that is gone. Without tools the API accepts no choice at all.
func (r *rest) readChoice(unit strictjson.Value) {
	for n, choice := range unit.Members() {
		if !n.Folds("tool_choice") {
			continue
		}
		orphan := !r.some
		for n, v := range choice.Members() {
			if name, ok := v.Text(); ok && n.Folds("name") {
				orphan = orphan || r.lacks(name)
			}
		}
		if orphan {
			r.orphans = append(r.orphans, dialect.CutOf(choice))
		}
	}
}

// readMessages finds the results that refer to tools that are gone: the API rejects references to missing tools.
func (r *rest) readMessages(unit strictjson.Value) {
	messages, _ := unit.Member("messages")
	for m := range messages.Elems() {
		content, _ := m.Member("content")
		for block := range content.Elems() {
			typ, _ := block.Member("type")
			result, _ := block.Member("content")
			switch {
			case typ.Is("tool_result"):
				dangling, all := r.references(result)
				if all {
					dangling[0].With = []byte(removedText) // it must not become empty
				}
				r.orphans = append(r.orphans, dangling...)
			case typ.Is("tool_search_tool_result"):
				found, _ := result.Member("tool_references")
				dangling, all := r.references(found)
				if all {
					dangling = []dialect.Cut{dialect.CutOf(found)}
					dangling[0].With = []byte("[]")
				}
				r.orphans = append(r.orphans, dangling...)
			}
		}
	}
}

// references returns the references in a list to tools that are gone, and whether the list has nothing else.
func (r *rest) references(list strictjson.Value) (dangling []dialect.Cut, all bool) {
	for v := range list.Elems() {
		typ, _ := v.Member("type")
		tool, _ := v.Member("tool_name")
		name, _ := tool.Text()
		if typ.Is("tool_reference") && r.lacks(name) {
			dangling = append(dangling, dialect.CutOf(v))
		}
	}
	return dangling, len(dangling) > 0 && len(dangling) == list.Len()
}
