package call

import "github.com/go-json-experiment/json/jsontext"

// An MCPServer is a server as the doors for MCP know it.
type MCPServer struct {
	ID   string // as declared, or as the shim was told; never what the server says of itself
	Type string // stdio, http or sse
	Addr string // the program, or the URL without its query; no secret is in it
}

// MCPCall is what only calls on the surface MCP have.
type MCPCall struct {
	ServerType string // see MCPServer
	ServerAddr string
	RPCID      string // the JSON-RPC id of the request, as JSON
	// Method is that of a request which policy governs and which calls no tool: prompts/get, resources/read,
	// resources/subscribe, completion/complete, sampling/createMessage, elicitation/create, roots/list. Tool is the same then,
	// and Args are the params. "": the call is one of a tool.
	Method string
	// Declared says that a model asked for this very call and it was ruled then: its ID is that one's, and limits were taken.
	Declared bool
	// Approved is a digest of the rules by which people let that call of the model pass; "": they were not asked.
	Approved string
	// Beside are the members of a tool call's params beside its name and arguments, as _meta: one strict JSON object with what the
	// server gets; nil: there is nothing in them.
	Beside jsontext.Value
	// LeftOut are the first names of members that MCP does not have there. The server does not get them.
	LeftOut []string
}

// A Known tool is one of an MCP server's, as the registry knows it.
type Known struct {
	Server string // exactly
	Tool   string // exactly
	Hash   string // of its definition
	State  ToolState
	// Bare says that the call does not name the server: it may mean a tool of the agent's own.
	Bare bool
	// Doubt says that weir did not see what the model was offered, so that such a call may mean the agent's own tool.
	Doubt bool
	// ServerType and ServerAddr are the server's; "": they are not known. See MCPServer.
	ServerType, ServerAddr string
	// Severity is that of the worst finding in its definition: low, medium, high or critical; "": there is none.
	Severity string
	// Hints are what the server says of the tool itself, in its definition.
	Hints []Hint
}

// A Hint is something that a server says of its tool: one of the constants. Nobody checks that it is true.
type Hint string

// The hints, as policies write them.
const (
	HintDestructive Hint = "destructive" // it may destroy what it changes
	HintReadOnly    Hint = "read_only"   // it changes nothing
	HintOpenWorld   Hint = "open_world"  // it reaches beyond the server's own domain
	HintIdempotent  Hint = "idempotent"  // the same call again changes nothing more
)

// A ToolState is how far a tool can be trusted: one of the constants.
type ToolState string

// The states.
const (
	ToolTrusted ToolState = "trusted" // it is defined as it was when it was pinned
	ToolUnknown ToolState = "unknown" // nobody trusts it
	ToolChanged ToolState = "changed" // it is pinned, and defined otherwise by now
)

// A Listing is what a server says that it offers, in answer to tools/list.
type Listing struct {
	Actor  Actor
	Server MCPServer
	Tools  []jsontext.Value // each as the server sent it
	// Complete says that these are all: what the server offered before and is not here is gone.
	Complete bool
	Trace    Trace // in which the list was asked for; zero: none is known
}

// A PinChange is that somebody trusts a tool as it is defined, or had it forgotten.
type PinChange struct {
	Server, Tool string
	Forgotten    bool   // else it is trusted
	By           string // the login name of who did it
	Hash         string // of the definition that is trusted now; "": it is forgotten
	Was          string // of the one that was trusted before; "": none was
	Reason       string // as the person gave it; "": none
}

// An Offer is what of a Listing may reach the client: for each tool, whether it may. The others are removed.
type Offer struct {
	Shown []bool
}

// Given is what a server gave in answer to a request.
type Given struct {
	Actor  Actor
	Server MCPServer
	Method string // of the request
	Tool   string // that was called; "": none was
	Call   ID     // of the call that it answers; "": the request was not judged
	RPCID  string // the JSON-RPC id of the request, as JSON
	// Result is the whole result; nil: the server answered with Error.
	Result jsontext.Value
	Error  jsontext.Value
	// Again says that it is sent once more, to a client that lost its connection.
	Again bool
	Trace Trace // in which the request was made; zero: none is known
}
