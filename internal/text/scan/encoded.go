package scan

import (
	"encoding/base64"
	"encoding/hex"
	"html"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/weir-gate/weir/internal/text/inert"
)

const (
	minBase64  = 24 // characters
	minHex     = 32
	minEscapes = 8 // in a text that is written in escapes
)

// encodings looks for encoded texts.
func (p *pass) encodings() {
	p.blobs()
	if strings.Count(p.text, "%")+strings.Count(p.text, "&#")+strings.Count(p.text, `\`) < minEscapes {
		return
	}
	// All kinds are decoded at once: trying each alone would multiply the work at every depth.
	if decoded := unescapeBackslash(html.UnescapeString(unescapePercent(p.text))); decoded != p.text {
		p.encodedIn(decoded, "escapes", 0, min(len(p.text), maxExcerpt))
	}
}

// encodedIn scans a decoded text. Findings that the text itself also has are not reported twice.
func (p *pass) encodedIn(decoded, form string, start, end int) {
	known := map[string]bool{}
	for _, f := range p.findings {
		known[f.Rule] = true
	}
	var fresh []Finding
	for _, f := range p.inside(decoded, form) {
		if !known[f.Rule] && f.Severity >= Medium {
			fresh = append(fresh, f)
		}
	}
	if len(fresh) == 0 {
		return
	}
	p.found("encoded.text", max(High, Worst(fresh)), start, end, form+" that say: "+inert.Text(decoded, 80))
	p.findings = append(p.findings, fresh...)
}

// blobs looks for runs of base64 and hexadecimal digits.
func (p *pass) blobs() {
	for i := 0; i < len(p.text); {
		if !isBase64(p.text[i]) {
			i++
			continue
		}
		end := i
		for end < len(p.text) && (isBase64(p.text[end]) || p.text[end] == '=') {
			end++
		}
		end = p.wrapped(i, end)
		if decoded, form := decodeBlob(p.text[i:end]); decoded != "" {
			p.blob(decoded, form, i, end)
		}
		i = end
	}
}

// wrapped is the end of a run that continues over full lines of the same kind, like base64 in mail.
func (p *pass) wrapped(start, end int) int {
	if end-start < 60 {
		return end
	}
	for end < len(p.text) && p.text[end] == '\n' {
		next := end + 1
		for next < len(p.text) && (isBase64(p.text[next]) || p.text[next] == '=') {
			next++
		}
		if next == end+1 {
			break
		}
		end = next
	}
	return end
}

func (p *pass) blob(decoded, form string, start, end int) {
	before := len(p.findings)
	p.encodedIn(decoded, form, start, end)
	if len(p.findings) == before && !p.how.result && p.how.depth == 0 {
		p.found("encoded.blob", Low, start, end, form+" that can be read: "+inert.Text(decoded, 80))
	}
}

func isBase64(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '+' || c == '/' || c == '-' || c == '_'
}

// decodeBlob decodes a run if the result is a readable text.
func decodeBlob(run string) (text, form string) {
	run = strings.ReplaceAll(run, "\n", "")
	if len(run) < minBase64 {
		return "", ""
	}
	if len(run) >= minHex {
		if b, err := hex.DecodeString(run[:len(run)&^1]); err == nil && readable(string(b)) {
			return string(b), "hexadecimal digits"
		}
	}
	run = strings.TrimRight(run, "=")
	if len(run)%4 == 1 { // a single last digit is no byte
		run = run[:len(run)-1]
	}
	run = toStandard.Replace(run)
	b, err := base64.RawStdEncoding.DecodeString(run)
	if err != nil || !readable(string(b)) {
		return "", ""
	}
	return string(b), "base64"
}

// toStandard converts URL-safe base64 to the standard alphabet.
var toStandard = strings.NewReplacer("-", "+", "_", "/")

// readable says that bytes are a text: valid, nearly all of it printable, and mostly letters and blanks.
func readable(s string) bool {
	if len(s) < minReadable || !utf8.ValidString(trimCut(s)) {
		return false
	}
	total, odd, letters := 0, 0, 0
	for _, r := range s {
		total++
		switch {
		case unicode.IsLetter(r) || r == ' ' || r == '\n':
			letters++
		case !unicode.IsPrint(r) && !unicode.IsSpace(r):
			odd++
		}
	}
	return odd*50 <= total && letters*10 >= total*6
}

// trimCut removes a character that was cut off at the end.
func trimCut(s string) string {
	for i := len(s) - 1; i >= 0 && i >= len(s)-utf8.UTFMax; i-- {
		if utf8.RuneStart(s[i]) {
			if !utf8.FullRuneInString(s[i:]) {
				return s[:i]
			}
			break
		}
	}
	return s
}

// unescapePercent decodes the percent escapes of a text, as far as they are valid.
func unescapePercent(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if d, err := url.PathUnescape(s[i : i+3]); err == nil {
				b.WriteString(d)
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// unescapeBackslash decodes \xXX and \uXXXX.
func unescapeBackslash(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			digits := map[byte]int{'x': 2, 'u': 4}[s[i+1]]
			if digits > 0 && i+2+digits <= len(s) {
				if n, err := strconv.ParseUint(s[i+2:i+2+digits], 16, 32); err == nil {
					b.WriteRune(rune(n))
					i += 1 + digits
					continue
				}
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
