package ingress

import (
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// The bounds of what proxies say.
const (
	maxHeader = 4 << 10
	maxHops   = 32
)

// protoTLS is what they say if their client used TLS.
const protoTLS = "https"

// said is what trusted proxies say about a request.
type said struct {
	address netip.Addr // of the client; invalid: they do not say
	proto   string     // "": they do not say
}

var (
	errLong   = errors.New("it is too long, or names too many proxies")
	errNobody = errors.New("it names a client by something that is no address")
	errProto  = errors.New("it names several protocols, or one that is neither http nor https")
	errForm   = errors.New("it is not of the form of RFC 7239")
)

// read reads the header that counts. The other one may be of the client itself.
func (i *Ingress) read(h http.Header) (said, error) {
	if strings.EqualFold(i.cfg.Header, headerForwarded) {
		return i.readForwarded(h)
	}
	var s said
	hops, err := split(h[headerFor])
	if err != nil {
		return s, err
	}
	if s.address, err = i.nearest(hops); err != nil {
		return s, err
	}
	protos, err := split(h[headerProto])
	if err != nil {
		return s, err
	}
	s.proto, err = oneProto(protos)
	return s, err
}

// split returns the parts of a header that is a list.
func split(values []string) ([]string, error) {
	text := strings.Join(values, ",")
	if len(text) > maxHeader || strings.Count(text, ",") >= maxHops {
		return nil, errLong
	}
	if text == "" {
		return nil, nil
	}
	parts := strings.Split(text, ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts, nil
}

// nearest returns the last address that is not a trusted proxy: each proxy adds that of its own client at the end, and what is before it
// anybody may have written. If all are trusted, it is the first.
func (i *Ingress) nearest(hops []string) (client netip.Addr, err error) {
	for _, hop := range slices.Backward(hops) {
		at, err := parseAddress(hop)
		if err != nil {
			return at, errNobody
		}
		client = at
		if !i.trustsAddress(at) {
			break
		}
	}
	return client, nil
}

// oneProto returns the protocol that all of them name; "": there are none.
func oneProto(names []string) (string, error) {
	for k, name := range names {
		names[k] = strings.ToLower(name)
		if names[k] != names[0] || names[k] != "http" && names[k] != protoTLS {
			return "", errProto
		}
	}
	if len(names) == 0 {
		return "", nil
	}
	return names[0], nil
}

// readForwarded reads the header of RFC 7239.
func (i *Ingress) readForwarded(h http.Header) (s said, err error) {
	elements, err := parseForwarded(strings.Join(h[headerForwarded], ","))
	if err != nil || len(elements) == 0 {
		return s, err
	}
	var hops []string
	for _, e := range elements {
		if e.from != "" {
			hops = append(hops, e.from)
		}
	}
	if s.address, err = i.nearest(hops); err != nil {
		return s, err
	}
	var protos []string
	if last := elements[len(elements)-1]; last.proto != "" { // the nearest proxy wrote it
		protos = []string{last.proto}
	}
	s.proto, err = oneProto(protos)
	return s, err
}

// An element is what one proxy says.
type element struct{ from, proto string }

// parseForwarded parses a header such as for=192.0.2.60;proto=https, for="[2001:db8::1]:4711".
func parseForwarded(text string) (all []element, err error) {
	if len(text) > maxHeader {
		return nil, errLong
	}
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	var e element
	for rest := text; ; {
		var name, value string
		if name, value, rest, err = nextPair(rest); err != nil {
			return nil, err
		}
		switch {
		case strings.EqualFold(name, "for") && e.from == "":
			e.from = value
		case strings.EqualFold(name, "proto") && e.proto == "":
			e.proto = value
		case strings.EqualFold(name, "for") || strings.EqualFold(name, "proto"):
			return nil, errForm // twice
		}
		if rest == "" || rest[0] == ',' {
			all = append(all, e)
			e = element{}
		}
		if rest == "" {
			return all, nil
		}
		if len(all) >= maxHops {
			return nil, errLong
		}
		rest = rest[1:]
	}
}

// nextPair reads a pair up to the sign that ends it: a comma, a semicolon, or the end.
func nextPair(text string) (name, value, rest string, err error) {
	name, rest, found := strings.Cut(strings.TrimLeft(text, " \t"), "=")
	if !found || name == "" || strings.ContainsAny(name, " \t,;\"") {
		return "", "", "", errForm
	}
	if quoted, ok := strings.CutPrefix(rest, `"`); ok {
		end := strings.IndexByte(quoted, '"')
		if end < 0 || strings.Contains(quoted[:end], `\`) {
			return "", "", "", errForm
		}
		value, rest = quoted[:end], quoted[end+1:]
	} else {
		end := strings.IndexAny(rest, ",;")
		if end < 0 {
			end = len(rest)
		}
		value, rest = strings.TrimRight(rest[:end], " \t"), rest[end:]
	}
	if rest = strings.TrimLeft(rest, " \t"); value == "" || rest != "" && rest[0] != ',' && rest[0] != ';' {
		return "", "", "", errForm
	}
	return name, value, rest, nil
}

// parseAddress parses an address with or without a port.
func parseAddress(text string) (netip.Addr, error) {
	if at, err := netip.ParseAddrPort(text); err == nil {
		return at.Addr().Unmap().WithZone(""), nil
	}
	at, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	return at.Unmap().WithZone(""), err
}
