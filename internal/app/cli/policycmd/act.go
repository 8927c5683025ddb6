package policycmd

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/app/project"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/study"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/run/agent/transcript"
	"github.com/weir-gate/weir/internal/strictjson"
	"github.com/weir-gate/weir/internal/text/when"
)

// An act is a recorded call with the inner calls in its arguments, which were ruled together with it.
type act struct {
	event record.Event
	inner []record.Event
	// told is what a transcript tells of the call; nil: the call is recorded, or written by a person.
	told *transcript.Call
}

// actTypes are the types of events that are calls.
var actTypes = record.Types.Where(record.Type.IsRuling)

// acts yields the recorded calls that f selects, oldest first. Calls that were ruled together are adjacent in the record, so only
// one act at a time is in memory.
func acts(ctx context.Context, r query.Source, f query.Filter) iter.Seq2[act, error] {
	f.Types = actTypes
	return func(yield func(act, error) bool) {
		var a act
		for entry, err := range query.Joined(ctx, r, r.Entries(ctx, f)) {
			var e record.Event
			if err == nil {
				e, err = entry.Event()
			}
			if err != nil {
				yield(act{}, err)
				return
			}
			switch {
			case e.Within == "":
				if a.event.Type != "" && !yield(a, nil) {
					return
				}
				a = act{event: e}
			case e.Within == a.event.CallID:
				a.inner = append(a.inner, e)
			default:
				// The outer call of this inner call is not in the selection.
			}
		}
		if a.event.Type != "" {
			yield(a, nil)
		}
	}
}

// call returns the act as a call that can be ruled again.
func (a act) call(withInner bool) call.Call {
	c := callOf(a.event)
	for _, e := range a.inner {
		// An inner call without arguments comes from code, which is parsed again.
		if withInner && e.Args != nil {
			d, _ := e.Detail.(record.ToolCall)
			c.Inner = append(c.Inner, call.Inner{
				Tool: cmp.Or(d.Written, e.Tool), Args: e.Args,
				Partial: call.Partial{Holes: d.Holes, Repeats: d.Repeats},
			})
		}
	}
	return c
}

func callOf(e record.Event) call.Call {
	d, _ := e.Detail.(record.ToolCall)
	var known []call.Known
	if e.MCP.ToolHash != "" {
		state := call.ToolState(cmp.Or(d.ToolState, string(call.ToolTrusted)))
		known = []call.Known{{Server: e.Server, Tool: e.Tool, Hash: e.MCP.ToolHash, State: state, Severity: d.ToolSeverity, Hints: d.ToolHints}}
	}
	if d.Written != "" {
		e.Server, e.Tool = "", d.Written // as it was judged
	}
	c := call.Call{
		ID: e.CallID, Surface: e.Surface, Actor: e.Actor, WireID: e.WireID, Server: e.Server, Tool: e.Tool, Args: e.Args,
		Readings: call.Readings{Aliases: d.Aliases, Spellings: d.Spellings, Open: isOpen(e.Surface, e.Server, e.Tool)},
		Partial:  call.Partial{Unknown: e.Within != "" && e.Args == nil, Holes: d.Holes, Repeats: d.Repeats},
		Delivery: call.Delivery{Ran: d.Ran}, Recorded: true, Known: known, Folder: workingProject(),
	}
	c.Exchange.Model = e.Exchange.Model
	c.MCP.Beside = d.Beside
	if e.Type.IsRequest() {
		c.MCP.Method = e.Tool
	}
	return c
}

// isOpen says that a request offers all tools of a server.
func isOpen(s call.Surface, server, tool string) bool {
	return s == call.Inbound && server != "" && tool == dialect.ServerName
}

// queryOf returns a call, or an inner call, as a policy sees it.
func queryOf(e record.Event) policy.Query {
	q := policy.QueryOf(callOf(e))
	q.Now = when.At(momentOf(e))
	return q
}

// momentOf is when a call was judged: the present for one that is not recorded.
func momentOf(e record.Event) time.Time {
	if e.Time.IsZero() {
		return time.Now()
	}
	return e.Time
}

// workingProject is what $project means here: the record does not say in which folder a call was made.
var workingProject = sync.OnceValue(project.Working)

// settled returns what the policy decided about a call, enforced or not.
func settled(e record.Event) study.Settled {
	s := study.Settled{Verdict: policy.Verdict(e.Verdict), Rule: e.Rule}
	switch {
	case call.WantsYes(e.Code) && (e.Blocked || e.WouldBe == string(policy.PendingApproval)):
		s.Verdict = policy.PendingApproval
	case e.Blocked || e.WouldBe == string(policy.Deny) && e.Code != "":
		s.Verdict = policy.Deny
	case e.WouldBe == string(policy.Sanitize) && wasSanitized(e):
		s.Verdict = policy.Sanitize
	case e.WouldBe != "":
		s.Rule = "" // it names what a shadow rule would have done
	}
	return s
}

// wasSanitized says that the record holds the arguments without their secrets.
func wasSanitized(e record.Event) bool {
	d, ok := e.Detail.(record.ToolCall)
	return ok && len(d.Replaced) > 0
}

// policyCodes are the codes of refusals that another policy could allow.
var policyCodes = []string{
	call.CodeToolDenied, call.CodeArgsDenied, call.CodeOpaqueCode, call.CodeRateLimited, call.CodeBudgetExceeded,
	call.CodeServerDenied, call.CodeUnknownTool, call.CodeToolChanged, call.CodeContentDenied, call.CodeConnectionDenied,
}

// refusedAnyway says that a call was refused because it is invalid: every policy would refuse it.
func (a act) refusedAnyway() bool {
	e := a.event
	switch {
	case settled(e).Verdict != policy.Deny || slices.Contains(policyCodes, e.Code) || call.WantsYes(e.Code):
		return false
	case e.Code == call.CodeArgsUnreadable:
		return strictjson.CheckArguments(e.Args) != nil // else an expression of the policy could not be evaluated
	default:
		return true
	}
}

// wasLimited says that a call was refused because of earlier calls.
func (a act) wasLimited() bool {
	return a.event.Code == call.CodeRateLimited || a.event.Code == call.CodeBudgetExceeded
}

// partial says why the record does not have the complete original arguments; "": it has them.
func (a act) partial() string {
	switch {
	case a.told != nil && a.told.Trouble != "":
		return "the transcript does not have the arguments as one strict JSON object"
	case wasSanitized(a.event) || slices.ContainsFunc(a.inner, wasSanitized):
		return "secrets were removed before the call was recorded"
	case argsCut(a.event):
		return "the arguments were cut short"
	case a.event.Args == nil:
		if d, ok := a.event.Detail.(record.ToolCall); ok && d.Omitted.SizeBytes > 0 {
			return "the arguments were too long for the record, which has only their digest"
		}
		return "the call was recorded without its arguments"
	default:
		return ""
	}
}

// argsCut says that a call was refused before its arguments had arrived, and that they never became complete.
func argsCut(e record.Event) bool {
	d, ok := e.Detail.(record.ToolCall)
	return ok && (d.ArgsFollow || d.ArgsCode != "")
}

// A foresight rules calls as weir would under one policy, without limits. It records nothing.
type foresight struct {
	policy *policy.Policy
	judge  *judge.Judge
	at     time.Time      // when calls are judged
	events []record.Event // of the last call
}

func newForesight(p *policy.Policy) *foresight {
	f := &foresight{policy: p}
	f.judge = judge.New(judge.Config{Policy: func() *policy.Policy { return p }, Recorder: f, Now: func() time.Time { return f.at }})
	return f
}

// Record implements judge.Recorder.
func (f *foresight) Record(e record.Event, done func(error)) {
	f.RecordAll([]record.Event{e}, record.Effects{}, done)
}

// RecordAll implements judge.Recorder.
func (f *foresight) RecordAll(events []record.Event, _ record.Effects, done func(error)) {
	f.events = events
	if done != nil {
		done(nil)
	}
}

// RecordAgain implements judge.Recorder.
func (f *foresight) RecordAgain(events, _ []record.Event, _ record.Effects) { f.events = events }

// rule returns what would be recorded about a call: one event for it, and one for each inner call.
func (f *foresight) rule(c call.Call) []record.Event {
	c.WireID = "replayed" // it will have no result
	f.judge.Judge(context.Background(), c, func(call.Ruling) {})
	return f.events
}

// ruleAct is rule for a recorded call. The inner calls are parsed from its arguments again. If the record has more, because only
// the format of the model API shows them, those of the record are used.
func (f *foresight) ruleAct(a act) []record.Event {
	f.at = momentOf(a.event)
	events := f.rule(a.call(false))
	if len(events) < 1+len(a.inner) {
		events = f.rule(a.call(true))
	}
	return events
}
