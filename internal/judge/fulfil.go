package judge

import (
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/audit"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/limit"
	"github.com/weir-gate/weir/internal/policy"
)

// Rates say whether calls come too often.
type Rates interface {
	// Take counts one call by every bucket, or by none if one is empty.
	Take(now time.Time, wants []limit.Want) (limit.Denied, bool)
}

// Budgets say what was spent.
type Budgets interface {
	// Check returns the first cap that is passed, and true if none is.
	Check(now time.Time, caps []limit.Cap) (limit.Exceeded, bool)
	// Add counts spends.
	Add(now time.Time, spends []call.Spend)
}

// Prices say what responses cost.
type Prices interface {
	// Cost is what a response cost, in millionths of a US dollar, and whether the model's price is known.
	Cost(provider, model string, u call.Usage) (micro int64, known bool)
}

// reasonUnsanitizable is given when what must be replaced cannot be.
const reasonUnsanitizable = "The arguments hold what must be replaced, in a place where it cannot be."

// fulfil does what the policy demands of a call that it lets pass, in this order: secrets are replaced, budgets looked at,
// rates taken. What cannot be done refuses the call.
func (j *Judge) fulfil(f *finding, p *policy.Policy) {
	if f.denied != nil && f.denied.enforced || f.overruled {
		return
	}
	for i := range f.parts {
		j.sanitize(f, &f.parts[i], p)
	}
	if f.denied != nil && f.denied.enforced {
		return
	}
	now := time.Now()
	for i := range f.parts {
		j.checkBudget(f, &f.parts[i], now, p)
	}
	if f.denied == nil || !f.denied.enforced {
		j.takeRates(f, now, p)
	}
}

// sanitizeAgain replaces secrets in a call that is read again. Limits were looked at when it was read first.
func (j *Judge) sanitizeAgain(f *finding, p *policy.Policy) {
	if f.denied != nil && f.denied.enforced || f.overruled {
		return
	}
	for i := range f.parts {
		j.sanitize(f, &f.parts[i], p)
	}
}

// sanitize replaces secrets in the arguments of a part. The record never has them, also where the call goes out as it is.
func (j *Judge) sanitize(f *finding, t *part, p *policy.Policy) {
	o := t.decision.Obligations
	if o == nil {
		return
	}
	s, err := p.Sanitize(o, t.call.Args)
	if err != nil {
		f.refuse(j, t, call.Ruling{Code: call.CodeArgsDenied, Reason: reasonUnsanitizable, Rule: t.decision.Rule, Policy: p.Version()})
		t.hidden = true
		return
	}
	if len(s.Replaced) == 0 {
		return
	}
	t.sanitized = &s
	if t.within != "" {
		f.parts[0].hidden = true // it has the same secret in it
	}
	if t.within != "" || t.call.Fixed && !t.call.Ran {
		f.refuse(j, t, call.Ruling{Code: call.CodeArgsDenied, Reason: reasonUnsanitizable, Rule: s.Rule, Policy: p.Version()})
		return
	}
	if j.cfg.Mode == Enforce && !t.call.Ran {
		f.ruling.Args = s.Args
	}
}

// refuse refuses all parts because of one, or would if the policy were enforced.
func (f *finding) refuse(j *Judge, t *part, r call.Ruling) {
	t.refusal, t.enforced, t.obliged = r, j.cfg.Mode == Enforce && !t.call.Ran, true
	if f.denied == nil || t.enforced && !f.denied.enforced {
		f.denied = t
	}
	if f.denied.enforced {
		f.ruling = f.denied.refusal
	}
}

func (j *Judge) checkBudget(f *finding, t *part, now time.Time, p *policy.Policy) {
	o := t.decision.Obligations
	if o == nil || j.cfg.Budgets == nil {
		return
	}
	for _, c := range o.Caps {
		scope := limit.Cap{Scope: scopeOf(c.Per, t.call), Limit: c.Limit, Window: time.Duration(c.Window) * time.Second}
		if _, within := j.cfg.Budgets.Check(now, []limit.Cap{scope}); !within {
			f.refuse(j, t, call.Ruling{Code: call.CodeBudgetExceeded, Reason: c.Reason, Rule: c.Rule, Policy: p.Version()})
			return
		}
	}
}

// takeRates counts all parts at once: they pass together or not at all.
func (j *Judge) takeRates(f *finding, now time.Time, p *policy.Policy) {
	if j.cfg.Rates == nil {
		return
	}
	type origin struct {
		part *part
		rate policy.RateLimit
	}
	var wants []limit.Want
	origins := map[string]origin{}
	for i := range f.parts {
		t := &f.parts[i]
		if t.decision.Obligations == nil {
			continue
		}
		for _, r := range t.decision.Obligations.Rates {
			key := "rule\x00" + r.Rule
			for _, per := range r.Per {
				key += "\x00" + scopeOf(per, t.call)
			}
			wants = append(wants, limit.Want{Key: key, Rate: limit.Rate{PerMinute: r.PerMinute, Burst: r.Burst}})
			origins[key] = origin{t, r}
		}
	}
	if len(wants) == 0 {
		return
	}
	if denied, passes := j.cfg.Rates.Take(now, wants); !passes {
		o := origins[denied.Key]
		f.refuse(j, o.part, call.Ruling{Code: call.CodeRateLimited, Reason: o.rate.Reason, Rule: o.rate.Rule, Policy: p.Version()})
	}
}

// scopeOf names what a limit counts by. Whoever has no name in it counts with all others that have none.
func scopeOf(per string, c call.Call) string {
	value := map[string]string{
		"tool": strings.ToLower(c.Tool), "server": strings.ToLower(c.Server), "session": c.Actor.Session,
		"employee": c.Actor.Employee, "team": c.Actor.Team, "org": c.Actor.Org, "key": c.Actor.Key,
	}[per]
	return per + "\x00" + value
}

// spends are what a response cost, by all that limits can count by.
func spends(a call.Actor, micro int64) []call.Spend {
	if micro <= 0 {
		return nil
	}
	var out []call.Spend
	for _, per := range []string{"session", "employee", "team", "org", "key"} {
		out = append(out, call.Spend{Scope: scopeOf(per, call.Call{Actor: a}), Micro: micro})
	}
	return out
}

// note has an event say what was replaced in the arguments, and not what it was.
func (t *part) note(e *audit.Event, mode Mode) {
	if t.decision.Obligations != nil && !e.Blocked && e.WouldBe == "" {
		e.Reason = "" // it says why a call would be refused, and this one was not
	}
	switch {
	case t.hidden:
		e.Args = nil
	case t.sanitized != nil:
		e.Args = t.sanitized.Args
		replaced := make([]audit.Replaced, len(t.sanitized.Replaced))
		for i, r := range t.sanitized.Replaced {
			replaced[i] = audit.Replaced(r)
		}
		e.Detail = audit.ToolCall{Replaced: replaced}
		if e.Blocked {
			return
		}
		if e.Rule == "" || e.Verdict == string(policy.Sanitize) {
			e.Rule = t.sanitized.Rule
		}
		if mode != Enforce || t.call.Ran {
			e.Verdict, e.WouldBe = string(policy.Audit), string(policy.Sanitize)
		}
	case e.Verdict == string(policy.Sanitize) || e.Verdict == string(policy.CapCost):
		// Nothing was to be replaced, or the budget is not used up: the call passed as it is.
		e.Verdict = string(policy.Allow)
	}
}
