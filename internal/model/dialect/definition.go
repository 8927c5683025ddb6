package dialect

import (
	"slices"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/strictjson"
)

// The members in which the formats say what a tool does and takes, and those that hold such a definition.
var (
	definitionHolders = []string{"function", "custom", "toolSpec"}
	schemaMembers     = []string{"input_schema", "parameters", "parametersJsonSchema", "parameters_json_schema", "inputSchema"}
	plainTypes        = []string{"", "function", "custom"} // of tools that the request defines
)

// Define returns how the request defines the tool. Where readers could disagree on a part of that, it is without the part.
func (o Offer) Define() (shown call.Definition) {
	var doc strictjson.Doc
	if doc.Parse(o.Declared) != nil {
		return shown
	}
	defined := doc.Root()
	for _, holder := range definitionHolders {
		if inner, err := OfferMember(defined, holder); err == nil && inner.Kind() == strictjson.Object {
			defined = inner
			break
		}
	}
	shown.Description, _ = textMember(defined, "description")
	for _, member := range schemaMembers {
		schema, err := OfferMember(defined, member)
		if err != nil || schema.Kind() != strictjson.Object {
			continue
		}
		if inner, err := OfferMember(schema, "json"); err == nil && inner.Kind() == strictjson.Object {
			schema = inner
		}
		shown.Schema = schema.Raw()
		break
	}
	typ, ok := textMember(doc.Root(), "type")
	shown.Provider = ok && !slices.Contains(plainTypes, typ) && shown.Description == "" && shown.Schema == nil
	return shown
}

// textMember is a member that is a text, or is not there. It is not ok if it is anything else.
func textMember(v strictjson.Value, name string) (text string, ok bool) {
	m, err := OfferMember(v, name)
	if err != nil {
		return "", false
	}
	if m.Kind() == strictjson.Missing {
		return "", true
	}
	return m.Text()
}
