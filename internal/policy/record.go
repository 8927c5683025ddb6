package policy

import (
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/text/redact"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// ForRecord is what of a call's arguments may be written down, whatever becomes of the call: secrets are replaced that a rule
// about it sanitizes, or asks for by the operator secret. On an error nothing may be.
func (p *Policy) ForRecord(q Query) (s Sanitized, err error) {
	if len(p.hiders) == 0 || len(q.Args) == 0 {
		return Sanitized{Args: q.Args}, nil
	}
	q.MCPOnly = false // what a rule hides of a call is hidden, also where the rule is not asked about it
	if q.Work == nil {
		q.Work = &Work{}
	}
	defer func() {
		if thrown := recover(); thrown != nil {
			_ = p.caught(q, thrown)
			s, err = Sanitized{}, ErrCostly
		}
	}()
	var hiding []*sanitizer
	f := p.facts(&q)
	readings := p.readings(&q)
	for i := range readings {
		f.reading = &readings[i]
		for _, m := range p.match(p.relevant(f.reading), f) {
			if m.rule.sanitize != nil && (m.some || m.unread) {
				hiding = append(hiding, m.rule.sanitize)
			}
			hiding = append(hiding, m.rule.secrets...)
		}
	}
	q.Work.spend(secretsPerByte * len(hiding) * len(q.Args))
	return p.replace(hiding, q.Args)
}

// ErrCostly says that it takes too much work to find out what may be written down.
var ErrCostly = errors.New("it takes too much work to find out what may be written down")

// ForRecordOfCode is what may be written down of arguments that stand for calls of any tool: all that any rule hides is replaced.
func (p *Policy) ForRecordOfCode(args jsontext.Value) (Sanitized, error) {
	return p.replace(p.hiders, args)
}

// Hides are what any rule replaces or looks for by the operator secret: what may not be written down of texts that are no arguments.
func (p *Policy) Hides() []*redact.Set {
	sets := make([]*redact.Set, len(p.hiders))
	for i, s := range p.hiders {
		sets[i] = s.set
	}
	return sets
}

// hides is the condition's set of secrets, if that is what it looks for.
func (c *compiler) hides(op operator, place int, value *yamlfile.Node) *sanitizer {
	if op.base != "secret" {
		return nil
	}
	items, _ := c.report.OneOrMore(value, typedValues[op.base])
	presets := make([]string, len(items))
	for i, item := range items {
		presets[i] = item.Text
	}
	set, err := redact.New(redact.Config{Presets: presets})
	if err != nil {
		return nil // the test reports it
	}
	return &sanitizer{set: set, paths: []int{place}}
}

// secretsIn are what the conditions of a rule look for that must not be written down.
func (c *condition) secretsIn() (found []*sanitizer) {
	if c == nil {
		return nil
	}
	if c.secrets != nil {
		found = append(found, c.secrets)
	}
	for i := range c.of {
		found = append(found, c.of[i].secretsIn()...)
	}
	return found
}

// allHiders are what any rule replaces or looks for, wherever it stands in the arguments.
func allHiders(rules []rule) (all []*sanitizer) {
	add := func(s *sanitizer) { all = append(all, &sanitizer{rule: s.rule, set: s.set}) }
	for i := range rules {
		if s := rules[i].sanitize; s != nil {
			add(s)
		}
		for _, s := range rules[i].secrets {
			add(s)
		}
	}
	return all
}
