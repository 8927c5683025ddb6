package judge

import (
	"time"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/limit"
)

// tryShadow finds out what the demands of shadow rules would have come to, and has the record say that. Their rates are counted
// by themselves, so that they show what they would do once they are enforced.
func (j *Judge) tryShadow(f *finding, now time.Time, p *policy.Policy) {
	if f.denied != nil && f.denied.enforced {
		return
	}
	for i := range f.parts {
		d := &f.parts[i].decision
		if d.WouldBe == policy.Deny || d.Shadow == nil {
			continue
		}
		if rule, refused := j.shadowLimit(&f.parts[i], now); refused {
			d.WouldBe, d.WouldBeRule = policy.Deny, rule
			continue
		}
		if d.WouldBe != policy.Sanitize && d.WouldBe != policy.CapCost {
			continue
		}
		d.WouldBe, d.WouldBeRule = "", ""
		if s, err := p.Sanitize(d.Shadow, f.parts[i].call.Args); err != nil || len(s.Replaced) > 0 {
			d.WouldBe, d.WouldBeRule = policy.Sanitize, s.Rule
		}
	}
}

// shadowLimit is the rule in shadow by which a part would be refused because a limit is reached.
func (j *Judge) shadowLimit(t *part, now time.Time) (rule string, refused bool) {
	o := t.decision.Shadow
	if j.cfg.Budgets != nil {
		if c, spent := j.spent(o, t.call, now); spent {
			return c.Rule, true
		}
	}
	if j.cfg.Rates == nil {
		return "", false
	}
	for _, r := range o.Rates {
		if _, passes := j.cfg.Rates.Take(now, []limit.Want{wanted(r, t.call)}); !passes {
			return r.Rule, true
		}
	}
	return "", false
}
