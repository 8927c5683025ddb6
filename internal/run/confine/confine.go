// Package confine starts a program so that all its connections go to weir, and that it cannot reach weir's own files.
package confine

import (
	"net"
	"net/netip"
	"os"
	"syscall"
)

// Config says what is started, and what it cannot reach.
type Config struct {
	Path string   // of the program; it is not searched for
	Args []string // of the program, with its name; empty: its path alone
	Env  []string
	Dir  string // the folder it is started in; "": the caller's

	// Stdin, Stdout and Stderr are given to the program as they are; nil: the null device.
	Stdin, Stdout, Stderr *os.File

	// Hide are files and folders that it cannot see: they appear empty. Paths that do not exist are skipped.
	//
	// If a path has symbolic links, their target is hidden, and the links stay unchanged. The folders above it that the user could
	// rename cannot be renamed. Each of those behaves like a separate file system: files cannot be renamed into it or out of it, only
	// copied. All this applies to Fix, too.
	Hide []string
	// Fix are files and folders that it can neither change nor replace. Paths that do not exist are skipped: to prevent that a file is
	// created, fix its folder. Also fix the folder of a file that somebody else, such as an editor, may replace while the program
	// runs: the new file would not be fixed.
	Fix []string
	// Covers are files in place of which it sees other files. What it writes there is written to the other files.
	Covers []Cover
	// Sockets are the unix sockets that it may reach, unless they are hidden. It cannot reach other sockets that are open when it is
	// started, nor any socket file in the usual folders for sockets. Sockets that are made later are not covered.
	Sockets []string
	// Socket is the name, without the @, of an abstract unix socket that connects to the outside: its listener is Ways.Socket. The
	// name belongs to the program's network namespace, where nobody else can take it. "": there is none.
	Socket string
	// Ports are ports of services on the machine's loopback that the program can connect to: the listener for each is in
	// Ways.Loopback.
	Ports []uint16
	// Sandboxes lets it make its own mount namespaces, which some sandboxes need. Even then hidden files stay hidden and fixed files
	// cannot be written. But it can rename and replace them: names are protected only within a namespace, and a program can leave this
	// namespace for an empty one.
	Sandboxes bool
	// Shim says for which MCP server a process of the program is the shim; "": for none. It counts only for processes that run weir's
	// own file. Several goroutines may call it at once. nil: no process is a shim.
	Shim func(pid int) string
}

// A Cover is a file that is seen in place of another file, which exists.
type Cover struct {
	Path string // where it is seen
	With string // the file
}

// Ways are where the connections of a confined program arrive. Only the holder of the Ways can decide about them.
type Ways struct {
	// TCP takes all connections except those to the program's own loopback; see Destination. Connections to port 53 always arrive
	// here, even those to its own loopback. The first listener is for IPv4; the second, if there is one, for IPv6.
	TCP []net.Listener
	// Loopback takes connections to ports of the machine's loopback.
	Loopback map[uint16][]net.Listener
	// Socket takes connections to the abstract unix socket; nil: there is none.
	Socket net.Listener
	// DNS takes datagrams to port 53 of any address.
	DNS []net.PacketConn
	// Dropped reports datagrams to other ports, which are not delivered; nil: this machine cannot report them. If there are very many,
	// it reports only some. It is closed with the process.
	Dropped <-chan Datagram
}

// A Datagram is a datagram that a confined program tried to send.
type Datagram struct {
	Source, Destination netip.AddrPort
}

// An Exit says how a program ended.
type Exit struct {
	Code   int            // its exit code; -1: a signal ended it
	Signal syscall.Signal // the signal that ended it; 0: none
}
