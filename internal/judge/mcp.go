package judge

import (
	"context"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
)

// Call rules on a request between an MCP client and a server. When it returns, the ruling is on record. One that a model asked for
// before keeps its id.
func (j *Judge) Call(ctx context.Context, c call.Call) call.Ruling {
	c.MCP.Approved = "" // only weir itself knows
	if c.MCP.Method == "" {
		if made := j.takeDeclared(c); made != nil {
			c.ID, c.MCP.Declared, c.MCP.Approved = made.id, true, made.approved
			if made.trace.ID != "" {
				c.Exchange.Trace = made.trace // it is one act, in one trace
			}
		} else if j.underway.heard(c.Actor) {
			e := event(c, j.policyOf(c.Actor))
			j.cfg.Recorder.Record(undeclared(e, "tool_called"), nil)
		}
	}
	ruled := make(chan call.Ruling, 1)
	j.Judge(ctx, c, func(r call.Ruling) { ruled <- r })
	select {
	case r := <-ruled:
		r.Call, r.Trace = c.ID, c.Exchange.Trace
		return r
	case <-ctx.Done():
		return call.Ruling{Code: call.CodeCutShort, Reason: "Nobody waits for the call any more.", Call: c.ID}
	}
}

// kinds are the kinds of messages, which stand for tools where a message could not be read.
var kinds = map[string]bool{"request": true, "response": true, "notification": true, "message": true, "session": true}

// Refused records a message between an MCP client and a server that was refused because of its form, in every mode:
// client and server could understand it differently.
func (j *Judge) Refused(c call.Call, r call.Ruling) {
	p := j.policyOf(c.Actor)
	c.Known = j.known(c, p)
	if c.Exchange.Trace.ID == "" {
		c.Exchange.Trace = call.NewTrace()
	}
	e := event(c, p)
	noCall := c.MCP.Method == "" && kinds[c.Tool]
	if len(c.Args) == 0 && (r.Code == call.CodeMalformed || r.Code == call.CodeCutShort || noCall) {
		e.Type = record.Types.StreamRefused // no call that anybody could rule on, or the answer to one
		e.Detail = nil
		if noCall {
			e.Tool = ""
		}
	}
	refuse(&e, r, true)
	if j.cfg.MaxArguments > 0 {
		e.CapArguments(j.cfg.MaxArguments)
	}
	j.cfg.Recorder.Record(e, nil)
}
