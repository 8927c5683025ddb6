package confine

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/call"
)

const (
	// maxSearch bounds the search for the owner of a connection. The connection waits meanwhile. The search ends when all processes
	// were examined. This takes a few milliseconds, and longer only on a busy machine.
	maxSearch = 400 * time.Millisecond
	// memberTime is how long a list of processes is reused. If the owner is not in it, a new list is made.
	memberTime = 250 * time.Millisecond
	// maxCommand is how many bytes of a command line are recorded.
	maxCommand = 1 << 10
	// maxAncestors is how many ancestors are searched for the shim of an MCP server.
	maxAncestors = 64
)

// Owner finds the process of a connection that arrived at one of the ways. local is the program's end of it: the remote address of
// that connection. remote is the address that the program dialled. It returns the zero value if the process was not found in time.
func (p *Process) Owner(local, remote netip.AddrPort) call.Process {
	end := time.Now().Add(maxSearch)
	pids, renewed := p.members.list(end, false)
	pid := search(pids, local, remote, end)
	if pid == 0 && !renewed {
		pids, _ = p.members.list(end, true)
		pid = search(pids, local, remote, end)
	}
	if pid == 0 {
		return call.Process{}
	}
	return p.describe(pid, pids)
}

// members are the processes of a network namespace.
type members struct {
	space string // the name of the namespace

	mu    sync.Mutex
	pids  []int
	since time.Time
}

// list returns the processes, with the youngest first: they are more likely to connect. renewed says that the list is new.
func (m *members) list(end time.Time, renew bool) (pids []int, renewed bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !renew && time.Since(m.since) < memberTime {
		return m.pids, false
	}
	var found []int
	for _, pid := range slices.Backward(processes()) {
		if time.Now().After(end) {
			break
		}
		if space, err := os.Readlink(procPath(pid, "ns", "net")); err == nil && space == m.space {
			found = append(found, pid)
		}
	}
	m.pids, m.since = found, time.Now()
	return found, true
}

func procPath(pid int, rest ...string) string {
	return filepath.Join(append([]string{"/proc", strconv.Itoa(pid)}, rest...)...)
}

// search finds the process that has a socket; 0: none. pids are all processes of the network namespace.
func search(pids []int, local, remote netip.AddrPort, end time.Time) int {
	for _, pid := range pids {
		var inode string
		for _, name := range []string{"tcp", "tcp6"} {
			if table, err := os.ReadFile(procPath(pid, "net", name)); err == nil && inode == "" {
				inode = findSocket(table, local, remote)
			}
		}
		// The table is the same for all processes; a process that has ended has none.
		if inode != "" {
			return holder(pids, "socket:["+inode+"]", end)
		}
		if time.Now().After(end) {
			break
		}
	}
	return 0
}

// holder finds the process that has a file open; 0: none.
func holder(pids []int, file string, end time.Time) int {
	for _, pid := range pids {
		dir := procPath(pid, "fd")
		open, err := os.Open(dir)
		if err != nil {
			continue
		}
		names, _ := open.Readdirnames(-1)
		_ = open.Close() // nothing was written
		for _, name := range names {
			if target, err := os.Readlink(filepath.Join(dir, name)); err == nil && target == file {
				return pid
			}
			if time.Now().After(end) {
				return 0
			}
		}
	}
	return 0
}

// findSocket finds the inode of a connection in the kernel's table of TCP sockets; "": it is missing. See proc_pid_net(5).
func findSocket(table []byte, local, remote netip.AddrPort) string {
	local, remote = unmap(local), unmap(remote)
	for line := range bytes.Lines(table) {
		f := strings.Fields(string(line))
		if len(f) < 10 {
			continue
		}
		l, ok := parseEnd(f[1])
		if !ok || l != local {
			continue
		}
		if r, ok := parseEnd(f[2]); ok && r == remote && f[9] != "0" {
			return f[9]
		}
	}
	return ""
}

func unmap(a netip.AddrPort) netip.AddrPort { return netip.AddrPortFrom(a.Addr().Unmap(), a.Port()) }

// parseEnd parses one end of a connection: an address as words of 32 bits in the machine's byte order, and a port.
func parseEnd(s string) (netip.AddrPort, bool) {
	words, number, ok := strings.Cut(s, ":")
	address, err := hex.DecodeString(words)
	if !ok || err != nil || len(address) != 4 && len(address) != 16 {
		return netip.AddrPort{}, false
	}
	port, err := strconv.ParseUint(number, 16, 16)
	if err != nil {
		return netip.AddrPort{}, false
	}
	for word := range slices.Chunk(address, 4) {
		binary.NativeEndian.PutUint32(word, binary.BigEndian.Uint32(word))
	}
	a, _ := netip.AddrFromSlice(address)
	return netip.AddrPortFrom(a.Unmap(), uint16(port)), true
}

// describe returns what is known about a process, and the MCP server that it works for. members are the processes of its namespace.
func (p *Process) describe(pid int, members []int) call.Process {
	found := call.Process{PID: pid}
	args := arguments(pid)
	if program, err := os.Readlink(procPath(pid, "exe")); err == nil {
		found.Name = filepath.Base(strings.TrimSuffix(program, " (deleted)"))
	} else if len(args) > 0 {
		found.Name = filepath.Base(args[0])
	}
	found.Command = strings.ToValidUTF8(cut(strings.Join(args, " "), maxCommand), "\uFFFD")
	for range maxAncestors {
		if !slices.Contains(members, pid) {
			break
		}
		if id := p.served(pid); id != "" {
			found.Server = id
			break
		}
		pid = parent(pid)
	}
	return found
}

func cut(s string, n int) string { return s[:min(len(s), n)] }

func arguments(pid int) []string {
	text, err := os.ReadFile(procPath(pid, "cmdline"))
	if err != nil || len(text) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
}

// served returns the MCP server for which a process is the shim; "": it is no shim. What a process says about itself does not
// count, and known shims count only if they run weir's own program.
func (p *Process) served(pid int) string {
	if p.shim == nil {
		return ""
	}
	id := p.shim(pid)
	if id == "" {
		return ""
	}
	own, err := os.Stat("/proc/self/exe")
	if err != nil {
		return ""
	}
	its, err := os.Stat(procPath(pid, "exe"))
	if err != nil || !os.SameFile(own, its) {
		return ""
	}
	return id
}

// parent returns the parent of a process; 0: it is not known.
func parent(pid int) int {
	stat, err := os.ReadFile(procPath(pid, "stat"))
	if err != nil {
		return 0
	}
	return parseParent(stat)
}

// parseParent finds the parent in a process's status line. The name before it, in parentheses, can contain anything.
func parseParent(stat []byte) int {
	i := bytes.LastIndexByte(stat, ')')
	f := bytes.Fields(stat[i+1:])
	if i < 0 || len(f) < 2 {
		return 0
	}
	pid, err := strconv.Atoi(string(f[1]))
	if err != nil {
		return 0
	}
	return pid
}
