package bedrock

import (
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
		if err != nil {
			continue
		}
		fromModel := role.Is("assistant")
		if fromModel {
			old = len(results)
		} else {
			history.Said()
		}
		content, err := m.Member("content")
		if err != nil {
			continue
		}
		for block := range content.Elems() {
			if fromModel {
				noteCall(&history, block)
			} else if r, ok := resultOf(&history, block); ok {
				results = append(results, r)
			}
		}
	}
	for i := old; i < len(results); i++ {
		results[i].New = true
	}
	return results
}

// noteCall notes the call that a block is, if it is one.
func noteCall(history *dialect.History, block strictjson.Value) {
	use, err := block.Member("toolUse")
	if err != nil || use.Kind() != strictjson.Object {
		return
	}
	id, err := dialect.OptionalText(use, "toolUseId")
	if err != nil {
		return
	}
	if name, err := dialect.OptionalText(use, "name"); err == nil {
		history.Asked(id, name, nil)
	}
}

// resultOf reads the result that a block is, if it is one.
func resultOf(history *dialect.History, block strictjson.Value) (dialect.Result, bool) {
	result, err := block.Member("toolResult")
	if err != nil || result.Kind() != strictjson.Object {
		return dialect.Result{}, false
	}
	id, err := dialect.OptionalText(result, "toolUseId")
	if err != nil {
		return dialect.Result{}, false
	}
	content, err := result.Member("content")
	if err != nil {
		return dialect.Result{}, false
	}
	status, err := result.Member("status")
	if err != nil {
		return dialect.Result{}, false
	}
	tool, _ := history.Answered(id, "")
	return dialect.Result{WireID: id, Tool: tool, Content: content, Failed: status.Is("error")}, true
}
