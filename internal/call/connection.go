package call

import "net/netip"

// A Connection is something that a program of a session wants of the network: a call on the surface Egress.
type Connection struct {
	Actor Actor
	Act   Act
	// Hosts are the names that the other side goes by. More than one: it is not known which of them is meant, and what is allowed
	// must be allowed for each. Empty: only its address is known.
	Hosts []string
	// HostFrom is what the names are known from: dns, sni, http or connect; "": there are none.
	HostFrom string
	Addr     netip.Addr // never one of IPv4 in the form of IPv6; not valid: the name is looked up
	Port     uint16     // 0: it is not known
	Protocol string     // tcp or udp
	// Loopback says that it leads to a service on the machine itself, outside of the session.
	Loopback bool
	Process  Process
	// Unread says that the first bytes of the program showed no name, or none that could be read: it is another protocol, or the
	// program waits for the server. All that is known is the address, and what was looked up.
	Unread bool
	// Doubt says that they look like TLS or HTTP, and that a server may read a name in them that weir cannot.
	Doubt bool
}

// An Act is what is done on the network: one of the constants. They are the names of tools in rules on the surface Egress.
type Act string

// The acts.
const (
	Connect Act = "connect" // a connection is opened, or a datagram sent
	Resolve Act = "resolve" // a name is looked up
)

// A Process is a program that runs. The zero value says that it is not known.
type Process struct {
	PID     int    `json:"pid,omitzero"`
	Name    string `json:"name,omitzero"`    // the base name of its program
	Command string `json:"command,omitzero"` // its command line, cut to 1 KiB
	// Server is the MCP server that it is, or works for, as the shim that started it is told; "": none.
	Server string `json:"server,omitzero"`
}
