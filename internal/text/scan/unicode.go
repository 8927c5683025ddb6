package scan

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/weir-gate/weir/internal/text/inert"
)

// A survey counts the invisible characters of a text.
type survey struct {
	invisible, inWord, longest int // the number, the number between Latin letters, and the longest run
	firstInvisible             int
	bidi, turning              int // marks of direction, and those that reverse letters
	firstBidi                  int
	rightToLeft                bool
	tags, selectors, bits      strings.Builder // the texts that they decode to
	firstTag, firstSelector    int
}

// unicode looks for characters that are invisible, or change how others look.
func (p *pass) unicode() {
	if isPlain(p.text) {
		return
	}
	var s survey
	s.read(p.text)
	p.reportTags(&s)
	p.reportSelectors(&s)
	p.reportInvisible(&s)
	p.reportBidi(&s)
}

// read examines a text in one pass.
func (s *survey) read(text string) {
	var before rune
	run := 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		after, _ := utf8.DecodeRuneInString(text[i+size:])
		hiddenHere := false
		switch {
		case r < utf8.RuneSelf:
		case isTag(r):
			if n := flagLength(before, text[i:]); n > 0 {
				i += n
				continue
			}
			s.tag(r, i)
		case isSelector(r):
			// One selector after a character chooses a form of it. Several selectors, or one after a letter, have no such use.
			if isSelector(before) || isSelector(after) || (before < utf8.RuneSelf && !strings.ContainsRune("0123456789#*", before)) {
				s.selector(r, i)
			}
		case isBidi(r):
			s.direction(r, i)
		case !inert.Visible(r) && !unicode.IsSpace(r) && !isControl(r) && r != utf8.RuneError && !joins(before, r, after) &&
			(r != '\ufeff' || i > 0):
			hiddenHere = true
			s.hide(r, i, isLatin(before) && isLatin(after))
		default:
			s.rightToLeft = s.rightToLeft || unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko)
		}
		if run++; !hiddenHere {
			run = 0
		}
		s.longest = max(s.longest, run)
		before = r
		i += size
	}
}

func (s *survey) tag(r rune, i int) {
	if s.tags.Len() == 0 {
		s.firstTag = i
	}
	if c := byte(r - 0xE0000); ' ' <= c && c <= '~' {
		s.tags.WriteByte(c)
	} else {
		s.tags.WriteByte(' ')
	}
}

func (s *survey) selector(r rune, i int) {
	if s.selectors.Len() == 0 {
		s.firstSelector = i
	}
	if r >= 0xE0100 {
		s.selectors.WriteByte(byte(r - 0xE0100 + 16))
	} else {
		s.selectors.WriteByte(byte(r - 0xFE00))
	}
}

func (s *survey) direction(r rune, i int) {
	if s.bidi == 0 {
		s.firstBidi = i
	}
	s.bidi++
	if r == 0x202d || r == 0x202e {
		s.turning++
	}
}

func (s *survey) hide(r rune, i int, inWord bool) {
	if s.invisible == 0 {
		s.firstInvisible = i
	}
	s.invisible++
	if inWord {
		s.inWord++
	}
	switch r {
	case '\u200b', '\u2063', '\u2062':
		s.bits.WriteByte('0')
	case '\u200c', '\u200d', '\u2064', '\u2060':
		s.bits.WriteByte('1')
	}
}

func isTag(r rune) bool { return 0xE0000 <= r && r <= 0xE007F }

func isSelector(r rune) bool { return 0xFE00 <= r && r <= 0xFE0F || 0xE0100 <= r && r <= 0xE01EF }

func isBidi(r rune) bool {
	return 0x202A <= r && r <= 0x202E || 0x2066 <= r && r <= 0x2069 || r == 0x200E || r == 0x200F || r == 0x061C
}

func isLatin(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

// joins says that an invisible character has a proper use: it joins or separates letters of scripts that need it, or joins emoji.
func joins(before, r, after rune) bool {
	switch r {
	case '\u200d', '\u200c':
		// The character before may be a form selector or a skin colour, after a picture.
		return before >= 0x0590 && before != '\u200b' && before != '\u200c' && before != '\u200d' && after >= 0x0590
	case '\u00ad': // where a long word may be hyphenated
		return unicode.IsLetter(before) && unicode.IsLetter(after)
	case '\u3164', '\u115f', '\u1160':
		return unicode.Is(unicode.Hangul, before) || unicode.Is(unicode.Hangul, after)
	}
	return unicode.Is(unicode.Co, r) // icons of fonts
}

// flagLength is the length of the tags that turn the black flag into that of a region; 0: there are none.
func flagLength(before rune, text string) int {
	if before != '\U0001F3F4' {
		return 0
	}
	n, letters := 0, 0
	for _, r := range text {
		if !isTag(r) {
			return 0
		}
		n += utf8.RuneLen(r)
		if r == 0xE007F {
			return n
		}
		if letters++; letters > 6 {
			return 0
		}
	}
	return 0
}

// minReadable is how many readable characters prove that a text was hidden.
const minReadable = 4

func (p *pass) reportTags(s *survey) {
	if s.tags.Len() == 0 {
		return
	}
	hidden := s.tags.String()
	severity := High
	if len(strings.TrimSpace(hidden)) >= minReadable {
		severity = Critical
	}
	p.found("unicode.tags", severity, s.firstTag, p.after(s.firstTag), "tag characters, which only a model reads: "+inert.Text(hidden, 80))
	p.findings = append(p.findings, p.inside(hidden, "tag characters")...)
}

func (p *pass) reportSelectors(s *survey) {
	if s.selectors.Len() == 0 {
		return
	}
	hidden := s.selectors.String()
	severity := p.bySource(High, Medium)
	if s.selectors.Len() == 1 {
		severity = Low
	}
	if readable(hidden) {
		severity = Critical
		p.findings = append(p.findings, p.inside(hidden, "variation selectors")...)
	}
	p.found("unicode.selectors", severity, s.firstSelector, p.after(s.firstSelector), "variation selectors that choose no form, as bytes: "+
		inert.Text(strings.ToValidUTF8(hidden, "?"), 80))
}

func (p *pass) reportInvisible(s *survey) {
	if s.invisible == 0 {
		return
	}
	severity := p.bySource(Medium, Low)
	if s.inWord > 0 {
		severity = p.bySource(High, Medium)
	}
	if s.longest >= 8 {
		severity = High
	}
	p.found("unicode.invisible", severity, s.firstInvisible, p.after(s.firstInvisible), "characters that nobody sees")
	for _, hidden := range bitTexts(s.bits.String()) {
		p.found("unicode.invisible", Critical, s.firstInvisible, p.after(s.firstInvisible), "a text in zero-width bits: "+inert.Text(hidden, 80))
		p.findings = append(p.findings, p.inside(hidden, "zero-width characters")...)
	}
}

// bitTexts decodes bits as bytes, with both meanings of a bit, and returns the readable texts.
func bitTexts(bits string) (texts []string) {
	for _, one := range []byte{'1', '0'} {
		out := make([]byte, 0, len(bits)/8)
		for i := 0; i+8 <= len(bits); i += 8 {
			var b byte
			for k := range 8 {
				b <<= 1
				if bits[i+k] == one {
					b |= 1
				}
			}
			out = append(out, b)
		}
		if text := string(out); len(text) >= minReadable && readable(text) {
			texts = append(texts, text)
		}
	}
	return texts
}

func (p *pass) reportBidi(s *survey) {
	if s.bidi == 0 {
		return
	}
	severity := Low
	switch {
	case s.turning > 0:
		severity = High
	case !s.rightToLeft:
		severity = p.bySource(Medium, Low)
	}
	p.found("unicode.bidi", severity, s.firstBidi, p.after(s.firstBidi), "characters that change the order in which text is shown")
}
