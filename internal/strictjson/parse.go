package strictjson

// A node is one value on the tape, or the name of a member, which is just before the member's value. The nodes inside an array or
// object follow it in the order of the document.
type node struct {
	start, end uint32 // the span in the document, with quotes or brackets
	next       uint32 // the index after the last node inside; the parent's index while the container is open
	count      uint32 // elements or members
	kind       Kind
	traits     traits
}

// none is the parent of the root.
const none = ^uint32(0)

// traits are what the scan found out about a string.
type traits uint8

const (
	escaped traits = 1 << iota // has escapes
	wide                       // has non-ASCII bytes
	lone                       // has a surrogate escape without its other half
	isName                     // is the name of a member
)

// A parser writes the tape of one document. It is iterative: open containers are linked through their own nodes, so that depth
// needs no stack.
type parser struct {
	data   []byte
	at     int // the next byte to read; after an error, where the faulty token began
	nodes  []node
	open   uint32 // the innermost open container, or none
	depth  int    // how many containers are open
	values int    // how many values have begun
	limits Limits
}

// document parses the whole text. At each turn of the outer loop a value is due; at each turn of the inner loop a value has ended.
func (p *parser) document() error {
	for {
		due, err := p.value()
		for !due && err == nil {
			if p.open == none {
				return p.end()
			}
			due, err = p.afterValue()
		}
		if err != nil {
			return err
		}
	}
}

// end checks that only white space is left.
func (p *parser) end() error {
	if p.skipSpace(); p.at < len(p.data) {
		return errTrailing
	}
	return nil
}

// value reads a scalar or opens a container. It reports whether a value is due next.
func (p *parser) value() (due bool, err error) {
	if p.skipSpace(); p.at >= len(p.data) {
		return false, errEnd
	}
	if p.values++; p.values > p.limits.Values {
		return false, errValues
	}
	switch p.data[p.at] {
	case '"':
		return false, p.str(0)
	case '{':
		return p.enter(Object, '}')
	case '[':
		return p.enter(Array, ']')
	case 't':
		return false, p.literal(Bool, "true")
	case 'f':
		return false, p.literal(Bool, "false")
	case 'n':
		return false, p.literal(Null, "null")
	}
	return false, p.number()
}

// afterValue reads what follows a value inside a container: a comma, and for an object the next name, or the end of
// the container. It reports whether a value is due next.
func (p *parser) afterValue() (due bool, err error) {
	if p.skipSpace(); p.at >= len(p.data) {
		return false, errEnd
	}
	kind := p.nodes[p.open].kind
	switch c := p.data[p.at]; {
	case c == ',':
		p.at++
		p.nodes[p.open].count++
		if kind == Object {
			return true, p.name()
		}
		return true, nil
	case c == '}' && kind == Object, c == ']' && kind == Array:
		p.nodes[p.open].count++
		p.leave()
		return false, nil
	}
	return false, errToken
}

// enter opens a container, and closes it if it is empty. It reports whether a value is due next.
func (p *parser) enter(kind Kind, last byte) (due bool, err error) {
	if p.depth++; p.depth > p.limits.Depth {
		return false, errDepth
	}
	p.nodes = append(p.nodes, node{start: uint32(p.at), next: p.open, kind: kind})
	p.open = uint32(len(p.nodes) - 1)
	p.at++
	if p.skipSpace(); p.at < len(p.data) && p.data[p.at] == last {
		p.leave()
		return false, nil
	}
	if kind == Object {
		return true, p.name()
	}
	return true, nil
}

// leave closes the innermost container at its closing bracket.
func (p *parser) leave() {
	p.at++
	n := &p.nodes[p.open]
	p.open, n.next = n.next, uint32(len(p.nodes))
	n.end = uint32(p.at)
	p.depth--
}

// name reads the name of a member and the colon.
func (p *parser) name() error {
	if p.skipSpace(); p.at >= len(p.data) {
		return errEnd
	}
	if p.data[p.at] != '"' {
		return errToken
	}
	if err := p.str(isName); err != nil {
		return err
	}
	if p.skipSpace(); p.at >= len(p.data) {
		return errEnd
	}
	if p.data[p.at] != ':' {
		return errToken
	}
	p.at++
	return nil
}

// str reads a string literal.
func (p *parser) str(t traits) error {
	end, found, err := scanString(p.data, p.at+1)
	if err != nil {
		return err
	}
	p.scalar(end, String, t|found)
	return nil
}

// literal reads one of the three words of JSON.
func (p *parser) literal(kind Kind, word string) error {
	rest := p.data[p.at:]
	if len(rest) < len(word) || string(rest[:len(word)]) != word {
		return errToken
	}
	p.scalar(p.at+len(word), kind, 0)
	return nil
}

// number reads a number literal.
func (p *parser) number() error {
	end, err := scanNumber(p.data, p.at)
	if err != nil {
		return err
	}
	p.scalar(end, Number, 0)
	return nil
}

// scalar adds a value that begins here to the tape, and moves to its end.
func (p *parser) scalar(end int, kind Kind, t traits) {
	p.nodes = append(p.nodes, node{
		start: uint32(p.at), end: uint32(end), next: uint32(len(p.nodes) + 1), kind: kind, traits: t,
	})
	p.at = end
}

// skipSpace moves to the next byte that is not white space.
func (p *parser) skipSpace() {
	for p.at < len(p.data) && isSpace(p.data[p.at]) {
		p.at++
	}
}
