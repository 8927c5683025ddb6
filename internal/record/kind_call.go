package record

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
)

var callKinds = []Kind{
	{Type: Types.ToolCall, class: asked, Has: ruling, detail: is[ToolCall]()},
	{Type: Types.ToolResult, Has: ruling, MCP: true, Refused: "What %s gave", detail: is[ToolResult]()},
	{Type: Types.Reread, class: again, Has: ruling, detail: is[ToolCall]()},
	{Type: Types.CallWarning, Has: Members{Actor: true, Tool: true}, Notable: true, detail: is[CallWarning]()},
	{Type: Types.CallArguments, Has: Members{Actor: true, Tool: true, Code: true}, MCP: true, detail: is[ToolCall]()},
	{Type: Types.CallWithdrawn, Has: ruling, MCP: true, detail: is[ToolCall]()},
	{Type: Types.ResponseDone, Has: Members{Actor: true}, detail: is[ResponseDone]()},
	{Type: Types.StreamRefused, Has: Members{Actor: true, Code: true}, MCP: true, Whole: true},
	{Type: Types.PolicyLoaded, detail: is[PolicyLoaded]()},
	{Type: Types.RecordGap, detail: is[RecordGap]()},
}

// ToolCall is the detail of an event of a call. Most calls need none.
type ToolCall struct {
	// Replaced are the secrets that were removed from the recorded arguments.
	Replaced []Replaced `json:"replaced,omitempty"`
	// Aliases are other readings of the tool's name, each judged; Spellings are other ways to write it.
	Aliases []string `json:"aliases,omitempty"`
	// Written is how the model wrote the tool's name, if that showed which MCP server the tool belongs to. "": as Tool and Server have
	// it.
	Written   string   `json:"written_as,omitzero"`
	Spellings []string `json:"spellings,omitempty"`
	Ran       bool     `json:"ran_by_provider,omitzero"` // before it could be judged
	// Holes are JSON pointers to the parts of the arguments that code computes. The record has null there.
	Holes   []string `json:"holes,omitempty"`
	Repeats bool     `json:"repeats,omitzero"` // the code around the call may make it any number of times
	// Omitted is what is left of arguments that are too long for the record.
	Omitted omitted `json:"args_omitted,omitzero"`
	// ArgsFollow says that the call was refused before its arguments had arrived. They are in an event of Types.CallArguments.
	ArgsFollow bool `json:"args_follow,omitzero"`
	// ArgsCode says why the arguments that followed are not whole; only where both events are shown as one.
	ArgsCode string `json:"args_code,omitzero"`
	// ToolState says why the tool of an MCP server was not trusted: unknown, changed or gone; "": it was trusted, or belongs to no
	// server.
	ToolState string `json:"tool_state,omitzero"`
	// ToolSeverity is the severity of the worst finding in the definition of the tool; "": there is none.
	ToolSeverity string `json:"tool_severity,omitzero"`
	// ToolHints are what the definition of the tool says of it: destructive, read_only, open_world, idempotent.
	ToolHints []call.Hint `json:"tool_hints,omitempty"`
	// Declared says that a model asked for the call, under the same id, before it was made.
	Declared bool `json:"declared,omitzero"`
	// Beside are the members of the params of an MCP call beside its name and arguments, such as _meta; nil: there are none, or they
	// are long.
	Beside jsontext.Value `json:"params,omitzero"`
	// LeftOut are the first names of members of the message that JSON-RPC does not have, and of params that MCP does not have. They
	// were not passed on.
	LeftOut []string `json:"params_left_out,omitempty"`
	// Findings are parts of an MCP server's request that could mislead a model or a person.
	Findings []Finding `json:"findings,omitempty"`
	// MembersLeftOut are the names of members that were removed from the call: no provider documents them, and they could have held
	// other arguments than the judged ones.
	MembersLeftOut []string `json:"left_out,omitempty"`
}

// IsZero says that the detail is empty.
func (d ToolCall) IsZero() bool {
	return d.Written == "" && d.ToolState == "" && d.ToolSeverity == "" && len(d.ToolHints) == 0 && len(d.Replaced) == 0 &&
		len(d.Aliases) == 0 && len(d.Spellings) == 0 && !d.Ran && len(d.Holes) == 0 && !d.Repeats && d.Omitted == omitted{} && !d.Declared &&
		len(d.Findings) == 0 && d.Beside == nil && len(d.LeftOut) == 0 && len(d.MembersLeftOut) == 0 && !d.ArgsFollow && d.ArgsCode == ""
}

// omitted describes arguments that are too long for the record, without the secrets that the record would not have.
type omitted struct {
	SizeBytes int64  `json:"size_bytes"`
	Digest    string `json:"digest"` // "sha256:" and hex
	Begin     string `json:"begin"`  // their first characters
}

// Replaced says how often one kind of secret was replaced.
type Replaced struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// ToolResult is the detail of a Types.ToolResult event.
type ToolResult struct {
	SizeBytes int64  `json:"size_bytes"`
	Digest    string `json:"digest"` // "sha256:" and hex
	Failed    bool   `json:"is_error"`
	// Method is the method of the request that the result belongs to, if that called no tool.
	Method   string    `json:"method,omitzero"`
	Findings []Finding `json:"findings,omitempty"` // what in it could mislead a model
}

func (d ToolResult) numbers() Numbers {
	return Numbers{ResultBytes: d.SizeBytes, ResultFailed: d.Failed}
}

// CallWarning is the detail of a Types.CallWarning event.
type CallWarning struct {
	SizeBytes  int64 `json:"size_bytes"`  // of the arguments
	LimitBytes int64 `json:"limit_bytes"` // past which there is a warning
}

// ResponseDone is the detail of a Types.ResponseDone event.
type ResponseDone struct {
	Usage    call.Usage `json:"usage"`
	Released int        `json:"released"` // calls delivered
	Refused  int        `json:"refused"`  // calls refused
	Clean    bool       `json:"clean"`    // the upstream's response came to its end
	Timings  Timings    `json:"timings,omitzero"`
	// CostMicros is what it cost by the price table, in millionths of a US dollar; 0: nothing, or not known.
	CostMicros int64 `json:"cost_usd_micros,omitzero"`
	// CostGuessed says that the response did not say how many tokens it used, so that they were estimated from its size.
	CostGuessed bool `json:"cost_guessed,omitzero"`
	// Prices is the version of the price table; "": there was none.
	Prices string `json:"prices,omitzero"`
	// RequestBody and ResponseBody describe the stored bodies, which may have been removed since; zero: nothing was stored.
	RequestBody  call.Body `json:"request_body,omitzero"`
	ResponseBody call.Body `json:"response_body,omitzero"`
}

// Timings say how the time of a response was spent.
type Timings struct {
	Started        time.Time `json:"started"`         // when the request came
	Status         int       `json:"status,omitzero"` // of the upstream's response
	UpstreamMicros int64     `json:"upstream_us"`     // waiting for the upstream
	HeldMicros     int64     `json:"held_us"`         // how long complete calls waited for their rulings
	JudgedMicros   int64     `json:"judged_us"`       // of that: until the policy had decided
	RecordedMicros int64     `json:"recorded_us"`     // of that: until the record was durable
	TotalMicros    int64     `json:"total_us"`        // from the request to the end of the response
}

func (d ResponseDone) numbers() Numbers {
	return Numbers{
		Calls:       int64(d.Released) + int64(d.Refused),
		InputTokens: d.Usage.Input, CacheTokens: d.Usage.CacheRead + d.Usage.CacheCreation, OutputTokens: d.Usage.Output,
		CostMicros: d.CostMicros, UpstreamMicros: d.Timings.UpstreamMicros, HeldMicros: d.Timings.HeldMicros,
		JudgedMicros: d.Timings.JudgedMicros, RecordedMicros: d.Timings.RecordedMicros, TotalMicros: d.Timings.TotalMicros,
	}
}

// PolicyLoaded is the detail of a Types.PolicyLoaded event.
type PolicyLoaded struct {
	Source      string `json:"source,omitzero"` // where the policy was read from
	Rules       int    `json:"rules"`
	Enforcement string `json:"enforcement,omitzero"` // enforce, shadow or observe
}

// RecordGap is the detail of a Types.RecordGap event.
type RecordGap struct {
	Events int `json:"events"` // that are lost
}

func (ToolCall) detail()     {}
func (ToolResult) detail()   {}
func (CallWarning) detail()  {}
func (ResponseDone) detail() {}
func (PolicyLoaded) detail() {}
func (RecordGap) detail()    {}

// callWords say what the members of these details mean, for the schema.
var callWords = map[string]string{
	"tool_call.replaced":        "Secrets that the record of the arguments is without.",
	"tool_call.aliases":         "Other readings of the tool's name, each judged.",
	"tool_call.written_as":      "How the model wrote the name of an MCP server's tool.",
	"tool_call.spellings":       "Other ways to write the tool's name.",
	"tool_call.ran_by_provider": "The provider had run it before it could be judged.",
	"tool_call.holes":           "The parts of the arguments that the code around the call computes, as JSON pointers.",
	"tool_call.repeats":         "The code around the call may make it any number of times.",
	"tool_call.args_omitted":    "What is left of arguments that are too long for the record, redacted by rule.",
	"tool_call.args_follow": "The call was refused before its arguments were there. An event of type tool_call_arguments with the " +
		"same call_id has them.",
	"tool_call.args_code":     "Why the arguments that followed are not whole, where both events are shown as one.",
	"tool_call.tool_state":    "How far the tool of an MCP server could be trusted: unknown, changed or gone.",
	"tool_call.tool_severity": "The severity of the worst finding in the definition of the tool.",
	"tool_call.tool_hints":    "What the definition of the tool says of it: destructive, read_only, open_world, idempotent.",
	"tool_call.params": "The members of the params of an MCP call beside its name and arguments, such as _meta. Not there if " +
		"they are long.",
	"tool_call.params_left_out": "The first names of members of the message that JSON-RPC does not have, and of params that MCP does " +
		"not have: they were not passed on.",
	"tool_call.declared": "A model asked for the call, under the same id, before it was made.",
	"tool_call.findings": "What in the request could mislead a model or a person.",
	"tool_call.left_out": "Members that the call was delivered without: no provider documents them, and they could hold other " +
		"arguments.",
	"omitted.size_bytes":            "Their size.",
	"omitted.digest":                "sha256: and their digest, in hex.",
	"omitted.begin":                 "Their first characters.",
	"replaced.name":                 "The kind of secret.",
	"replaced.count":                "How often it was replaced.",
	"tool_result.size_bytes":        "The size of what the call gave.",
	"tool_result.digest":            "sha256: and the digest of what the call gave, in hex.",
	"tool_result.is_error":          "The client says that the call failed.",
	"tool_result.method":            "The request that it answers, if that called no tool.",
	"tool_result.findings":          "What in it could mislead a model.",
	"call_warning.size_bytes":       "The size of the arguments.",
	"call_warning.limit_bytes":      "The size past which there is a warning.",
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
	"record_gap.events":             "How many events are lost.",
	"policy_loaded.source":          "Where the policy was read from.",
	"policy_loaded.rules":           "How many rules it has.",
	"policy_loaded.enforcement":     "enforce, shadow or observe.",
}
