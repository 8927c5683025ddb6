package address

import (
	"net/netip"
	"strconv"
	"strings"
)

// nameServices answer every name below them with the address that is in the name.
var nameServices = []string{".nip.io", ".sslip.io", ".xip.io", ".traefik.me", ".ip.wtf", ".backname.io"}

// Embedded returns the address that a name of such a service stands for, as in 10.0.0.1.nip.io, app-10-0-0-1.nip.io and 0a000001.nip.io.
func Embedded(name string) (netip.Addr, bool) {
	for _, service := range nameServices {
		if rest, ok := strings.CutSuffix(name, service); ok {
			return lastAddress(rest)
		}
	}
	return netip.Addr{}, false
}

// lastAddress reads the address at the end of a text.
func lastAddress(text string) (netip.Addr, bool) {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == '.' || r == '-' })
	const parts4 = 4
	if n := len(parts); n >= parts4 {
		if addr, err := netip.ParseAddr(strings.Join(parts[n-parts4:], ".")); err == nil {
			return addr, true
		}
	}
	const digits = 8
	if n := len(parts); n > 0 && len(parts[n-1]) == digits {
		if v, err := strconv.ParseUint(parts[n-1], 16, 32); err == nil {
			return netip.AddrFrom4([4]byte{byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)}), true
		}
	}
	return netip.Addr{}, false
}
