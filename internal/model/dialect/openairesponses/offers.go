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

// readRequest finds out what a request says of tools.
func readRequest(body []byte) (dialect.Request, error) {
	root, err := dialect.ParseRequest(new(strictjson.Doc), body)
	if err != nil {
		return dialect.Request{}, err
	}
	tools, err := offers.Read(root)
	if err != nil {
		return dialect.Request{}, err
	}
	withListings(root, tools)
	return dialect.Request{Offers: tools, Results: readResults(root)}, nil
}

// addedTools are the lists of tools in items of a request.
func addedTools(root strictjson.Value) ([]openaitools.List, error) {
	var lists []openaitools.List
	for _, name := range []string{inputMember, itemsMember} {
		items, err := dialect.OfferMember(root, name)
		if err != nil {
			return nil, err
		}
		for v := range items.Elems() {
			if !hasMember(v, "tools") {
				continue
			}
			tools, err := dialect.OfferMember(v, "tools")
			if err != nil {
				return nil, err
			}
			typ, err := dialect.OfferMember(v, "type")
			if err != nil {
				return nil, err
			}
			switch name, _ := typ.Text(); {
			case name == "additional_tools":
				lists = append(lists, openaitools.List{Tools: tools, Item: v})
			case name == "" || unitOf(name).kind == result || unitOf(name).kind == unknown:
				// Of items that we do not know, those with tools may add them.
				lists = append(lists, openaitools.List{Tools: tools, Kept: true})
			}
		}
	}
	return lists, nil
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
			if i, offered := first[memberText(v, "server_label")]; offered {
				start, _ := v.Span()
				tools[i].Cuts = append(tools[i].Cuts, dialect.Cut{Start: start})
			}
		}
	}
}
