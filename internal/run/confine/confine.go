// Package confine starts a program so that all its connections lead to weir, and that weir's own files are out of its reach.
package confine

import (
	"net"
	"net/netip"
	"os"
	"syscall"
)

// Config says what is started, and what is kept from it.
type Config struct {
	Path string   // of the program; it is not searched for
	Args []string // of the program, with its name; empty: its path alone
	Env  []string
	Dir  string // the folder it is started in; "": the caller's

	// Stdin, Stdout and Stderr are given to the program as they are; nil: the null device.
	Stdin, Stdout, Stderr *os.File

	// Hide are files and folders that it cannot see: a folder is empty, and so is a file. What does not exist is left out.
	//
	// Where the path of one leads over symbolic links, what they lead to is hidden, and the links stay what they are. Folders that
	// it is in cannot be renamed, as far as the user could. Each of those is like a file system of its own: files are not renamed
	// into it or out of it, but copied. All this holds for Fix, too.
	Hide []string
	// Fix are files and folders that it cannot change, nor put others in the place of. What does not exist is left out: to keep a
	// name free, fix the folder that it would be in. A folder is better, too, for a file that somebody else may replace while the
	// program runs, as editors do: the new one would not be fixed.
	Fix []string
	// Covers are files that it sees other files in the place of. What it writes there goes to those.
	Covers []Cover
	// Sockets are the unix sockets that it may reach, unless they are hidden. Others that somebody has when it is started are out
	// of its reach, and so is every socket file in the folders where such are kept. Those that come to be later are not.
	Sockets []string
	// Socket is the name of an abstract unix socket, without the @ in front, that leads outside: its listener is Ways.Socket. The
	// name is of the program's network namespace, where nobody can take it. "": there is none.
	Socket string
	// Ports are those of services on the machine's loopback that lead outside: the listener for each is in Ways.Loopback.
	Ports []uint16
	// Sandboxes lets it make mount namespaces of its own, as some sandboxes must. What is hidden stays hidden and what is fixed
	// cannot be written even then. But it can rename those, and put others in their place: names hold in a namespace only, and a
	// program can leave this one for an empty one.
	Sandboxes bool
	// Shim says which MCP server a process of the program stands in for; "": for none. It is believed of processes that run weir's
	// own file. It may be called by several goroutines at once. nil: none does.
	Shim func(pid int) string
}

// A Cover is a file that is seen in the place of another, which exists.
type Cover struct {
	Path string // where it is seen
	With string // the file
}

// Ways are where the connections of a confined program come out. Whoever holds them decides; nobody else can.
type Ways struct {
	// TCP takes connections to everywhere but the program's own loopback; see Destination. Those to port 53 come here too, even on
	// its own loopback. The first is for IPv4; the second, where there is one, for IPv6.
	TCP []net.Listener
	// Loopback takes connections to ports of the machine's loopback.
	Loopback map[uint16][]net.Listener
	// Socket takes connections to the abstract unix socket; nil: there is none.
	Socket net.Listener
	// DNS takes what is sent to port 53, wherever to.
	DNS []net.PacketConn
	// Dropped tells of datagrams to other ports, which go nowhere; nil: this machine cannot tell. In a flood it tells of some. It
	// is closed with the process.
	Dropped <-chan Datagram
}

// A Datagram is one that a confined program tried to send.
type Datagram struct {
	Source, Destination netip.AddrPort
}

// An Exit is how a program ended.
type Exit struct {
	Code   int            // what it exited with; -1: a signal ended it
	Signal syscall.Signal // what ended it; 0: it ended by itself
}
