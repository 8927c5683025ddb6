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
	// maxSearch bounds how long is looked for the owner of a connection. The connection waits for it.
	maxSearch = 80 * time.Millisecond
	// memberTime is how long a list of processes is used again. Who is not in it is looked for in a new one.
	memberTime = 250 * time.Millisecond
	// maxCommand bounds what is kept of a command line.
	maxCommand = 1 << 10
	// maxAncestors bounds how far up the shim of an MCP server is looked for.
	maxAncestors = 64
)

// Owner finds out whose connection it is that one of the ways took. local is the program's end of it: the remote address of the
// connection taken. remote is where the program connected to. The zero value: it was not found in time.
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

// list returns the processes, with the youngest first: they are more likely to connect. renewed: it was made now.
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

// search finds the process of a network namespace that has a socket; 0: none. pids are all that are in it.
func search(pids []int, local, remote netip.AddrPort, end time.Time) int {
	for _, pid := range pids {
		var inode string
		for _, name := range []string{"tcp", "tcp6"} {
			if table, err := os.ReadFile(procPath(pid, "net", name)); err == nil && inode == "" {
				inode = findSocket(table, local, remote)
			}
		}
		// The table is the same for all of them; one that has ended has none.
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
		_ = open.Close() // it was only read
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

// findSocket finds the inode of a connection in the kernel's table of TCP sockets; "": it is not there. See proc_pid_net(5).
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

// parseEnd reads an end of a connection: an address as words of 32 bits in the machine's order, and a port.
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

// describe tells of a process, and which MCP server it works for. members are the processes of its namespace.
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

// served is the MCP server that a process stands in for; "": it stands in for none. What a process says of itself counts for
// nothing, and of those that are known to be shims only weir's program is believed.
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

// parent is the process that started another; 0: it is not known.
func parent(pid int) int {
	stat, err := os.ReadFile(procPath(pid, "stat"))
	if err != nil {
		return 0
	}
	return parseParent(stat)
}

// parseParent reads the parent from a process's status line. The name before it, in parentheses, can hold anything.
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
