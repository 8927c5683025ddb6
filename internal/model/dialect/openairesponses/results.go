package openairesponses

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// results collects the results in the items of a request.
type results struct {
	dialect.History
	calls map[string]reading // the calls that the request repeats, by id
}

// readResults returns the results of calls. Results that cannot be read are left out.
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
		all = append(all, r.Results()...)
	}
	return all
}

// item reads one item.
func (r *results) item(v strictjson.Value) {
	typ := dialect.MemberText(v, "type")
	u := unitOf(typ)
	switch {
	case typ == "mcp_approval_response":
		r.gave(v, "approval_request_id", "approve")
	case typ == "tool_search_output":
		if dialect.MemberText(v, "execution") != "server" {
			r.gave(v, "call_id", "tools")
		}
	case typ == "program_output": // the provider made it
	case u.kind == result:
		r.gave(v, "call_id", "output")
	case typ == "" || typ == "message":
		if dialect.MemberText(v, "role") == "assistant" {
			r.Turn()
		}
	case typ == "reasoning":
		r.Turn()
	case typ == "mcp_list_tools": // not a turn of the model
	case u.kind != said:
		r.Turn()
		r.call(v, typ, u)
	}
}

// call notes a call that the request repeats.
func (r *results) call(v strictjson.Value, typ string, u unit) {
	c := reading{unit: u, typ: typ, id: dialect.MemberText(v, "id"), callID: dialect.MemberText(v, "call_id")}
	if c.readPlace(v) == nil && c.readNames(v) == nil && c.wireID() != "" {
		r.calls[c.wireID()] = c
	}
}

// gave notes the result of a call: the member content of v.
func (r *results) gave(v strictjson.Value, id, content string) {
	output, err := v.Member(content)
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
	status := dialect.MemberText(v, "status")
	given := dialect.Result{WireID: text, Content: output, Failed: status == "failed" || status == "incomplete"}
	if c, known := r.calls[text]; known {
		if c.hosted {
			return // the provider ran it
		}
		given.Tool = c.names[0]
	}
	r.Add(given)
}
