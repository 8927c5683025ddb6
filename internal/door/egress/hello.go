package egress

import "encoding/binary"

// The parts of TLS that show a name (RFC 8446, sections 4.1.2 and 5.1; RFC 6066, section 3).
const (
	recordHandshake    = 22
	recordHeader       = 5
	maxRecord          = 16 << 10 // of plain text
	handshakeHello     = 1
	handshakeHeader    = 4
	maxHello           = 16 << 10
	extensionName      = 0
	nameTypeHost       = 0
	helloVersionRandom = 2 + 32
)

// lookHello reads the beginning of TLS. What begins as a handshake and goes on as something else is doubted.
func lookHello(head []byte) (glimpse, stage) {
	doubt := glimpse{from: fromSNI, doubt: true}
	if len(head) > 1 && head[1] != 3 {
		return glimpse{}, settled // no version of TLS: another protocol that happens to begin so
	}
	message, ok := handshake(head)
	switch {
	case !ok:
		return doubt, settled
	case len(message) < handshakeHeader:
		return doubt, stageOfHello(head)
	}
	size := int(message[1])<<16 | int(binary.BigEndian.Uint16(message[2:]))
	switch {
	case message[0] != handshakeHello || size > maxHello:
		return doubt, settled
	case len(message)-handshakeHeader < size:
		return doubt, stageOfHello(head)
	}
	name, found, ok := serverName(message[handshakeHeader : handshakeHeader+size])
	switch {
	case !ok:
		return doubt, settled
	case !found:
		return glimpse{}, settled
	}
	g := glimpse{from: fromSNI}
	g.say(wireHost(name))
	return g, settled
}

// stageOfHello is that of a hello that is not complete: more is waited for, within the bound.
func stageOfHello(head []byte) stage {
	if len(head) >= maxHead {
		return settled
	}
	return begun
}

// handshake puts the handshake messages at the beginning of a stream together: a message may be cut over records. It says no when
// something else comes before the first message is complete.
func handshake(head []byte) (message []byte, ok bool) {
	for len(head) > 0 {
		if len(message) >= handshakeHeader {
			size := int(message[1])<<16 | int(binary.BigEndian.Uint16(message[2:]))
			if len(message) >= handshakeHeader+size {
				return message, true
			}
		}
		if head[0] != recordHandshake || len(head) > 1 && head[1] != 3 {
			return nil, false
		}
		if len(head) < recordHeader {
			return message, true
		}
		size := int(binary.BigEndian.Uint16(head[3:]))
		if size == 0 || size > maxRecord {
			return nil, false
		}
		head = head[recordHeader:]
		piece := head[:min(size, len(head))]
		message = append(message, piece...)
		head = head[len(piece):]
	}
	return message, true
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

// serverName finds the name that a ClientHello shows. It says no when the message can be read in more than one way, or in none.
func serverName(hello []byte) (name string, found, ok bool) {
	p := &pile{rest: hello}
	p.take(helloVersionRandom)
	session, suites, methods := p.list(1), p.list(2), p.list(1)
	if p.bad || len(session.rest) > 32 || len(suites.rest) < 2 || len(suites.rest)%2 != 0 || len(methods.rest) < 1 {
		return "", false, false
	}
	if len(p.rest) == 0 {
		return "", false, true // without extensions there is no name
	}
	extensions := p.list(2)
	if p.bad || len(p.rest) != 0 {
		return "", false, false
	}
	for len(extensions.rest) > 0 {
		kind, body := extensions.number(), extensions.list(2)
		if extensions.bad {
			return "", false, false
		}
		if kind != extensionName {
			continue
		}
		if found {
			return "", false, false
		}
		found = true
		if name, ok = nameInList(body); !ok {
			return "", false, false
		}
	}
	return name, found, true
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
