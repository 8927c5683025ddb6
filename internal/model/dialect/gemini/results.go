package gemini

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// resultsOf are the results in a request's conversation. What cannot be read is left out.
func resultsOf(unit strictjson.Value) []dialect.Result {
	contents, err := unit.Member("contents")
	if err != nil {
		return nil
	}
	var (
		results []dialect.Result
		history dialect.History
		old     int // how many results have a turn of the model after them
	)
	for content := range elems(contents) {
		role, err := content.Member("role")
		if err != nil {
			continue
		}
		parts, err := content.Member("parts")
		if err != nil {
			continue
		}
		if role.Is("model") {
			for part := range elems(parts) {
				noteCall(&history, part)
			}
			old = len(results)
			continue
		}
		history.Said()
		for part := range elems(parts) {
			if r, ok := resultOf(&history, part); ok {
				results = append(results, r)
			}
		}
	}
	for i := old; i < len(results); i++ {
		results[i].New = true
	}
	return results
}

// noteCall notes the call of a part, if it has one.
func noteCall(history *dialect.History, part strictjson.Value) {
	v, err := anyOf(part, "functionCall", "function_call")
	if err != nil || v.Kind() != strictjson.Object {
		return
	}
	id, name, err := named(v)
	if err != nil {
		return
	}
	args, err := v.Member("args")
	if err != nil {
		return
	}
	var object jsontext.Value
	switch {
	case isNone(args):
		object = jsontext.Value("{}")
	case args.Kind() == strictjson.Object:
		object = args.Raw()
	}
	history.Asked(id, name, object)
}

// named is which call a part speaks of.
func named(v strictjson.Value) (id, name string, err error) {
	if id, err = dialect.OptionalText(v, "id"); err != nil {
		return "", "", err
	}
	name, err = dialect.OptionalText(v, "name")
	return id, name, err
}

// resultOf reads the result of a part, if it has one.
func resultOf(history *dialect.History, part strictjson.Value) (dialect.Result, bool) {
	v, err := anyOf(part, "functionResponse", "function_response")
	if err != nil || v.Kind() != strictjson.Object {
		return dialect.Result{}, false
	}
	id, name, err := named(v)
	if err != nil {
		return dialect.Result{}, false
	}
	response, err := v.Member("response")
	if err != nil {
		return dialect.Result{}, false
	}
	r := dialect.Result{WireID: id, Tool: name, Content: response, Failed: failed(response)}
	tool, args := history.Answered(id, name)
	if id == "" {
		r.Args = args
	}
	if name == "" {
		r.Tool = tool
	}
	return r, true
}

// failed says whether a response tells of an error and of nothing else.
func failed(response strictjson.Value) bool {
	failure, err := response.Member("error")
	return err == nil && !isNone(failure) && !hasAny(response, "output", "result")
}
