package bedrock

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// requests says where requests have tools and results.
var requests = dialect.RequestTable{Units: converseOf, Offers: offersOf, Results: resultsOf, Orphans: orphansOf}

// converseOf returns the request itself, also from a request that counts its tokens.
func converseOf(l *dialect.Lookup, root strictjson.Value) []strictjson.Value {
	if inner := l.Member(l.Member(root, "input"), "converse"); inner.Kind() == strictjson.Object {
		root = inner
	}
	return []strictjson.Value{root}
}

// The members in which requests have tools: those of the API, and fields that the API passes to the model in the model's own
// format.
const (
	ownTools    = "toolConfig"
	nativeTools = "additionalModelRequestFields"
)

func offersOf(l *dialect.Lookup, root strictjson.Value) []dialect.Offer {
	offers := listed(l, l.Member(root, ownTools), "tools", toolOf)
	more := l.Member(root, nativeTools)
	offers = append(offers, listed(l, more, "tools", nativeTool)...)
	return append(offers, listed(l, more, "mcp_servers", nativeServer)...)
}

// listed reads the offers of a list. An element may be no offer.
func listed(
	l *dialect.Lookup, v strictjson.Value, member string, read func(*dialect.Lookup, strictjson.Value) *dialect.Offer,
) (offers []dialect.Offer) {
	for elem := range l.List(v, member).Elems() {
		if !l.Object(elem) {
			return nil
		}
		if offer := read(l, elem); offer != nil {
			offer.Declared, offer.Cuts = dialect.WithoutSecrets(elem), []dialect.Cut{dialect.CutOf(elem)}
			offers = append(offers, *offer)
		}
	}
	return offers
}

// cachePoint is the only kind of entry in a list of tools that is not a tool.
const cachePoint = "cachePoint"

// toolOf reads an entry of the API's own tools: an object with one member, whose name is the kind of the tool. An unknown kind is a
// tool of that name.
func toolOf(l *dialect.Lookup, v strictjson.Value) *dialect.Offer {
	var offer dialect.Offer
	for kind, tool := range v.Members() {
		switch text, _ := kind.Text(); {
		case tool.Kind() == strictjson.Null, kind.Is(cachePoint):
			continue
		case kind.Folds(cachePoint):
			l.Fail(dialect.ErrTwoReadings)
		default:
			name := l.Text(tool, "name")
			if name == "" {
				name = text
			} else if text != "toolSpec" {
				offer.Spellings = append(offer.Spellings, text)
			}
			if name == "" {
				l.Fail(dialect.ErrUnreadable)
			}
			offer.Names = append(offer.Names, name)
		}
	}
	if len(offer.Names) > 0 {
		return &offer
	}
	if v.Len() == 0 {
		l.Fail(dialect.ErrUnreadable)
	}
	return nil
}

// nativeTool reads a tool in Claude's own format, in which provider-defined tools have a type.
func nativeTool(l *dialect.Lookup, v strictjson.Value) *dialect.Offer {
	name, typ := l.Text(v, "name"), l.Text(v, "type")
	switch {
	case name == "" && typ == "":
		l.Fail(dialect.ErrUnreadable)
		return nil
	case name == "":
		return &dialect.Offer{Names: []string{typ}}
	case typ == "":
		return &dialect.Offer{Names: []string{name}}
	}
	return &dialect.Offer{Names: []string{name}, Spellings: []string{typ}}
}

// nativeServer reads an MCP server that the provider is to connect to.
func nativeServer(l *dialect.Lookup, v strictjson.Value) *dialect.Offer {
	return &dialect.Offer{Names: []string{dialect.ServerName}, Server: l.RequiredText(v, "name"), Open: true}
}

// orphansOf returns the choice of a tool that is gone, and the parts that make no sense without tools. It fails if no tool is left
// and the request has calls in its history: such a request needs a tool.
func orphansOf(l *dialect.Lookup, root strictjson.Value, gone dialect.Gone) (cuts []dialect.Cut) {
	config, more := l.Member(root, ownTools), l.Member(root, nativeTools)
	none := len(gone.Left(listed(l, config, "tools", toolOf))) == 0
	noNative := len(gone.Left(listed(l, more, "tools", nativeTool))) == 0
	if none && hasCalls(root) {
		l.Fail(dialect.ErrUnreadable)
		return nil
	}
	if v := l.Member(config, "toolChoice"); v.Kind() == strictjson.Object && (none || choosesOne(v, gone.Offers)) {
		cuts = append(cuts, dialect.CutOf(v))
	}
	if v := l.Member(more, "tool_choice"); v.Kind() == strictjson.Object && (none && noNative || choosesOne(v, gone.Offers)) {
		cuts = append(cuts, dialect.CutOf(v))
	}
	if none && config.Kind() == strictjson.Object {
		cuts = append(cuts, dialect.CutOf(config))
	}
	return cuts
}

// choosesOne says whether a choice names one of the offers.
func choosesOne(choice strictjson.Value, offers []dialect.Offer) bool {
	tool, _ := choice.Member("tool")
	for _, holder := range []strictjson.Value{tool, choice} {
		chosen := dialect.MemberText(holder, "name")
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
	messages, _ := root.Member("messages")
	for m := range messages.Elems() {
		content, _ := m.Member("content")
		for block := range content.Elems() {
			if dialect.HasMember(block, "toolUse", "toolResult") {
				return true
			}
		}
	}
	return false
}
