package openairesponses

import (
	"bytes"
	"errors"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// errTwoReadings says that readers could disagree on what a request continues.
var errTwoReadings = errors.New("what the request goes on from can be read in more than one way")

// readLinks returns what a request continues. A body that is not a JSON object continues nothing: the provider will report the
// error.
func readLinks(body []byte) (dialect.Links, error) {
	var doc strictjson.Doc
	var links dialect.Links
	if doc.Parse(body) != nil || doc.Root().Kind() != strictjson.Object {
		return links, nil
	}
	root := doc.Root()
	previous, err := root.Member("previous_response_id")
	if err != nil {
		return links, errTwoReadings
	}
	id, _ := previous.Text()
	links.Response = previousOf(id)
	conversation, err := root.Member("conversation")
	if err != nil {
		return links, errTwoReadings
	}
	if conversation.Kind() == strictjson.Object {
		if conversation, err = conversation.Member("id"); err != nil {
			return links, errTwoReadings
		}
	}
	links.Conversation, _ = conversation.Text()
	background, err := root.Member("background")
	links.Background = err == nil && string(background.Raw()) == "true"
	for _, member := range []string{"input", itemsMember} {
		input, err := root.Member(member)
		if err != nil {
			return links, errTwoReadings
		}
		for v := range input.Elems() {
			id, err := v.Member("id")
			if err != nil {
				return links, errTwoReadings
			}
			if text, _ := id.Text(); strings.HasPrefix(text, noticePrefix) && isReference(v) {
				links.Notices = append(links.Notices, text)
			}
		}
	}
	if len(links.Notices) > maxNotices {
		return links, errManyNotices
	}
	return links, nil
}

// maxNotices is how many notices a request may refer to. Each needs a lookup.
const maxNotices = 1000

var errManyNotices = errors.New("the request refers to more notices of weir's than its bound; send them as messages")

// isReference says whether an item of a request only refers to a stored item.
func isReference(v strictjson.Value) bool {
	typ, _ := v.Member("type")
	return typ.Is("item_reference") || v.Len() <= 2
}

// itemsMember is the member with items that a request adds to a conversation without asking the model.
const itemsMember = "items"

// mend returns a request's body that the provider accepts: with the missing outputs, and without ids and items that weir made.
func mend(body []byte, links dialect.Links, known dialect.Known) []byte {
	var doc strictjson.Doc
	if doc.Parse(body) != nil || doc.Root().Kind() != strictjson.Object {
		return body
	}
	root := doc.Root()
	var edits []strictjson.Edit
	previous, _ := root.Member("previous_response_id")
	if id, _ := previous.Text(); strings.HasPrefix(id, responsePrefix) {
		// A request that continues nothing has null here.
		value := []byte("null")
		if links.Response != "" {
			value = []byte(dialect.Quote(links.Response))
		}
		edits = append(edits, previous.Replace(value))
	}
	if items, _ := root.Member(itemsMember); items.Kind() == strictjson.Array {
		edits = append(edits, mendItems(items, known, nil)...)
	}
	input, _ := root.Member("input")
	missing := missingOutputs(input, known.Refused)
	if input.Kind() == strictjson.Array {
		edits = append(edits, mendItems(input, known, missing)...)
	} else if len(missing) > 0 {
		if text := input.Raw(); input.Kind() == strictjson.String {
			missing = append(missing, []byte(`{"role":"user","content":`+string(text)+`}`))
		}
		if edit, err := root.SetMember("input", joinedItems(missing)); err == nil {
			edits = append(edits, edit)
		}
	}
	if len(edits) == 0 {
		return body
	}
	return strictjson.Splice(body, edits...)
}

func joinedItems(items [][]byte) []byte {
	return append(append([]byte{'['}, bytes.Join(items, []byte{','})...), ']')
}

// mendItems adds outputs ahead of a request's items and removes items that weir made.
func mendItems(input strictjson.Value, known dialect.Known, missing [][]byte) []strictjson.Edit {
	var items []strictjson.Value
	for v := range input.Elems() {
		items = append(items, v)
	}
	var edits []strictjson.Edit
	gone := map[int]bool{}
	for i, v := range items {
		id, _ := v.Member("id")
		text, _ := id.Text()
		invented := strings.HasPrefix(text, noticePrefix)
		if !invented && !saysNotice(v) {
			continue
		}
		if !invented {
			// Some clients send messages back without ids.
		} else if edit, ok := mendNotice(v, known.Notices[text]); ok {
			edits = append(edits, edit)
		} else {
			gone[i] = true
		}
		// Reasoning must be followed by its result, which was the call.
		reasoned := i
		for ; reasoned > 0 && isReasoning(items[reasoned-1]); reasoned-- {
			gone[reasoned-1] = true
		}
		if reasoned < i {
			edits = append(edits, orphaned(items[i+1:])...)
		}
	}
	edits = append(edits, input.RemoveElems(func(i int, _ strictjson.Value) bool { return gone[i] })...)
	if len(missing) > 0 {
		start, _ := input.Span()
		first := bytes.Join(missing, []byte{','})
		if len(items) > len(gone) {
			first = append(first, ',')
		}
		edits = append([]strictjson.Edit{{Start: start + 1, End: start + 1, New: first}}, edits...)
	}
	return edits
}

// saysNotice says whether an item of a request is a message of the assistant whose text is a notice.
func saysNotice(v strictjson.Value) bool {
	if role, _ := v.Member("role"); !role.Is("assistant") {
		return false
	}
	content, _ := v.Member("content")
	for part := range content.Elems() {
		content, _ = part.Member("text")
		break
	}
	text, _ := content.Text()
	return strings.HasPrefix(text, call.NoticePrefix)
}

// orphaned removes the ids of calls that followed the same reasoning as a refused call: by the id the provider would recognise a
// call, and notice that its reasoning is missing.
func orphaned(items []strictjson.Value) []strictjson.Edit {
	var edits []strictjson.Edit
	for _, v := range items {
		id, _ := v.Member("id")
		text, _ := id.Text()
		if strings.HasPrefix(text, noticePrefix) {
			continue
		}
		typ, _ := v.Member("type")
		if name, _ := typ.Text(); unitOf(name).kind != asked || isReference(v) {
			break
		}
		if id.Kind() != strictjson.Missing {
			edits = append(edits, withoutMember(v, "id"))
		}
	}
	return edits
}

// mendNotice changes a notice in a request, whose id the provider does not know, into an item that the provider accepts. false: it
// must be removed.
func mendNotice(v strictjson.Value, kept call.Remembered) (strictjson.Edit, bool) {
	if !isReference(v) {
		return withoutMember(v, "id"), true
	}
	if kept.WireID == "" {
		return strictjson.Edit{}, false
	}
	return v.Replace([]byte(`{"type":"message","role":"assistant","content":[{"type":"output_text","text":` +
		dialect.Quote(noticeOf(kept)) + `}]}`)), true
}

// withoutMember returns the edit that removes an existing member from an object.
func withoutMember(v strictjson.Value, member string) strictjson.Edit {
	b := []byte{'{'}
	for name, value := range v.Members() {
		if name.Is(member) {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, name.Raw()...), ':'), value.Raw()...)
	}
	return v.Replace(append(b, '}'))
}

// isReasoning says whether an item of a request is reasoning, or refers to reasoning.
func isReasoning(v strictjson.Value) bool {
	typ, _ := v.Member("type")
	if typ.Is("reasoning") {
		return true
	}
	id, _ := v.Member("id")
	text, _ := id.Text()
	return (typ.Is("item_reference") || typ.Kind() == strictjson.Missing && v.Len() == 1) && strings.HasPrefix(text, "rs_")
}

// missingOutputs returns the outputs of refused calls that a request does not have.
func missingOutputs(input strictjson.Value, refused []call.Remembered) [][]byte {
	given := map[string]bool{}
	for v := range input.Elems() {
		if typ, _ := v.Member("type"); !answers(typ) {
			continue
		}
		for _, name := range []string{"call_id", "approval_request_id", "id"} {
			if id, err := v.Member(name); err == nil && id.Kind() == strictjson.String {
				text, _ := id.Text()
				given[text] = true
			}
		}
	}
	var missing [][]byte
	for _, k := range refused {
		if k.WireID != "" && k.Unit != "" && !given[k.WireID] { // the provider expects no output of calls that it ran
			given[k.WireID] = true
			missing = append(missing, outputsOf(k)...)
		}
	}
	return missing
}

// answers says whether an item of this type is the output of a call.
func answers(typ strictjson.Value) bool {
	text, _ := typ.Text()
	return strings.HasSuffix(text, "_output") || text == "mcp_approval_response"
}

func noticeOf(k call.Remembered) string { return k.Ruling.Notice(k.Tool) }

// blank is the smallest possible picture: a call for a picture of the screen must get one.
const blank = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

// outputsOf returns the output of a refused call in the form of its type.
func outputsOf(k call.Remembered) [][]byte {
	text, id := dialect.Quote(noticeOf(k)), dialect.Quote(k.WireID)
	answer := func(typ, rest string) []byte {
		return []byte(`{"type":` + dialect.Quote(typ) + `,"call_id":` + id + rest + `}`)
	}
	// If the output cannot hold a text, the text is sent as a message.
	told := []byte(`{"role":"developer","content":` + text + `}`)
	if strings.HasPrefix(k.Unit, hostedPrefix) {
		return nil
	}
	switch k.Unit {
	case "shell_call":
		return [][]byte{answer("shell_call_output", `,"output":[{"stdout":"","stderr":`+text+`,"outcome":{"type":"exit","exit_code":1}}]`)}
	case "local_shell_call":
		output := dialect.Quote(`{"output":` + text + `,"metadata":{"exit_code":1}}`)
		return [][]byte{answer("local_shell_call_output", `,"id":`+id+`,"output":`+output)}
	case "apply_patch_call":
		return [][]byte{answer("apply_patch_call_output", `,"status":"failed","output":`+text)}
	case "computer_call":
		return [][]byte{answer("computer_call_output", `,"output":{"type":"computer_screenshot","image_url":"`+blank+`"}`), told}
	case "tool_search_call":
		return [][]byte{answer("tool_search_output", `,"execution":"client","status":"completed","tools":[]`), told}
	case "mcp_approval_request":
		return [][]byte{[]byte(`{"type":"mcp_approval_response","approval_request_id":` + id + `,"approve":false,"reason":` + text + `}`)}
	case "custom_tool_call":
		return [][]byte{answer("custom_tool_call_output", `,"output":`+text)}
	}
	return [][]byte{answer(k.Unit+"_output", `,"output":`+text)}
}
