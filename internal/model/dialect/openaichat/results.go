package openaichat

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// readResults returns the results of calls. Results that cannot be read are left out.
func readResults(root strictjson.Value) []dialect.Result {
	messages, _ := root.Member("messages")
	var history dialect.History
	for m := range messages.Elems() {
		role, _ := m.Member("role")
		if role.Is("assistant") || role.Is("model") {
			history.Turn()
			noteCalls(&history, m)
			continue
		}
		history.Said()
		if role.Is("tool") || role.Is("function") {
			noteResult(&history, m)
		}
	}
	return history.Results()
}

// noteCalls notes the calls of a turn of the model.
func noteCalls(history *dialect.History, m strictjson.Value) {
	calls, _ := m.Member("tool_calls")
	for v := range calls.Elems() {
		body, _ := v.Member("function")
		if !dialect.Present(body) {
			body, _ = v.Member("custom")
		}
		noteCall(history, dialect.MemberText(v, "id"), body)
	}
	if body, _ := m.Member("function_call"); dialect.Present(body) {
		noteCall(history, "", body)
	}
}

// noteCall notes a call. Its arguments are only needed if it has no id.
func noteCall(history *dialect.History, id string, body strictjson.Value) {
	var args jsontext.Value
	if id == "" {
		v, _ := body.Member("arguments")
		args = argumentsOf(v)
	}
	history.Asked(id, dialect.MemberText(body, "name"), args)
}

// argumentsOf returns the arguments of a call as an object; nil: they are not an object.
func argumentsOf(v strictjson.Value) jsontext.Value {
	if v.Kind() == strictjson.Object {
		return v.Raw()
	}
	if text := v.AppendText(nil); strictjson.CheckArguments(text) == nil {
		return text
	}
	return nil
}

// noteResult notes a result: of the call with its id, or of the next call with its name.
func noteResult(history *dialect.History, m strictjson.Value) {
	id, err := m.Member("tool_call_id")
	content, contentErr := m.Member("content")
	if err != nil || contentErr != nil {
		return
	}
	wireID, ok := id.Text()
	name := dialect.MemberText(m, "name")
	if dialect.Present(id) && !ok || wireID == "" && name == "" {
		return
	}
	result := dialect.Result{WireID: wireID, Tool: name, Content: content}
	tool, args := history.Answered(wireID, name)
	if tool != "" {
		result.Tool = tool
	}
	if wireID == "" {
		result.Args = args
	}
	history.Add(result)
}
