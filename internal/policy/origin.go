package policy

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// An origin is where a part of a policy is written.
type origin struct {
	file string
	line int
}

// beside names the origin for a message at another part of the policy.
func (o origin) beside(n *yamlfile.Node) string {
	if o.file == n.File() {
		return fmt.Sprintf("on line %d", o.line)
	}
	return fmt.Sprintf("in %s on line %d", filepath.Base(o.file), o.line)
}

// from names the file of a part: relative to the folder of the policy, or the name of a preset; "": the policy is one file.
func (c *compiler) from(n *yamlfile.Node) string {
	if !c.several {
		return ""
	}
	return c.fileName(n.File())
}

func (c *compiler) fileName(file string) string {
	if below, err := filepath.Rel(c.folder, file); err == nil && filepath.IsLocal(below) {
		return filepath.ToSlash(below)
	}
	return file
}

// changed says what other files change of a rule.
func (c *compiler) changed(n *yamlfile.Node) (out []string) {
	for _, ch := range c.changes[n] {
		if ch.key == keySilence {
			continue // it changes no decision
		}
		out = append(out, fmt.Sprintf("%s by %s:%d", ch.key, c.fileName(ch.at.file), ch.at.line))
	}
	return out
}

// Place says where a rule is written: its line, with the file if the policy has several; "": it is in no file.
func Place(from string, line int) string {
	switch {
	case line == 0:
		return ""
	case from == "":
		return fmt.Sprintf("line %d", line)
	default:
		return fmt.Sprintf("%s:%d", from, line)
	}
}

// placeText is where a rule is written, and what other files change of it, for people.
func placeText(from string, line int, changed []string) string {
	place := Place(from, line)
	if place == "" {
		return "built in"
	}
	if len(changed) > 0 {
		place += ", changed: " + strings.Join(changed, ", ")
	}
	return place
}

// Where says where the rule is written, and what other files change of it.
func (s RuleSummary) Where() string { return placeText(s.From, s.Line, s.Changed) }

// Origin says where a rule of a policy with several files is written, with what other files change of it; "": the policy is one file, or
// the rule is one of weir's own.
func (p *Policy) Origin(id string) string {
	for i := range p.rules {
		if r := &p.rules[i]; r.id == id && r.from != "" {
			return placeText(r.from, r.line, r.changed)
		}
	}
	return ""
}
