package address

import (
	"net/netip"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// readHost returns the readings of a host without port: none if it is no host, several if clients would disagree.
func readHost(raw string) []Host {
	if raw == "" {
		return nil
	}
	if strings.IndexByte(raw, hole) >= 0 {
		return []Host{partial(raw)}
	}
	if raw[0] == '[' || strings.IndexByte(raw, ':') >= 0 {
		if addr := parseIPv6(raw); addr.IsValid() {
			return addressHosts(addr)
		}
	}
	var out []Host
	add := func(text string) {
		for _, name := range mapName(text) {
			for _, h := range canonical(name) {
				if !slices.Contains(out, h) {
					out = append(out, h)
				}
			}
		}
	}
	plain := unescapePercentOnce(raw)
	add(plain)
	// A host that hides the end of another host is read both ways.
	if again := unescapePercent(plain); again != raw {
		if end := strings.IndexAny(again, `/\?#@:`); end >= 0 {
			add(again[:end])
			if at := strings.LastIndexByte(again, '@'); at >= 0 {
				add(again[at+1:])
			}
		} else if again != plain {
			add(again)
		}
	}
	return out
}

// partial returns a host with holes.
func partial(raw string) Host {
	name := strings.ToLower(strings.ReplaceAll(raw, string([]byte{hole}), "*"))
	return Host{Name: strings.TrimRight(name, "."), Partial: true}
}

// canonical reads a name with mapped characters: an address in any form, or a name in ASCII.
func canonical(name string) []Host {
	name = strings.TrimRight(name, ".")
	if name == "" {
		return nil
	}
	if addrs := parseIPv4(name); len(addrs) > 0 {
		var out []Host
		for _, a := range addrs {
			out = append(out, Host{Name: a.String(), Addr: a})
		}
		return out
	}
	return []Host{{Name: toASCII(name)}}
}

// addressHosts returns an IPv6 address and the IPv4 address that networks translate it to.
func addressHosts(addr netip.Addr) []Host {
	out := []Host{{Name: addr.String(), Addr: addr}}
	if addr.Is4() {
		return out
	}
	b := addr.As16()
	var inner []byte
	switch {
	case strings.HasPrefix(string(b[:]), "\x00\x64\xff\x9b"), // NAT64
		strings.HasPrefix(string(b[:]), strings.Repeat("\x00", 12)) && b[12] != 0: // IPv4-compatible
		inner = b[12:]
	case b[0] == 0x20 && b[1] == 0x02: // 6to4
		inner = b[2:6]
	default:
		return out
	}
	v4, _ := netip.AddrFromSlice(inner)
	return append(out, Host{Name: v4.String(), Addr: v4})
}

// parseIPv6 parses an address with or without brackets and zone. An IPv4 address in it is returned as IPv4.
func parseIPv6(raw string) netip.Addr {
	raw = strings.TrimSuffix(strings.TrimPrefix(raw, "["), "]")
	raw = unescapePercentOnce(raw)
	if zone := strings.IndexByte(raw, '%'); zone >= 0 {
		raw = raw[:zone]
	}
	if strings.IndexByte(raw, ':') < 0 {
		return netip.Addr{}
	}
	addr, err := netip.ParseAddr(raw)
	if err != nil {
		return netip.Addr{}
	}
	return addr.Unmap()
}

// mapName maps a name as IDNA does: lower case, compatible forms, dots of other scripts, without invisible characters.
// Old and new readers differ in a few letters, so there may be two results.
func mapName(name string) []string {
	if isASCII(name) {
		return []string{strings.ToLower(name)}
	}
	name = norm.NFKC.String(strings.ReplaceAll(name, "。", "."))
	name = strings.ReplaceAll(name, "。", ".") // a halfwidth dot becomes this one
	now := norm.NFKC.String(strings.ToLower(strings.Map(visible, name)))
	old := norm.NFKC.String(cases.Fold().String(strings.Map(visibleInOld, name)))
	if now == old {
		return []string{now}
	}
	return []string{now, old}
}

// visible drops the characters that IDNA ignores.
func visible(r rune) rune {
	switch {
	case r == '\u00ad', r == '\u034f', r == '\u200b', r == '\u2060', r == '\u2064', r == '\ufeff', r >= '\u180b' && r <= '\u180f',
		unicode.Is(unicode.Variation_Selector, r):
		return -1
	}
	return r
}

// visibleInOld also drops the joiners, which only later versions of IDNA respect.
func visibleInOld(r rune) rune {
	if r == '\u200c' || r == '\u200d' {
		return -1
	}
	return visible(r)
}

// toASCII encodes the labels of a mapped name that are not ASCII.
func toASCII(name string) string {
	if isASCII(name) {
		return name
	}
	labels := strings.Split(name, ".")
	for i, label := range labels {
		if !isASCII(label) && utf8.ValidString(label) {
			labels[i] = "xn--" + punycode(label)
		}
	}
	return strings.Join(labels, ".")
}
