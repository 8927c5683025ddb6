package scan

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// A Pattern is a rule of the configuration. It is tried on a text as written and as folded: lower case, without invisible
// characters, look-alikes as Latin letters.
type Pattern struct {
	Name     string         // of the rule, without "custom."
	Severity Severity       // 0: medium
	Regexp   *regexp.Regexp // never nil
}

// Config says how to scan.
type Config struct {
	Custom []Pattern // rules beyond those of the package; nil: none
	// MaxText is how many bytes of one text are scanned; 0: 4 MiB. A longer text is a finding, and only its beginning is scanned.
	MaxText int
}

const (
	defaultMaxText = 4 << 20
	perRule        = 3   // findings of one rule in one text
	maxFindings    = 200 // of one call
	maxDepth       = 3   // of texts hidden in texts
)

// A Scanner finds what could mislead a model. It is safe for concurrent use.
type Scanner struct {
	custom  []Pattern
	maxText int
	gone    func() bool
}

// Until returns a Scanner that stops when gone says that nobody waits for it any more. Then it returns the findings so far.
func (s *Scanner) Until(gone func() bool) *Scanner {
	until := *s
	until.gone = gone
	return &until
}

// isGone says that nobody waits for the findings.
func (s *Scanner) isGone() bool { return s.gone != nil && s.gone() }

// New returns a Scanner. It fails if a pattern has no name or no expression.
func New(c Config) (*Scanner, error) {
	s := &Scanner{maxText: c.MaxText}
	if s.maxText <= 0 {
		s.maxText = defaultMaxText
	}
	for i, p := range c.Custom {
		if p.Name == "" || p.Regexp == nil {
			return nil, fmt.Errorf("make scanner: pattern %d needs a name and an expression", i+1)
		}
		if p.Severity == 0 {
			p.Severity = Medium
		}
		s.custom = append(s.custom, p)
	}
	return s, nil
}

// Text scans a text in which the server itself speaks to the model: its instructions, a prompt, a description.
func (s *Scanner) Text(where, text string) []Finding {
	b := batch{scanner: s}
	b.scan(where, text, reading{})
	return sorted(b.findings)
}

// A Content is a text of a result.
type Content struct {
	Where string // a JSON pointer, or a name
	Text  string
}

// Result scans the texts that a tool or a resource returned.
func (s *Scanner) Result(contents ...Content) []Finding {
	b := batch{scanner: s}
	for _, c := range contents {
		b.scan(c.Where, c.Text, reading{result: true})
	}
	return sorted(b.findings)
}

// A batch gathers the findings of one call.
type batch struct {
	scanner  *Scanner
	findings []Finding
}

// add adds a finding. If there are too many, the worst are kept, so that many small ones cannot hide a bad one.
func (b *batch) add(f Finding) {
	if len(b.findings) < maxFindings {
		b.findings = append(b.findings, f)
		return
	}
	least := 0
	for i := range b.findings {
		if b.findings[i].Severity < b.findings[least].Severity {
			least = i
		}
	}
	if b.findings[least].Severity < f.Severity {
		b.findings[least] = f
	}
}

// A reading is how a text is read.
type reading struct {
	result bool   // the text is from a result, not from a definition
	hidden string // where the text was hidden; "": it was not hidden
	depth  int    // how many texts it was hidden in, one inside the other
	self   string // the tool that a definition belongs to
	part   bool   // the text is a part of one that was already scanned: only its wording counts
}

// scan scans one text and adds what it finds.
func (b *batch) scan(where, text string, how reading) {
	if b.scanner.isGone() {
		return
	}
	p := pass{scanner: b.scanner, where: where, how: how}
	if len(text) > b.scanner.maxText {
		b.add(Finding{"scan.bounds", High, where, "", fmt.Sprintf("%d bytes are more than are read", len(text))})
		text = text[:b.scanner.maxText]
	}
	p.text = strings.ToValidUTF8(text, "\ufffd")
	// The text comes from a stranger. If scanning it panics, that must not end weir.
	defer func() {
		if failed := recover(); failed != nil {
			b.add(Finding{"scan.bounds", Critical, where, "", "the text could not be looked through"})
		}
	}()
	for _, f := range p.run() {
		b.add(f)
	}
}

// A pass is the scan of one text.
type pass struct {
	scanner  *Scanner
	where    string
	text     string
	how      reading
	findings []Finding
}

func (p *pass) run() []Finding {
	p.wording()
	if p.how.part {
		return p.findings
	}
	for _, look := range []func(){p.unicode, p.terminal, p.blanks, p.markup, p.encodings, p.custom} {
		if p.scanner.isGone() {
			break
		}
		look()
	}
	return p.findings
}

// found adds a finding about text[start:end].
func (p *pass) found(rule string, severity Severity, start, end int, why string) {
	if p.how.hidden != "" {
		why += ", in a text hidden in " + p.how.hidden
	}
	p.findings = append(p.findings, Finding{rule, severity, p.where, excerpt(p.text, start, end), why})
}

// after is the end of the character that begins at start.
func (p *pass) after(start int) int {
	_, n := utf8.DecodeRuneInString(p.text[start:])
	return start + n
}

// bySource chooses between a severity for definitions and one for results.
func (p *pass) bySource(definition, result Severity) Severity {
	if p.how.result {
		return result
	}
	return definition
}

// inside scans a text that was hidden in this one, and returns what it finds.
func (p *pass) inside(text, in string) []Finding {
	if p.how.depth >= maxDepth {
		return nil
	}
	sub := pass{scanner: p.scanner, where: p.where, text: strings.ToValidUTF8(text, "\ufffd"), how: p.how}
	sub.how.hidden, sub.how.depth = in, p.how.depth+1
	return sub.run()
}

// worstOf is the severity of the worst wording in a part of the text that is not shown with the rest.
func (p *pass) worstOf(part, in string) Severity {
	sub := pass{scanner: p.scanner, where: p.where, text: part, how: p.how}
	sub.how.hidden, sub.how.part = in, true
	return Worst(sub.run())
}

func (p *pass) custom() {
	if len(p.scanner.custom) == 0 {
		return
	}
	folded := fold(p.text)
	for _, c := range p.scanner.custom {
		at := c.Regexp.FindStringIndex(p.text)
		if at == nil {
			if at = c.Regexp.FindStringIndex(folded.text); at == nil {
				continue
			}
			at = []int{folded.origin(at[0]), folded.origin(at[1])}
		}
		p.found("custom."+c.Name, c.Severity, at[0], at[1], "matches a pattern of the configuration")
	}
}
