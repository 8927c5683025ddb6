// Package judge is the one enforcement point: it asks the policy, has the answer recorded, and rules.
package judge

import (
	"context"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/audit"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
)

// A Mode says how far the policy is enforced.
type Mode string

// The modes.
const (
	Enforce Mode = "enforce"
	Shadow  Mode = "shadow"  // verdicts become audit; what cannot be read or recorded is still refused
	Observe Mode = "observe" // nothing is refused and nothing waits
)

// A Recorder makes events durable. It calls done once, and does not block.
type Recorder interface {
	Record(e audit.Event, done func(error))
}

// Config sets up a Judge.
type Config struct {
	Policy   func() *policy.Policy // the policy in force
	Recorder Recorder
	Mode     Mode // "": Enforce
	// RecordLater releases calls before their record is durable. It waives the promise that nothing passes unrecorded.
	RecordLater   bool
	WarnArguments int // size of arguments past which a call is recorded with a warning; 0: none is
}

// A Judge rules calls. It is safe for concurrent use.
type Judge struct {
	cfg Config
}

// New returns a Judge.
func New(cfg Config) *Judge {
	if cfg.Mode == "" {
		cfg.Mode = Enforce
	}
	return &Judge{cfg: cfg}
}

// RefusedByName rules a call whose arguments are not there yet, when none could change the ruling.
func (j *Judge) RefusedByName(c call.Call) (call.Ruling, bool) {
	if j.cfg.Mode != Enforce {
		return call.Ruling{}, false
	}
	p := j.cfg.Policy()
	d, refused := p.RefusedByName(query(c))
	return refusal(d, p), refused
}

// Judge decides on a complete call and hands the ruling to done when it is final and recorded.
func (j *Judge) Judge(_ context.Context, c call.Call, done func(call.Ruling)) {
	p := j.cfg.Policy()
	d := p.Decide(query(c))
	ruling := call.Ruling{Released: true}
	e := event(c, p)
	e.Verdict, e.Rule = string(d.Verdict), d.Rule
	e.Reason = d.Reason
	if d.WouldBe != "" {
		e.WouldBe, e.Rule = string(d.WouldBe), d.WouldBeRule
	}
	if d.Verdict == policy.Deny {
		e.Code = d.Code
		if j.enforces(c, p) {
			ruling, e.Blocked = refusal(d, p), true
		} else {
			e.Verdict, e.WouldBe = string(policy.Audit), string(policy.Deny)
		}
	}
	if d.Flagged {
		e.Reason = strings.TrimSpace(e.Reason + " " + flagged)
	}
	j.warn(c, p)
	j.record(e, ruling, done)
}

// flagged is what the record says of a name that was not what it looked like.
const flagged = "(The tool's name matched only after folding case and unusual characters.)"

// enforces says whether a deny of the policy keeps this call from the agent. One that the provider has run already can
// only be hidden, and is, if its name alone refuses it.
func (j *Judge) enforces(c call.Call, p *policy.Policy) bool {
	if j.cfg.Mode != Enforce {
		return false
	}
	if !c.Ran {
		return true
	}
	_, byName := p.RefusedByName(query(c))
	return byName
}

// Refuse records a call that is refused for what it is, whatever the policy says.
func (j *Judge) Refuse(c call.Call, ruling call.Ruling, done func(call.Ruling)) {
	e := event(c, j.cfg.Policy())
	e.Verdict, e.Blocked = string(policy.Deny), true
	e.Code, e.Reason, e.Rule = ruling.Code, ruling.Reason, ruling.Rule
	if ruling.Policy != "" {
		// The agent was told by a policy that may have been replaced since.
		e.PolicyVersion = ruling.Policy
	}
	if j.cfg.Mode == Observe {
		e.Verdict, e.WouldBe, e.Blocked = string(policy.Audit), string(policy.Deny), false
		ruling = call.Ruling{Released: true}
	}
	j.record(e, ruling, done)
}

// record rules when the event is durable. A call that cannot be recorded is refused.
func (j *Judge) record(e audit.Event, ruling call.Ruling, done func(call.Ruling)) {
	if j.cfg.RecordLater || j.cfg.Mode == Observe {
		j.cfg.Recorder.Record(e, func(error) {})
		done(ruling)
		return
	}
	j.cfg.Recorder.Record(e, func(err error) {
		if err != nil && ruling.Released {
			ruling = call.Ruling{Code: call.CodeStoreUnavailable, Reason: "The call could not be recorded."}
		}
		done(ruling)
	})
}

func (j *Judge) warn(c call.Call, p *policy.Policy) {
	if j.cfg.WarnArguments == 0 || len(c.Args) <= j.cfg.WarnArguments {
		return
	}
	e := event(c, p)
	e.Type, e.Args = audit.TypeCallWarning, nil
	e.Detail = audit.CallWarning{SizeBytes: int64(len(c.Args)), LimitBytes: int64(j.cfg.WarnArguments)}
	j.cfg.Recorder.Record(e, func(error) {})
}

func query(c call.Call) policy.Query {
	return policy.Query{
		Surface: c.Surface, Actor: c.Actor, Server: c.Server,
		Tools: append([]string{c.Tool}, c.Aliases...), Args: c.Args,
	}
}

func refusal(d policy.Decision, p *policy.Policy) call.Ruling {
	return call.Ruling{Code: d.Code, Reason: d.Reason, Rule: d.Rule, Policy: p.Version()}
}

func event(c call.Call, p *policy.Policy) audit.Event {
	return audit.Event{
		Time: time.Now(), Type: audit.TypeToolCall, Actor: c.Actor, Exchange: c.Exchange,
		CallID: c.ID, Surface: c.Surface, Server: c.Server, Tool: c.Tool, WireID: c.WireID, Args: c.Args,
		PolicyVersion: p.Version(),
	}
}
