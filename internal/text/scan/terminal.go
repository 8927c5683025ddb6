package scan

import (
	"strings"
	"unicode/utf8"
)

const esc = '\x1b'

// escapeLength is the length of the escape sequence at the start of text, 0 if there is none.
func escapeLength(text string) int {
	body := 0
	switch {
	case strings.HasPrefix(text, "\x1b"):
		if len(text) == 1 {
			return 1
		}
		switch text[1] {
		case '[':
			body = 2
		case ']', 'P', '_', '^', 'X':
			return stringEnd(text, 2)
		default:
			return 2 * min(1, int(text[1]/' ')) // a control character after the escape is separate
		}
	case strings.HasPrefix(text, "\u009b"):
		body = 2
	case strings.HasPrefix(text, "\u009d"):
		return stringEnd(text, 2)
	default:
		return 0
	}
	i := body
	for i < len(text) && 0x20 <= text[i] && text[i] <= 0x3f {
		i++
	}
	if i < len(text) && 0x40 <= text[i] && text[i] <= 0x7e {
		i++
	}
	return i
}

// maxEscapeString bounds the text in an escape sequence: if its end is missing, the rest of the text is not part of it.
const maxEscapeString = 256

// stringEnd is the length of an escape sequence that has a text from i on. If the text has no end, only the beginning counts as the
// sequence: a reader that knows no escapes would see the rest.
func stringEnd(text string, i int) int {
	head := text[:min(len(text), i+maxEscapeString)]
	bell := strings.IndexByte(head[i:], '\a')
	st := strings.Index(head[i:], "\x1b\\")
	switch {
	case bell >= 0 && (st < 0 || bell < st):
		return i + bell + 1
	case st >= 0:
		return i + st + 2
	}
	return i
}

// terminal looks for escape sequences and control characters.
func (p *pass) terminal() {
	var plain, acting, control int
	for i := 0; i < len(p.text); {
		if c := p.text[i]; ' ' <= c && c <= '~' {
			i++ // the usual case
			continue
		}
		if n := escapeLength(p.text[i:]); n > 0 || p.text[i] == esc {
			n = max(n, 1)
			if act := escapeAct(p.text[i : i+n]); act != "" {
				if acting++; acting <= perRule {
					p.found("terminal.escape", High, i, i+n, "an escape sequence that "+act)
				}
			} else if plain++; plain == 1 {
				p.found("terminal.escape", p.bySource(High, Low), i, i+n, "an escape sequence that sets colours")
			}
			i += n
			continue
		}
		r, size := utf8.DecodeRuneInString(p.text[i:])
		if isControl(r) || (r == '\r' && i+1 < len(p.text) && p.text[i+1] != '\n') {
			if control++; control == 1 {
				severity := p.bySource(Medium, Low)
				if r == '\r' {
					severity = Low
				}
				p.found("terminal.control", severity, i, i+size, "a control character, which can hide or overwrite text")
			}
		}
		i += size
	}
}

func isControl(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' && r != '\r' || 0x7f <= r && r < 0xa0
}

// escapeAct says what an escape sequence does besides setting colours; "": nothing.
func escapeAct(sequence string) string {
	body, isCSI := strings.CutPrefix(sequence, "\x1b[")
	if !isCSI {
		if body, isCSI = strings.CutPrefix(sequence, "\u009b"); !isCSI {
			return "a terminal obeys: a title, a link, the clipboard or its state"
		}
	}
	if body == "" || body[len(body)-1] != 'm' {
		return "moves the cursor or erases text"
	}
	var foreground, background string
	for code := range strings.FieldsFuncSeq(body[:len(body)-1], func(r rune) bool { return r == ';' || r == ':' }) {
		switch {
		case code == "38" || code == "48": // a colour follows
			return ""
		case code == "8":
			return "hides text"
		case len(code) == 2 && code[0] == '3', len(code) == 2 && code[0] == '9':
			foreground = code[1:]
		case len(code) == 2 && code[0] == '4', len(code) == 3 && code[:2] == "10":
			background = code[len(code)-1:]
		}
	}
	if foreground != "" && foreground == background {
		return "writes text in the colour of its ground"
	}
	return ""
}
