package openairesponses

import (
	"slices"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/openaitools"
	"github.com/weir-gate/weir/internal/strictjson"
)

// offers is where requests of this API offer tools.
var offers = openaitools.API{Added: addedTools, Stored: []string{"prompt"}}

// inputMember is where requests have the items of their turn.
const inputMember = "input"

// requests is where requests have tools and results.
var requests = dialect.RequestTable{
	Offers: func(l *dialect.Lookup, root strictjson.Value) []dialect.Offer {
		tools := offers.Offers(l, root)
		withListings(root, tools)
		return tools
	},
	Results: readResults, Orphans: offers.Orphans,
}

// addedTools are the lists of tools in items of a request.
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
				// Of items that we do not know, those with tools may add them.
				lists = append(lists, openaitools.List{Tools: tools, Required: true})
			}
		}
	}
	return lists
}

// withListings adds to the offers of MCP servers the items in which the provider has told the model of their tools. Of
// several offers of one server the first gets them.
func withListings(root strictjson.Value, tools []dialect.Offer) {
	first := map[string]int{}
	for i, o := range slices.Backward(tools) {
		if o.Open || slices.Contains(o.Spellings, "mcp") { // not of a namespace, whose tools the client runs
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
