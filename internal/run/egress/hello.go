package egress

import "encoding/binary"

// The parts of TLS that show a name (RFC 8446, sections 4.1.2 and 5.1; RFC 6066, section 3; RFC 9849).
const (
	recordChange       = 20
	recordAlert        = 21
	recordHandshake    = 22
	recordHeader       = 5
	maxRecord          = 16 << 10 // of plain text
	handshakeHello     = 1
	handshakeHeader    = 4
	extensionName      = 0
	extensionHidden    = 0xfe0d // encrypted_client_hello
	nameTypeHost       = 0
	helloVersionRandom = 2 + 32
)

// The bounds of a ClientHello.
const (
	maxHello   = 128 << 10 // of the message
	maxRecords = 4096      // that it may be split into
	maxStream  = maxHello + handshakeHeader + maxRecords*recordHeader
)

// looksLikeTLS says that a server may take the beginning of a stream for TLS.
func looksLikeTLS(head []byte) bool {
	switch {
	case head[0] == recordHandshake:
		return true
	case head[0] == recordAlert, head[0] == recordChange:
		return len(head) < 2 || head[1] == 3 // servers skip some of these before the hello
	default:
		return head[0]&0x80 != 0 && (len(head) < 3 || head[2] == handshakeHello)
	}
}

// lookHello parses the beginning of TLS. It doubts bytes that begin as a handshake and continue as something else.
func lookHello(head []byte) (glimpse, stage) {
	switch {
	case head[0] != recordHandshake:
		return lookOldHello(head)
	case len(head) > 1 && head[1] != 3:
		return lookOddVersion(head)
	}
	return readHello(head)
}

// lookOddVersion parses a handshake in a record whose version is none of TLS. Some servers accept it; other protocols may begin
// like this.
func lookOddVersion(head []byte) (glimpse, stage) {
	switch {
	case head[1] >= 0x10:
		return glimpse{}, settled
	case len(head) <= recordHeader:
		return glimpse{}, open
	case head[recordHeader] == handshakeHello:
		return doubted(fromSNI), settled
	}
	return glimpse{}, settled
}

// lookOldHello parses bytes that may come before a hello, or be a hello in the form of SSL 2. Neither shows a name, and no ordinary
// client sends them.
func lookOldHello(head []byte) (glimpse, stage) {
	needs, is := recordHeader+1, false
	switch {
	case head[0] == recordAlert:
		is = len(head) >= needs && head[3] == 0 && head[4] == 2 && (head[5] == 1 || head[5] == 2)
	case head[0] == recordChange:
		is = isChange(head)
	default:
		// A length, the kind, the version, then the lengths of suites, session and challenge.
		needs = 11
		is = len(head) >= needs && (head[3] == 3 || head[3] == 0 && head[4] == 2) &&
			binary.BigEndian.Uint16(head[5:])%3 == 0 && binary.BigEndian.Uint16(head[7:]) <= 32 && binary.BigEndian.Uint16(head[9:]) <= 32
	}
	switch {
	case is:
		return doubted(fromSNI), settled
	case len(head) < needs:
		return glimpse{}, open
	}
	return glimpse{}, settled
}

// isChange says that a stream begins with a ChangeCipherSpec.
func isChange(head []byte) bool {
	return len(head) > recordHeader && head[0] == recordChange && head[1] == 3 && head[3] == 0 && head[4] == 1 && head[5] == 1
}

// lookAgain parses what a client sends after its hello. A server may have asked for a second hello, which may show another name.
// Everything else is encrypted, or does not matter.
func lookAgain(head []byte) (glimpse, stage) {
	skipped := 0
	if head[0] == recordChange {
		switch {
		case len(head) <= recordHeader:
			return glimpse{}, open
		case !isChange(head):
			return glimpse{}, settled
		}
		if skipped = recordHeader + 1; len(head) == skipped {
			return glimpse{}, open
		}
	}
	rest := head[skipped:]
	begin := joined(rest[:min(len(rest), 6*(recordHeader+1))])
	switch {
	case rest[0] != recordHandshake, len(begin) > 0 && begin[0] != handshakeHello:
		return glimpse{}, settled
	case len(begin) < 6:
		return doubted(fromSNI), begun
	case begin[1] > maxHello>>16 || begin[4] != 3 || begin[5] > 4:
		return glimpse{}, settled // encrypted: no server would accept it as a hello
	}
	g, st := readHello(rest)
	if g.end > 0 {
		g.end += skipped
	}
	return g, st
}

// readHello parses a ClientHello, which may be split into several records.
func readHello(head []byte) (glimpse, stage) {
	doubt := doubted(fromSNI)
	size, end, ok := helloEnd(head)
	switch {
	case !ok:
		return doubt, settled
	case end == 0:
		return doubt, begun
	}
	name, hidden, ok := serverName(joined(head[:end])[handshakeHeader : handshakeHeader+size])
	if !ok {
		return doubt, settled
	}
	g := glimpse{end: end, then: follow{kind: afterHello}, hidden: hidden}
	if name != nil {
		g.from = fromSNI
		g.say(wireHost(*name))
	}
	return g, settled
}

// helloEnd finds where the ClientHello at the beginning of a stream ends, and its size without its header; an end of 0: more of it
// is to come. It is not ok if there is something else, or if the last record has more than the hello.
func helloEnd(head []byte) (size, end int, ok bool) {
	var begin []byte // the beginning of the message, up to the end of its header
	have := 0        // bytes of the message
	for records := 0; ; records++ {
		rest := head[end:]
		switch {
		case len(rest) == 0:
			return 0, 0, true
		case rest[0] != recordHandshake, len(rest) > 1 && rest[1] != 3, records == maxRecords:
			return 0, 0, false
		case len(rest) < recordHeader:
			return 0, 0, true
		}
		length := int(binary.BigEndian.Uint16(rest[3:]))
		if length == 0 || length > maxRecord {
			return 0, 0, false
		}
		piece := rest[recordHeader:min(recordHeader+length, len(rest))]
		begin = append(begin, piece[:min(len(piece), handshakeHeader-len(begin))]...)
		if len(begin) > 0 && begin[0] != handshakeHello {
			return 0, 0, false
		}
		if len(begin) == handshakeHeader {
			size = int(begin[1])<<16 | int(binary.BigEndian.Uint16(begin[2:]))
			if size > maxHello || have+length > handshakeHeader+size {
				return 0, 0, false
			}
		}
		if len(piece) < length {
			return 0, 0, true
		}
		have, end = have+length, end+recordHeader+length
		if len(begin) == handshakeHeader && have == handshakeHeader+size {
			return size, end, true
		}
	}
}

// joined returns the content of the records of a stream, as far as it has arrived.
func joined(head []byte) (message []byte) {
	for len(head) > recordHeader {
		length := int(binary.BigEndian.Uint16(head[3:]))
		head = head[recordHeader:]
		piece := head[:min(length, len(head))]
		message = append(message, piece...)
		head = head[len(piece):]
	}
	return message
}

// A pile is the rest of a message that is still to be read. Reading past its end makes it bad, and returns nothing.
type pile struct {
	rest []byte
	bad  bool
}

// take reads n bytes.
func (p *pile) take(n int) []byte {
	if p.bad || n > len(p.rest) {
		p.bad = true
		return nil
	}
	b := p.rest[:n]
	p.rest = p.rest[n:]
	return b
}

// list reads a length of width bytes, and then as many bytes as that length says.
func (p *pile) list(width int) *pile {
	n := 0
	for _, b := range p.take(width) {
		n = n<<8 | int(b)
	}
	return &pile{rest: p.take(n), bad: p.bad}
}

// number reads a number of two bytes.
func (p *pile) number() int {
	b := p.take(2)
	if b == nil {
		return 0
	}
	return int(binary.BigEndian.Uint16(b))
}

// serverName finds the name that a ClientHello shows, or nil, and whether another name is encrypted in it. It is not ok if the
// message can be parsed in more than one way, or not at all.
func serverName(hello []byte) (name *string, hidden, ok bool) {
	p := &pile{rest: hello}
	p.take(helloVersionRandom)
	session, suites, methods := p.list(1), p.list(2), p.list(1)
	if p.bad || len(session.rest) > 32 || len(suites.rest) < 2 || len(suites.rest)%2 != 0 || len(methods.rest) < 1 {
		return nil, false, false
	}
	if len(p.rest) == 0 {
		return nil, false, true // without extensions there is no name
	}
	extensions := p.list(2)
	if p.bad || len(p.rest) != 0 {
		return nil, false, false
	}
	for len(extensions.rest) > 0 {
		kind, body := extensions.number(), extensions.list(2)
		switch {
		case extensions.bad:
			return nil, false, false
		case kind == extensionHidden:
			hidden = true
		case kind == extensionName:
			if name != nil {
				return nil, false, false
			}
			text, ok := nameInList(body)
			if !ok {
				return nil, false, false
			}
			name = &text
		}
	}
	return name, hidden, true
}

// nameInList parses the extension with the name: a list of exactly one name.
func nameInList(body *pile) (string, bool) {
	names := body.list(2)
	if body.bad || len(body.rest) != 0 {
		return "", false
	}
	kind := names.take(1)
	name := names.list(2)
	if names.bad || len(names.rest) != 0 || kind[0] != nameTypeHost || len(name.rest) == 0 {
		return "", false
	}
	return string(name.rest), true
}
