package program

// Hosts are the ways in which a program writes hosts that mean something else elsewhere.
type Hosts uint8

const (
	// Logins: user@host.
	Logins Hosts = 1 << iota
	// Resolves: @host.
	Resolves
	// Connects: -xhost, a:b:host:c and $X.host.
	Connects
)

// LongestHosts is the length of the longest name of a program that writes hosts.
const LongestHosts = len("ssh-copy-id")

// HostsOf returns how the program of a name, in lower case, writes hosts.
func HostsOf(name string) Hosts {
	if e := index[name]; e != nil {
		return e.Hosts
	}
	return 0
}
