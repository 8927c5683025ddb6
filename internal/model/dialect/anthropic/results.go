package anthropic

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// resultsOf are the results of calls that the client ran, in a request's conversation. What cannot be read is left out.
func resultsOf(unit strictjson.Value) []dialect.Result {
	messages, err := unit.Member("messages")
	if err != nil {
		return nil
	}
	var (
		results []dialect.Result
		tools   = map[string]string{} // of calls, by id
		old     int                   // how many results have a turn of the model after them
	)
	for m := range messages.Elems() {
		role, err := m.Member("role")
		if err != nil {
			continue
		}
		content, err := m.Member("content")
		if err != nil {
			continue
		}
		switch {
		case role.Is("assistant"):
			noteCalls(tools, content)
			old = len(results)
		case role.Is("user"):
			for block := range content.Elems() {
				if r, ok := resultOf(block); ok {
					r.Tool = tools[r.WireID]
					results = append(results, r)
				}
			}
		}
	}
	for i := old; i < len(results); i++ {
		results[i].New = true
	}
	return results
}

// noteCalls notes the names of the calls of a turn, as they were judged.
func noteCalls(tools map[string]string, content strictjson.Value) {
	for block := range content.Elems() {
		if typ, err := block.Member("type"); err != nil || !typ.Is("tool_use") {
			continue
		}
		name, err := dialect.OptionalText(block, "name")
		if err != nil {
			continue
		}
		set, err := dialect.OptionalText(block, "toolset_name")
		if err != nil {
			continue
		}
		if id, err := dialect.OptionalText(block, "id"); err == nil && id != "" {
			if set != "" {
				name = set + "." + name
			}
			tools[id] = name
		}
	}
}

// resultOf reads a result.
func resultOf(block strictjson.Value) (dialect.Result, bool) {
	if typ, err := block.Member("type"); err != nil || !typ.Is("tool_result") {
		return dialect.Result{}, false
	}
	id, err := dialect.OptionalText(block, "tool_use_id")
	if err != nil {
		return dialect.Result{}, false
	}
	content, err := block.Member("content")
	if err != nil {
		return dialect.Result{}, false
	}
	failure, err := block.Member("is_error")
	if err != nil {
		return dialect.Result{}, false
	}
	failed, _ := failure.Bool()
	return dialect.Result{WireID: id, Content: content, Failed: failed}, true
}
