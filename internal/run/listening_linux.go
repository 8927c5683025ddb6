package run

import (
	"bufio"
	"encoding/hex"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
)

// listening returns the ports on which programs listen on the machine's loopback, or on all addresses.
func listening() []uint16 {
	var ports []uint16
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		f, err := os.Open(table)
		if err != nil {
			continue // the machine may have no IPv6
		}
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			if port, ok := listener(lines.Text()); ok && !slices.Contains(ports, port) {
				ports = append(ports, port)
			}
		}
		_ = f.Close()
	}
	return ports
}

// listens is the state of a listening socket in the kernel's table.
const listens = "0A"

// listener parses a line of the kernel's table of sockets.
func listener(line string) (port uint16, ok bool) {
	fields := strings.Fields(line)
	if len(fields) < 4 || fields[3] != listens {
		return 0, false
	}
	address, portText, ok := strings.Cut(fields[1], ":")
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(portText, 16, 16)
	if err != nil {
		return 0, false
	}
	addr, ok := tableAddr(address)
	return uint16(n), ok && (addr.IsLoopback() || addr.IsUnspecified())
}

// tableAddr parses an address of the table: words of four bytes, each in the machine's byte order.
func tableAddr(text string) (netip.Addr, bool) {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw)%4 != 0 {
		return netip.Addr{}, false
	}
	if littleEndian {
		for word := range slices.Chunk(raw, 4) {
			slices.Reverse(word)
		}
	}
	addr, ok := netip.AddrFromSlice(raw)
	return addr.Unmap(), ok
}
