package record

import (
	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/call"
)

// The types of events about sessions of weir run.
const (
	TypeConnection     Type = "network_connection"     // a program of a session wanted a connection or a lookup; see Connection
	TypeMCPConnection  Type = "mcp_network_connection" // the same, for an MCP server; older records have it for every connection
	TypeUndeclaredAct  Type = "undeclared_act"         // something in a session was done without a model asking for it; see UndeclaredAct
	TypeSessionStarted Type = "session_started"        // weir run started a program; see SessionStarted
	TypeSessionEnded   Type = "session_ended"          // the program ended; see SessionEnded
)

var sessionKinds = []Kind{
	{Type: TypeConnection, Class: ClassConnection, Has: ruling, Refused: "A connection", detail: is[Connection]()},
	{Type: TypeMCPConnection, Class: ClassConnection, Has: ruling, OnlyMCP: true, Refused: "A connection", detail: is[Connection]()},
	{Type: TypeUndeclaredAct, Has: HasActor | HasTool, MCP: true, Notable: true, detail: is[UndeclaredAct]()},
	{Type: TypeSessionStarted, Has: HasActor, detail: is[SessionStarted]()},
	{Type: TypeSessionEnded, Has: HasActor, detail: is[SessionEnded]()},
}

// Connection is the detail of a TypeConnection or TypeMCPConnection event. Server is the MCP server that is reached, or that wants
// the connection. CallID is the call that the connection belongs to, if that is known; else it is the connection's own id.
type Connection struct {
	RemoteAddr string `json:"remote_addr,omitzero"` // address and port
	// HostFrom says where the names of the host are known from: dns, sni, http or connect.
	HostFrom string `json:"host_from,omitzero"`
	// Unread says that the first bytes of the program had no name that could be parsed. The connection was judged by its address, and
	// by the names that were looked up.
	Unread  bool   `json:"unread,omitzero"`
	PID     int    `json:"pid,omitzero"`
	Process string `json:"process,omitzero"` // the base name of the program
	// LinkedBy says how the call that the connection belongs to is known: server (it is a call of that MCP server), text (the call
	// names the host or the command), or only (no other call was under way); "": no call is known.
	LinkedBy string `json:"linked_by,omitzero"`
	// Maybe are calls that were under way. The connection may belong to one of them.
	Maybe []call.ID `json:"maybe,omitempty"`
}

// UndeclaredAct is the detail of a TypeUndeclaredAct event: something was done in a session whose model traffic weir sees, and no
// model asked for it.
type UndeclaredAct struct {
	Act string `json:"act"` // one of the Act constants
}

// What can be done without a model having asked for it.
const (
	ActToolCalled    = "tool_called"    // a client called a tool of an MCP server
	ActServerReached = "server_reached" // a program connected to an MCP server that policy declares, past weir
	ActToolResult    = "tool_result"    // a request brought the result of a call that was never released
)

// SessionStarted is the detail of a TypeSessionStarted event.
type SessionStarted struct {
	Agent     string `json:"agent,omitzero"` // the agent that weir knows the program as; "": none
	Program   string `json:"program"`        // its base name
	Isolation string `json:"isolation"`      // namespace, proxy or none: how its connections are watched
	Policy    string `json:"policy"`         // the version of the policy, which stays until the end
	Source    string `json:"policy_source,omitzero"`
	// Bare are the MCP servers in the configuration of the agent that it reaches past weir.
	Bare []string `json:"bare_servers,omitempty"`
}

// SessionEnded is the detail of a TypeSessionEnded event.
type SessionEnded struct {
	// Exit is the exit status of the program; if a signal ended it, 128 plus the signal's number.
	Exit int `json:"exit"`
	// Lost says that weir run was gone before it could report how the program ended.
	Lost bool `json:"lost,omitzero"`
}

func (Connection) detail()     {}
func (UndeclaredAct) detail()  {}
func (SessionStarted) detail() {}
func (SessionEnded) detail()   {}

// sessionWords say what the members of these details mean, for the schema.
var sessionWords = map[string]string{
	"connection.remote_addr": "The address and port that it was for.",
	"connection.host_from":   "What the names of the host are known from: dns, sni, http or connect.",
	"connection.unread": "What the program said first showed no name that could be read: it was judged by its address, and by " +
		"the names that were looked up.",
	"connection.pid":                "The process that wanted it.",
	"connection.process":            "The base name of its program.",
	"connection.linked_by":          "How the call is known that it belongs to: server, text or only.",
	"connection.maybe":              "Calls that were under way, one of which it may belong to.",
	"undeclared_act.act":            "What was done: tool_called, server_reached or tool_result.",
	"session_started.agent":         "The agent that weir knows the program as.",
	"session_started.program":       "The base name of the program.",
	"session_started.isolation":     "How its connections are watched: namespace, proxy or none.",
	"session_started.policy":        "The version of the policy, which stays until the end.",
	"session_started.policy_source": "Where the policy was read from.",
	"session_started.bare_servers":  "MCP servers that the agent reaches past weir.",
	"session_ended.exit":            "The status that the program ended with; of one that a signal ended, 128 and the signal's number.",
	"session_ended.lost":            "weir run was gone before it could tell how the program ended.",
}

// Hosts are the names of the host that a connection is for, as its arguments have them.
func (e Event) Hosts() (names []string) {
	var args struct {
		Host any `json:"host"`
	}
	if json.Unmarshal(e.Args, &args) != nil {
		return nil
	}
	switch h := args.Host.(type) {
	case string:
		names = []string{h}
	case []any:
		for _, name := range h {
			if text, ok := name.(string); ok {
				names = append(names, text)
			}
		}
	}
	return names
}
