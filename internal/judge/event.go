package judge

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
)

// event makes the event of a part, without the ruling.
func (t *part) event(p *policy.Policy, work *policy.Work) record.Event {
	if !t.isEnded() {
		return eventWithin(t.call, p, work)
	}
	c := t.call
	c.Args = nil
	e := event(c, p)
	shown, err := showCostly(t.call, p)
	show(&e, shown, err)
	return e
}

// event makes the event of a call, without the ruling. The secrets that the policy knows of are removed from the arguments.
func event(c call.Call, p *policy.Policy) record.Event { return eventWithin(c, p, nil) }

// eventWithin is event for calls that are recorded together: work counts what that takes.
func eventWithin(c call.Call, p *policy.Policy, work *policy.Work) record.Event {
	e := record.Event{
		Time: time.Now(), Type: record.Types.ToolCall, Actor: c.Actor, Exchange: c.Exchange,
		CallID: c.ID, Surface: c.Surface, Server: c.Server, Tool: c.Tool, WireID: c.WireID,
		Ruling: record.Ruling{PolicyVersion: p.Version()},
	}
	d := record.ToolCall{
		Aliases: c.Aliases, Spellings: c.Spellings, Ran: c.Ran, Holes: c.Holes, Repeats: c.Repeats, Declared: c.MCP.Declared,
		LeftOut: c.MCP.LeftOut[:min(len(c.MCP.LeftOut), maxLeftOut)], MembersLeftOut: c.LeftOut, ArgsFollow: c.ArgsFollow,
	}
	beside := showBeside(&d, c.MCP.Beside, p)
	identify(&e, &d, c, p)
	if !d.IsZero() {
		e.Detail = d
	}
	q := policy.QueryOf(c)
	q.Work = work
	shown, err := p.ForRecord(q)
	shown.Add(beside)
	show(&e, shown, err)
	return e
}

// What an event shows of what goes to an MCP server beside the arguments of a call.
const (
	maxLeftOut = 16      // names of members that it does not get
	maxBeside  = 4 << 10 // bytes of those that it gets
)

// showBeside puts into the detail what goes to an MCP server beside the arguments, without what any rule hides, and returns that. It
// shows nothing if it cannot be parsed, or is long.
func showBeside(d *record.ToolCall, members jsontext.Value, p *policy.Policy) (hidden policy.Sanitized) {
	if members == nil {
		return policy.Sanitized{}
	}
	shown, err := p.ForRecordOfCode(members)
	if err != nil || len(shown.Args) > maxBeside {
		return policy.Sanitized{}
	}
	d.Beside = shown.Args
	return shown
}

// named gives events their ids now, so that they have the same ids if they must be recorded again.
func named(events []record.Event) {
	for i := range events {
		events[i].ID = record.NewID()
	}
}

// show puts arguments into an event, and says which kinds of secrets were replaced in them. On an error it shows nothing.
func show(e *record.Event, shown policy.Sanitized, err error) {
	e.Args = shown.Args
	if err != nil {
		e.Args = nil
		return
	}
	if len(shown.Replaced) == 0 {
		return
	}
	d, _ := e.Detail.(record.ToolCall)
	d.Replaced = make([]record.Replaced, len(shown.Replaced))
	for i, r := range shown.Replaced {
		d.Replaced[i] = record.Replaced(r)
	}
	e.Detail = d
}

// locate says in an event where the rule that decided is written.
func locate(e *record.Event, p *policy.Policy) {
	if e.Rule != "" && e.PolicyVersion == p.Version() {
		e.RuleOrigin = p.Origin(e.Rule)
	}
}

// refuse puts a refusal into an event, or what would be one if policy were enforced.
func refuse(e *record.Event, r call.Ruling, enforced bool) {
	verdict := policy.Deny
	if call.WantsYes(r.Code) {
		verdict = policy.PendingApproval
	}
	e.Verdict, e.WouldBe, e.Blocked = string(verdict), "", true
	if !enforced {
		e.Verdict, e.WouldBe, e.Blocked = string(policy.Audit), string(verdict), false
	}
	e.Code, e.Reason, e.Rule = r.Code, r.Reason, r.Rule
	if r.Policy != "" {
		// It may have been replaced since it refused the call.
		e.PolicyVersion = r.Policy
	}
}
