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
	maxRecords = 4096      // that it is cut over
	maxStream  = maxHello + handshakeHeader + maxRecords*recordHeader
)

// looksLikeTLS says that a stream begins as one of TLS, in one of the ways that a server may take it for.
func looksLikeTLS(head []byte) bool {
	switch {
	case head[0] == recordHandshake:
		return true
	case head[0] == recordAlert, head[0] == recordChange:
		return len(head) < 2 || head[1] == 3 // servers pass over some of these before the hello
	default:
		return head[0]&0x80 != 0 && (len(head) < 3 || head[2] == handshakeHello)
	}
}

// lookHello reads the beginning of TLS. What begins as a handshake and goes on as something else is doubted.
func lookHello(head []byte) (glimpse, stage) {
	switch {
	case head[0] != recordHandshake:
		return lookOldHello(head)
	case len(head) > 1 && head[1] != 3:
		return lookOddVersion(head)
	}
	return readHello(head)
}

// lookOddVersion reads a handshake in a record of another version than TLS has. Some servers do not mind; other protocols may begin so.
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

// lookOldHello reads what may come before a hello, or be one in the form of SSL 2. Neither shows a name, and no ordinary client sends it.
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

// lookAgain reads what a client says after its hello. A server may have asked for a second one, which may show another name. All else is
// encrypted, or of no interest.
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
		return glimpse{}, settled // encrypted: it is no hello that any server takes
	}
	g, st := readHello(rest)
	if g.end > 0 {
		g.end += skipped
	}
	return g, st
}

// readHello reads a ClientHello, which may be cut over records.
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

// helloEnd finds where the ClientHello at the beginning of a stream ends, and how long it is without its header; an end of 0: more of it is
// to
// come. It says no when there is something else, or more than a hello in its last record.
func helloEnd(head []byte) (size, end int, ok bool) {
	var begin []byte // of the message, as far as its header
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

// joined is what the records of a stream hold, as far as they are there.
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

// A pile is what is left to read of a message. Reads past its end make it bad, and give nothing.
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

// list reads what a length of so many bytes announces.
func (p *pile) list(width int) *pile {
	n := 0
	for _, b := range p.take(width) {
		n = n<<8 | int(b)
	}
	return &pile{rest: p.take(n), bad: p.bad}
}

// number reads one of two bytes.
func (p *pile) number() int {
	b := p.take(2)
	if b == nil {
		return 0
	}
	return int(binary.BigEndian.Uint16(b))
}

// serverName finds the name that a ClientHello shows, or nil, and whether another one is encrypted in it. It says no when the message can
// be
// read in more than one way, or in none.
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

// nameInList reads the extension with the name: a list of exactly one.
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
