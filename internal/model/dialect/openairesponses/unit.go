package openairesponses

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A kind says what an item is to the gate.
type kind uint8

const (
	said    kind = iota // text, reasoning and the like: passes
	asked               // a call that the client is to run
	ran                 // a call that the provider runs itself
	result              // the result of a call
	unknown             // an unknown type: counts as a call of a tool with that name, and the item is the arguments
)

// A form says where an item has the arguments of its call.
type form uint8

const (
	wholeItem      form = iota // the item itself
	jsonText                   // a member that is a JSON text
	freeText                   // a member that is a text
	objectMember               // a member that is an object
	severalMembers             // several members of any type
)

// A unit describes a type of item.
type unit struct {
	kind kind
	tool string // "": the item's own name
	form form
	from []string // the members with the arguments
}

// units are the types of items that are known. A type that ends in _output is a result.
var units = map[string]unit{
	"message":               {kind: said},
	"reasoning":             {kind: said},
	"compaction":            {kind: said},
	"additional_tools":      {kind: said},
	"mcp_approval_response": {kind: said},
	"item_reference":        {kind: said},

	"function_call":        {asked, "", jsonText, []string{"arguments"}},
	"custom_tool_call":     {asked, "", freeText, []string{"input"}},
	"mcp_approval_request": {asked, "", jsonText, []string{"arguments"}},
	"shell_call":           {asked, "shell", objectMember, []string{"action"}},
	"local_shell_call":     {asked, "local_shell", objectMember, []string{"action"}},
	"apply_patch_call":     {asked, "apply_patch", objectMember, []string{"operation"}},
	"computer_call":        {asked, "computer", severalMembers, []string{"action", "actions", "pending_safety_checks"}},
	"tool_search_call":     {asked, "tool_search", objectMember, []string{"arguments"}},

	"mcp_call":              {ran, "", jsonText, []string{"arguments"}},
	"web_search_call":       {ran, "web_search", objectMember, []string{"action"}},
	"file_search_call":      {ran, "file_search", severalMembers, []string{"queries"}},
	"code_interpreter_call": {ran, "code_interpreter", severalMembers, []string{"code", "container_id"}},
	"image_generation_call": {ran, "image_generation", severalMembers, nil},
	"mcp_list_tools":        {ran, "mcp_list_tools", severalMembers, nil},
	"program":               {ran, "program", severalMembers, []string{"code"}},
}

// unitOf returns the unit of a type.
func unitOf(typ string) unit {
	u, known := units[typ]
	switch {
	case known:
		return u
	case strings.HasSuffix(typ, "_output"):
		return unit{kind: result}
	}
	return unit{kind: unknown, tool: typ}
}

// A reading is what one occurrence of an item says.
type reading struct {
	unit
	typ    string
	id     string
	callID string
	status string
	server string
	name   string // as it is written there
	names  []string
	// spellings are other ways to write the first of names
	spellings []string
	args      []byte           // of a call: the judged arguments; of a text: the text
	empty     bool             // the text was empty: clients that parse it as JSON would fail
	hosted    bool             // the provider says that it runs the call itself
	wrong     *dialect.Refused // why the call is invalid; nil: it is valid
}

// readItem parses an item. It fails if clients could read it differently.
func readItem(v strictjson.Value) (reading, error) {
	if v.Kind() != strictjson.Object {
		return reading{}, dialect.Malformed("an item is not an object")
	}
	var r reading
	var err error
	for i, text := range []*string{&r.typ, &r.id, &r.callID, &r.status} {
		if *text, err = dialect.OptionalText(v, [...]string{"type", "id", "call_id", "status"}[i]); err != nil {
			return reading{}, err
		}
	}
	if r.typ == "" {
		// Messages may have no type; an item with a role is a message.
		if role, err := v.Member("role"); err != nil || role.Kind() != strictjson.String {
			return reading{}, dialect.Malformed("an item has no type")
		}
		r.typ = "message"
	}
	r.unit = unitOf(r.typ)
	switch r.kind {
	case said:
		// Definitions of tools may have members of any name.
		if r.typ != "additional_tools" && dialect.HidesCall(v) {
			return reading{}, dialect.Malformed("an item that is no call has one in it")
		}
		return r, nil
	case result:
		if dialect.HidesCall(v, "tools") {
			return reading{}, dialect.Malformed("an item that is no call has one in it")
		}
		return r, nil
	}
	if r.kind != unknown && dialect.HidesCall(v, append(r.from, "tools")...) {
		return reading{}, dialect.Malformed("a call has another one in it")
	}
	if err = r.readPlace(v); err == nil {
		err = r.readNames(v)
	}
	if err == nil {
		err = r.readArguments(v)
	}
	return r, err
}

// readPlace finds out who runs a call that either side may run. Clients decide by the tools that they offered, and not by the call,
// so the call is judged like one that the client runs. But the provider makes the output itself.
func (r *reading) readPlace(v strictjson.Value) error {
	switch r.typ {
	case "tool_search_call":
		execution, err := dialect.OptionalText(v, "execution")
		if err != nil {
			return err
		}
		r.hosted = execution == "server"
	case "shell_call":
		environment, err := v.Member("environment")
		if err != nil {
			return dialect.Ambiguous()
		}
		place, err := dialect.OptionalText(environment, "type")
		if err != nil {
			return err
		}
		r.hosted = strings.HasPrefix(place, "container")
	}
	return nil
}

// readNames reads the names of the tool.
func (r *reading) readNames(v strictjson.Value) error {
	var name, namespace string
	var err error
	if r.tool != "" {
		r.names = []string{r.tool}
		if r.kind != unknown {
			r.server, err = dialect.OptionalText(v, "server_label")
			return err
		}
	}
	if name, err = dialect.OptionalText(v, "name"); err != nil {
		return err
	}
	if namespace, err = dialect.OptionalText(v, "namespace"); err != nil {
		return err
	}
	if r.server, err = dialect.OptionalText(v, "server_label"); err != nil {
		return err
	}
	if name == "" {
		if r.kind != unknown {
			r.names, r.wrong = []string{r.typ}, dialect.Malformed("It has no name.")
		}
		return nil
	}
	r.name = name
	server, ofServer := strings.CutPrefix(namespace, mcpPrefix)
	switch {
	case r.kind == unknown && name != r.tool:
		r.names = append(r.names, name)
	case r.kind == unknown:
	case ofServer:
		r.names, r.server = []string{name}, server
	case namespace != "":
		r.names = []string{namespace + "." + name}
		r.spellings = []string{name, namespace + "__" + name, namespace + "/" + name}
	default:
		r.names = []string{name}
	}
	return nil
}

// mcpPrefix is the prefix of the namespaces in which clients put the tools of MCP servers.
const mcpPrefix = "mcp__"

// readArguments reads the arguments of a call.
func (r *reading) readArguments(v strictjson.Value) error {
	switch r.form {
	case wholeItem:
		r.args = bytes.Clone(v.Raw())
	case severalMembers:
		r.args = []byte{'{'}
		for _, name := range r.from {
			m, err := v.Member(name)
			if err != nil {
				return dialect.Ambiguous()
			}
			if !dialect.Present(m) || m.Kind() == strictjson.Array && m.Len() == 0 {
				continue
			}
			if len(r.args) > 1 {
				r.args = append(r.args, ',')
			}
			r.args = append(r.args, dialect.Quote(name)+":"...)
			r.args = append(r.args, m.Raw()...)
		}
		r.args = append(r.args, '}')
	default:
		m, err := v.Member(r.from[0])
		if err != nil {
			return dialect.Ambiguous()
		}
		r.readPayload(m)
	}
	return nil
}

// readPayload reads arguments that are one member.
func (r *reading) readPayload(m strictjson.Value) {
	switch k := m.Kind(); {
	case k == strictjson.Missing || k == strictjson.Null:
		if r.form == objectMember {
			r.args = []byte("{}")
		}
	case k == strictjson.String:
		r.empty = r.form == jsonText && len(m.Raw()) == len(`""`)
		r.args = orEmpty(m.AppendText(nil), r.form)
		if r.form == objectMember {
			r.form = jsonText
		}
	case k == strictjson.Object && r.form == jsonText:
		// No known client expects this, and clients would disagree.
		r.args, r.wrong = bytes.Clone(m.Raw()), dialect.NotObject()
	case k == strictjson.Object && r.form == objectMember:
		r.args = compact(m.Raw())
	default:
		r.args, r.wrong = bytes.Clone(m.Raw()), dialect.NotObject()
	}
}

// orEmpty returns the text of arguments. An empty JSON text becomes an empty object.
func orEmpty(text []byte, f form) []byte {
	if len(text) == 0 && f == jsonText {
		return []byte("{}")
	}
	return text
}

// compact returns JSON without white space between tokens.
func compact(raw []byte) []byte {
	v := jsontext.Value(bytes.Clone(raw))
	if v.Compact(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil {
		return bytes.Clone(raw)
	}
	return v
}

// isCall says whether an item is a call of any kind.
func (r *reading) isCall() bool { return r.kind == asked || r.kind == ran || r.kind == unknown }

// fixed says whether a call's arguments cannot be replaced: they are in several members, or the provider runs the call with its own
// copy, now or after an approval.
func (r *reading) fixed() bool {
	return r.kind != asked || r.form == severalMembers || r.hosted || r.typ == "mcp_approval_request"
}

// inText says whether arguments come as a text, which may come in pieces.
func (r *reading) inText() bool { return r.form == jsonText || r.form == freeText }

// complete says whether the status says that the call is complete.
func (r *reading) complete() bool { return r.status == "" || r.status == "completed" }
