package bodies

import (
	"errors"
	"unicode/utf8"
)

// errNoText says that a body is not text, so that secrets in it cannot be found.
var errNoText = errors.New("the body is no text")

// text returns the captured body as text, at most margin bytes more than are stored, and whether its end is missing.
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

// wholeRunes removes an incomplete character at the end.
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

// shorten cuts a text to the stored length, and returns whether the end is missing.
func shorten(text string, most int, cut bool) (plain []byte, short bool) {
	if cut {
		text = text[:max(0, len(text)-tail)]
	}
	short = cut || len(text) > most
	return wholeRunes([]byte(text[:min(len(text), most)])), short
}
