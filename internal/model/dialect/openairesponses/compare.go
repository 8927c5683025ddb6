package openairesponses

import (
	"bytes"
	"slices"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// compare checks that the earlier frames of a call agree with its last frame. If they do not, the call gets a fault.
func (it *item) compare(last reading) {
	named := slices.Equal(it.names, last.names)
	nameless := len(it.names) == 1 && it.names[0] == it.typ && it.tool == ""
	if it.reading.callID != last.callID || it.server != last.server || !named && !nameless {
		it.fault(disagreement())
	}
	// A call whose output refers to the item's id must have the same id from the beginning.
	it.restated = it.restated || !named || it.kind != ran && it.wireID() != last.wireID()
	if !last.inText() {
		it.restated = it.restated || !partOf(it.first, last.args)
		return
	}
	text := last.args
	if it.pieces.Begun() && !bytes.Equal(it.pieces.Text, text) || it.said && !bytes.Equal(it.all, text) {
		it.fault(disagreement())
	}
	if len(it.first) > 0 {
		// Some clients add the pieces to the first text, others replace it by them.
		it.restated = it.restated || it.pieces.Begun()
		if !bytes.Equal(it.first, text) {
			it.fault(disagreement())
		}
	}
	it.restated = it.restated || it.pieces.Split
}

func (it *item) fault(why *dialect.Refused) {
	if it.slot.Fault == nil {
		it.slot.Fault = why
	}
}

// partOf says whether first, the arguments in an item's first frame, are equal to those in its last frame, or a beginning of them
// with nothing that is not in them.
func partOf(first, last []byte) bool {
	if bytes.Equal(first, last) {
		return true
	}
	var a, b strictjson.Doc
	return a.Parse(first) == nil && b.Parse(last) == nil && within(a.Root(), b.Root())
}

func within(a, b strictjson.Value) bool {
	switch a.Kind() {
	case strictjson.Missing, strictjson.Null:
		return true
	case strictjson.String, strictjson.Array:
		if len(a.Raw()) == len(`""`) {
			return true
		}
	case strictjson.Object:
		for name, v := range a.Members() {
			text, _ := name.Text()
			m, err := b.Member(text)
			if err != nil || !within(v, m) {
				return false
			}
		}
		return true
	}
	return bytes.Equal(compact(a.Raw()), compact(b.Raw()))
}

// repeats says whether r is the same call as the one that was judged. Some servers repeat it with another id; then it is sent as it
// was judged.
func (it *item) repeats(r reading) bool {
	return it.typ == r.typ && it.kind == r.kind && it.server == r.server &&
		slices.Equal(it.names, r.names) && it.complete() == r.complete() && bytes.Equal(it.args, r.args)
}

// If the AI SDK gets a call of this function, and the request did not define it, it runs the calls in its arguments instead.
const (
	parallelTool    = "parallel"
	recipientPrefix = "functions."
)

// innerCalls returns the calls in the arguments that some clients would run.
func (it *item) innerCalls() []call.Inner {
	if it.typ != "function_call" || it.name != parallelTool || it.slot.Fault != nil {
		return nil
	}
	var doc strictjson.Doc
	if doc.Parse(it.slot.Args) != nil {
		return nil
	}
	uses, err := doc.Root().Member("tool_uses")
	if err != nil || uses.Kind() != strictjson.Array {
		return nil
	}
	var inner []call.Inner
	for use := range uses.Elems() {
		recipient, _ := dialect.OptionalText(use, "recipient_name")
		name, ok := bytes.CutPrefix([]byte(recipient), []byte(recipientPrefix))
		parameters, _ := use.Member("parameters")
		if !ok || len(name) == 0 || parameters.Kind() != strictjson.Object {
			return nil // then no client runs inner calls
		}
		inner = append(inner, call.Inner{Tool: string(name), Args: bytes.Clone(parameters.Raw())})
	}
	return inner
}
