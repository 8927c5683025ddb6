package bodies

import (
	"errors"
	"unicode/utf8"
)

// errNoText says that secrets cannot be found in a body.
var errNoText = errors.New("the body is no text")

// text is what was captured as text, at most a margin more than is kept, and whether its end is missing.
func (c *Capture) text(most int) (text string, cut bool, err error) {
	raw, cut := c.data, c.cut()
	if c.Read != nil {
		read, err := c.Read(raw)
		if err != nil && len(read) == 0 {
			return "", false, err
		}
		raw, cut = read, cut || err != nil
	}
	if len(raw) > most+margin {
		raw, cut = raw[:most+margin], true
	}
	if cut {
		raw = wholeRunes(raw)
	}
	if !utf8.Valid(raw) {
		return "", false, errNoText
	}
	return string(raw), cut, nil
}

// wholeRunes leaves a character at the end out that is not whole.
func wholeRunes(text []byte) []byte {
	for i := 1; i < utf8.UTFMax && i <= len(text); i++ {
		if last := text[len(text)-i:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				return text[:len(text)-i]
			}
			break
		}
	}
	return text
}

// shorten leaves out what is not kept, and says whether the end is missing.
func shorten(text string, most int, cut bool) (plain []byte, short bool) {
	if cut {
		text = text[:max(0, len(text)-tail)]
	}
	short = cut || len(text) > most
	return wholeRunes([]byte(text[:min(len(text), most)])), short
}
