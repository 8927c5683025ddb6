// Package address finds the hosts and addresses that a text names, as clients would read them.
package address

import (
	"net/netip"

	"github.com/weir-gate/weir/internal/text/truth"
)

// A Host is a host that some client could take from a text.
type Host struct {
	// Name is in lower case, in the ASCII form of international names, without a dot at its end. For an address it is the usual form.
	// If Partial is set, * replaces each part that is not known.
	Name string
	// Addr is valid if the host is an address, in whatever form it was written. Zones are dropped, and IPv4 addresses
	// written as IPv6 are IPv4.
	Addr netip.Addr
	// Loose says that the text could also mean something else, such as a word that may be a host or a file.
	Loose bool
	// Partial says that a part of the host is filled in later, for example by a shell variable.
	Partial bool
}

// Hosts returns every host that some client could take from the text: from a URL of any scheme, host:port, a bare host, the
// host:path of scp, URLs inside a longer text, and words of it that look like hosts. They are in order of appearance, without
// repetition unless there are very many. If clients could disagree about what the text names, certain is false, and all readings
// are returned.
//
// The domains of email addresses are no hosts, unless the text also names a program such as ssh, for which user@host is a host.
func Hosts(text string) (hosts []Host, certain bool) {
	s := newScanner(text)
	s.read(text)
	return s.found, s.certain
}

// HostIn says whether the text names a host of the set: Yes if every reading of it names only such hosts, No if no reading
// names one.
func HostIn(text string, set *HostSet) truth.Value {
	return answer(text, set.Match)
}

// CIDRIn is like HostIn for addresses. A host that is a name is in no set: it is not resolved.
func CIDRIn(text string, set *CIDRSet) truth.Value {
	return answer(text, set.Match)
}

// answer combines the results for the hosts of a text.
func answer(text string, match func(Host) truth.Value) truth.Value {
	hosts, certain := Hosts(text)
	lowest, highest := truth.Yes, truth.No
	for _, h := range hosts {
		a := match(h)
		lowest, highest = min(lowest, a), max(highest, a)
	}
	switch {
	case highest == truth.No:
		return truth.No
	case certain && lowest == truth.Yes:
		return truth.Yes
	default:
		return truth.Maybe
	}
}
