package openairesponses

import (
	"slices"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/openaitools"
	"github.com/weir-gate/weir/internal/strictjson"
)

// offers says where requests of this API have tools.
var offers = openaitools.API{Added: addedTools, Stored: []string{"prompt"}}

// inputMember is the member with the items of a request's turn.
const inputMember = "input"

// requests says where requests have tools and results.
var requests = dialect.RequestTable{
	Offers: func(l *dialect.Lookup, root strictjson.Value) []dialect.Offer {
		tools := offers.Offers(l, root)
		withListings(root, tools)
		return tools
	},
	Results: readResults, Orphans: offers.Orphans,
}

// addedTools returns the lists of tools in items of a request.
func addedTools(l *dialect.Lookup, root strictjson.Value) (lists []openaitools.List) {
	for _, name := range []string{inputMember, itemsMember} {
		for v := range l.Member(root, name).Elems() {
			if !dialect.HasMember(v, "tools") {
				continue
			}
			tools := l.Member(v, "tools")
			switch name, _ := l.Member(v, "type").Text(); {
			case name == "additional_tools":
				lists = append(lists, openaitools.List{Tools: tools, Item: v})
			case name == "" || unitOf(name).kind == result || unitOf(name).kind == unknown:
				// An item of an unknown type with tools may add them to the request.
				lists = append(lists, openaitools.List{Tools: tools, Required: true})
			}
		}
	}
	return lists
}

// withListings adds the items in which the provider lists the tools of an MCP server to the offer of that server. If a server has
// several offers, the first gets them.
func withListings(root strictjson.Value, tools []dialect.Offer) {
	first := map[string]int{}
	for i, o := range slices.Backward(tools) {
		if o.Open || slices.Contains(o.Spellings, "mcp") { // not for a namespace, whose tools the client runs
			first[o.Server] = i
		}
	}
	for _, name := range []string{inputMember, itemsMember} {
		items, _ := root.Member(name)
		for v := range items.Elems() {
			if typ, _ := v.Member("type"); len(first) == 0 || !typ.Is("mcp_list_tools") {
				continue
			}
			if i, offered := first[dialect.MemberText(v, "server_label")]; offered {
				tools[i].Cuts = append(tools[i].Cuts, dialect.CutOf(v))
			}
		}
	}
}
