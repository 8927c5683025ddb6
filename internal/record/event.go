// Package record is the words of the record: what an event is, of which kinds, how it reads as text, as columns and as a schema, and how one
// follows another in a chain. Its rooms write the record, sign it, keep it, ask it and check it.
package record

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
)

// Version is the version of the JSON shape of events, their member "v".
const Version = 1

// A Type says what kind of thing happened.
type Type string

// The types of events.
const (
	TypeToolCall    Type = "tool_call"         // a call was ruled; on the inbound surface: a tool that a request offers was
	TypeToolResult  Type = "tool_result"       // a request brought what a call gave; see ToolResult
	TypeReread      Type = "reread"            // a call that was ruled before was asked for again; otherwise like TypeToolCall
	TypeCallWarning Type = "tool_call_warning" // a call is larger than is usual; see CallWarning
	// TypeCallArguments has the arguments of a call that was refused before they were there, under its call id: see
	// ToolCall.ArgsFollow. Its Code says why they are not whole.
	TypeCallArguments Type = "tool_call_arguments"
	// TypeCallWithdrawn says that a call was refused after it was, or may have been, recorded as released. It has the same call id.
	TypeCallWithdrawn Type = "tool_call_withdrawn"
	TypeResponseDone  Type = "response_done"  // a response ended; see ResponseDone
	TypeStreamRefused Type = "stream_refused" // a request, or the rest of a response, was refused; Code and Reason say why
	TypePolicyLoaded  Type = "policy_loaded"  // a policy came into force; see PolicyLoaded
	TypeRecordGap     Type = "record_gap"     // events could not be recorded and are lost; see RecordGap

	TypeMCPIntercepted Type = "mcp_tool_call_intercepted" // in place of TypeToolCall if the tool is an MCP server's
	TypeMCPCalled      Type = "mcp_tool_called"           // a client called a tool of an MCP server; with the id of the call that a model asked for, if it did
	TypeMCPRequest     Type = "mcp_request"               // another request between an MCP client and a server was ruled; Tool is its method
	TypeMCPToolSeen    Type = "mcp_tool_seen"             // a server offers a tool for the first time; see ToolSeen
	TypeMCPToolChanged Type = "mcp_tool_changed"          // a tool is defined otherwise, gone, or back; see ToolChanged
	TypeMCPPinChanged  Type = "mcp_pin_changed"           // somebody trusts a tool, or had it forgotten; see PinChanged
	TypeRegistryNoted  Type = "mcp_registry_noted"        // weir took note of how all tools that it knows stand; see RegistryNoted

	TypeConnection     Type = "network_connection"     // a program of a session wanted something of the network; see Connection
	TypeMCPConnection  Type = "mcp_network_connection" // the same, of an MCP server; older records have it of every connection
	TypeUndeclaredAct  Type = "undeclared_act"         // something was done in a session that no model asked for; see UndeclaredAct
	TypeSessionStarted Type = "session_started"        // weir run started a program; see SessionStarted
	TypeSessionEnded   Type = "session_ended"          // the program ended; see SessionEnded
)

// An Event is one thing that happened. Members that do not apply to its type stay empty and are not written.
type Event struct {
	ID            string        // unique; empty: the recorder makes one
	Time          time.Time     // kept to the microsecond; zero: when it is recorded
	Type          Type          // required
	Actor         call.Actor    // on whose behalf; Actor.Session is the member "session" of the JSON
	Exchange      call.Exchange // the request and response it belongs to
	Trace         string        // the distributed trace of the request, in hex; "": none
	Span          string        // weir's span of the request in it
	ParentSpan    string        // the client's; "": it named none
	Unsampled     bool          // the client does not want the trace to be kept
	CallID        call.ID
	Within        call.ID // the call in whose arguments this one stands; "": it stands for itself
	Surface       call.Surface
	Server        string
	Tool          string
	WireID        string
	ServerType    string         // of an MCP server: stdio, http or sse
	ServerAddr    string         // its program, or its URL without the query
	ToolHash      string         // of the definition of the tool
	RPCID         string         // the JSON-RPC id of the request, as JSON
	Args          jsontext.Value // kept byte for byte, except for white space around the value; nil: none
	Verdict       string         // allow, audit or deny; "" for what no policy decides
	Blocked       bool           // it was kept from the agent
	WouldBe       string         // the verdict that was decided but not enforced; "" if there is none
	Code          string
	Reason        string
	Rule          string
	PolicyVersion string
	Registry      RegistryMark // how what is kept of the tools of Server stood then; zero: it is not said
	Detail        Detail       // what only events of this type have; nil: nothing

	// Keep is the ruling to be remembered with the event, as soon and as surely as the event is; nil: none. It is no part
	// of the event's text, and does not come back with it.
	Keep *call.Kept

	// Spend is the money to be counted with the event, as soon and as surely as the event is recorded; nil: none. It is no
	// part of the event's text either.
	Spend []call.Spend

	Link
}

// A Link is the place of an event in its chain. The recorder fills it in.
type Link struct {
	Chain    string
	Seq      int64  // 1 for the first event of a chain
	PrevHash string // the hash of the event before it; Genesis for the first
	Hash     string // SHA-256, in hex, of the event's text
}

// A Detail is what only events of one type have: ToolCall, ToolResult, CallWarning, ResponseDone, PolicyLoaded, RecordGap,
// ToolSeen, ToolChanged, PinChanged, RegistryNoted, Connection, UndeclaredAct, SessionStarted, SessionEnded, or UnknownDetail.
type Detail interface{ detail() }

// ToolCall is the detail of an event of a call, if there is more to say of it than of most.
type ToolCall struct {
	// Replaced are the secrets that the record of the arguments is without.
	Replaced []Replaced `json:"replaced,omitempty"`
	// Aliases are other readings of the tool's name, each judged; Spellings are other ways to write it.
	Aliases []string `json:"aliases,omitempty"`
	// Written is how the model wrote the tool's name, if that told which MCP server's tool it means. "": as Tool and Server have it.
	Written   string   `json:"written_as,omitzero"`
	Spellings []string `json:"spellings,omitempty"`
	Ran       bool     `json:"ran_by_provider,omitzero"` // before it could be judged
	// Holes are JSON pointers to the parts of the arguments that code computes. The record has null there.
	Holes   []string `json:"holes,omitempty"`
	Repeats bool     `json:"repeats,omitzero"` // the code it stands in may make it any number of times
	// Omitted is what is left of arguments that are too long for the record.
	Omitted Omitted `json:"args_omitted,omitzero"`
	// ArgsFollow says that the call was refused before its arguments were there. They are in an event of TypeCallArguments.
	ArgsFollow bool `json:"args_follow,omitzero"`
	// ArgsCode says why the arguments that followed are not whole; only where both events are shown as one.
	ArgsCode string `json:"args_code,omitzero"`
	// ToolState is how far the tool of an MCP server could be trusted: unknown, changed or gone; "": it was trusted, or is no server's.
	ToolState string `json:"tool_state,omitzero"`
	// ToolSeverity is that of the worst finding in the definition of the tool; "": there is none.
	ToolSeverity string `json:"tool_severity,omitzero"`
	// Declared says that a model asked for the call, under the same id, before it was made.
	Declared bool `json:"declared,omitzero"`
	// Beside are the members of the params of an MCP call beside its name and arguments, as _meta; nil: there are none, or they are long.
	Beside jsontext.Value `json:"params,omitzero"`
	// LeftOut are the first names of members of the message that JSON-RPC does not have, and of params that MCP does not have. They
	// were not passed on.
	LeftOut []string `json:"params_left_out,omitempty"`
	// Findings are what a request of an MCP server has in it that could mislead a model or a person.
	Findings []Finding `json:"findings,omitempty"`
	// MembersLeftOut are the names of members that the call was delivered without: no provider documents them, and they could have
	// held other arguments than those that were judged.
	MembersLeftOut []string `json:"left_out,omitempty"`
}

// IsZero says that there is nothing more to say.
func (d ToolCall) IsZero() bool {
	return d.Written == "" && d.ToolState == "" && d.ToolSeverity == "" && len(d.Replaced) == 0 && len(d.Aliases) == 0 && len(d.Spellings) == 0 && !d.Ran && len(d.Holes) == 0 && !d.Repeats &&
		d.Omitted == Omitted{} && !d.Declared && len(d.Findings) == 0 && d.Beside == nil && len(d.LeftOut) == 0 && len(d.MembersLeftOut) == 0 && !d.ArgsFollow && d.ArgsCode == ""
}

// Omitted tells of arguments that are not in the record: all but the secrets that the record would be without.
type Omitted struct {
	SizeBytes int64  `json:"size_bytes"`
	Digest    string `json:"digest"` // "sha256:" and hex
	Begin     string `json:"begin"`  // their first characters
}

// maxBegin bounds Omitted.Begin, in bytes.
const maxBegin = 1024

// CapArguments leaves out arguments of more than this many bytes, and has the event say what they were.
func (e *Event) CapArguments(most int) {
	if len(e.Args) <= most {
		return
	}
	sum := sha256.Sum256(e.Args)
	d, _ := e.Detail.(ToolCall)
	d.Omitted = Omitted{
		SizeBytes: int64(len(e.Args)), Digest: "sha256:" + hex.EncodeToString(sum[:]),
		// A character that is cut in two is left out.
		Begin: strings.ToValidUTF8(string(e.Args[:min(maxBegin, len(e.Args))]), ""),
	}
	e.Args, e.Detail = nil, d
}

// Replaced says how often one kind of secret was replaced.
type Replaced struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// ToolResult is the detail of a TypeToolResult event.
type ToolResult struct {
	SizeBytes int64  `json:"size_bytes"`
	Digest    string `json:"digest"` // "sha256:" and hex
	Failed    bool   `json:"is_error"`
	// Method is the request that it answers, if that called no tool.
	Method   string    `json:"method,omitzero"`
	Findings []Finding `json:"findings,omitempty"` // what in it could mislead a model
}

// A Finding is something in a text of an MCP server that could mislead a model.
type Finding struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"` // low, medium, high or critical
	Where    string `json:"where"`    // a JSON pointer, or a name
	Excerpt  string `json:"excerpt"`  // safe to show
}

// ToolSeen is the detail of a TypeMCPToolSeen event.
type ToolSeen struct {
	Definition jsontext.Value `json:"definition,omitzero"` // as the server sent it; nil: it could not be read, or is too long
	Trusted    bool           `json:"trusted"`             // it is trusted because it was seen first
	Findings   []Finding      `json:"findings,omitempty"`
	// LookAlikes are tools, as server/tool, that it could be taken for; Collisions are other servers with a tool of its name.
	LookAlikes []string `json:"look_alikes,omitempty"`
	Collisions []string `json:"collisions,omitempty"`
	// RenamedFrom is the tool that is gone and like it in all but the name.
	RenamedFrom string `json:"renamed_from,omitzero"`
}

// ToolChanged is the detail of a TypeMCPToolChanged event.
type ToolChanged struct {
	Was         string         `json:"was,omitzero"`         // the hash that it had
	Differences jsontext.Value `json:"differences,omitzero"` // where the definitions differ: an array; nil: too many to say
	Gone        bool           `json:"gone,omitzero"`        // its server does not offer it any more
	Back        bool           `json:"back,omitzero"`        // its server offers it again
	Noted       bool           `json:"noted,omitzero"`       // only what is not part of the hash is another
	Findings    []Finding      `json:"findings,omitempty"`
}

// A RegistryMark is how what is kept of the tools of one MCP server stood: definitions, pins, and when they came and went.
type RegistryMark struct {
	Revision int64  `json:"revision"`
	Digest   string `json:"digest"` // "sha256:" and hex; "": nothing is kept of it
}

// What PinChanged can tell.
const (
	PinTrusted   = "trust"
	PinForgotten = "reset"
)

// PinChanged is the detail of a TypeMCPPinChanged event. The event's ToolHash is that of the definition that is trusted now.
type PinChanged struct {
	Action string `json:"action"`       // trust or reset
	By     string `json:"by"`           // the login name of who did it
	Was    string `json:"was,omitzero"` // the hash that was trusted before; "": none was
}

// RegistryNoted is the detail of a TypeRegistryNoted event.
type RegistryNoted struct {
	Revision int64         `json:"revision"`
	Servers  []NotedServer `json:"servers"`
	// Differ are the servers whose tools are not as the record said last: something else than weir changed them, or weir was killed in between.
	Differ []string `json:"differ,omitempty"`
}

// A NotedServer is a server and the digest of what is kept of its tools.
type NotedServer struct {
	Server string `json:"server"`
	Digest string `json:"digest"`
}

// CallWarning is the detail of a TypeCallWarning event.
type CallWarning struct {
	SizeBytes  int64 `json:"size_bytes"`  // of the arguments
	LimitBytes int64 `json:"limit_bytes"` // past which there is a warning
}

// ResponseDone is the detail of a TypeResponseDone event.
type ResponseDone struct {
	Usage    call.Usage `json:"usage"`
	Released int        `json:"released"` // calls delivered
	Refused  int        `json:"refused"`  // calls kept back
	Clean    bool       `json:"clean"`    // the upstream came to its end
	Timings  Timings    `json:"timings,omitzero"`
	// CostMicros is what it cost by the price table, in millionths of a US dollar; 0: nothing, or not known.
	CostMicros int64 `json:"cost_usd_micros,omitzero"`
	// CostGuessed says that the response did not say what it used, so that its size had to tell.
	CostGuessed bool `json:"cost_guessed,omitzero"`
	// Prices is the version of the table that says what it cost; "": none was there.
	Prices string `json:"prices,omitzero"`
	// RequestBody and ResponseBody are what is kept of the bodies, or was; zero: nothing.
	RequestBody  call.Body `json:"request_body,omitzero"`
	ResponseBody call.Body `json:"response_body,omitzero"`
}

// Timings are where the time of a response went.
type Timings struct {
	Started        time.Time `json:"started"`         // when the request came
	Status         int       `json:"status,omitzero"` // of the upstream's answer
	UpstreamMicros int64     `json:"upstream_us"`     // waiting for the upstream
	HeldMicros     int64     `json:"held_us"`         // complete calls waited for their rulings
	JudgedMicros   int64     `json:"judged_us"`       // of that: until the policy had decided
	RecordedMicros int64     `json:"recorded_us"`     // of that: until the record was durable
	TotalMicros    int64     `json:"total_us"`        // from the request to the end of the response
}

// PolicyLoaded is the detail of a TypePolicyLoaded event.
type PolicyLoaded struct {
	Source      string `json:"source,omitzero"` // where the policy was read from
	Rules       int    `json:"rules"`
	Enforcement string `json:"enforcement,omitzero"` // enforce, shadow or observe
}

// RecordGap is the detail of a TypeRecordGap event.
type RecordGap struct {
	Events int `json:"events"` // that are lost
}

// UnknownDetail is the detail of an event whose type this version does not know, as it was read.
type UnknownDetail jsontext.Value

func (ToolCall) detail()      {}
func (ToolResult) detail()    {}
func (CallWarning) detail()   {}
func (ResponseDone) detail()  {}
func (PolicyLoaded) detail()  {}
func (RecordGap) detail()     {}
func (ToolSeen) detail()      {}
func (ToolChanged) detail()   {}
func (PinChanged) detail()    {}
func (RegistryNoted) detail() {}
func (UnknownDetail) detail() {}

func (Connection) detail()     {}
func (UndeclaredAct) detail()  {}
func (SessionStarted) detail() {}
func (SessionEnded) detail()   {}

// types are all types of events.
var types = []Type{
	TypeToolCall, TypeToolResult, TypeReread, TypeCallWarning, TypeCallArguments, TypeCallWithdrawn, TypeResponseDone, TypeStreamRefused, TypePolicyLoaded,
	TypeRecordGap, TypeMCPIntercepted, TypeMCPCalled, TypeMCPRequest, TypeMCPToolSeen, TypeMCPToolChanged,
	TypeMCPPinChanged, TypeRegistryNoted, TypeConnection, TypeMCPConnection, TypeUndeclaredAct, TypeSessionStarted, TypeSessionEnded,
}

// calls are the types of events that tell of the ruling on a call of a tool, when it is ruled first.
var calls = []Type{TypeToolCall, TypeMCPIntercepted, TypeMCPCalled}

// CallTypes are the types of events that tell of the ruling on a call of a tool, when it is ruled first.
func CallTypes() []Type { return slices.Clone(calls) }

// IsCall says whether events of this type tell of the ruling on a call of a tool, when it is ruled first.
func (t Type) IsCall() bool { return slices.Contains(calls, t) }

// connections are the types of events that tell of the ruling on a connection, or on a lookup.
var connections = []Type{TypeConnection, TypeMCPConnection}

// ConnectionTypes are the types of events that tell of the ruling on a connection, or on a lookup.
func ConnectionTypes() []Type { return slices.Clone(connections) }

// IsConnection says whether events of this type tell of the ruling on a connection, or on a lookup.
func (t Type) IsConnection() bool { return slices.Contains(connections, t) }

// Known says whether events of this type are recorded.
func (t Type) Known() bool { return slices.Contains(types, t) }

// TypeNames are the types of events that are recorded.
func TypeNames() []string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = string(t)
	}
	return names
}

// NewID makes an id for an event.
func NewID() string { return "evt_" + strings.ToLower(rand.Text()) }
