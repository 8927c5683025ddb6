package ollama

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// resultsOf returns the results in a request's conversation. Results that cannot be read are left out.
func resultsOf(root strictjson.Value) []dialect.Result {
	messages, _ := root.Member("messages")
	var history dialect.History
	for m := range messages.Elems() {
		role, err := m.Member("role")
		switch {
		case err != nil:
		case role.Is("assistant"):
			noteCalls(&history, m)
			history.Turn()
		case role.Is("tool"):
			history.Said()
			noteResult(&history, m)
		default:
			history.Said()
		}
	}
	return history.Results()
}

// noteCalls notes the calls of a message.
func noteCalls(history *dialect.History, message strictjson.Value) {
	calls, _ := message.Member("tool_calls")
	for v := range calls.Elems() {
		var l dialect.Lookup
		function := l.Member(v, "function")
		id, name, args := l.Text(v, "id"), l.Text(function, "name"), l.Member(function, "arguments")
		if l.Err == nil {
			history.Asked(id, name, argumentsOf(args))
		}
	}
}

// argumentsOf returns the arguments of a call as an object; nil: they are not an object.
func argumentsOf(v strictjson.Value) jsontext.Value {
	switch v.Kind() {
	case strictjson.Missing:
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

// noteResult notes a message that is a result.
func noteResult(history *dialect.History, m strictjson.Value) {
	var l dialect.Lookup
	r := dialect.Result{WireID: l.Text(m, "tool_call_id"), Tool: l.Text(m, "tool_name"), Content: l.Exact(m, "content")}
	if r.Tool == "" {
		r.Tool = l.Text(m, "name") // the older name of the member
	}
	if l.Err == nil {
		history.Gave(r)
	}
}
