package policy

import (
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/policy/condition"
	"github.com/weir-gate/weir/internal/text/redact"
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
		rd := &readings[i]
		f.As = rd.subject()
		for _, m := range p.match(rd, p.relevant(rd), f) {
			if m.rule.sanitize != nil && (m.some || m.unread) {
				hiding = append(hiding, m.rule.sanitize)
			}
			hiding = append(hiding, m.rule.secrets...)
		}
	}
	q.Work.LookForSecrets(len(hiding) * len(q.Args))
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

// sanitizersOf are what conditions look for, as what is to be replaced.
func sanitizersOf(secrets []condition.Secret) (out []*sanitizer) {
	for _, s := range secrets {
		out = append(out, &sanitizer{set: s.Set, paths: []int{s.Path}})
	}
	return out
}
