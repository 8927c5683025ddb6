package control

import (
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
)

// The paths of requests that weir run asks.
const (
	pathSession = "/v1/session"         // opens a session; it lasts as long as the response is being read
	pathStarted = "/v1/session/started" // the program runs
	pathEnded   = "/v1/session/ended"   // the program has ended
	pathConnect = "/v1/connect"
)

// A SessionRequest asks for a session. The client chooses the token, and asks again with the same token after a restart of weir.
type SessionRequest struct {
	ID    string `json:"id"`
	Token string `json:"token"`
	// Port is the wanted port of its address; 0: any.
	Port uint16 `json:"port,omitzero"`
	// Policy is the policy of the session; nil: the policy in force.
	Policy *PolicyText `json:"policy,omitzero"`
	// Fixed is the policy with which the session began, if it is opened again; nil: it is new.
	Fixed *PolicyText `json:"fixed,omitzero"`
	// Loopback are ports of the machine's own services that it may reach, in addition to those of the configuration.
	Loopback []uint16 `json:"loopback,omitempty"`
	// Folder is where it was started: the folder that its calls work for.
	Folder string `json:"folder,omitzero"`
}

// A PolicyText is a policy with the name of its file or folder.
type PolicyText struct {
	Source string `json:"source"`
	Text   []byte `json:"text,omitempty"`
	// Files are all files of a policy that has several; nil: Text is the policy.
	Files *policy.Sources `json:"files,omitzero"`
}

// NewPolicyText returns a policy with its files.
func NewPolicyText(source string, s policy.Sources) *PolicyText {
	if len(s.Files) == 1 && len(s.Bases) == 0 && s.Files[0].Name == source {
		return &PolicyText{Source: source, Text: s.Files[0].Data}
	}
	return &PolicyText{Source: source, Files: &s}
}

// Sources are the files of the policy.
func (t PolicyText) Sources() policy.Sources {
	if t.Files != nil {
		return *t.Files
	}
	return policy.Sources{Files: []policy.Text{{Name: t.Source, Data: t.Text}}}
}

// A SessionResponse is the response to a SessionRequest.
type SessionResponse struct {
	// Trouble says why there is no session; "": there is one.
	Trouble string `json:"trouble,omitzero"`

	Port    uint16 `json:"port"`    // its port on loopback; only requests with its token are accepted there
	Address string `json:"address"` // of weir itself
	Policy  string `json:"policy"`  // the version
	Source  string `json:"policy_source"`
	Rules   int    `json:"rules"`
	// PolicyTrouble says why the current content of the policy's file is not in force; "": it is.
	PolicyTrouble string `json:"policy_trouble,omitzero"`
	// Fixed is the policy to send when the session is opened again; nil: it cannot be sent.
	Fixed       *PolicyText `json:"fixed,omitzero"`
	Enforcement string      `json:"enforcement"`
	ProxyMode   string      `json:"proxy_mode"`
	// Upstreams are the addresses of the upstreams, by name.
	Upstreams map[string]string `json:"upstreams"`
	// Servers are the ids of the MCP servers of the gateway, by the address with which they are declared.
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

// SessionStarted says that the program of a session runs.
type SessionStarted struct {
	ID     string                `json:"id"`
	Detail record.SessionStarted `json:"detail"`
}

// SessionEnded says that the program of a session has ended.
type SessionEnded struct {
	ID   string `json:"id"`
	Exit int    `json:"exit"`
}

// connectRequest asks for a ruling on a connection.
type connectRequest struct {
	Connection call.Connection `json:"connection"`
}
