package openaichat

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// results goes through the conversation of a request.
type results struct {
	found   []dialect.Result
	history dialect.History
	old     int // how many of the results have a turn of the model after them
}

// readResults reads what calls gave. What cannot be read is left out.
func readResults(root strictjson.Value) []dialect.Result {
	messages, err := root.Member("messages")
	if err != nil {
		return nil
	}
	var r results
	for m := range messages.Elems() {
		role, _ := m.Member("role")
		if role.Is("assistant") || role.Is("model") {
			r.turn(m)
			continue
		}
		r.history.Said()
		if role.Is("tool") || role.Is("function") {
			r.answer(m)
		}
	}
	for i := r.old; i < len(r.found); i++ {
		r.found[i].New = true
	}
	return r.found
}

// turn takes the calls of a turn of the model.
func (r *results) turn(m strictjson.Value) {
	r.old = len(r.found)
	calls, _ := m.Member("tool_calls")
	for v := range calls.Elems() {
		body, _ := v.Member("function")
		if !present(body) {
			body, _ = v.Member("custom")
		}
		r.asked(memberText(v, "id"), body)
	}
	if body, _ := m.Member("function_call"); present(body) {
		r.asked("", body)
	}
}

// asked takes a call. Its arguments are only needed if it has no id.
func (r *results) asked(id string, body strictjson.Value) {
	var args jsontext.Value
	if id == "" {
		v, _ := body.Member("arguments")
		args = argumentsOf(v)
	}
	r.history.Asked(id, memberText(body, "name"), args)
}

// argumentsOf are the arguments of a call as an object; nil if they are none.
func argumentsOf(v strictjson.Value) jsontext.Value {
	if v.Kind() == strictjson.Object {
		return v.Raw()
	}
	if text := v.AppendText(nil); strictjson.CheckArguments(text) == nil {
		return text
	}
	return nil
}

// answer takes a result: of the call with its id, or of the next one of its name.
func (r *results) answer(m strictjson.Value) {
	id, err := m.Member("tool_call_id")
	content, contentErr := m.Member("content")
	if err != nil || contentErr != nil {
		return
	}
	wireID, ok := id.Text()
	name := memberText(m, "name")
	if present(id) && !ok || wireID == "" && name == "" {
		return
	}
	result := dialect.Result{WireID: wireID, Tool: name, Content: content}
	tool, args := r.history.Answered(wireID, name)
	if tool != "" {
		result.Tool = tool
	}
	if wireID == "" {
		result.Args = args
	}
	r.found = append(r.found, result)
}

// memberText is a member that is a text; "": there is none that all read alike.
func memberText(v strictjson.Value, name string) string {
	m, _ := v.Member(name)
	s, _ := m.Text()
	return s
}
