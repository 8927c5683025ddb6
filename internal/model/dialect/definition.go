package dialect

import (
	"slices"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/strictjson"
)

// The members in which the formats define a tool, and the members that hold such a definition.
var (
	definitionHolders = []string{"function", "custom", "toolSpec"}
	schemaMembers     = []string{"input_schema", "parameters", "parametersJsonSchema", "parameters_json_schema", "inputSchema"}
	plainTypes        = []string{"", "function", "custom"} // of tools that the request defines
)

// Define returns how the request defines the tool. Parts that readers could read differently are left out.
func (o Offer) Define() (shown call.Definition) {
	var doc strictjson.Doc
	if doc.Parse(o.Declared) != nil {
		return shown
	}
	defined := doc.Root()
	for _, holder := range definitionHolders {
		if inner, _ := defined.Member(holder); inner.Kind() == strictjson.Object {
			defined = inner
			break
		}
	}
	shown.Description, _ = textMember(defined, "description")
	for _, member := range schemaMembers {
		schema, _ := defined.Member(member)
		if schema.Kind() != strictjson.Object {
			continue
		}
		if inner, _ := schema.Member("json"); inner.Kind() == strictjson.Object {
			schema = inner
		}
		shown.Schema = schema.Raw()
		break
	}
	typ, ok := textMember(doc.Root(), "type")
	shown.Provider = ok && !slices.Contains(plainTypes, typ) && shown.Description == "" && shown.Schema == nil
	return shown
}

// textMember returns a member that is a text or missing. It is not ok if the member is anything else.
func textMember(v strictjson.Value, name string) (text string, ok bool) {
	var l Lookup
	m := l.Member(v, name)
	text, ok = m.Text()
	return text, l.Err == nil && (ok || m.Kind() == strictjson.Missing)
}
