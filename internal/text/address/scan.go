package address

import (
	"html"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/weir-gate/weir/internal/text/program"
)

// maxSeen bounds the hosts that are remembered so that each is reported once. With more hosts the result is uncertain.
const maxSeen = 1 << 16

// A scanner walks over one text and collects the hosts that it finds.
type scanner struct {
	found   []Host
	seen    map[string]struct{}
	certain bool
	// doubt says that the current reading is only one of several readings of the text.
	doubt bool
	// budget bounds how many bytes are read more than once, so that the total time is linear.
	budget   int
	programs program.Hosts
}

func newScanner(text string) *scanner {
	return &scanner{seen: map[string]struct{}{}, certain: true, budget: 4*len(text) + 1<<16, programs: programsIn(text)}
}

// read collects every host of the text.
func (s *scanner) read(text string) {
	whole := trim(text)
	broken := strings.ContainsAny(whole, lineBreaks)
	if !broken {
		s.one(whole)
	}
	s.parts(text)
	// The following readings are in doubt: only some clients read the text so, or other layers unwrap it before a client sees it.
	s.doubt = true
	if broken {
		s.one(strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(whole))
	}
	for _, unwrap := range []func(string) string{unescapePercent, unescapeBackslash, unescapeHTML, joinQuoted, compatible} {
		if plain := unwrap(text); plain != text {
			s.parts(plain)
		}
	}
}

// emit adds a host, once.
func (s *scanner) emit(h Host) {
	if _, ok := s.seen[h.Name]; ok {
		return
	}
	if len(s.seen) >= maxSeen {
		s.certain = false
	} else {
		s.seen[h.Name] = struct{}{}
	}
	if s.doubt || h.Partial {
		s.certain = false
	}
	s.found = append(s.found, h)
}

// unsure runs a reading whose hosts are in doubt.
func (s *scanner) unsure(read func()) {
	before := s.doubt
	s.doubt = true
	read()
	s.doubt = before
}

// parts reads the URLs and words in a text.
func (s *scanner) parts(text string) {
	s.devices(text)
	for len(text) > 0 {
		end := strings.IndexFunc(text, isHardBreak)
		if end < 0 {
			end = len(text)
		}
		if end > 0 {
			s.chunk(text[:end], text)
			text = text[end:]
			continue
		}
		text = text[1:] // the rest of a longer break starts no host
	}
}

// isHardBreak reports the characters that end a URL in a text.
func isHardBreak(r rune) bool {
	if r <= ' ' || r == 0x7f || r == 0x85 || r == 0xa0 {
		return true
	}
	switch r {
	case '"', '\'', '<', '>', '`', '|', '\u2028', '\u2029', '\u3000', '“', '”', '‘', '’', '«', '»':
		return true
	}
	return false
}

// chunk reads a part of a text that has no blanks or quotes. rest is the text from there on, because holes may have such characters
// inside.
func (s *scanner) chunk(chunk, rest string) {
	found := false
	for i := 0; i < len(chunk); i++ {
		if chunk[i] != ':' {
			continue
		}
		scheme := schemeBefore(chunk, i)
		slashes, width := countSlashes(scheme, rest[i+1:])
		if slashes == 0 && i+1 < len(chunk) && isSpecial(scheme) {
			s.slashless(rest[i+1:])
			continue
		}
		if !opensAuthority(scheme, rest[i+1:], slashes) {
			continue
		}
		found = true
		s.authority(url{scheme: scheme, rest: rest[i+1+width:], slashes: slashes})
		i += width
	}
	if found {
		return
	}
	if i := strings.Index(chunk, "//"); i == 0 || i > 0 && isSoftBreak(rune(chunk[i-1])) {
		s.slashless(chunk[i+2:])
		return
	}
	if share := strings.TrimLeft(chunk, `\`); len(chunk)-len(share) >= 2 && !s.doubt {
		s.slashless(share[:indexAny(share, `\/`)])
		return
	}
	for word := range strings.FieldsFuncSeq(chunk, isSoftBreak) {
		s.word(word)
		s.programWord(word)
	}
}

// isSoftBreak reports the characters that end a word but may be inside a URL.
func isSoftBreak(r rune) bool {
	switch r {
	case '(', ')', '{', '}', ';', ',', '=', '&', '!', '*', '^', '?', '#':
		return true
	}
	return false
}

// slashless reads an authority that only some clients accept: http:host and //host.
func (s *scanner) slashless(rest string) {
	raw, _ := s.cutAuthority(rest, true)
	if at := strings.LastIndexByte(raw, '@'); at >= 0 {
		raw = raw[at+1:]
	}
	for _, h := range readHost(raw) {
		if h.Addr.IsValid() || strings.Contains(h.Name, ".") || h.Name == "localhost" {
			h.Loose = true
			s.unsure(func() { s.emit(h) })
		}
	}
}

// compatible maps the characters that look like ASCII to ASCII, as some clients do before they parse a URL.
func compatible(text string) string {
	if isASCII(text) {
		return text
	}
	return strings.ReplaceAll(norm.NFKC.String(text), "。", ".")
}

func unescapeHTML(text string) string {
	if !strings.Contains(text, "&") {
		return text
	}
	return html.UnescapeString(text)
}
