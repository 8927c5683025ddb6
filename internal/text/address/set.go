package address

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/weir-gate/weir/internal/text/glob"
	"github.com/weir-gate/weir/internal/text/truth"
)

// A HostSet is a set of hosts that patterns name.
type HostSet struct {
	any      bool                    // *
	names    map[string]struct{}     // exact
	addrs    map[netip.Addr]struct{} // exact
	suffixes map[string]struct{}     // .example.com, of *.example.com
	globs    []glob.Pieces           // all others
}

// NewHosts compiles patterns: the name of a host, an address, or a name in which * matches any run of characters. So *.example.com
// means all hosts below example.com, but not example.com itself. A * alone means every host. Names are compared in their canonical
// form, addresses as addresses.
func NewHosts(patterns []string) (*HostSet, error) {
	set := &HostSet{names: map[string]struct{}{}, addrs: map[netip.Addr]struct{}{}, suffixes: map[string]struct{}{}}
	for _, p := range patterns {
		if err := set.add(strings.TrimSpace(p)); err != nil {
			return nil, err
		}
	}
	return set, nil
}

func (set *HostSet) add(p string) error {
	wrong := func(why, cure string) error { return fmt.Errorf("host pattern %q %s: %s", p, why, cure) }
	switch {
	case p == "":
		return wrong("is empty", "write a host such as api.example.com, or * for every host")
	case strings.Contains(p, "://"):
		return wrong("has a scheme", "write the host alone, such as api.example.com")
	case strings.Contains(p, "@"):
		return wrong("has a user", "write the host alone, such as api.example.com")
	case strings.IndexByte(p, '/') >= 0 && isPrefix(p):
		return wrong("is a range of addresses", "use cidr_in for ranges")
	case strings.ContainsAny(p, "/\\?#"):
		return wrong("has a path", "write the host alone, such as api.example.com")
	case strings.ContainsAny(p, " \t\r\n"):
		return wrong("has blanks", "write one host for each item of the list")
	case strings.HasPrefix(p, "."):
		return wrong("starts with a dot", "write *"+p+" for all hosts below it")
	}
	if addr := parseIPv6(p); addr.IsValid() {
		set.addrs[addr] = struct{}{}
		return nil
	}
	if strings.IndexByte(p, ':') >= 0 {
		return wrong("has a port", "write the host alone; ports are not compared")
	}
	if strings.Contains(p, "*") {
		return set.addGlob(p, wrong)
	}
	hosts := readHost(p)
	if len(hosts) == 0 || !isName(p) {
		return wrong("is no host", "write a host such as api.example.com, an address, or a pattern such as *.example.com")
	}
	if hosts[0].Addr.IsValid() && len(hosts) > 1 {
		return wrong("is read as different addresses", "write the address as four decimal numbers without leading zeros")
	}
	for _, h := range hosts {
		if h.Addr.IsValid() {
			set.addrs[h.Addr] = struct{}{}
		} else {
			set.names[h.Name] = struct{}{}
		}
	}
	return nil
}

func (set *HostSet) addGlob(p string, wrong func(why, cure string) error) error {
	if strings.Trim(p, "*") == "" {
		set.any = true
		return nil
	}
	if !isName(strings.ReplaceAll(p, "*", "x")) {
		return wrong("is no pattern for hosts", "write letters, digits, dots and *, such as *.example.com")
	}
	labels := strings.Split(mapName(strings.TrimRight(p, "."))[0], ".")
	for i, label := range labels {
		if isASCII(label) {
			continue
		}
		if strings.Contains(label, "*") {
			return wrong("has * beside letters that are not ASCII", "write the ASCII form, which begins with xn--")
		}
		labels[i] = toASCII(label)
	}
	pieces := strings.Split(strings.Join(labels, "."), "*")
	if len(pieces) == 2 && pieces[0] == "" && strings.HasPrefix(pieces[1], ".") {
		set.suffixes[pieces[1]] = struct{}{}
		return nil
	}
	set.globs = append(set.globs, pieces)
	return nil
}

func isPrefix(s string) bool {
	_, err := netip.ParsePrefix(s)
	return err == nil
}

// maxName bounds the part of a name that is compared with *.example.com.
const maxName = 512

// Match says whether a host is in the set. A loose host is in it only if a pattern says more than *.
func (set *HostSet) Match(h Host) truth.Value {
	if set.any && !h.Loose {
		return truth.Yes
	}
	if h.Partial {
		return set.matchPartial(h.Name)
	}
	if h.Addr.IsValid() {
		if _, ok := set.addrs[h.Addr]; ok {
			return truth.Yes
		}
	}
	if _, ok := set.names[h.Name]; ok {
		return truth.Yes
	}
	// No host is longer. A longer text would be looked up at each of its dots.
	for rest := h.Name[max(0, len(h.Name)-maxName):]; ; {
		dot := strings.IndexByte(rest, '.')
		if dot < 0 {
			break
		}
		if _, ok := set.suffixes[rest[dot:]]; ok && len(rest[dot:]) < len(h.Name) {
			return truth.Yes
		}
		rest = rest[dot+1:]
	}
	for _, pieces := range set.globs {
		if pieces.Match(h.Name) {
			return truth.Yes
		}
	}
	return truth.No
}

// matchPartial compares a host that has * for its unknown parts.
func (set *HostSet) matchPartial(name string) truth.Value {
	first, last := strings.IndexByte(name, '*'), strings.LastIndexByte(name, '*')
	head, tail := name[:first], name[last+1:]
	fits := func(name string) bool {
		return len(name) >= len(head)+len(tail) && strings.HasPrefix(name, head) && strings.HasSuffix(name, tail)
	}
	for name := range set.names {
		if fits(name) {
			return truth.Maybe
		}
	}
	for addr := range set.addrs {
		if fits(addr.String()) || couldBeAddress(head, tail) {
			return truth.Maybe
		}
	}
	for suffix := range set.suffixes {
		if strings.HasSuffix(tail, suffix) {
			return truth.Yes
		}
		if strings.HasSuffix(suffix, tail) {
			return truth.Maybe
		}
	}
	for _, pieces := range set.globs {
		h, t := pieces[0], pieces[len(pieces)-1]
		if (strings.HasPrefix(h, head) || strings.HasPrefix(head, h)) && (strings.HasSuffix(t, tail) || strings.HasSuffix(tail, t)) {
			return truth.Maybe
		}
	}
	return truth.No
}

// couldBeAddress says whether the known begin and end of a host could belong to an address.
func couldBeAddress(head, tail string) bool {
	return strings.Trim(head+tail, "0123456789abcdefx.:[]") == ""
}

// A CIDRSet is a set of addresses, given as ranges.
type CIDRSet struct{ prefixes []netip.Prefix }

// NewCIDRs compiles ranges such as 10.0.0.0/8 and single addresses.
func NewCIDRs(ranges []string) (*CIDRSet, error) {
	set := &CIDRSet{}
	for _, text := range ranges {
		text = strings.TrimSpace(text)
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			addr, err := netip.ParseAddr(text)
			if err != nil {
				return nil, fmt.Errorf("address range %q is not one: write a range such as 10.0.0.0/8 or fd00::/8, or one address", text)
			}
			prefix = netip.PrefixFrom(addr.WithZone(""), addr.BitLen())
		}
		if prefix.Masked() != prefix {
			return nil, fmt.Errorf("address range %q has bits beyond its length: write %s", text, prefix.Masked())
		}
		if prefix.Addr().Is4In6() {
			if prefix.Bits() < 96 {
				return nil, fmt.Errorf("address range %q covers more than the IPv4 addresses in IPv6: write the IPv4 range", text)
			}
			prefix = netip.PrefixFrom(prefix.Addr().Unmap(), prefix.Bits()-96)
		}
		set.prefixes = append(set.prefixes, prefix)
	}
	return set, nil
}

// Contains says whether an address is in the set. IPv4 addresses written as IPv6 count as IPv4.
func (set *CIDRSet) Contains(addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	for _, p := range set.prefixes {
		if p.Contains(addr) {
			return true
		}
	}
	return false
}

// Match says whether a host is an address of the set.
func (set *CIDRSet) Match(h Host) truth.Value {
	switch {
	case h.Partial:
		star := strings.IndexByte(h.Name, '*')
		if len(set.prefixes) > 0 && couldBeAddress(h.Name[:star], h.Name[strings.LastIndexByte(h.Name, '*')+1:]) {
			return truth.Maybe
		}
		return truth.No
	case h.Addr.IsValid() && set.Contains(h.Addr):
		return truth.Yes
	default:
		return truth.No
	}
}
