package gemini

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// resultsOf returns the results in a request's conversation. Results that cannot be read are left out.
func resultsOf(unit strictjson.Value) []dialect.Result {
	contents, _ := unit.Member("contents")
	var history dialect.History
	for content := range elems(contents) {
		var l dialect.Lookup
		role, parts := l.Exact(content, "role"), l.Exact(content, "parts")
		if l.Err != nil {
			continue
		}
		read := noteResult
		if role.Is("model") {
			history.Turn()
			read = noteCall
		} else {
			history.Said()
		}
		for part := range elems(parts) {
			read(&history, part)
		}
	}
	return history.Results()
}

// noteCall notes the call of a part, if it has one.
func noteCall(history *dialect.History, part strictjson.Value) {
	v, err := anyOf(part, "functionCall", "function_call")
	if err != nil || v.Kind() != strictjson.Object {
		return
	}
	var l dialect.Lookup
	id, name, args := l.Text(v, "id"), l.Text(v, "name"), l.Member(v, "args")
	var object jsontext.Value
	switch args.Kind() {
	case strictjson.Missing:
		object = jsontext.Value("{}")
	case strictjson.Object:
		object = args.Raw()
	}
	if l.Err == nil {
		history.Asked(id, name, object)
	}
}

// noteResult notes the result of a part, if it has one.
func noteResult(history *dialect.History, part strictjson.Value) {
	v, err := anyOf(part, "functionResponse", "function_response")
	if err != nil || v.Kind() != strictjson.Object {
		return
	}
	var l dialect.Lookup
	response := l.Exact(v, "response")
	r := dialect.Result{WireID: l.Text(v, "id"), Tool: l.Text(v, "name"), Content: response, Failed: failed(response)}
	if l.Err == nil {
		history.Gave(r)
	}
}

// failed says whether a response has an error and no result.
func failed(response strictjson.Value) bool {
	failure, err := response.Member("error")
	return err == nil && dialect.Present(failure) && !dialect.HasMember(response, "output", "result")
}
