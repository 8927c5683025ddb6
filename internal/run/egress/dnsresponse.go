package egress

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"golang.org/x/net/dns/dnsmessage"
)

// A dnsResponse is the response of a name server to a question, without records that do not belong to it.
type dnsResponse struct {
	reply
	addrs []netip.Addr // the addresses of the name
	// dropped are addresses that no name may have.
	dropped []netip.Addr
}

// maxChain is how many names a chain of aliases may have.
const maxChain = 16

// readResponse parses the response of a name server to a question. It leaves out records that do not answer the question, and
// additional records.
func readResponse(message []byte, question dnsmessage.Question) (dnsResponse, error) {
	var p dnsmessage.Parser
	h, err := p.Start(message)
	if err != nil {
		return dnsResponse{}, fmt.Errorf("read a response: %w", err)
	}
	if err := p.SkipAllQuestions(); err != nil {
		return dnsResponse{}, fmt.Errorf("read a response: %w", err)
	}
	records, err := passedRecords(p.AnswerHeader, p.Answer, p.SkipAnswer)
	if err != nil {
		return dnsResponse{}, fmt.Errorf("read a response: %w", err)
	}
	authorities, err := passedRecords(p.AuthorityHeader, p.Authority, p.SkipAuthority)
	if err != nil {
		return dnsResponse{}, fmt.Errorf("read a response: %w", err)
	}
	a := dnsResponse{reply: reply{rcode: h.RCode, truncated: h.Truncated}}
	chain := chainOf(question.Name, records)
	for _, r := range records {
		if chain[foldName(r.Header.Name)] && (r.Header.Type == question.Type || r.Header.Type == dnsmessage.TypeCNAME) {
			a.add(r)
		}
	}
	for _, r := range authorities {
		// These records say how long clients may remember that a name has no records.
		if r.Header.Type == dnsmessage.TypeSOA {
			a.authorities = append(a.authorities, r)
		}
	}
	return a, nil
}

// passedRecords parses a section, and returns only records of forwarded types.
func passedRecords(
	header func() (dnsmessage.ResourceHeader, error), record func() (dnsmessage.Resource, error), skip func() error,
) (kept []dnsmessage.Resource, err error) {
	for {
		h, err := header()
		if errors.Is(err, dnsmessage.ErrSectionDone) {
			return kept, nil
		}
		if err != nil {
			return nil, err
		}
		if h.Class != dnsmessage.ClassINET || !passedType(h.Type) {
			if err := skip(); err != nil {
				return nil, err
			}
			continue
		}
		r, err := record()
		if err != nil {
			return nil, err
		}
		kept = append(kept, r)
	}
}

// foldName returns a name in the form that is used to compare names.
func foldName(n dnsmessage.Name) string { return strings.ToLower(n.String()) }

// chainOf returns a name and all names that it is an alias for.
func chainOf(name dnsmessage.Name, records []dnsmessage.Resource) map[string]bool {
	next := map[string]string{}
	for _, r := range records {
		if body, ok := r.Body.(*dnsmessage.CNAMEResource); ok {
			next[foldName(r.Header.Name)] = foldName(body.CNAME)
		}
	}
	chain := map[string]bool{}
	for at := foldName(name); at != "" && !chain[at] && len(chain) < maxChain; at = next[at] {
		chain[at] = true
	}
	return chain
}

// add adds a record, unless it has an address that no name may have.
func (a *dnsResponse) add(r dnsmessage.Resource) {
	addr, ok := recordAddr(r)
	switch {
	case ok && unnamed(addr):
		a.dropped = append(a.dropped, addr)
		return
	case ok:
		a.addrs = append(a.addrs, addr)
	}
	a.answers = append(a.answers, r)
}

// only removes the addresses that do not fit.
func (a *dnsResponse) only(fits func(netip.Addr) bool) {
	misfit := func(addr netip.Addr) bool { return !fits(addr) }
	a.addrs = slices.DeleteFunc(a.addrs, misfit)
	a.answers = slices.DeleteFunc(a.answers, func(r dnsmessage.Resource) bool {
		addr, ok := recordAddr(r)
		return ok && misfit(addr)
	})
}

// recordAddr returns the address in a record.
func recordAddr(r dnsmessage.Resource) (netip.Addr, bool) {
	switch body := r.Body.(type) {
	case *dnsmessage.AResource:
		return netip.AddrFrom4(body.A), true
	case *dnsmessage.AAAAResource:
		return netip.AddrFrom16(body.AAAA).Unmap(), true
	default:
		return netip.Addr{}, false
	}
}

// thisNetwork are addresses that, if anything, mean the machine itself.
var thisNetwork = netip.MustParsePrefix("0.0.0.0/8")

// translated are the IPv6 forms of IPv4 addresses in networks that have only IPv6.
var translated = netip.MustParsePrefix("64:ff9b::/96")

// unnamed says that no name of DNS may have an address: those of the loopback, the machine's own network and the link. Otherwise
// the owner of a name that a rule allows could point it at a service of the machine, or at the credentials that a cloud serves at
// 169.254.169.254. The connection would be allowed under that name.
func unnamed(addr netip.Addr) bool {
	if translated.Contains(addr) {
		b := addr.As16()
		addr = netip.AddrFrom4([4]byte(b[12:]))
	}
	return addr.IsLoopback() || addr.IsUnspecified() || addr.IsLinkLocalUnicast() || addr.IsLinkLocalMulticast() ||
		addr.IsInterfaceLocalMulticast() || thisNetwork.Contains(addr)
}
