package anthropic

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// resultsOf returns the results of calls that the client ran, in a request's conversation. Results that cannot be read are left
// out.
func resultsOf(unit strictjson.Value) []dialect.Result {
	messages, _ := unit.Member("messages")
	var history dialect.History
	tools := map[string]string{} // of calls, by id
	for m := range messages.Elems() {
		var l dialect.Lookup
		role, content := l.Exact(m, "role"), l.Exact(m, "content")
		switch {
		case l.Err != nil:
		case role.Is("assistant"):
			noteCalls(tools, content)
			history.Turn()
		case role.Is("user"):
			for block := range content.Elems() {
				if r, ok := resultOf(block); ok {
					r.Tool = tools[r.WireID]
					history.Add(r)
				}
			}
		}
	}
	return history.Results()
}

// noteCalls notes the names of the calls of a turn, as they were judged.
func noteCalls(tools map[string]string, content strictjson.Value) {
	for block := range content.Elems() {
		if typ, _ := block.Member("type"); !typ.Is("tool_use") {
			continue
		}
		var l dialect.Lookup
		id, name, set := l.Text(block, "id"), l.Text(block, "name"), l.Text(block, "toolset_name")
		if set != "" {
			name = set + "." + name
		}
		if l.Err == nil && id != "" {
			tools[id] = name
		}
	}
}

// resultOf reads a result.
func resultOf(block strictjson.Value) (dialect.Result, bool) {
	if typ, _ := block.Member("type"); !typ.Is("tool_result") {
		return dialect.Result{}, false
	}
	var l dialect.Lookup
	failed, _ := l.Exact(block, "is_error").Bool()
	return dialect.Result{WireID: l.Text(block, "tool_use_id"), Content: l.Exact(block, "content"), Failed: failed}, l.Err == nil
}
