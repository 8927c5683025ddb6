package bedrock

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// resultsOf returns the results in a request's conversation. Results that cannot be read are left out.
func resultsOf(root strictjson.Value) []dialect.Result {
	messages, _ := root.Member("messages")
	var history dialect.History
	for m := range messages.Elems() {
		role, err := m.Member("role")
		if err != nil {
			continue
		}
		read := noteResult
		if role.Is("assistant") {
			history.Turn()
			read = noteCall
		} else {
			history.Said()
		}
		content, _ := m.Member("content")
		for block := range content.Elems() {
			read(&history, block)
		}
	}
	return history.Results()
}

// noteCall notes a block, if it is a call.
func noteCall(history *dialect.History, block strictjson.Value) {
	var l dialect.Lookup
	use := l.Member(block, unitCall)
	id, name := l.Text(use, "toolUseId"), l.Text(use, "name")
	if l.Err == nil && use.Kind() == strictjson.Object {
		history.Asked(id, name, nil)
	}
}

// noteResult notes a block, if it is a result.
func noteResult(history *dialect.History, block strictjson.Value) {
	var l dialect.Lookup
	result := l.Member(block, unitResult)
	r := dialect.Result{
		WireID: l.Text(result, "toolUseId"), Content: l.Exact(result, "content"), Failed: l.Exact(result, "status").Is("error"),
	}
	if l.Err == nil && result.Kind() == strictjson.Object {
		history.Gave(r)
	}
}
