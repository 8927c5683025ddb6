package policy

import (
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/policy/condition"
	"github.com/weir-gate/weir/internal/text/redact"
)

// ForRecord returns the arguments of a call in the form that may be recorded, whatever the decision on the call. It replaces the
// secrets that a rule about the call sanitizes, or searches for with the operator secret. On an error, no arguments may be
// recorded.
func (p *Policy) ForRecord(q Query) (s Sanitized, err error) {
	if len(p.hiders) == 0 || len(q.Args) == 0 {
		return Sanitized{Args: q.Args}, nil
	}
	q.MCPOnly = false // secrets of a call are also hidden if its rule is not asked about the call
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

// ErrCostly says that it takes too much work to find out what may be recorded.
var ErrCostly = errors.New("it takes too much work to find out what may be written down")

// ForRecordOfCode returns arguments that may contain calls of any tool, in the form that may be recorded: everything that any rule
// hides is replaced.
func (p *Policy) ForRecordOfCode(args jsontext.Value) (Sanitized, error) {
	return p.replace(p.hiders, args)
}

// Hides are the secrets that any rule replaces, or searches for with the operator secret. They must not be recorded in texts that
// are no arguments either.
func (p *Policy) Hides() []*redact.Set {
	sets := make([]*redact.Set, len(p.hiders))
	for i, s := range p.hiders {
		sets[i] = s.set
	}
	return sets
}

// allHiders are the sanitizers for the secrets that any rule replaces or searches for, anywhere in the arguments.
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

// sanitizersOf are sanitizers for the secrets that conditions search for.
func sanitizersOf(secrets []condition.Secret) (out []*sanitizer) {
	for _, s := range secrets {
		out = append(out, &sanitizer{set: s.Set, paths: []int{s.Path}})
	}
	return out
}
