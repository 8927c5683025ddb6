// Package address finds the hosts and addresses that a text names, as clients would read them.
package address

import (
	"net/netip"

	"github.com/weir-gate/weir/internal/text/truth"
)

// A Host is a host that some client could take from a text.
type Host struct {
	// Name is in lower case, in the ASCII form of international names, without a dot at its end. Of an address it is the
	// usual form. Where Partial is set, * stands for each part that is not known.
	Name string
	// Addr is valid if the host is an address, in whatever form it was written. Zones are dropped, and IPv4 addresses
	// written as IPv6 are IPv4.
	Addr netip.Addr
	// Loose says that the text could as well mean something else, as a word that is a name of a host or of a file.
	Loose bool
	// Partial says that a part of the host is filled in later, as by a variable of a shell.
	Partial bool
}

// Hosts returns every host that some client could take from the text: from a URL of any scheme, host:port, a bare host, the
// host:path of scp, URLs inside a longer text, and words of it that look like hosts. The order is that of appearance,
// without repetition as long as there are not too many. If clients could disagree about what the text names, certain is false, and all
// readings are returned.
//
// The domains of mail addresses are no hosts, unless the text also names a program such as ssh that writes hosts so.
func Hosts(text string) (hosts []Host, certain bool) {
	s := newScanner(text)
	s.read(text)
	return s.found, s.certain
}

// HostIn says whether the text names a host of the set: Yes if every reading of it names only such hosts, No if no reading
// names one.
func HostIn(text string, set *HostSet) truth.Value {
	return answer(text, set.match)
}

// CIDRIn is like HostIn for addresses. A host that is a name is not in any set: what it resolves to is not asked.
func CIDRIn(text string, set *CIDRSet) truth.Value {
	return answer(text, set.match)
}

// answer puts the answers for the hosts of a text together.
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
