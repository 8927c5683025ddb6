package record

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// details are the types of the details of events; a type that is not here has none.
var details = map[Type]reflect.Type{
	TypeToolCall:      reflect.TypeFor[ToolCall](),
	TypeReread:        reflect.TypeFor[ToolCall](),
	TypeToolResult:    reflect.TypeFor[ToolResult](),
	TypeCallWarning:   reflect.TypeFor[CallWarning](),
	TypeCallArguments: reflect.TypeFor[ToolCall](),
	TypeCallWithdrawn: reflect.TypeFor[ToolCall](),
	TypeResponseDone:  reflect.TypeFor[ResponseDone](),
	TypePolicyLoaded:  reflect.TypeFor[PolicyLoaded](),
	TypeRecordGap:     reflect.TypeFor[RecordGap](),

	TypeMCPIntercepted: reflect.TypeFor[ToolCall](),
	TypeMCPCalled:      reflect.TypeFor[ToolCall](),
	TypeMCPRequest:     reflect.TypeFor[ToolCall](),
	TypeMCPToolSeen:    reflect.TypeFor[ToolSeen](),
	TypeMCPToolChanged: reflect.TypeFor[ToolChanged](),
	TypeMCPPinChanged:  reflect.TypeFor[PinChanged](),
	TypeRegistryNoted:  reflect.TypeFor[RegistryNoted](),

	TypeConnection:     reflect.TypeFor[Connection](),
	TypeMCPConnection:  reflect.TypeFor[Connection](),
	TypeUndeclaredAct:  reflect.TypeFor[UndeclaredAct](),
	TypeSessionStarted: reflect.TypeFor[SessionStarted](),
	TypeSessionEnded:   reflect.TypeFor[SessionEnded](),
}

// Schema is the JSON Schema of an event as Entry.JSON writes it. It is made from the types that events are written by. Events
// that a later version records may have more members and types.
func Schema() yamlfile.Schema {
	root := objectSchema(reflect.TypeFor[Text]())
	properties, _ := root["properties"].(yamlfile.Schema)
	hash := yamlfile.Schema{"type": "string", "pattern": "^[0-9a-f]{64}$"}
	properties["v"] = yamlfile.Schema{"const": Version}.Describe(descriptions["text.v"])
	properties["type"] = yamlfile.Schema{"enum": TypeNames()}.Describe(descriptions["text.type"])
	properties["prev_hash"] = hash.Describe(descriptions["text.prev_hash"])
	properties["hash"] = hash.Describe("SHA-256 of the event as it was recorded: of the text without this member.")
	required, _ := root["required"].([]string)
	root["required"] = append(required, "chain", "seq", "prev_hash", "hash")
	defs := map[string]yamlfile.Schema{}
	var conditions []yamlfile.Schema
	for _, typ := range types {
		detail := yamlfile.Schema{"not": yamlfile.Schema{}} // there is none
		if of, ok := details[typ]; ok {
			defs[defName(of)] = objectSchema(of)
			detail = yamlfile.RefSchema(defName(of))
		}
		conditions = append(conditions, yamlfile.When("type", []string{string(typ)},
			yamlfile.Schema{"properties": yamlfile.Schema{"detail": detail}}, nil))
	}
	root["allOf"] = conditions
	return yamlfile.DocumentSchema("weir event", root, defs)
}

// defName is what the schema of a type is called.
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
	for f := range t.Fields() {
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

// descriptions say what members mean, by the name of their type and their own.
var descriptions = map[string]string{
	"text.v":               "The version of this shape.",
	"text.id":              "The event's own id.",
	"text.time":            "When it happened, in UTC, to the microsecond.",
	"text.type":            "What kind of thing happened.",
	"text.session":         "The session of weir run that the agent is in, or one of the client's own: its key, a slash and the name that it gave.",
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
	"text.policy_version":  "The version of the policy that decided.",
	"text.detail":          "What only events of this type have.",
	"text.args":            "The arguments, redacted by rule; otherwise as they came.",
	"text.chain":           "The hash chain that the event is a link of.",
	"text.seq":             "Its place in the chain, from 1.",
	"text.prev_hash":       "The hash of the event before it; 64 zeros for the first.",

	"actor.org":      "The organisation.",
	"actor.team":     "The team.",
	"actor.employee": "The person.",
	"actor.key":      "The name of the client's key.",

	"tool_call.replaced":        "Secrets that the record of the arguments is without.",
	"tool_call.aliases":         "Other readings of the tool's name, each judged.",
	"tool_call.written_as":      "How the model wrote the name of an MCP server's tool.",
	"tool_call.spellings":       "Other ways to write the tool's name.",
	"tool_call.ran_by_provider": "The provider had run it before it could be judged.",
	"tool_call.holes":           "The parts of the arguments that the code around the call computes, as JSON pointers.",
	"tool_call.repeats":         "The code around the call may make it any number of times.",
	"tool_call.args_omitted":    "What is left of arguments that are too long for the record, redacted by rule.",
	"tool_call.args_follow":     "The call was refused before its arguments were there. An event of type tool_call_arguments with the same call_id has them.",
	"tool_call.args_code":       "Why the arguments that followed are not whole, where both events are shown as one.",
	"tool_call.tool_state":      "How far the tool of an MCP server could be trusted: unknown, changed or gone.",
	"tool_call.tool_severity":   "The severity of the worst finding in the definition of the tool.",
	"tool_call.params":          "The members of the params of an MCP call beside its name and arguments, such as _meta. Not there if they are long.",
	"tool_call.params_left_out": "The first names of members of the message that JSON-RPC does not have, and of params that MCP does not have: they were not passed on.",
	"tool_call.declared":        "A model asked for the call, under the same id, before it was made.",
	"tool_call.findings":        "What in the request could mislead a model or a person.",
	"tool_call.left_out":        "Members that the call was delivered without: no provider documents them, and they could hold other arguments.",
	"omitted.size_bytes":        "Their size.",
	"omitted.digest":            "sha256: and their digest, in hex.",
	"omitted.begin":             "Their first characters.",
	"replaced.name":             "The kind of secret.",
	"replaced.count":            "How often it was replaced.",

	"tool_result.size_bytes": "The size of what the call gave.",
	"tool_result.digest":     "sha256: and the digest of what the call gave, in hex.",
	"tool_result.is_error":   "The client says that the call failed.",
	"tool_result.method":     "The request that it answers, if that called no tool.",
	"tool_result.findings":   "What in it could mislead a model.",
	"finding.rule":           "The rule of the scan, class first.",
	"finding.severity":       "low, medium, high or critical.",
	"finding.where":          "The text it is in: a JSON pointer, or a name.",
	"finding.excerpt":        "A piece of the text, safe to show.",

	"tool_seen.definition":   "The definition as the server sent it.",
	"tool_seen.trusted":      "It is trusted because it was seen first.",
	"tool_seen.findings":     "What in the definition could mislead a model.",
	"tool_seen.look_alikes":  "Tools, as server/tool, that it could be taken for.",
	"tool_seen.collisions":   "Other servers with a tool of its name.",
	"tool_seen.renamed_from": "The tool that is gone and like it in all but the name.",

	"tool_changed.was":         "The hash that it had.",
	"tool_changed.differences": "Where the definitions differ.",
	"tool_changed.gone":        "Its server does not offer it any more.",
	"tool_changed.back":        "Its server offers it again.",
	"tool_changed.noted":       "Only what is not part of the hash is another.",
	"tool_changed.findings":    "What in the definition could mislead a model.",

	"registry_mark.revision": "The revision of the registry.",
	"registry_mark.digest":   "sha256: and the digest of all that is kept of the tools of the server, in hex.",

	"pin_changed.action": "trust: the tool is trusted as it is defined; reset: it is forgotten, with who trusted it.",
	"pin_changed.by":     "The login name of who did it.",
	"pin_changed.was":    "The hash of the definition that was trusted before.",

	"registry_noted.revision": "The revision of the registry.",
	"registry_noted.servers":  "The servers of which tools are kept.",
	"registry_noted.differ":   "Servers whose tools are not as the record said last: something else than weir changed them, or weir was killed in between.",
	"noted_server.server":     "The MCP server.",
	"noted_server.digest":     "sha256: and the digest of all that is kept of its tools, in hex.",

	"call_warning.size_bytes":  "The size of the arguments.",
	"call_warning.limit_bytes": "The size past which there is a warning.",

	"response_done.usage":           "Tokens, as the response says.",
	"response_done.released":        "Calls delivered.",
	"response_done.refused":         "Calls kept back.",
	"response_done.clean":           "The upstream came to its end.",
	"response_done.timings":         "Where the time of the response went.",
	"response_done.cost_usd_micros": "What it cost by the price table, in millionths of a US dollar.",
	"response_done.prices":          "The version of the table of prices.",
	"response_done.cost_guessed":    "The response did not say what it used, so that its size had to tell.",
	"response_done.request_body":    "What is known of the request's body, if bodies are kept.",
	"response_done.response_body":   "What is known of the response's body, if bodies are kept.",
	"body.digest":                   "sha256: and the digest of the text as it is kept, in hex.",
	"body.size":                     "The size of that text, in bytes.",
	"body.full_size":                "The size of the whole body, if its end was cut off.",
	"body.not_kept":                 "Why the body is not kept.",
	"usage.input_tokens":            "Of the prompt, without those that a cache had or took.",
	"usage.output_tokens":           "Of the answer.",
	"usage.cache_read_tokens":       "Of the prompt that a cache had.",
	"usage.cache_creation_tokens":   "Of the prompt that a cache took.",
	"timings.started":               "When the request came.",
	"timings.status":                "The status of the upstream's answer.",
	"timings.upstream_us":           "Waiting for the upstream, in microseconds.",
	"timings.held_us":               "Complete calls waited for their rulings.",
	"timings.judged_us":             "Of that: until the policy had decided.",
	"timings.recorded_us":           "Of that: until the record was durable.",
	"timings.total_us":              "From the request to the end of the response.",

	"record_gap.events":         "How many events are lost.",
	"policy_loaded.source":      "Where the policy was read from.",
	"policy_loaded.rules":       "How many rules it has.",
	"policy_loaded.enforcement": "enforce, shadow or observe.",

	"connection.remote_addr": "The address and port that it was for.",
	"connection.host_from":   "What the names of the host are known from: dns, sni, http or connect.",
	"connection.unread":      "What the program said first showed no name that could be read: it was judged by its address, and by the names that were looked up.",
	"connection.pid":         "The process that wanted it.",
	"connection.process":     "The base name of its program.",
	"connection.linked_by":   "How the call is known that it belongs to: server, text or only.",
	"connection.maybe":       "Calls that were under way, one of which it may belong to.",

	"undeclared_act.act": "What was done: tool_called, server_reached or tool_result.",

	"session_started.agent":         "The agent that weir knows the program as.",
	"session_started.program":       "The base name of the program.",
	"session_started.isolation":     "How its connections are watched: namespace, proxy or none.",
	"session_started.policy":        "The version of the policy, which stays until the end.",
	"session_started.policy_source": "Where the policy was read from.",
	"session_started.bare_servers":  "MCP servers that the agent reaches past weir.",

	"session_ended.exit": "The status that the program ended with; of one that a signal ended, 128 and the signal's number.",
	"session_ended.lost": "weir run was gone before it could tell how the program ended.",
}
