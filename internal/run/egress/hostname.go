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

// hostName normalises a name from the network: lower case, without the dot at its end. It accepts only letters, digits, hyphens and
// underscores: programs interpret other names differently.
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

// odd says that ordinary labels do not have this character.
func odd(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' || r == '_')
}

// endsInNumber says that a name could be parsed as an address in an old notation, such as 127.1 or 0x7f000001.
func endsInNumber(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	if digits, ok := strings.CutPrefix(last, "0x"); ok {
		return strings.Trim(digits, "0123456789abcdef") == ""
	}
	return strings.Trim(last, "0123456789") == ""
}

// wireHost parses the host that a client names: a name, or the ordinary form of an address.
func wireHost(text string) (string, bool) {
	if addr, err := netip.ParseAddr(text); err == nil {
		return addr.Unmap().String(), addr.Zone() == ""
	}
	name, ok := hostName(text)
	return name, ok && !endsInNumber(name)
}

// authorityHost returns the host of an authority such as example.com:80 or [2001:db8::1].
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

// isPort says that a text is a colon and digits; clients may leave out the digits.
func isPort(text string) bool {
	digits, ok := strings.CutPrefix(text, ":")
	return ok && len(digits) <= 5 && strings.Trim(digits, "0123456789") == ""
}

// isLocalhost says that a name always means the client's own machine.
func isLocalhost(name string) bool {
	return name == "localhost" || strings.HasSuffix(name, ".localhost")
}
