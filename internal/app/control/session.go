package control

import (
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
)

// The paths of what weir run asks.
const (
	pathSession = "/v1/session"         // opens a session; it lasts as long as the answer is read
	pathStarted = "/v1/session/started" // the program runs
	pathEnded   = "/v1/session/ended"   // the program has ended
	pathConnect = "/v1/connect"
)

// A SessionRequest asks for a session. Who asks makes up the token, and asks again with the same one when weir was restarted.
type SessionRequest struct {
	ID    string `json:"id"`
	Token string `json:"token"`
	// Port is where its address is to be; 0: anywhere.
	Port uint16 `json:"port,omitzero"`
	// Policy is that of the session; nil: the one that is in force.
	Policy *PolicyText `json:"policy,omitzero"`
	// Fixed is the policy that the session began with, when it is opened again; nil: it begins.
	Fixed *PolicyText `json:"fixed,omitzero"`
	// Loopback are ports of the machine's own services that it may reach, beside those of the configuration.
	Loopback []uint16 `json:"loopback,omitempty"`
}

// A PolicyText is a policy with the name of its file.
type PolicyText struct {
	Source string `json:"source"`
	Text   []byte `json:"text"`
}

// A SessionAnswer is what a session has to know.
type SessionAnswer struct {
	// Trouble is why there is no session; "": there is one.
	Trouble string `json:"trouble,omitzero"`

	Port    uint16 `json:"port"`    // its address on loopback; only requests with its token are taken there
	Address string `json:"address"` // of weir itself
	Policy  string `json:"policy"`  // the version
	Source  string `json:"policy_source"`
	Rules   int    `json:"rules"`
	// PolicyTrouble is why the policy's file, as it is now, is not in force; "": it is.
	PolicyTrouble string `json:"policy_trouble,omitzero"`
	// Fixed is the policy, to be sent when the session is opened again; nil: it cannot be.
	Fixed       *PolicyText `json:"fixed,omitzero"`
	Enforcement string      `json:"enforcement"`
	ProxyMode   string      `json:"proxy_mode"`
	// Upstreams are the addresses of the upstreams by their names.
	Upstreams map[string]string `json:"upstreams"`
	// Servers are the ids of the MCP servers that the gateway serves, by the address that they are declared with.
	Servers map[string]string `json:"servers,omitempty"`
	// Loopback are the ranges of ports of the machine's services that sessions may reach.
	Loopback []PortRange `json:"loopback,omitempty"`
	// Sockets are patterns of the unix sockets that sessions may reach.
	Sockets []string `json:"sockets,omitempty"`
	// Hide and Fix are files and folders of weir that its programs must not see, or must not change.
	Hide []string `json:"hide,omitempty"`
	Fix  []string `json:"fix,omitempty"`
	// Secrets are the variables that the configuration takes secrets from.
	Secrets []string `json:"secrets,omitempty"`
}

// A PortRange is the ports from First to Last.
type PortRange struct {
	First uint16 `json:"first"`
	Last  uint16 `json:"last"`
}

// SessionStarted tells that the program of a session runs.
type SessionStarted struct {
	ID     string                `json:"id"`
	Detail record.SessionStarted `json:"detail"`
}

// SessionEnded tells that the program of a session has ended.
type SessionEnded struct {
	ID   string `json:"id"`
	Exit int    `json:"exit"`
}

// connectQuestion asks for a ruling on a connection.
type connectQuestion struct {
	Connection call.Connection `json:"connection"`
}
