package judge

import (
	"time"

	"github.com/weir-gate/weir/internal/audit"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
)

// event says of a call what does not depend on its ruling.
func event(c call.Call, p *policy.Policy) audit.Event {
	return audit.Event{
		Time: time.Now(), Type: audit.TypeToolCall, Actor: c.Actor, Exchange: c.Exchange,
		CallID: c.ID, Surface: c.Surface, Server: c.Server, Tool: c.Tool, WireID: c.WireID, Args: c.Args,
		PolicyVersion: p.Version(),
	}
}

// refuse has an event say that its call is refused, or would be if that were enforced.
func refuse(e *audit.Event, r call.Ruling, enforced bool) {
	e.Verdict, e.WouldBe, e.Blocked = string(policy.Deny), "", true
	if !enforced {
		e.Verdict, e.WouldBe, e.Blocked = string(policy.Audit), string(policy.Deny), false
	}
	e.Code, e.Reason, e.Rule = r.Code, r.Reason, r.Rule
	if r.Policy != "" {
		// It may have been replaced since it refused the call.
		e.PolicyVersion = r.Policy
	}
}
