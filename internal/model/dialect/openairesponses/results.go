package openairesponses

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// results goes through the items of a request.
type results struct {
	found []dialect.Result
	calls map[string]reading // those that the request repeats, by id
	old   int                // how many of the results are older than the last turn of the model
}

// readResults reads what calls gave. What cannot be read is left out.
func readResults(root strictjson.Value) []dialect.Result {
	var all []dialect.Result
	for _, name := range []string{inputMember, itemsMember} {
		items, err := root.Member(name)
		if err != nil {
			continue
		}
		r := results{calls: map[string]reading{}}
		for v := range items.Elems() {
			r.item(v)
		}
		for i := r.old; i < len(r.found); i++ {
			r.found[i].New = true
		}
		all = append(all, r.found...)
	}
	return all
}

// item takes one item.
func (r *results) item(v strictjson.Value) {
	typ := memberText(v, "type")
	u := unitOf(typ)
	switch {
	case typ == "mcp_approval_response":
		r.answer(v, "approval_request_id", "approve")
	case typ == "tool_search_output":
		if memberText(v, "execution") != "server" {
			r.answer(v, "call_id", "tools")
		}
	case typ == "program_output": // the provider gives it
	case u.kind == result:
		r.answer(v, "call_id", "output")
	case typ == "" || typ == "message":
		if memberText(v, "role") == "assistant" {
			r.old = len(r.found)
		}
	case typ == "reasoning":
		r.old = len(r.found)
	case typ == "mcp_list_tools": // no turn of the model
	case u.kind != said:
		r.old = len(r.found)
		r.call(v, typ, u)
	}
}

// call takes a call that the request repeats.
func (r *results) call(v strictjson.Value, typ string, u unit) {
	c := reading{unit: u, typ: typ, id: memberText(v, "id"), callID: memberText(v, "call_id")}
	if c.readPlace(v) == nil && c.readNames(v) == nil && c.wireID() != "" {
		r.calls[c.wireID()] = c
	}
}

// answer takes what a call gave: the member content of v.
func (r *results) answer(v strictjson.Value, id, content string) {
	given, err := v.Member(content)
	wireID, idErr := v.Member(id)
	if err != nil || idErr != nil {
		return
	}
	if wireID.Kind() == strictjson.Missing {
		wireID, _ = v.Member("id")
	}
	text, _ := wireID.Text()
	if text == "" {
		return
	}
	status := memberText(v, "status")
	answer := dialect.Result{WireID: text, Content: given, Failed: status == "failed" || status == "incomplete"}
	if c, known := r.calls[text]; known {
		if c.hosted {
			return // the provider ran it
		}
		answer.Tool = c.names[0]
	}
	r.found = append(r.found, answer)
}

// memberText is a member that is a text; "": there is none that all read alike.
func memberText(v strictjson.Value, name string) string {
	m, _ := v.Member(name)
	s, _ := m.Text()
	return s
}
