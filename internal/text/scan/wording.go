package scan

import (
	"fmt"
	"strings"
)

// wording looks for the phrases of the rules.
func (p *pass) wording() {
	folded := fold(p.text)
	words := lex(folded.text)
	var hits []hit
	for i := range wordingRules {
		r := &wordingRules[i]
		if r.results && !p.how.result || r.definitions && p.how.result && p.how.hidden == "" {
			continue
		}
		for _, m := range r.find(words) {
			if r.name == "cross.instruction" && p.aboutItself(folded.text, words[m.first:m.last+1]) {
				continue
			}
			h := hit{rule: r, excused: m.excused, quoted: quoted(folded.text, int(words[m.first].start), int(words[m.last].end))}
			h.start, h.end = folded.origin(int(words[m.first].start)), p.originEnd(folded, int(words[m.last].end))
			hits = append(hits, h)
		}
	}
	p.report(hits, speaksOfAttacks(words))
}

// A hit is a match of a rule in the text.
type hit struct {
	rule            *rule
	start, end      int // in the text
	excused, quoted bool
}

// report turns hits into findings, with their combined severity. In a text about attacks, orders that are only quoted count as
// examples, unless there is wording of another class.
func (p *pass) report(hits []hit, aboutAttacks bool) {
	classes := map[string]bool{}
	allQuoted := aboutAttacks
	for _, h := range hits {
		if !h.excused {
			classes[class(h.rule.name)] = true
			allQuoted = allQuoted && h.quoted
		}
	}
	shown := map[string]int{}
	for _, h := range hits {
		// Less important hits must not use up the room of more important ones.
		key := fmt.Sprint(h.rule.name, h.excused, h.quoted)
		if shown[key]++; shown[key] > perRule {
			continue
		}
		severity := h.rule.severity
		switch {
		case h.excused || (allQuoted && classes["instruction"] && len(classes) == 1 && p.how.hidden == ""):
			severity = Low
		case p.how.hidden != "":
			severity = severity.plus(1)
		case p.how.result:
			severity = min(severity.plus(len(classes)-2), High)
		default:
			severity = severity.plus(len(classes) - 1)
		}
		p.found(h.rule.name, severity, h.start, h.end, h.rule.why)
		if piece := p.text[h.start:h.end]; disguised(piece) && !h.excused {
			p.found("unicode.homoglyph", High, h.start, h.end, "wording in disguise: look-alike, styled or invisible characters in its words")
		}
	}
}

// originEnd is the end in the text of the character that the byte before end comes from.
func (p *pass) originEnd(f folding, end int) int {
	if f.at == nil {
		return end
	}
	at := int(f.at[end-1]) + 1
	for at < len(p.text) && !beginsRune(p.text[at]) {
		at++
	}
	return at
}

// aboutItself says that the only tool that the words name is the one that the text belongs to.
func (p *pass) aboutItself(text string, words []word) bool {
	self := strings.ToLower(p.how.self)
	named := false
	for _, w := range words {
		if w.concept&ident != 0 {
			if text[w.start:w.end] != self {
				return false
			}
			named = true
		}
	}
	return named
}

// speaksOfAttacks says that a text is about attacks, like texts of security tools.
func speaksOfAttacks(words []word) bool {
	n := 0
	for _, w := range words {
		if w.concept&attack != 0 {
			n++
		}
	}
	return n >= 2
}

// quoted says that text[start:end] is in quotation marks, on its line or the adjacent lines.
func quoted(text string, start, end int) bool {
	const near = 120
	before, after := text[max(0, start-near):start], text[end:min(len(text), end+near)]
	for _, q := range []string{`"`, "`", "'", "“”", "«»"} {
		marks := []rune(q)
		open, shut := string(marks[0]), string(marks[len(marks)-1])
		if strings.Count(before, open)%2 == 1 && strings.Contains(after, shut) {
			return true
		}
		if open != shut && strings.LastIndex(before, open) > strings.LastIndex(before, shut) && strings.Contains(after, shut) {
			return true
		}
	}
	return false
}
