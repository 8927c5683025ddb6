package judge

import (
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/limit"
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/record"
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
	// Version names the table.
	Version() string
}

// reasonUnsanitizable is given when what must be replaced cannot be.
const reasonUnsanitizable = "The arguments hold what must be replaced, at a position where it cannot be."

// fulfil does what the policy demands of a call that it lets pass, in this order: replace secrets, check budgets, take rates.
// If one cannot be done, the call is refused.
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
		j.tryShadow(f, now, p)
	}
}

// sanitizeAgain replaces secrets in a call that is read again. Its limits were checked the first time.
func (j *Judge) sanitizeAgain(f *finding, p *policy.Policy) {
	if f.denied != nil && f.denied.enforced || f.overruled {
		return
	}
	for i := range f.parts {
		j.sanitize(f, &f.parts[i], p)
	}
}

// sanitize replaces secrets in the arguments of a part. The record never has them, even where the call goes out unchanged.
func (j *Judge) sanitize(f *finding, t *part, p *policy.Policy) {
	o := t.decision.Obligations
	if o == nil {
		return
	}
	if (t.call.Unknown || len(t.call.Holes) > 0) && p.SanitizesUnknown(o, policy.QueryOf(t.call)) {
		f.refuse(j, t, opaqueRefusal(p, t.decision.Rule, reasonHidden))
		return
	}
	s, err := p.Sanitize(o, t.call.Args)
	beside := policy.Sanitized{}
	if err == nil && t.call.MCP.Beside != nil {
		beside, err = p.SanitizeBeside(o, t.call.MCP.Beside)
	}
	if err != nil {
		f.refuse(j, t, call.Ruling{Code: call.CodeArgsDenied, Reason: reasonUnsanitizable, Rule: t.decision.Rule, Policy: p.Version()})
		return
	}
	inArgs := len(s.Replaced) > 0
	if s.Add(beside); len(s.Replaced) == 0 {
		return
	}
	t.sanitized = &s
	if t.within != "" || t.call.Fixed && !t.call.Ran {
		f.refuse(j, t, call.Ruling{Code: call.CodeArgsDenied, Reason: reasonUnsanitizable, Rule: s.Rule, Policy: p.Version()})
		return
	}
	if j.cfg.Mode != Enforce || t.call.Ran {
		return
	}
	if inArgs {
		f.ruling.Args = s.Args
	}
	if len(beside.Replaced) > 0 {
		f.ruling.Beside = beside.Args
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
	if c, spent := j.spent(o, t.call, now); spent {
		f.refuse(j, t, call.Ruling{Code: call.CodeBudgetExceeded, Reason: c.Reason, Rule: c.Rule, Policy: p.Version()})
	}
}

// spent is the first budget that is used up.
func (j *Judge) spent(o *policy.Obligations, c call.Call, now time.Time) (policy.Cap, bool) {
	for _, limited := range o.Caps {
		scope := limit.Cap{Scope: scopeOf(limited.Per, c), Limit: limited.Limit, Window: time.Duration(limited.Window) * time.Second}
		if _, within := j.cfg.Budgets.Check(now, []limit.Cap{scope}); !within {
			return limited, true
		}
	}
	return policy.Cap{}, false
}

// takeRates counts all parts at once: they pass together or not at all.
func (j *Judge) takeRates(f *finding, now time.Time, p *policy.Policy) {
	for i := range f.parts {
		t := &f.parts[i]
		if o := t.decision.Obligations; t.call.Repeats && o != nil && len(o.Rates) > 0 {
			f.refuse(j, t, opaqueRefusal(p, o.Rates[0].Rule, reasonRepeats))
			return
		}
	}
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
			if t.call.MCP.Declared && r.OnResponse {
				continue // it was counted when the model asked for the call
			}
			want := wanted(r, t.call)
			wants = append(wants, want)
			origins[want.Key] = origin{t, r}
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

// wanted is what a rate asks for on behalf of a call.
func wanted(r policy.RateLimit, c call.Call) limit.Want {
	key := "rule\x00" + r.Rule + "\x00" + r.Server
	for _, per := range r.Per {
		key += "\x00" + scopeOf(per, c)
	}
	return limit.Want{Key: key, Rate: limit.Rate{PerMinute: r.PerMinute, Burst: r.Burst}}
}

// scopeOf names what a limit counts by. All actors without a name there are counted together.
func scopeOf(per string, c call.Call) string {
	server, tool := toolname.CountsAs(c.Server, c.Tool)
	if known, ok := onlyKnown(c); ok {
		server, tool = toolname.CountsAs(known.Server, known.Tool)
	}
	value := map[string]string{
		"tool": server + "\x00" + tool, "server": server, "session": c.Actor.Session,
		"employee": c.Actor.Employee, "team": c.Actor.Team, "org": c.Actor.Org, "key": c.Actor.Key,
	}[per]
	return per + "\x00" + value
}

// spends are the cost of a response, once for each scope that limits can count by.
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

// note puts into an event what came of the policy's demands.
func (t *part) note(e *record.Event, mode Mode) {
	if t.decision.Obligations != nil && !e.Blocked && e.WouldBe == "" && e.Verdict != string(policy.Audit) {
		e.Reason = "" // it says why a call would be refused, and this one was not
	}
	switch {
	case e.Blocked:
	case t.sanitized != nil:
		if e.Rule == "" || e.Verdict == string(policy.Sanitize) {
			e.Rule = t.sanitized.Rule
		}
		if mode != Enforce || t.call.Ran {
			e.Verdict, e.WouldBe = string(policy.Audit), string(policy.Sanitize)
		}
	case e.Verdict != string(policy.Sanitize) && e.Verdict != string(policy.CapCost):
	case t.decision.Flag != "":
		e.Verdict, e.Rule, e.Reason = string(policy.Audit), t.decision.Flag, t.decision.FlagReason
	default:
		// Nothing was to be replaced, or the budget is not used up: the call passed as it is.
		e.Verdict = string(policy.Allow)
	}
}
