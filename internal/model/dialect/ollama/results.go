package ollama

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// resultsOf are the results in a request's conversation. What cannot be read is left out.
func resultsOf(root strictjson.Value) []dialect.Result {
	messages, err := root.Member("messages")
	if err != nil {
		return nil
	}
	var (
		results []dialect.Result
		history dialect.History
		old     int // how many results have a turn of the model after them
	)
	for m := range messages.Elems() {
		role, err := m.Member("role")
		switch {
		case err != nil:
		case role.Is("assistant"):
			noteCalls(&history, m)
			old = len(results)
		case role.Is("tool"):
			history.Said()
			if r, ok := resultOf(&history, m); ok {
				results = append(results, r)
			}
		default:
			history.Said()
		}
	}
	for i := old; i < len(results); i++ {
		results[i].New = true
	}
	return results
}

// noteCalls notes the calls of a message.
func noteCalls(history *dialect.History, message strictjson.Value) {
	calls, err := message.Member("tool_calls")
	if err != nil {
		return
	}
	for v := range calls.Elems() {
		function, err := v.Member("function")
		if err != nil {
			continue
		}
		name, err := dialect.OptionalText(function, "name")
		if err != nil {
			continue
		}
		id, err := dialect.OptionalText(v, "id")
		if err != nil {
			continue
		}
		args, err := function.Member("arguments")
		if err != nil {
			continue
		}
		history.Asked(id, name, argumentsOf(args))
	}
}

// argumentsOf are the arguments of a call as an object; nil if they are none.
func argumentsOf(v strictjson.Value) jsontext.Value {
	switch v.Kind() {
	case strictjson.Missing, strictjson.Null:
		return jsontext.Value("{}")
	case strictjson.Object:
		return v.Raw()
	case strictjson.String:
		// Some clients send the text of an object.
		text := v.AppendText(nil)
		if strictjson.CheckArguments(text) == nil {
			return text
		}
	}
	return nil
}

// resultOf reads a message with a result.
func resultOf(history *dialect.History, m strictjson.Value) (dialect.Result, bool) {
	content, err := m.Member("content")
	if err != nil {
		return dialect.Result{}, false
	}
	id, err := dialect.OptionalText(m, "tool_call_id")
	if err != nil {
		return dialect.Result{}, false
	}
	name, err := dialect.OptionalText(m, "tool_name")
	if err == nil && name == "" {
		name, err = dialect.OptionalText(m, "name") // what it was called before
	}
	if err != nil {
		return dialect.Result{}, false
	}
	r := dialect.Result{WireID: id, Tool: name, Content: content}
	tool, args := history.Answered(id, name)
	if id == "" {
		r.Args = args
	}
	if name == "" {
		r.Tool = tool
	}
	return r, true
}
