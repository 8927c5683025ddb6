// Package summary adds up the recorded events of a session.
package summary

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

// A Session is the summary of a session.
type Session struct {
	Calls       int64 `json:"calls"` // that models asked for
	Refused     int64 `json:"refused"`
	Flagged     int64 `json:"flagged"` // released, and flagged
	MCPCalls    int64 `json:"mcp_calls"`
	MCPRefused  int64 `json:"mcp_refused"`
	Connections int64 `json:"connections"`
	Cut         int64 `json:"connections_refused"`
	// Otherwise counts refusals that are not of a call of a model, a call of an MCP tool or a connection: tools that requests offer,
	// lookups, whole requests and responses, and other requests to MCP servers.
	Otherwise  int64     `json:"refused_otherwise"`
	Undeclared int64     `json:"undeclared"`
	Responses  int64     `json:"responses"`
	CostMicros int64     `json:"cost_usd_micros"`
	Tools      []Tally   `json:"tools,omitempty"`
	Refusals   []Refusal `json:"refusals,omitempty"`
	// Trouble is why not everything is counted; "": everything is.
	Trouble string `json:"trouble,omitzero"`
}

// A Tally is how often a tool was called.
type Tally struct {
	Tool    string `json:"tool"`
	Calls   int64  `json:"calls"`
	Refused int64  `json:"refused"`
}

// A Refusal counts the refusals of one thing for one reason.
type Refusal struct {
	What   string  `json:"what"` // the tool, or the host
	Rule   string  `json:"rule,omitzero"`
	Code   string  `json:"code"`
	Reason string  `json:"reason"`
	Times  int64   `json:"times"`
	Call   call.ID `json:"call"` // the last refused call
}

// The bounds of a summary.
const (
	maxCounted  = 200_000 // events that are read
	maxTallies  = 12      // tools that are named
	maxRefusals = 10      // refusals that are listed
)

// Of is the summary of a session.
func Of(ctx context.Context, r query.Source, session string) Session {
	s := summing{tools: map[string]*Tally{}, refusals: map[refusalKey]*Refusal{}}
	seen := 0
	for entry, err := range r.Entries(ctx, query.Filter{Session: session, Limit: maxCounted}) {
		var e record.Event
		if err == nil {
			e, err = entry.Event()
		}
		if err != nil {
			s.sum.Trouble = "the record could not be read to its end"
			break
		}
		seen++
		s.add(e)
	}
	if seen == maxCounted {
		s.sum.Trouble = "only the first events were counted"
	}
	return s.result()
}

// summing adds events up.
type summing struct {
	sum      Session
	tools    map[string]*Tally
	refusals map[refusalKey]*Refusal
}

// A refusalKey groups refusals.
type refusalKey struct{ what, rule, code string }

func (s *summing) add(e record.Event) {
	switch {
	case e.Type == record.Types.ResponseDone:
		s.sum.Responses++
		if d, ok := e.Detail.(record.ResponseDone); ok {
			s.sum.CostMicros += d.CostMicros
		}
	case e.Type == record.Types.UndeclaredAct:
		s.sum.Undeclared++
	case e.Type.IsConnection() && e.Tool == string(call.Connect):
		s.sum.Connections++
		if e.Blocked {
			s.sum.Cut++
		}
		s.refused(e, hostOf(e))
	case e.Within != "":
		// It was refused or released with the call whose arguments contain it.
	case e.Type.IsConnection():
		s.otherwise(e, hostOf(e)+" (lookup)")
	case e.Type.IsCalled():
		s.sum.MCPCalls++
		if e.Blocked {
			s.sum.MCPRefused++
			s.refused(e, toolOf(e))
		}
	case e.Type.IsCall() && e.Surface == call.Response:
		s.called(e)
	default:
		s.otherwise(e, cmp.Or(toolOf(e), string(e.Type)))
	}
}

// otherwise counts a refusal that no other number counts.
func (s *summing) otherwise(e record.Event, what string) {
	if e.Blocked {
		s.sum.Otherwise++
		s.refused(e, what)
	}
}

// called counts a call that a model asked for.
func (s *summing) called(e record.Event) {
	s.sum.Calls++
	name := toolOf(e)
	t := s.tools[name]
	if t == nil {
		t = &Tally{Tool: name}
		s.tools[name] = t
	}
	t.Calls++
	switch {
	case e.Blocked:
		s.sum.Refused++
		t.Refused++
		s.refused(e, name)
	case e.Verdict == "audit":
		s.sum.Flagged++
	}
}

func (s *summing) refused(e record.Event, what string) {
	if !e.Blocked {
		return
	}
	key := refusalKey{what, e.Rule, e.Code}
	r := s.refusals[key]
	if r == nil {
		r = &Refusal{What: what, Rule: e.Rule, Code: e.Code}
		s.refusals[key] = r
	}
	r.Times++
	r.Reason, r.Call = e.Reason, e.CallID
}

func (s *summing) result() Session {
	for _, t := range s.tools {
		s.sum.Tools = append(s.sum.Tools, *t)
	}
	slices.SortFunc(s.sum.Tools, func(a, b Tally) int {
		return cmp.Or(-cmp.Compare(a.Calls, b.Calls), cmp.Compare(a.Tool, b.Tool))
	})
	s.sum.Tools = s.sum.Tools[:min(len(s.sum.Tools), maxTallies)]
	for _, r := range s.refusals {
		s.sum.Refusals = append(s.sum.Refusals, *r)
	}
	slices.SortFunc(s.sum.Refusals, func(a, b Refusal) int {
		return cmp.Or(-cmp.Compare(a.Times, b.Times), cmp.Compare(a.What, b.What))
	})
	s.sum.Refusals = s.sum.Refusals[:min(len(s.sum.Refusals), maxRefusals)]
	return s.sum
}

// toolOf names the tool of a call with its server.
func toolOf(e record.Event) string {
	if e.Server != "" {
		return e.Server + "/" + e.Tool
	}
	return e.Tool
}

// hostOf names the destination of a connection.
func hostOf(e record.Event) string {
	if names := e.Hosts(); len(names) > 0 {
		return strings.Join(names, " or ")
	}
	d, _ := e.Detail.(record.Connection)
	return d.RemoteAddr
}
