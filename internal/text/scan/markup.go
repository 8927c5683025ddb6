package scan

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// markup looks for text that a page does not show, and for addresses that would carry data.
func (p *pass) markup() {
	p.comments("<!--", "-->")
	p.comments("[//]: #", "\n")
	p.comments("[comment]: ", "\n")
	p.unseen()
	p.carriers()
}

// comments looks for comments between two marks.
func (p *pass) comments(open, shut string) {
	rest := 0
	for {
		i := strings.Index(p.text[rest:], open)
		if i < 0 {
			return
		}
		start := rest + i
		inner := p.text[start+len(open):]
		if k := strings.Index(inner, shut); k >= 0 {
			inner = inner[:k]
		}
		rest = start + len(open) + len(inner)
		severity := max(p.bySource(Medium, 0), p.worstOf(inner, "a comment"))
		if severity >= Medium {
			p.found("markup.comment", severity, start, rest, "a comment, which only a model reads")
		}
	}
}

var (
	hiddenStyle = regexp.MustCompile(`(?i)(display\s*:\s*none|visibility\s*:\s*hidden|` +
		`font-size\s*:\s*0|opacity\s*:\s*0(\.0+)?\s*[;"']|` +
		`color\s*:\s*(white|#fff(fff)?|transparent)\b|text-indent\s*:\s*-\d{3}|left\s*:\s*-\d{4}|\shidden(>|\s+[a-z-]+=))`)
	placeholder = regexp.MustCompile(`(?i)[?&/=](\{\{?[^{}]{1,60}\}|\$\{[^{}]{1,60}|\$[a-z_]{3,}|<[a-z_ -]{3,60}>?|\[[a-z_ -]{3,60}|%s|` +
		`(your|the|user|insert|encoded|base64|stolen|secret|exfil)[_-]?(data|secret|content|conversation|history|` +
		`token|key|here|password|summary|file)s?\b|` +
		`(data|secret|summary|history|conversation|content|env)_here)`)
)

// reachOfStyle is how many bytes after the start of a hidden element count as its content.
const reachOfStyle = 800

// maxTag is how many bytes of a tag are examined.
const maxTag = 400

// unseen looks for elements that are not shown.
func (p *pass) unseen() {
	for i := 0; i < len(p.text); {
		k := strings.IndexByte(p.text[i:], '<')
		if k < 0 {
			return
		}
		start := i + k
		tag := p.text[start:min(len(p.text), start+maxTag)]
		if k := strings.IndexByte(tag, '>'); k >= 0 {
			tag = tag[:k+1]
		}
		i = start + len(tag)
		if !strings.ContainsAny(tag, " \t\n") || !hiddenStyle.MatchString(tag) {
			continue
		}
		end := min(len(p.text), i+reachOfStyle)
		for end < len(p.text) && !utf8.RuneStart(p.text[end]) {
			end++
		}
		if k := strings.Index(p.text[i:end], "</"); k >= 0 {
			end = i + k
		}
		worst := p.worstOf(p.text[i:end], "an element that is not shown")
		if worst >= Medium || !p.how.result {
			p.found("markup.hidden", max(worst, Medium), start, end, "an element that is not shown")
			return
		}
		i = end
	}
}

// maxAddress is how many bytes of an address are examined.
const maxAddress = 600

// carriers looks for images and links whose address has a placeholder for data.
func (p *pass) carriers() {
	found := 0
	for i := 0; i < len(p.text) && found < perRule; {
		start, image := nextAddress(p.text, i)
		if start < 0 {
			return
		}
		end := start
		for end < len(p.text) && end-start < maxAddress && p.text[end] != ')' && p.text[end] != '\n' && p.text[end] != '"' {
			end++
		}
		i = max(end, start+1)
		address := p.text[start:end]
		if !strings.Contains(address, "//") || !placeholder.MatchString(address) {
			continue
		}
		severity := Medium
		if image { // it is fetched without a click
			severity = High
		}
		p.found("markup.exfil", severity, start, end, "an address with a place for data")
		found++
	}
}

// nextAddress finds the next address of a link or an image from i on. It returns its start, or -1, and whether it is of an image.
func nextAddress(text string, i int) (start int, image bool) {
	const element = "<img"
	for ; i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], "]("):
			line := text[max(0, i-200):i]
			open := strings.LastIndexByte(line, '[')
			return i + 2, open > 0 && line[open-1] == '!'
		case text[i] == '<' && len(text)-i > len(element) && strings.EqualFold(text[i:i+len(element)], element):
			rest := text[i:min(len(text), i+300)]
			if k := strings.Index(rest, "http"); k >= 0 {
				return i + k, true
			}
		}
	}
	return -1, false
}

// blanks looks for white space that pushes text out of view.
func (p *pass) blanks() {
	lines, columns := 12, 100
	if p.how.result {
		lines, columns = 80, 600
	}
	start, newlines, width := -1, 0, 0
	for i, r := range p.text {
		if r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\u00a0' || r == '\u3000' || r == '\u2800' || (0x2000 <= r && r <= 0x200a) {
			if start < 0 {
				start, newlines, width = i, 0, 0
			}
			if r == '\n' {
				newlines++
			} else {
				width++
			}
			continue
		}
		if start > 0 && (newlines >= lines || width >= columns && newlines*40 < width) {
			p.found("layout.blanks", p.afterBlanks(i), i, min(len(p.text), i+maxExcerpt/2), "white space that pushes this text out of view")
			return
		}
		start = -1
	}
}

// afterBlanks is the severity of blanks before the text at i.
func (p *pass) afterBlanks(i int) Severity {
	severity := p.bySource(Medium, Low)
	if p.worstOf(p.text[i:], "text out of view") >= Medium {
		severity = High
	}
	return severity
}
