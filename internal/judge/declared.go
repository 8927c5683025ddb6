package judge

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/strictjson"
)

// declared are the calls of MCP tools that were released lately: the agents are about to make them. The zero value is empty and safe
// for concurrent use.
type declared struct {
	// calls are by key. Those with the same key differ only in who asked for them when; the oldest is first.
	calls recent[[]*declaredCall]
	ids   recent[*declaredCall]
}

// A declaredCall is one that a model asked for and that was released: the agent is about to make it.
type declaredCall struct {
	id       call.ID
	by       call.Actor
	wireID   string
	response string // in which the model asked for it: the id of its request
	time     time.Time
	trace    call.Trace
	approved string // a digest of the rules by which people let it pass; "": they were not asked
	// over says that the call was made, or that its result has arrived: it is not expected any more.
	over atomic.Bool
}

// end notes that a call is not expected any more.
func (d *declared) end(id call.ID) {
	if c := d.ids.get(string(id)); c != nil {
		(*c).over.Store(true)
	}
}

// madeBy says whether the call may be this actor's. A client that did not name its session may be in any of them.
func (c *declaredCall) madeBy(a call.Actor) bool {
	return c.by == a || c.by.Account() == a.Account() && (c.by.SessionDerived || a.SessionDerived)
}

// declaredFor is how long an agent may take to make a call: it may have to ask its user first.
const declaredFor = time.Hour

// declare remembers the released calls of MCP tools, with the arguments that the agent has.
func (j *Judge) declare(f *finding, p *policy.Policy) {
	now := time.Now()
	for i := range f.parts {
		t := &f.parts[i]
		if t.call.Surface != call.Response || t.call.Ran || t.call.Unknown || len(t.call.Holes) > 0 {
			continue
		}
		args := t.call.Args
		if i == 0 && f.ruling.Args != nil {
			args = f.ruling.Args
		}
		c := &declaredCall{
			id: t.call.ID, by: t.call.Actor, wireID: t.call.WireID,
			response: t.call.Exchange.RequestID, time: now, trace: t.call.Exchange.Trace,
		}
		if t.asked {
			c.approved = t.decision.Approval.Text
		}
		for _, k := range declarable(t.call, p) {
			j.declared.ids.update(string(c.id), func(*declaredCall) *declaredCall { return c })
			j.declared.calls.update(declaredKey(t.call.Actor, k.Server, k.Tool, args), func(calls []*declaredCall) []*declaredCall {
				return append(calls[max(0, len(calls)+1-maxAlike):len(calls):len(calls)], c)
			})
		}
	}
}

// declarable are the tools of MCP servers that a call may be of. One that the registry does not know yet is told by its name.
// A tool of the agent itself is none of them, whatever servers call theirs.
func declarable(c call.Call, p *policy.Policy) []call.Known {
	native := c.Server == "" && p.Native(c.Tool)
	if certain := slices.DeleteFunc(slices.Clone(c.Known), func(k call.Known) bool { return k.Bare && native }); len(certain) > 0 || native {
		return certain
	}
	server, tool := c.Server, c.Tool
	if server == "" {
		var certain bool
		if server, tool, certain = toolname.Divide(c.Tool); !certain {
			return nil
		}
	}
	return []call.Known{{Server: server, Tool: tool}}
}

// takeDeclared finds the call of a model that is being made now; nil: there is none. Each is taken once.
func (j *Judge) takeDeclared(c call.Call) (found *declaredCall) {
	key := declaredKey(c.Actor, c.Server, c.Tool, c.Args)
	if !j.declared.calls.has(key) {
		return nil
	}
	now := time.Now()
	j.declared.calls.update(key, func(calls []*declaredCall) []*declaredCall {
		calls = slices.DeleteFunc(slices.Clone(calls), func(d *declaredCall) bool { return d.over.Load() || now.Sub(d.time) > declaredFor })
		own := slices.DeleteFunc(slices.Clone(calls), func(d *declaredCall) bool { return !d.madeBy(c.Actor) })
		if len(own) == 0 {
			return calls
		}
		made := own[meant(own, c.MCP.Beside)]
		found = made
		made.over.Store(true)
		return slices.DeleteFunc(calls, func(d *declaredCall) bool { return d == made })
	})
	return found
}

// meant is the index of the call that an agent makes, of several that it could be: the one whose wire id the agent names in _meta,
// as some do; else the first one of the latest response, since calls of earlier ones that got no result were given up.
func meant(calls []*declaredCall, beside jsontext.Value) int {
	if len(calls) > 1 {
		if at := namedIn(calls, beside); at >= 0 {
			return at
		}
	}
	last := calls[len(calls)-1].response
	return slices.IndexFunc(calls, func(d *declaredCall) bool { return d.response == last })
}

// namedIn is the index of the call whose wire id stands in _meta; -1: none does.
func namedIn(calls []*declaredCall, beside jsontext.Value) int {
	var doc strictjson.Doc
	if beside == nil || doc.Parse(beside) != nil {
		return -1
	}
	meta, err := doc.Root().Member("_meta")
	if err != nil {
		return -1
	}
	for _, value := range meta.Members() {
		at := slices.IndexFunc(calls, func(d *declaredCall) bool { return d.wireID != "" && value.Is(d.wireID) })
		if at >= 0 {
			return at
		}
	}
	return -1
}

// declaredKey identifies a call by its actor, in any session, its tool and its arguments, in any order and with any white space.
func declaredKey(a call.Actor, server, tool string, args jsontext.Value) string {
	server, tool = toolname.CountsAs(server, tool)
	canonical := bytes.Clone(args)
	if len(canonical) == 0 {
		canonical = []byte("{}")
	}
	if (*jsontext.Value)(&canonical).Canonicalize() != nil {
		canonical = args
	}
	sum := sha256.Sum256(canonical)
	return answerKey(a.Account(), server+"\x00"+tool, string(sum[:]))
}
