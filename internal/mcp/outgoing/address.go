package outgoing

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"strings"
)

// An addressRule says which addresses the name of one host may resolve to. The owner of the name decides where it points, and could
// point it at services that trust this machine: its own services, its local link, the metadata of its cloud.
type addressRule struct {
	allow     []netip.Prefix
	loopback  bool // the host is written as a loopback address or as localhost
	localhost bool // it is written as localhost, which must then be a loopback address
}

func newAddressRule(host string, allow []netip.Prefix) addressRule {
	return addressRule{allow: allow, loopback: namesLoopback(host), localhost: isLocalhost(host)}
}

// namesLoopback says whether a host can only mean this machine.
func namesLoopback(host string) bool {
	if isLocalhost(host) {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

func isLocalhost(host string) bool {
	return strings.EqualFold(strings.TrimSuffix(host, "."), "localhost")
}

// refusedAddress says why weir does not connect to an address. Its text has no words of others: an address has only one form here.
type refusedAddress struct {
	addr netip.Addr
	why  string
}

func (r *refusedAddress) Error() string {
	return fmt.Sprintf("%v: %v is %s; list it under allow_addresses if it is meant", ErrAddress, r.addr, r.why)
}

func (r *refusedAddress) Is(target error) bool { return target == ErrAddress } // as errors.Is demands

// checkDialled says why weir must not connect to an address; nil: it may.
func (r addressRule) checkDialled(address string) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: it cannot be read", ErrAddress)
	}
	return r.check(at.Addr())
}

func (r addressRule) check(addr netip.Addr) error {
	// A zone names only an interface, and makes no difference here.
	addr = addr.WithZone("").Unmap()
	if r.allowed(addr) {
		return nil
	}
	if r.localhost && !addr.IsLoopback() {
		return &refusedAddress{addr, "not this machine, as localhost should be"}
	}
	if localTranslation.Contains(addr) {
		return &refusedAddress{addr, "an IPv4 address in a form of this network's own"}
	}
	for form := range forms(addr) {
		if why := r.objection(form); why != "" && !r.allowed(form) {
			if form != addr {
				why += " in another form"
			}
			return &refusedAddress{addr, why}
		}
	}
	return nil
}

func (r addressRule) allowed(addr netip.Addr) bool {
	for _, prefix := range r.allow {
		// A prefix in the IPv6 form of IPv4 would match nothing.
		if bits := prefix.Bits(); prefix.Addr().Is4In6() && bits >= 96 {
			prefix = netip.PrefixFrom(prefix.Addr().Unmap(), bits-96)
		}
		if prefix.Contains(addr) {
			return true
		}
	}
	return false
}

var (
	broadcast   = netip.MustParseAddr("255.255.255.255")
	thisNetwork = netip.MustParsePrefix("0.0.0.0/8")
	// metadata are addresses, beside link-local ones, at which clouds give machines their secrets.
	metadata = []netip.Prefix{
		netip.MustParsePrefix("100.100.100.200/32"),
		netip.MustParsePrefix("168.63.129.16/32"),
		netip.MustParsePrefix("192.0.0.192/32"),
		netip.MustParsePrefix("fd00:ec2::/32"),
		netip.MustParsePrefix("fd20:ce::254/128"),
		netip.MustParsePrefix("fd00:42::42/128"),
	}
)

// objection says why weir must not connect to an address; "": it may. Private addresses are allowed like public ones: internal
// servers have them.
func (r addressRule) objection(addr netip.Addr) string {
	switch {
	case addr.IsLoopback():
		if r.loopback {
			return ""
		}
		return "this machine, and the url does not say so"
	case addr.IsUnspecified() || thisNetwork.Contains(addr):
		return "an unspecified address"
	case addr.IsLinkLocalUnicast():
		return "a link-local address"
	case addr.IsMulticast() || addr == broadcast:
		return "a multicast or broadcast address"
	}
	for _, prefix := range metadata {
		if prefix.Contains(addr) {
			return "an address of cloud metadata"
		}
	}
	return ""
}

var (
	compatible = netip.MustParsePrefix("::/96")           // deprecated, but still routed by some
	translated = netip.MustParsePrefix("::ffff:0:0:0/96") // SIIT
	nat64      = netip.MustParsePrefix("64:ff9b::/96")
	// localTranslation are addresses in which each network chooses how to write an IPv4 address, so weir cannot read it.
	localTranslation = netip.MustParsePrefix("64:ff9b:1::/48")
	sixToFour        = netip.MustParsePrefix("2002::/16")
	teredo           = netip.MustParsePrefix("2001::/32")
)

// forms yields an address and the IPv4 addresses that gateways extract from it.
func forms(addr netip.Addr) func(yield func(netip.Addr) bool) {
	return func(yield func(netip.Addr) bool) {
		if !yield(addr) || addr.Is4() {
			return
		}
		b := addr.As16()
		at := func(i int) netip.Addr { return netip.AddrFrom4([4]byte(b[i : i+4])) }
		switch {
		case addr.IsUnspecified() || addr.IsLoopback():
			return
		case compatible.Contains(addr), translated.Contains(addr), nat64.Contains(addr), isISATAP(b):
			if !yield(at(12)) {
				return
			}
		}
		switch {
		case sixToFour.Contains(addr):
			yield(at(2))
		case teredo.Contains(addr):
			// The relay, and the client with inverted bits.
			if yield(at(4)) {
				yield(netip.AddrFrom4([4]byte{^b[12], ^b[13], ^b[14], ^b[15]}))
			}
		}
	}
}

// isISATAP says whether the interface part of an address is an IPv4 address of a tunnel.
func isISATAP(b [16]byte) bool {
	id := binary.BigEndian.Uint32(b[8:12])
	return id == 0x00005efe || id == 0x02005efe
}
