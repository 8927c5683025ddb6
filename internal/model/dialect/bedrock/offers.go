package bedrock

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// readRequest finds the tools that a request offers, and the results that it brings back.
func readRequest(body []byte) (dialect.Request, error) {
	doc := new(strictjson.Doc)
	root, err := dialect.ParseRequest(doc, body)
	if err != nil {
		return dialect.Request{}, err
	}
	if root, err = converseOf(root); err != nil {
		return dialect.Request{}, err
	}
	var r dialect.Request
	if r.Offers, err = offersOf(root); err != nil {
		return dialect.Request{}, err
	}
	r.Results = resultsOf(root)
	return r, nil
}

// converseOf is the request itself, also where its tokens are only to be counted.
func converseOf(root strictjson.Value) (strictjson.Value, error) {
	input, err := dialect.OfferMember(root, "input")
	if err != nil {
		return root, err
	}
	inner, err := dialect.OfferMember(input, "converse")
	if err != nil || inner.Kind() != strictjson.Object {
		return root, err
	}
	return inner, nil
}

func offersOf(root strictjson.Value) ([]dialect.Offer, error) {
	config, err := dialect.OfferMember(root, "toolConfig")
	if err != nil {
		return nil, err
	}
	offers, err := listed(config, "tools", toolOf)
	if err != nil {
		return nil, err
	}
	// What the API does not know of, it hands to the model in the model's own words.
	more, err := dialect.OfferMember(root, "additionalModelRequestFields")
	if err != nil {
		return nil, err
	}
	for _, list := range []struct {
		member string
		read   func(strictjson.Value) (*dialect.Offer, error)
	}{{"tools", nativeTool}, {"mcp_servers", nativeServer}} {
		own, err := listed(more, list.member, list.read)
		if err != nil {
			return nil, err
		}
		offers = append(offers, own...)
	}
	return offers, nil
}

// listed reads the offers of a list. An element may be none.
func listed(v strictjson.Value, member string, read func(strictjson.Value) (*dialect.Offer, error)) ([]dialect.Offer, error) {
	list, err := dialect.OfferMember(v, member)
	if err != nil {
		return nil, err
	}
	if k := list.Kind(); k != strictjson.Array && k != strictjson.Missing {
		return nil, dialect.ErrUnreadable
	}
	var offers []dialect.Offer
	for elem := range list.Elems() {
		if elem.Kind() != strictjson.Object {
			return nil, dialect.ErrUnreadable
		}
		offer, err := read(elem)
		if err != nil {
			return nil, err
		}
		if offer == nil {
			continue
		}
		start, _ := elem.Span()
		offer.Declared, offer.Cuts = dialect.WithoutSecrets(elem), []dialect.Cut{{Start: start}}
		offers = append(offers, *offer)
	}
	return offers, nil
}

// cachePoint is the one kind of entry in a list of tools that is no tool.
const cachePoint = "cachePoint"

// toolOf reads an entry of the API's own tools: an object with one member, which says what kind of tool it is. A kind that we do
// not know is a tool by that name.
func toolOf(v strictjson.Value) (*dialect.Offer, error) {
	var offer dialect.Offer
	for kind, tool := range v.Members() {
		switch text, _ := kind.Text(); {
		case tool.Kind() == strictjson.Null, kind.Is(cachePoint):
			continue
		case kind.Folds(cachePoint):
			return nil, dialect.ErrTwoReadings
		default:
			name, err := dialect.OfferText(tool, "name")
			if err != nil {
				return nil, err
			}
			if name == "" {
				name = text
			} else if text != "toolSpec" {
				offer.Spellings = append(offer.Spellings, text)
			}
			if name == "" {
				return nil, dialect.ErrUnreadable
			}
			offer.Names = append(offer.Names, name)
		}
	}
	if len(offer.Names) == 0 {
		if v.Len() == 0 {
			return nil, dialect.ErrUnreadable
		}
		return nil, nil
	}
	return &offer, nil
}

// nativeTool reads a tool in the words of Claude, whose own tools have a type.
func nativeTool(v strictjson.Value) (*dialect.Offer, error) {
	name, err := dialect.OfferText(v, "name")
	if err != nil {
		return nil, err
	}
	typ, err := dialect.OfferText(v, "type")
	switch {
	case err != nil:
		return nil, err
	case name == "" && typ == "":
		return nil, dialect.ErrUnreadable
	case name == "":
		return &dialect.Offer{Names: []string{typ}}, nil
	case typ == "":
		return &dialect.Offer{Names: []string{name}}, nil
	}
	return &dialect.Offer{Names: []string{name}, Spellings: []string{typ}}, nil
}

// nativeServer reads an MCP server that the provider is to connect to.
func nativeServer(v strictjson.Value) (*dialect.Offer, error) {
	name, err := dialect.OfferText(v, "name")
	if err != nil || name == "" {
		return nil, dialect.ErrUnreadable
	}
	return &dialect.Offer{Names: []string{dialect.ServerName}, Server: name, Open: true}, nil
}

// stripOffers takes tools out of a request, and the choice of one of them, and all that makes no sense without tools. A request
// that has calls in its history cannot do without any tool: then it comes back as it is.
func stripOffers(body []byte, offers []dialect.Offer) []byte {
	var places []dialect.Cut
	for _, o := range offers {
		places = append(places, o.Cuts...)
	}
	if len(places) == 0 {
		return body
	}
	stripped := dialect.Without(body, places)
	var doc strictjson.Doc
	root, err := dialect.ParseRequest(&doc, stripped)
	if err == nil {
		root, err = converseOf(root)
	}
	if err != nil {
		return body
	}
	config, _ := dialect.OfferMember(root, "toolConfig")
	left, err := listed(config, "tools", toolOf)
	if err != nil || len(left) == 0 && hasCalls(root) {
		return body
	}
	more, _ := dialect.OfferMember(root, "additionalModelRequestFields")
	native, _ := listed(more, "tools", nativeTool)
	places = nil
	for _, choice := range []struct {
		holder strictjson.Value
		member string
		none   bool // no tool is left to choose
	}{{config, "toolChoice", len(left) == 0}, {more, "tool_choice", len(native) == 0 && len(left) == 0}} {
		v, _ := dialect.OfferMember(choice.holder, choice.member)
		if v.Kind() == strictjson.Object && (choice.none || choosesOne(v, offers)) {
			places = append(places, placeOf(v))
		}
	}
	if len(left) == 0 && config.Kind() == strictjson.Object {
		places = append(places, placeOf(config))
	}
	return dialect.Without(stripped, places)
}

// choosesOne says whether a choice is of one of the offers.
func choosesOne(choice strictjson.Value, offers []dialect.Offer) bool {
	tool, _ := dialect.OfferMember(choice, "tool")
	for _, holder := range []strictjson.Value{tool, choice} {
		chosen, _ := dialect.OfferText(holder, "name")
		for _, o := range offers {
			if chosen != "" && chosen == o.Names[0] {
				return true
			}
		}
	}
	return false
}

// hasCalls says whether a request repeats calls or their results.
func hasCalls(root strictjson.Value) bool {
	messages, _ := dialect.OfferMember(root, "messages")
	for m := range messages.Elems() {
		content, _ := dialect.OfferMember(m, "content")
		for block := range content.Elems() {
			for name := range block.Members() {
				if name.Folds("toolUse") || name.Folds("toolResult") {
					return true
				}
			}
		}
	}
	return false
}

func placeOf(v strictjson.Value) dialect.Cut {
	start, _ := v.Span()
	return dialect.Cut{Start: start}
}
