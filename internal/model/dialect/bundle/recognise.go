package bundle

import (
	"slices"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/strictjson"
)

// recognises is generous: it also accepts a frame that is a bundle in only one of several readings, so that Scan sees it and
// refuses it. It does not accept what belongs to single formats: lists of items, lists of other things, responses in a wrapper.
func recognises(f frame.Frame) bool {
	var doc strictjson.Doc
	if len(f.Type) > 0 || doc.Parse(f.Data) != nil {
		return false // bundles do not come as events with names
	}
	root := doc.Root()
	return looksLikeList(root) || looksLikeJob(root) || looksLikeRow(root) || leadsToInlined(root)
}

// looksLikeList says whether a body lists whole responses, or messages.
func looksLikeList(root strictjson.Value) bool {
	list := slices.ContainsFunc(every(root, "object"), func(v strictjson.Value) bool { return v.Is(objectList) })
	if !list {
		return false
	}
	for _, data := range every(root, "data") {
		for elem := range data.Elems() {
			whole := slices.ContainsFunc(every(elem, "object"), isWhole)
			if whole || has(elem, "role") && !has(elem, "type") && !has(elem, "object") {
				return true
			}
		}
	}
	return false
}

// looksLikeJob says whether a body has the results of a batch's requests in a list.
func looksLikeJob(root strictjson.Value) bool {
	for _, results := range every(root, "results") {
		for elem := range results.Elems() {
			if has(elem, "batch_result") {
				return true
			}
		}
	}
	for _, outputs := range every(root, "outputs") {
		for elem := range outputs.Elems() {
			if looksLikeRow(elem) {
				return true
			}
		}
	}
	return false
}

// looksLikeRow says whether an object is the row of one request of a batch.
func looksLikeRow(root strictjson.Value) bool {
	named := has(root, "custom_id")
	isObject := func(v strictjson.Value) bool { return v.Kind() == strictjson.Object }
	holdsBody := func(v strictjson.Value) bool { return has(v, "body") }
	response := every(root, "response")
	switch {
	case named && slices.ContainsFunc(every(root, "result"), isObject):
		return true
	case slices.ContainsFunc(response, holdsBody):
		return true
	case named || has(root, "key"):
		return slices.ContainsFunc(append(response, every(root, "error")...), isObject)
	case has(root, "request") || has(root, "processed_time") || has(root, "metadata") && !has(root, "name") && !has(root, "done"):
		return slices.ContainsFunc(response, isObject)
	}
	return false
}

// leadsToInlined says whether an operation, or a list of operations, has responses in it.
func leadsToInlined(v strictjson.Value) bool {
	for name, m := range v.Members() {
		switch {
		case name.Folds(inlined):
			if m.Len() > 0 {
				return true
			}
		case name.Folds(operations):
			for elem := range m.Elems() {
				if leadsToInlined(elem) {
					return true
				}
			}
		case m.Kind() == strictjson.Object && slices.ContainsFunc(ways, name.Folds):
			if leadsToInlined(m) {
				return true
			}
		}
	}
	return false
}

// every returns the values of all members of an object with a name, in any case.
func every(v strictjson.Value, name string) []strictjson.Value {
	var found []strictjson.Value
	for n, m := range v.Members() {
		if n.Folds(name) {
			found = append(found, m)
		}
	}
	return found
}

func has(v strictjson.Value, name string) bool {
	for n := range v.Members() {
		if n.Folds(name) {
			return true
		}
	}
	return false
}
