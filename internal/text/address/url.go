package address

import (
	"slices"
	"strings"
)

// A url is the part of a URL after its scheme and slashes.
type url struct {
	scheme  string // in lower case; "" if there is none
	rest    string // after the slashes; may go on beyond the end of the URL
	slashes int
	whole   bool // the text is this URL and nothing else
}

// isSpecial reports the schemes for which browsers accept any number of slashes, in either direction.
func isSpecial(scheme string) bool {
	switch scheme {
	case "http", "https", "ws", "wss", "ftp":
		return true
	}
	return false
}

// isHostless reports the schemes that name no host without slashes, but could be mistaken for host:path.
func isHostless(scheme string) bool {
	switch scheme {
	case "data", "mailto", "javascript", "tel", "sms", "urn", "about", "blob", "cid", "mid", "news", "magnet", "geo", "file",
		"vscode", "node", "npm", "pkg", "sha256", "sha512", "jar", "view-source", "workspace":
		return true
	}
	return false
}

// maxScheme bounds how far back the search for a scheme goes.
const maxScheme = 32

// schemeBefore returns the scheme that ends at a colon, in lower case; "" if there is none.
func schemeBefore(s string, colon int) string {
	start := colon
	for start > 0 && colon-start <= maxScheme && isSchemeByte(s[start-1]) {
		start--
	}
	// A scheme starts with a letter.
	for start < colon && !isLetter(s[start]) {
		start++
	}
	scheme := strings.ToLower(s[start:colon])
	// Some schemes name the inner protocol, such as git+https.
	if plus := strings.LastIndexByte(scheme, '+'); plus >= 0 && isSpecial(scheme[plus+1:]) {
		return scheme[plus+1:]
	}
	return scheme
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isSchemeByte(c byte) bool { return isLetter(c) || isDigit(c) || c == '+' || c == '.' || c == '-' }

// countSlashes counts the slashes at the start of s; \/ is one slash, as in JSON. Backslashes count for the schemes that browsers
// know, and without a scheme.
func countSlashes(scheme, s string) (slashes, width int) {
	backslashes := isSpecial(scheme) || scheme == "file" || scheme == ""
	for width < len(s) {
		switch {
		case s[width] == '/':
			width++
		case s[width] == '\\' && width+1 < len(s) && s[width+1] == '/':
			width += 2
		case s[width] == '\\' && backslashes:
			width++
		default:
			return slashes, width
		}
		slashes++
	}
	return slashes, width
}

// opensAuthority says whether a scheme, and the text after its colon, lead to a host.
func opensAuthority(scheme, rest string, slashes int) bool {
	switch {
	case isSpecial(scheme):
		return slashes > 0
	case scheme == "file":
		return slashes == 2 || slashes >= 4 || strings.HasPrefix(rest, `\/`)
	default:
		return slashes >= 2 && len(scheme) != 1 // a scheme of one letter is a drive
	}
}

// authority adds the hosts of a URL's authority, in all readings.
func (s *scanner) authority(u url) {
	if !isSpecial(u.scheme) && u.scheme != "" && u.scheme != "file" && u.slashes > 2 {
		return // an empty authority, then a path
	}
	widest, ok := s.cutAuthority(u.rest, !u.whole)
	if !ok {
		return
	}
	readings := hostReadings(widest)
	if u.whole && strings.ContainsFunc(widest, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return // no client accepts such a host; words in the text are read separately
	}
	read := func() {
		for _, raw := range readings {
			s.hostport(raw, u)
		}
	}
	if len(readings) > 1 || u.scheme == "file" && u.slashes != 2 {
		s.unsure(read)
		return
	}
	read()
}

// hostReadings returns each host:port that clients would take from an authority and the text up to the next slash. Some end the
// authority at a backslash, most at ? and #, some at none of these, and some end the user's part at the first @.
func hostReadings(widest string) []string {
	ends := []int{indexAny(widest, `\?#`), indexAny(widest, "?#"), len(widest)}
	var out []string
	for i, end := range ends {
		part := strings.TrimRight(widest[:end], `\`)
		if i > 0 && !strings.Contains(widest[ends[0]:end], "@") {
			continue
		}
		last := strings.LastIndexByte(part, '@')
		out = appendNew(out, part[last+1:])
		if first := strings.IndexByte(part, '@'); first < last {
			out = appendNew(out, part[first+1:first+1+strings.IndexByte(part[first+1:], '@')])
		}
	}
	return out
}

func indexAny(s, chars string) int {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return i
	}
	return len(s)
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// hostport adds the host of host:port, or the hosts of a list of them.
func (s *scanner) hostport(raw string, u url) {
	if u.scheme == "file" && isDrive(raw) {
		return
	}
	if strings.Contains(raw, ",") {
		s.unsure(func() {
			for _, part := range strings.Split(raw, ",") {
				s.hosts(cutPort(part), u)
			}
		})
	}
	s.hosts(cutPort(raw), u)
}

// hosts adds the readings of one host.
func (s *scanner) hosts(raw string, u url) {
	hosts := readHost(raw)
	if len(hosts) > 1 {
		s.unsure(func() {
			for _, h := range hosts {
				s.emit(h)
			}
		})
		return
	}
	for _, h := range hosts {
		if u.scheme == "file" && h.Name == "localhost" {
			continue // a file of this machine
		}
		s.emit(h)
	}
}

// isDrive reports the letter of a drive, as in file://C:/x.
func isDrive(raw string) bool { return len(raw) == 2 && isLetter(raw[0]) && raw[1] == ':' }

// cutPort returns the host of host:port. IPv6 addresses are found with and without brackets.
func cutPort(raw string) string {
	if strings.HasPrefix(raw, "[") {
		if end := strings.IndexByte(raw, ']'); end > 0 {
			return raw[:end+1]
		}
	}
	colon := strings.IndexByte(raw, ':')
	if colon < 0 {
		return raw
	}
	if strings.IndexByte(raw[colon+1:], ':') >= 0 && parseIPv6(raw).IsValid() {
		return raw
	}
	return raw[:colon]
}

// maxHole bounds the text of a hole.
const maxHole = 256

// hole replaces a part of a host that is filled in later. It is no valid UTF-8, so no text contains it.
const hole = '\xff'

// cutAuthority returns the text at the start of s that could be the authority. A hole replaces each part that is filled in later.
// The authority goes on after backslash, ? and #, because not all clients end there. In a longer text (embedded) it also ends where
// the URL does. ok is false if there is none, or if the budget is spent.
func (sc *scanner) cutAuthority(s string, embedded bool) (authority string, ok bool) {
	cut := len(s) > sc.budget
	s = s[:min(len(s), sc.budget)]
	var b []byte
	start := 0
	i := 0
	for i < len(s) && s[i] != '/' {
		if width, is := holeAt(s[i:]); is {
			b = append(append(b, s[start:i]...), hole)
			i += width
			start = i
			continue
		}
		if embedded && endsEmbedded(s[i:]) {
			break
		}
		i++
	}
	if sc.budget -= i; cut && i == len(s) {
		// The text that is not read counts as a host of which nothing is known.
		sc.emit(Host{Name: "*", Partial: true})
		return "", false
	}
	if b == nil {
		return s[:i], i > 0
	}
	return string(append(b, s[start:i]...)), true
}

// endsEmbedded reports whether a URL in a text ends before s.
func endsEmbedded(s string) bool {
	switch c := s[0]; {
	case c < 0x80:
		return isHardBreak(rune(c)) || strings.IndexByte("(){};^", c) >= 0
	case c == 0xc2 || c == 0xe2 || c == 0xe3:
		for _, r := range s {
			return isHardBreak(r)
		}
	}
	return false
}

// holeAt returns the length of a placeholder at the start of s: $X, ${X}, $(x), {x}, {{x}}, <x>, %s, %X% and `x`.
func holeAt(s string) (width int, ok bool) {
	closed := func(open, end string) (int, bool) {
		if i := strings.Index(s[len(open):min(len(s), maxHole)], end); i >= 0 {
			return len(open) + i + len(end), true
		}
		return 0, false
	}
	switch {
	case strings.HasPrefix(s, "${"), strings.HasPrefix(s, "#{"):
		return closed(s[:2], "}")
	case strings.HasPrefix(s, "$("):
		return closed("$(", ")")
	case s[0] == '$' && len(s) > 1 && (isLetter(s[1]) || isDigit(s[1]) || s[1] == '_'):
		width = 2
		for width < len(s) && (isLetter(s[width]) || isDigit(s[width]) || s[width] == '_') {
			width++
		}
		return width, true
	case strings.HasPrefix(s, "{{"):
		return closed("{{", "}}")
	case s[0] == '{':
		return closed("{", "}")
	case s[0] == '<':
		return closed("<", ">")
	case s[0] == '%' && len(s) > 1 && (s[1] == 's' || s[1] == 'v' || s[1] == '('):
		return 2, true
	default:
		return 0, false
	}
}
