package egress

import (
	"net/netip"
	"strings"
)

// The bounds of names in DNS, as text.
const (
	maxName  = 253
	maxLabel = 63
)

// hostName reads a name as it stands on a wire: lower case, without the dot at its end. Only names of letters, digits, hyphens
// and underlines are names; of others programs have several readings.
func hostName(text string) (string, bool) {
	text = strings.TrimSuffix(text, ".")
	if text == "" || len(text) > maxName {
		return "", false
	}
	for label := range strings.SplitSeq(text, ".") {
		if label == "" || len(label) > maxLabel || strings.ContainsFunc(label, odd) {
			return "", false
		}
	}
	return strings.ToLower(text), true
}

// odd says that a character is in no ordinary label.
func odd(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' || r == '_')
}

// endsInNumber says that a name could be read as an address in one of the old ways to write them, such as 127.1 or 0x7f000001.
func endsInNumber(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	if digits, ok := strings.CutPrefix(last, "0x"); ok {
		return strings.Trim(digits, "0123456789abcdef") == ""
	}
	return strings.Trim(last, "0123456789") == ""
}

// wireHost reads the host that a client names: a name, or the ordinary form of an address.
func wireHost(text string) (string, bool) {
	if addr, err := netip.ParseAddr(text); err == nil {
		return addr.Unmap().String(), addr.Zone() == ""
	}
	name, ok := hostName(text)
	return name, ok && !endsInNumber(name)
}

// authorityHost reads the host of an authority such as example.com:80 or [2001:db8::1].
func authorityHost(text string) (string, bool) {
	if inner, ok := strings.CutPrefix(text, "["); ok {
		host, port, ok := strings.Cut(inner, "]")
		addr, err := netip.ParseAddr(host)
		if !ok || err != nil || !addr.Is6() || port != "" && !isPort(port) {
			return "", false
		}
		return wireHost(host)
	}
	host, port, found := strings.Cut(text, ":")
	if found && !isPort(":"+port) {
		return "", false
	}
	return wireHost(host)
}

// isPort says that a text is a colon and digits; clients leave the digits out, too.
func isPort(text string) bool {
	digits, ok := strings.CutPrefix(text, ":")
	return ok && len(digits) <= 5 && strings.Trim(digits, "0123456789") == ""
}

// isLocalhost says that a name means the machine of whoever asks, by definition.
func isLocalhost(name string) bool {
	return name == "localhost" || strings.HasSuffix(name, ".localhost")
}
