package record

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// Schema is the JSON Schema of an event as Entry.JSON writes it. It is made from the Go types that are encoded. Events of a later
// version may have more members and types.
func Schema() yamlfile.Schema {
	root := objectSchema(reflect.TypeFor[Text]())
	properties, _ := root["properties"].(yamlfile.Schema)
	hash := yamlfile.Schema{"type": "string", "pattern": "^[0-9a-f]{64}$"}
	properties["v"] = yamlfile.Schema{"const": version}.Describe(descriptions["text.v"])
	properties["type"] = yamlfile.Schema{"enum": Types.Names()}.Describe(descriptions["text.type"])
	properties["prev_hash"] = hash.Describe(descriptions["text.prev_hash"])
	properties["hash"] = hash.Describe("SHA-256 of the event as it was recorded: of the text without this member.")
	required, _ := root["required"].([]string)
	root["required"] = append(required, "chain", "seq", "prev_hash", "hash")
	defs := map[string]yamlfile.Schema{}
	var conditions []yamlfile.Schema
	for _, k := range kinds {
		detail := yamlfile.Schema{"not": yamlfile.Schema{}} // there is none
		if of := k.detail.of; of != nil {
			defs[defName(of)] = objectSchema(of)
			detail = yamlfile.RefSchema(defName(of))
		}
		conditions = append(conditions, yamlfile.When("type", []string{string(k.Type)},
			yamlfile.Schema{"properties": yamlfile.Schema{"detail": detail}}, nil))
	}
	root["allOf"] = conditions
	return yamlfile.DocumentSchema("weir event", root, defs)
}

// defName is the name of the schema of a type.
func defName(t reflect.Type) string {
	var b strings.Builder
	for i, r := range t.Name() {
		if 'A' <= r && r <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// objectSchema describes the JSON of a struct.
func objectSchema(t reflect.Type) yamlfile.Schema {
	properties := yamlfile.Schema{}
	var required []string
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous {
			continue // its fields are among those of t
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if t == reflect.TypeFor[call.Actor]() && (name == "session" || name == "session_derived") {
			continue // the event itself has it
		}
		if !slices.Contains(strings.Split(options, ","), "omitzero") && !slices.Contains(strings.Split(options, ","), "omitempty") {
			required = append(required, name)
		}
		schema := valueSchema(f.Type)
		if text := descriptions[defName(t)+"."+name]; text != "" {
			schema = schema.Describe(text)
		}
		properties[name] = schema
	}
	out := yamlfile.Schema{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}

// timePattern is a time as RFC 3339 has it.
const timePattern = `^[0-9]{4,}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$`

// valueSchema describes the JSON of a value.
func valueSchema(t reflect.Type) yamlfile.Schema {
	switch t {
	case reflect.TypeFor[time.Time]():
		return yamlfile.Schema{"type": "string", "pattern": timePattern}
	case reflect.TypeFor[jsontext.Value]():
		return yamlfile.Schema{}
	}
	switch t.Kind() {
	case reflect.String:
		return yamlfile.Schema{"type": "string"}
	case reflect.Bool:
		return yamlfile.Schema{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return yamlfile.Schema{"type": "integer"}
	case reflect.Slice:
		return yamlfile.Schema{"type": "array", "items": valueSchema(t.Elem())}
	case reflect.Struct:
		return objectSchema(t)
	}
	panic("the schema of events cannot describe a " + t.String()) // the types are part of the program, and tested
}

// descriptions say what members mean, by the name of their type and their own name.
var descriptions = func() map[string]string {
	all := maps.Clone(eventWords)
	for _, words := range []map[string]string{callWords, mcpWords, sessionWords, policyWords, approvalWords} {
		maps.Copy(all, words)
	}
	return all
}()

// eventWords describe the members that events of all types have.
var eventWords = map[string]string{
	"text.v":    "The version of this shape.",
	"text.id":   "The event's own id.",
	"text.time": "When it happened, in UTC, to the microsecond.",
	"text.type": "What kind of thing happened.",
	"text.session": "The session of weir run that the agent is in, or one of the client's own: its key, a slash and the name that " +
		"it gave.",
	"text.session_derived": "The client did not name its session: all that its key is used for without a name counts as one.",
	"text.actor":           "On whose behalf: as the configuration knows it, never as the agent says.",
	"text.request_id":      "weir's id of the request; on every response as x-weir-request-id.",
	"text.response_id":     "The provider's id of the response.",
	"text.conversation_id": "The provider's id of the conversation.",
	"text.trace_id":        "The distributed trace of the request, in hex.",
	"text.span_id":         "weir's span in that trace.",
	"text.parent_span_id":  "The client's span in that trace.",
	"text.unsampled":       "The client does not want the trace to be kept.",
	"text.call_id":         "weir's id of the call; all events of one call have it.",
	"text.within":          "The call in whose arguments this one stands.",
	"text.dialect":         "The wire format.",
	"text.provider":        "The upstream's name in the configuration.",
	"text.model":           "The model, as the response names it.",
	"text.surface":         "Where the call showed itself: response, inbound, mcp or egress.",
	"text.server":          "The MCP server.",
	"text.tool":            "The tool.",
	"text.wire_id":         "The call's id on the wire; unique only within a response.",
	"text.server_type":     "The kind of MCP server: stdio, http or sse.",
	"text.server_addr":     "The program of the MCP server, or its URL without the query.",
	"text.tool_hash":       "The hash of the definition of the tool.",
	"text.jsonrpc_id":      "The id of the JSON-RPC request, as JSON.",
	"text.registry":        "How what is kept of the tools of the MCP server stood then.",
	"text.verdict":         "What the policy decided: allow, audit, sanitize or deny.",
	"text.blocked":         "It was kept from the agent.",
	"text.would_be":        "The verdict that was decided and not enforced.",
	"text.code":            "Why it was refused, as a stable word.",
	"text.reason":          "Why it was refused, for people.",
	"text.rule":            "The rule that decided.",
	"text.rule_origin":     "The file and line of the rule, and what other files change of it; only of a policy with several files.",
	"text.policy_version":  "The version of the policy that decided.",
	"text.detail":          "What only events of this type have.",
	"text.args":            "The arguments, redacted by rule; otherwise as they came.",
	"text.chain":           "The hash chain that the event is a link of.",
	"text.seq":             "Its place in the chain, from 1.",
	"text.prev_hash":       "The hash of the event before it; 64 zeros for the first.",
	"actor.org":            "The organisation.",
	"actor.team":           "The team.",
	"actor.employee":       "The person.",
	"actor.key":            "The name of the client's key.",
}
