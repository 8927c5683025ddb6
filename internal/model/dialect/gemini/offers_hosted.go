package gemini

import (
	"slices"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// computerUse is the tool that lets the model ask for acts on a screen.
const computerUse = "computerUse"

// hostedTools are the tools that the API defines. They map a member of an entry of a request's tools to the names of its calls.
// Tools whose calls do not appear in responses have only the name of their member.
var hostedTools = map[string][]string{
	"codeExecution":         {codeTool},
	"googleSearch":          {"GOOGLE_SEARCH_WEB"},
	"urlContext":            {"URL_CONTEXT"},
	"googleMaps":            {"GOOGLE_MAPS"},
	"fileSearch":            {"FILE_SEARCH"},
	"googleSearchRetrieval": nil,
	"enterpriseWebSearch":   nil,
	"parallelAiSearch":      nil,
	"exaAiSearch":           nil,
	"retrieval":             nil,
	computerUse:             nil,
}

// screenActs are the names of the calls with which the model acts on a screen.
var screenActs = []string{
	"open_web_browser", "wait_5_seconds", "go_back", "go_forward", "search", "navigate", "click_at", "hover_at", "type_text_at",
	"key_combination", "scroll_document", "scroll_at", "drag_and_drop",
}

// memberByKey are the known members of an entry of a request's tools, by their keys.
var memberByKey = func() map[string]string {
	known := map[string]string{key("functionDeclarations"): "functionDeclarations", key("mcpServers"): "mcpServers"}
	for member := range hostedTools {
		known[key(member)] = member
	}
	return known
}()

// knownMember returns the usual spelling of a member of an entry of a request's tools; "": it is unknown.
func knownMember(name string) string { return memberByKey[key(name)] }

// hostedOffer returns the offer of a tool that the API defines, or of an unknown tool.
func hostedOffer(name, known string, v strictjson.Value) dialect.Offer {
	if known == "" {
		o := dialect.Offer{Names: []string{name}}
		if other := snake(name); other != name {
			o.Spellings = []string{other}
		}
		return o
	}
	o := dialect.Offer{Names: slices.Clone(hostedTools[known])}
	if o.Names == nil {
		o.Names = []string{known}
	}
	o.Spellings = otherSpellings(known, o.Names[0])
	switch known {
	case "googleSearch":
		o.Names = append(o.Names, imageSearch(v)...)
	case "googleSearchRetrieval":
		o.Spellings = append(o.Spellings, "googleSearch", "google_search") // an older form of the same tool
	case computerUse:
		o.Names = append(o.Names, actsOf(v)...)
	}
	return o
}

// imageSearch returns the name of the calls that search for images, if the request turns them on.
func imageSearch(search strictjson.Value) []string {
	for types := range membersLike(search, "searchTypes") {
		for range membersLike(types, "imageSearch") {
			return []string{"GOOGLE_SEARCH_IMAGE"}
		}
	}
	return nil
}

// actsOf returns the acts on a screen that a request does not exclude.
func actsOf(use strictjson.Value) []string {
	var excluded []string
	for names := range membersLike(use, "excludedPredefinedFunctions") {
		for v := range elems(names) {
			name, _ := v.Text()
			excluded = append(excluded, name)
		}
	}
	return slices.DeleteFunc(slices.Clone(screenActs), func(act string) bool { return slices.Contains(excluded, act) })
}
