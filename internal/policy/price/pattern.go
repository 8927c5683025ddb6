package price

import "strings"

// A pattern matches names in lower case. In it, * matches any run of characters.
type pattern struct {
	text    string
	pieces  []string // the text between the stars
	literal int      // how many characters are not stars
}

func newPattern(text string) pattern {
	text = strings.ToLower(text)
	p := pattern{text: text, pieces: strings.Split(text, "*")}
	for _, piece := range p.pieces {
		p.literal += len(piece)
	}
	if len(p.pieces) == 1 {
		p.literal++ // a name is narrower than a pattern of the same length
	}
	return p
}

// matches takes the leftmost position for each piece, which never prevents a match further right.
func (p pattern) matches(name string) bool {
	last := len(p.pieces) - 1
	if last == 0 {
		return name == p.text
	}
	rest, ok := strings.CutPrefix(name, p.pieces[0])
	if !ok {
		return false
	}
	if rest, ok = strings.CutSuffix(rest, p.pieces[last]); !ok {
		return false
	}
	for _, piece := range p.pieces[1:last] {
		i := strings.Index(rest, piece)
		if i < 0 {
			return false
		}
		rest = rest[i+len(piece):]
	}
	return true
}
