package address

import (
	"encoding/binary"
	"math"
	"net/netip"
	"strconv"
	"strings"
)

// parseIPv4 returns the readings of a name as an IPv4 address: of one to four numbers in decimal, octal or hexadecimal form, the
// last of which fills the remaining bytes. Some readers do not know octal numbers, and some let a number overflow. A name that is
// no address has no reading.
func parseIPv4(name string) []netip.Addr {
	if last := name[strings.LastIndexByte(name, '.')+1:]; last == "" || !isDigit(last[0]) {
		return nil
	}
	parts := strings.Split(name, ".")
	if len(parts) > 4 {
		return nil
	}
	if addr, ok := joinParts(parts, parsePart); ok {
		out := []netip.Addr{addr}
		if other, ok := joinParts(parts, parseDecimalPart); ok && other != addr {
			out = append(out, other)
		}
		return out
	}
	if addr, ok := joinParts(parts, parseDecimalPart); ok {
		return []netip.Addr{addr} // 08 is no octal number
	}
	return nil
}

func joinParts(parts []string, parse func(string) (uint64, bool)) (netip.Addr, bool) {
	var sum uint64
	for i, part := range parts {
		n, ok := parse(part)
		last := i == len(parts)-1
		switch {
		case !ok:
			return netip.Addr{}, false
		case !last && n > math.MaxUint8:
			return netip.Addr{}, false
		case !last:
			sum |= n << (24 - 8*i)
		case len(parts) == 1:
			sum = n & math.MaxUint32
		case n >= 1<<(8*(5-len(parts))):
			return netip.Addr{}, false
		default:
			sum |= n
		}
	}
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], uint32(sum))
	return netip.AddrFrom4(b), true
}

func parsePart(s string) (uint64, bool) {
	lower := strings.ToLower(s)
	switch {
	case strings.HasPrefix(lower, "0x"):
		if len(s) == 2 {
			return 0, true // browsers read it as zero
		}
		return parseNumber(s[2:], 16)
	case len(s) > 1 && s[0] == '0':
		return parseNumber(s[1:], 8)
	default:
		return parseNumber(s, 10)
	}
}

func parseDecimalPart(s string) (uint64, bool) { return parseNumber(s, 10) }

func parseNumber(s string, base int) (uint64, bool) {
	if s == "" || s[0] == '+' || s[0] == '-' {
		return 0, false
	}
	n, err := strconv.ParseUint(s, base, 64)
	return n, err == nil
}
