package judge

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

// A Record is what was recorded before.
type Record interface {
	Entries(ctx context.Context, f query.Filter) iter.Seq2[record.Entry, error]
}

// RecordResults records the results of calls, each once: clients send them again with every request. A result is linked to its call. One
// whose call is not recorded is itself recorded if it is new.
func (j *Judge) RecordResults(ctx context.Context, by call.Results) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recallWithin)
	defer cancel()
	lookups := 0
	for _, r := range by.List {
		if r.WireID == "" && !r.New {
			continue // it cannot be told from an earlier result of the same call
		}
		key := resultKey(by, r)
		asked, answered := j.justAsked(key, r)
		if asked == nil && !answered {
			if lookups++; lookups <= maxLookups {
				asked, answered = j.askedFor(ctx, by, r)
			}
		}
		j.answered.update(key, func(struct{}) struct{} { return struct{}{} })
		if asked != nil {
			j.underway.end(by.Actor, asked.id)
			j.declared.end(asked.id)
		}
		// Where most calls are not recorded, a result without one says nothing.
		if !answered && (asked != nil || r.New && !j.cfg.MCPOnly) {
			e := resultEvent(by, r, asked)
			if e.Server != "" {
				e.MCP.ServerType, e.MCP.ServerAddr = j.serverOf(e.Server, j.policyOf(by.Actor))
			}
			e.PolicyVersion = j.policyOf(by.Actor).Version()
			j.cfg.Recorder.Record(e, nil)
			if asked == nil && j.underway.heard(by.Actor) && !j.releasedBefore(ctx, r) {
				j.cfg.Recorder.Record(undeclared(e, "tool_result"), nil)
			}
		}
	}
}

// releasedBefore says whether a call with the id of a result was released in any session: agents resume conversations of other
// sessions.
func (j *Judge) releasedBefore(ctx context.Context, r call.Result) bool {
	if j.cfg.Record == nil || r.WireID == "" {
		return true // it cannot be known
	}
	for entry, err := range j.cfg.Record.Entries(ctx, query.Filter{WireID: r.WireID, Limit: manyCalls}) {
		if err != nil {
			return true
		}
		if e, err := entry.Event(); err == nil && e.Type.IsCall() && !e.Blocked {
			return true
		}
	}
	return false
}

// remember remembers a call until its result arrives. Several may have one key: some servers give the ids of one response again in
// the next, and where there are no ids the same call may be made twice.
func (j *Judge) remember(c call.Call) {
	if c.Surface == call.Egress {
		return // nobody answers for a connection
	}
	key := answerKey(c.Actor, c.Exchange.Provider, c.WireID)
	if c.WireID == "" {
		key = argumentsKey(c.Actor, c.Exchange.Provider, c.Tool, c.Args)
	}
	asked := askedCall{id: c.ID, server: c.Server, tool: c.Tool, response: c.Exchange.ResponseID, model: c.Exchange.Model}
	j.asked.update(key, func(calls []askedCall) []askedCall {
		return append(calls[max(0, len(calls)+1-maxAlike):len(calls):len(calls)], asked)
	})
	j.answered.remove(key)
}

// maxAlike is how many calls with one key are remembered.
const maxAlike = 64

// maxLookups is how many results of one request are looked up in the record. Others are of calls that were asked for since weir
// was started, or go without a link.
const maxLookups = 50

// justAsked finds the call that a result answers among those that were ruled last, and says whether it is known to be answered.
func (j *Judge) justAsked(key string, r call.Result) (asked *askedCall, answered bool) {
	if j.asked.has(key) {
		j.asked.update(key, func(calls []askedCall) []askedCall {
			for i, c := range slices.Backward(calls) {
				if r.Tool == "" || sameTool(c.tool, r.Tool) {
					asked = &c
					return append(slices.Clip(calls[:i]), calls[i+1:]...)
				}
			}
			return calls
		})
	}
	return asked, asked == nil && j.answered.has(key)
}

// sameTool says whether two names mean one tool: clients may leave its namespace or server out.
func sameTool(recorded, named string) bool {
	return strings.EqualFold(recorded, named) || len(recorded) > len(named) && strings.EqualFold(recorded[len(recorded)-len(named):], named)
}

// resultKey names the call that a result answers: by its id, or where the wire has none by tool and arguments.
func resultKey(by call.Results, r call.Result) string {
	if r.WireID == "" {
		return argumentsKey(by.Actor, by.Exchange.Provider, r.Tool, r.Args)
	}
	return answerKey(by.Actor, by.Exchange.Provider, r.WireID)
}

// argumentsKey names a call without an id.
func argumentsKey(a call.Actor, provider, tool string, args jsontext.Value) string {
	canonical := bytes.Clone(args)
	if (*jsontext.Value)(&canonical).Canonicalize() != nil {
		canonical = args
	}
	sum := sha256.Sum256(canonical)
	return answerKey(a, provider, "\x00"+tool+"\x00"+string(sum[:]))
}

// An askedCall is what is known of a call when its result comes.
type askedCall struct {
	id              call.ID
	server, tool    string
	response, model string
}

func resultEvent(by call.Results, r call.Result, asked *askedCall) record.Event {
	size, digest := r.Measure()
	e := record.Event{
		Time: time.Now(), Type: record.Types.ToolResult, Actor: by.Actor, Exchange: by.Exchange, Surface: call.Inbound,
		Tool: r.Tool, WireID: r.WireID, Detail: record.ToolResult{SizeBytes: size, Digest: digest, Failed: r.Failed},
	}
	if asked != nil {
		e.CallID, e.Server, e.Tool = asked.id, asked.server, asked.tool
		e.Exchange.ResponseID, e.Exchange.Model = asked.response, asked.model
	}
	return e
}

// manyCalls is how many calls of one tool are looked through for the one that a result without an id answers.
const manyCalls = 64

// askedFor finds the call that a result answers, and whether it has been answered before; nil: it is not on record, or the
// record cannot be read.
func (j *Judge) askedFor(ctx context.Context, by call.Results, r call.Result) (asked *askedCall, answered bool) {
	if j.cfg.Record == nil {
		return nil, false
	}
	f := query.Filter{WireID: r.WireID, Limit: manyCalls, Newest: true}
	if r.WireID == "" {
		f.Tool, f.Type = r.Tool, record.Types.ToolCall
		if server, tool, ok := j.recordedAs(by.Actor, r.Tool); ok {
			f.Server, f.Tool, f.Type = server, tool, record.Types.MCPIntercepted
		}
	}
	done := map[call.ID]bool{} // calls that have been answered
	for entry, err := range query.Joined(ctx, j.cfg.Record, j.cfg.Record.Entries(ctx, f)) {
		e, ok := theirs(entry, err, by)
		switch {
		case !ok:
		case e.Type == record.Types.ToolResult:
			done[e.CallID] = true
		case e.Surface != call.Response || !e.Type.IsCall() && e.Type != record.Types.Reread:
		case e.Type == record.Types.Reread && asked != nil:
			// It was asked for before.
		case r.WireID != "" && r.Tool != "" && !sameTool(written(e), r.Tool):
		case r.WireID == "" && !sameArguments(e.Args, r.Args):
		case r.WireID == "" && j.hasAnswer(ctx, e.CallID):
			answered = true // and if no other call fits, the request is one that was sent before
		default:
			asked = &askedCall{e.CallID, e.Server, e.Tool, e.Exchange.ResponseID, e.Exchange.Model}
		}
	}
	if asked == nil {
		return nil, answered
	}
	return asked, done[asked.id]
}

// theirs decodes an entry if it is about the same client and provider.
func theirs(entry record.Entry, err error, by call.Results) (record.Event, bool) {
	if err != nil {
		return record.Event{}, false
	}
	e, err := entry.Event()
	return e, err == nil && e.Actor == by.Actor && e.Exchange.Provider == by.Exchange.Provider
}

// hasAnswer says whether a call has been answered.
func (j *Judge) hasAnswer(ctx context.Context, id call.ID) bool {
	for _, err := range j.cfg.Record.Entries(ctx, query.Filter{CallID: string(id), Type: record.Types.ToolResult, Limit: 1}) {
		return err == nil
	}
	return false
}

// sameArguments compares as values: clients encode them again.
func sameArguments(a, b jsontext.Value) bool {
	a, b = bytes.Clone(a), bytes.Clone(b)
	return a.Canonicalize() == nil && b.Canonicalize() == nil && bytes.Equal(a, b)
}

// answerKey names a call as its client does.
func answerKey(a call.Actor, provider, wireID string) string {
	return a.Org + "\x00" + a.Team + "\x00" + a.Employee + "\x00" + a.Key + "\x00" + a.Session + "\x00" + provider + "\x00" + wireID
}

// written is how the model wrote the name of a recorded call's tool.
func written(e record.Event) string {
	d, _ := e.Detail.(record.ToolCall)
	return cmp.Or(d.Written, e.Tool)
}

// recordedAs says under which server and name calls of a tool are on record, if it is an MCP server's.
func (j *Judge) recordedAs(by call.Actor, tool string) (server, name string, is bool) {
	p := j.policyOf(by)
	c := call.Call{Surface: call.Response, Actor: by, Tool: tool}
	c.Known = j.known(c, p)
	k, is := mcpTool(c, p)
	return k.Server, k.Tool, is && k.Server != ""
}
