package record

// A Type says what kind of thing happened.
type Type string

// Types are the types of events.
var Types = types{
	// Events about calls and responses, and about the record itself.
	ToolCall:      "tool_call",           // the ruling on a call; on the inbound surface, on a tool that a request offers
	ToolResult:    "tool_result",         // a request brought the result of a call
	Reread:        "reread",              // a call that was ruled before was asked for again; otherwise like ToolCall
	CallWarning:   "tool_call_warning",   // a call is larger than is usual
	CallArguments: "tool_call_arguments", // the arguments of a call that was refused before they had arrived; Code: why they are not whole
	CallWithdrawn: "tool_call_withdrawn", // a call was refused after it was, or may have been, recorded as released
	ResponseDone:  "response_done",       // a response ended
	StreamRefused: "stream_refused",      // a request, or the rest of a response, was refused; Code and Reason say why
	PolicyLoaded:  "policy_loaded",       // a policy came into force
	RecordGap:     "record_gap",          // events could not be recorded and are lost

	// Events that are about MCP servers only.
	MCPIntercepted: "mcp_tool_call_intercepted", // instead of ToolCall if the tool belongs to an MCP server
	MCPCalled:      "mcp_tool_called",           // a client called a tool of a server; with the call id that the model's call had, if any
	MCPRequest:     "mcp_request",               // another request between an MCP client and a server was ruled; Tool is its method
	MCPToolSeen:    "mcp_tool_seen",             // a server offers a tool for the first time
	MCPToolChanged: "mcp_tool_changed",          // a tool's definition changed, or it is gone, or back
	MCPPinChanged:  "mcp_pin_changed",           // somebody trusts a tool, or made weir forget it
	RegistryNoted:  "mcp_registry_noted",        // the state of all tools that weir knows

	// Events about sessions of weir run.
	Connection:     "network_connection",     // a program of a session wanted a connection or a lookup
	MCPConnection:  "mcp_network_connection", // the same, for an MCP server; older records have it for every connection
	UndeclaredAct:  "undeclared_act",         // something in a session was done without a model asking for it
	SessionStarted: "session_started",        // weir run started a program
	SessionEnded:   "session_ended",          // the program ended

	// Events about what people do to policies.
	PolicyAllowed: "policy_allowed", // a person has an exception for a refused call written into the policy

	// Events about what people are asked.
	ApprovalRequested: "approval_requested", // a call waits for a person
	ApprovalVoted:     "approval_voted",     // a person said yes or no
	ApprovalDecided:   "approval_decided",   // that decided it, or nobody decided in time
	ApprovalUsed:      "approval_used",      // a yes lets a call pass; recorded with that call
	ApprovalLapsed:    "approval_lapsed",    // a yes was not used in time, or was used up by a call that was not released
	ApprovalWithdrawn: "approval_withdrawn", // the question was taken back
	ApprovalRevoked:   "approval_revoked",   // a person ended a yes for a session
}

type types struct {
	ToolCall, ToolResult, Reread, CallWarning, CallArguments, CallWithdrawn, ResponseDone, StreamRefused, PolicyLoaded, RecordGap Type

	MCPIntercepted, MCPCalled, MCPRequest, MCPToolSeen, MCPToolChanged, MCPPinChanged, RegistryNoted Type

	Connection, MCPConnection, UndeclaredAct, SessionStarted, SessionEnded Type

	PolicyAllowed Type

	ApprovalRequested, ApprovalVoted, ApprovalDecided, ApprovalUsed, ApprovalLapsed, ApprovalWithdrawn, ApprovalRevoked Type
}

// Where returns the types for which holds is true, in the order of the tables of kinds.
func (types) Where(holds func(Type) bool) []Type {
	var all []Type
	for _, k := range kinds {
		if holds(k.Type) {
			all = append(all, k.Type)
		}
	}
	return all
}

// Names returns the types of events that are recorded.
func (types) Names() []string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = string(k.Type)
	}
	return names
}

// Kind is the kind of events of this type. It is zero if this version does not know the type.
func (t Type) Kind() Kind {
	if k := byType[t]; k != nil {
		return *k
	}
	return Kind{}
}

// Known says whether events of this type are recorded.
func (t Type) Known() bool { return byType[t] != nil }

// IsCall says whether events of this type are the first ruling on a call of a tool.
func (t Type) IsCall() bool { return t.IsAsked() || t.IsCalled() }

// IsAsked says whether in events of this type a model asks for a call of a tool.
func (t Type) IsAsked() bool { return t.Kind().class == asked }

// IsCalled says whether in events of this type a client calls a tool of an MCP server.
func (t Type) IsCalled() bool { return t.Kind().class == called }

// IsRequest says whether events of this type are about another request between an MCP client and a server.
func (t Type) IsRequest() bool { return t.Kind().class == request }

// IsConnection says whether events of this type are the ruling on a connection, or on a lookup.
func (t Type) IsConnection() bool { return t.Kind().class == connection }

// IsAgain says whether events of this type are about a call that was ruled before.
func (t Type) IsAgain() bool { return t.Kind().class == again }

// IsRuling says whether the policy was asked about events of this type, so that it can be asked again.
func (t Type) IsRuling() bool { return t.Kind().class != "" }
