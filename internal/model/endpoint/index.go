package endpoint

import (
	"bytes"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"
)

// strictness orders treatments: of equally specific rows, the one with the greater value counts.
type strictness [Changes + 1]uint64

var (
	strictest = strictness{Refused: 4, Changes: 3, Gated: 2, Content: 1, Passes: 0}
	gateFirst = strictness{Changes: 4, Gated: 3, Refused: 2, Content: 1, Passes: 0}
)

// An index finds rows by their patterns, segment by segment.
type index struct {
	rooted   node            // patterns that begin at the root
	anywhere node            // patterns that begin with **/
	verbs    map[string]bool // every verb of a pattern
}

// A node represents the segments on the path to it.
type node struct {
	literals    map[string]*node
	verbs       map[string]*node
	version, id *node
	ends        []entry // patterns that end here
	below       []entry // patterns that end here with /**
}

type entry struct {
	method string
	rank   uint64
	row    int
}

func newIndex(rows []Row, order strictness) *index {
	x := &index{verbs: map[string]bool{}}
	for i, r := range rows {
		p := parse(r.Path)
		at := &x.rooted
		if p.anywhere {
			at = &x.anywhere
		}
		for _, s := range p.segments {
			at = at.child(s)
			if s.kind == verb {
				x.verbs[s.text] = true
			}
		}
		e := entry{method: r.Method, rank: p.specificity()<<8 | order[r.Treatment], row: i}
		if r.Method != anyMethod {
			e.rank |= 1 << 4
		}
		if p.below {
			at.below = append(at.below, e)
		} else {
			at.ends = append(at.ends, e)
		}
	}
	return x
}

const anyMethod = "*"

// child returns the child node for a segment, and adds it if it is missing.
func (n *node) child(s segment) *node {
	var at **node
	switch s.kind {
	case version:
		at = &n.version
	case id:
		at = &n.id
	case literal:
		return childOf(&n.literals, s.text)
	case verb:
		return childOf(&n.verbs, s.text)
	}
	if *at == nil {
		*at = new(node)
	}
	return *at
}

func childOf(children *map[string]*node, text string) *node {
	if *children == nil {
		*children = map[string]*node{}
	}
	if (*children)[text] == nil {
		(*children)[text] = new(node)
	}
	return (*children)[text]
}

// find returns the number of the row of a request, or -1.
func (x *index) find(method, path string) int {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	text, ends := fold(path, make([]byte, 0, 256), make([]int, 0, 24))
	s := search{text: text, ends: ends, method: method, best: entry{row: -1}}
	if len(ends) > 0 {
		verb, ok := verbOf(s.segment(len(ends) - 1))
		s.named = !ok || !x.verbs[string(verb)]
	}
	s.walk(&x.rooted, 0)
	for from := range ends {
		s.walk(&x.anywhere, from)
	}
	return s.best.row
}

// A search is for the entry of the highest rank that matches a request.
type search struct {
	text   []byte // the segments of the path, folded
	ends   []int  // of each segment in text
	named  bool   // the last segment may be an id: it does not end in a verb of the table
	method string
	best   entry
}

// walk follows the path from one of its segments on. Its depth is at most that of the longest pattern, whatever the path.
func (s *search) walk(n *node, at int) {
	s.consider(n.below)
	if at == len(s.ends) {
		s.consider(n.ends)
		return
	}
	text := s.segment(at)
	if next := n.literals[string(text)]; next != nil {
		s.walk(next, at+1)
	}
	if n.verbs != nil {
		if verb, ok := verbOf(text); ok && n.verbs[string(verb)] != nil {
			s.walk(n.verbs[string(verb)], at+1)
		}
	}
	if n.version != nil && isVersion(text) {
		s.walk(n.version, at+1)
	}
	if n.id != nil && (s.named || at+1 < len(s.ends)) {
		s.walk(n.id, at+1)
	}
}

// verbOf returns the text after the only colon of a segment.
func verbOf(segment []byte) ([]byte, bool) {
	of, verb, ok := bytes.Cut(segment, []byte(":"))
	return verb, ok && len(of) > 0 && bytes.IndexByte(verb, ':') < 0
}

func (s *search) consider(entries []entry) {
	for _, e := range entries {
		if (e.method == anyMethod || e.method == s.method) && (s.best.row < 0 || e.rank > s.best.rank) {
			s.best = e
		}
	}
}

func (s *search) segment(i int) []byte {
	if i == 0 {
		return s.text[:s.ends[0]]
	}
	return s.text[s.ends[i-1]:s.ends[i]]
}

// fold appends the segments of a path to text, unescaped and in one case, so that a request cannot choose another row by escapes or
// case. It appends the end of each segment to ends. Empty segments are ignored.
func fold(path string, text []byte, ends []int) ([]byte, []int) {
	for path != "" {
		var part string
		part, path, _ = strings.Cut(path, "/")
		if part == "" {
			continue
		}
		from := len(text)
		text = appendUnescaped(text, part)
		text = foldFrom(text, from)
		ends = append(ends, len(text))
	}
	return text, ends
}

// appendUnescaped appends a segment without escapes. Invalid escapes stay as they are.
func appendUnescaped(to []byte, part string) []byte {
	for i := 0; i < len(part); i++ {
		if part[i] == '%' && i+2 < len(part) {
			high, low := unhex(part[i+1]), unhex(part[i+2])
			if high < 16 && low < 16 {
				to = append(to, high<<4|low)
				i += 2
				continue
			}
		}
		to = append(to, part[i])
	}
	return to
}

// unhex returns the value of a hexadecimal digit, or 16.
func unhex(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10
	}
	return 16
}

// foldFrom converts text after from to one case.
func foldFrom(text []byte, from int) []byte {
	for i := from; i < len(text); i++ {
		switch c := text[i]; {
		case c >= utf8.RuneSelf:
			return foldLetters(text, from)
		case 'A' <= c && c <= 'Z':
			text[i] = c + 'a' - 'A'
		}
	}
	return text
}

// foldLetters converts every letter to upper case and back: some letters have another case in only one direction, which may be in
// ASCII.
func foldLetters(text []byte, from int) []byte {
	letters := string(text[from:])
	text = text[:from]
	for _, r := range letters {
		text = utf8.AppendRune(text, unicode.ToLower(unicode.ToUpper(r)))
	}
	return text
}
