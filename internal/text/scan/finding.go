package scan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/inert"
)

// A Severity says how bad a finding is. Severities are ordered.
type Severity uint8

// These are the severities. The zero Severity is none: no finding has it.
const (
	Low Severity = iota + 1
	Medium
	High
	Critical
)

var severityNames = [...]string{"none", "low", "medium", "high", "critical"}

// String returns the severity's name in lower case.
func (s Severity) String() string {
	if int(s) >= len(severityNames) {
		return fmt.Sprintf("severity %d", uint8(s))
	}
	return severityNames[s]
}

// MarshalText writes the severity's name.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a severity's name.
func (s *Severity) UnmarshalText(text []byte) error {
	i := slices.Index(severityNames[:], string(text))
	if i < int(Low) {
		return fmt.Errorf("read severity: %s is none of low, medium, high, critical", inert.Name(string(text), 40))
	}
	*s = Severity(i)
	return nil
}

// plus is the severity moved up or down, within the limits.
func (s Severity) plus(n int) Severity { return Severity(min(max(int(s)+n, int(Low)), int(Critical))) }

// A Finding is one thing in a text that could mislead a model.
type Finding struct {
	Rule     string   `json:"rule"` // its name, class first
	Severity Severity `json:"severity"`
	Where    string   `json:"where"`   // the text it is in: a JSON pointer, or a name
	Excerpt  string   `json:"excerpt"` // on one line, bounded, and safe to show
	Why      string   `json:"why"`     // one line for people
}

// Worst returns the highest severity of findings, and 0 if there are none.
func Worst(findings []Finding) Severity {
	var worst Severity
	for _, f := range findings {
		worst = max(worst, f.Severity)
	}
	return worst
}

// maxExcerpt is how many characters of a text a finding shows.
const maxExcerpt = 160

// excerpt shows text[start:end] with a little around it.
func excerpt(text string, start, end int) string {
	const around = 24
	end = min(end, start+4*maxExcerpt)
	from, to := start, end
	for n := 0; n < around && from > 0; n++ {
		from--
	}
	for from > 0 && !beginsRune(text[from]) {
		from--
	}
	for n := 0; to < len(text) && (n < around || !beginsRune(text[to])); n++ {
		to++
	}
	return inert.Text(text[from:to], maxExcerpt)
}

func beginsRune(c byte) bool { return c&0xC0 != 0x80 }

// maxWhere is how many characters of a finding's location are shown: its names come from the server.
const maxWhere = 256

// sorted orders findings: the worst first, then as they were found. Their locations are made safe to show.
func sorted(findings []Finding) []Finding {
	for i := range findings {
		findings[i].Where = inert.Text(findings[i].Where, maxWhere)
	}
	slices.SortStableFunc(findings, func(a, b Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	return findings
}

// class is the part of a rule's name before its dot.
func class(rule string) string {
	c, _, _ := strings.Cut(rule, ".")
	return c
}
