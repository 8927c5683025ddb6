package endpoint

import (
	"bytes"
	"strings"
)

// A pattern is the parsed path of a row. It is written as segments divided by slashes:
//
//	models          this segment, in any case and however escaped
//	{id}            any one segment; at the end of a path, one that does not end in a verb of the table
//	{version}       one segment such as v1, v1beta, v1alpha, v1beta1
//	{id}:verb       one segment that ends in this verb, and has no other colon
//	**/ (at first)  any number of segments, also none
//	/** (at last)   any number of segments, also none
type pattern struct {
	anywhere bool // begins with **/
	segments []segment
	below    bool // ends in /**
}

type segment struct {
	kind kind
	text string // folded; of a literal, and of a verb
}

type kind uint8

const (
	literal kind = iota
	verb
	version
	id
)

const (
	anySegments = "**"
	anyID       = "{id}"
	anyVersion  = "{version}"
	anyVerb     = anyID + ":"
)

// parse parses a pattern. Patterns are constants of the program, and tested.
func parse(path string) pattern {
	var p pattern
	rest, ok := strings.CutPrefix(path, anySegments+"/")
	p.anywhere = ok
	if !ok {
		if rest, ok = strings.CutPrefix(path, "/"); !ok {
			panic("the endpoint " + path + " begins neither with / nor with **/")
		}
	}
	if rest == "" {
		return p
	}
	parts := strings.Split(rest, "/")
	if last := len(parts) - 1; parts[last] == anySegments {
		p.below = true
		parts = parts[:last]
	}
	for _, part := range parts {
		s, ok := parseSegment(part)
		if !ok {
			panic("the endpoint " + path + " has the segment " + part + ", which means nothing")
		}
		p.segments = append(p.segments, s)
	}
	return p
}

func parseSegment(part string) (segment, bool) {
	switch {
	case part == anyID:
		return segment{kind: id}, true
	case part == anyVersion:
		return segment{kind: version}, true
	}
	of := literal
	text, ok := strings.CutPrefix(part, anyVerb)
	if ok {
		of = verb
	}
	return segment{kind: of, text: strings.ToLower(text)}, text != "" && !strings.ContainsAny(text, "{}*%")
}

// String returns the pattern in its canonical form: folded.
func (p pattern) String() string {
	var b strings.Builder
	if p.anywhere {
		b.WriteString(anySegments)
	}
	for _, s := range p.segments {
		b.WriteByte('/')
		switch s.kind {
		case id:
			b.WriteString(anyID)
		case version:
			b.WriteString(anyVersion)
		case verb:
			b.WriteString(anyVerb + s.text)
		case literal:
			b.WriteString(s.text)
		}
	}
	if p.below {
		b.WriteString("/" + anySegments)
	}
	return b.String()
}

// specificity orders patterns: a pattern with a greater value is more specific.
func (p pattern) specificity() uint64 {
	var count [id + 1]uint64
	for _, s := range p.segments {
		count[s.kind]++
	}
	n := count[literal]<<24 | count[verb]<<16 | count[version]<<8 | count[id]
	if !p.anywhere && !p.below {
		n |= 1 << 32
	}
	return n
}

// isVersion says whether a folded segment names a version: v, a number, and perhaps alpha or beta with a number.
func isVersion(s []byte) bool {
	rest, ok := bytes.CutPrefix(s, []byte("v"))
	stage := trimDigits(rest)
	if !ok || len(stage) == len(rest) {
		return false
	}
	after, ok := bytes.CutPrefix(stage, []byte("alpha"))
	if !ok {
		after, _ = bytes.CutPrefix(stage, []byte("beta"))
	}
	return len(trimDigits(after)) == 0 && (len(stage) == 0 || len(after) < len(stage))
}

func trimDigits(s []byte) []byte {
	for len(s) > 0 && '0' <= s[0] && s[0] <= '9' {
		s = s[1:]
	}
	return s
}
