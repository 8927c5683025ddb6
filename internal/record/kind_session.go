package record

import (
	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/call"
)

var sessionKinds = []Kind{
	{Type: Types.Connection, class: connection, Has: ruling, Refused: "A connection", detail: is[Connection]()},
	{Type: Types.MCPConnection, class: connection, Has: ruling, OnlyMCP: true, Refused: "A connection", detail: is[Connection]()},
	{Type: Types.UndeclaredAct, Has: Members{Actor: true, Tool: true}, MCP: true, Notable: true, detail: is[UndeclaredAct]()},
	{Type: Types.SessionStarted, Has: Members{Actor: true}, detail: is[SessionStarted]()},
	{Type: Types.SessionEnded, Has: Members{Actor: true}, detail: is[SessionEnded]()},
}

// Connection is the detail of a Types.Connection or Types.MCPConnection event. Server is the MCP server that is reached, or that wants
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

// UndeclaredAct is the detail of a Types.UndeclaredAct event: something was done in a session whose model traffic weir sees, and no
// model asked for it.
type UndeclaredAct struct {
	// Act is tool_called: a client called a tool of an MCP server; server_reached: a program connected to an MCP server that policy
	// declares, past weir; or tool_result: a request brought the result of a call that was never released.
	Act string `json:"act"`
}

// SessionStarted is the detail of a Types.SessionStarted event.
type SessionStarted struct {
	Agent     string `json:"agent,omitzero"` // the agent that weir knows the program as; "": none
	Program   string `json:"program"`        // its base name
	Isolation string `json:"isolation"`      // namespace, proxy or none: how its connections are watched
	Policy    string `json:"policy"`         // the version of the policy, which stays until the end
	Source    string `json:"policy_source,omitzero"`
	// Bare are the MCP servers in the configuration of the agent that it reaches past weir.
	Bare []string `json:"bare_servers,omitempty"`
}

// SessionEnded is the detail of a Types.SessionEnded event.
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
