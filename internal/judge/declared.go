package judge

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
)

// A declaredCall is one that a model asked for and that was released: the agent is about to make it.
type declaredCall struct {
	id   call.ID
	time time.Time
}

// declaredFor is how long an agent may take to make a call: it may have to ask its user first.
const declaredFor = time.Hour

// declare keeps the released calls of MCP tools in mind, with the arguments that the agent has.
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
		for _, k := range declarable(t.call, p) {
			j.declared.update(declaredKey(t.call.Actor, k.Server, k.Tool, args), func(calls []declaredCall) []declaredCall {
				return append(calls[max(0, len(calls)+1-maxAlike):len(calls):len(calls)], declaredCall{t.call.ID, now})
			})
		}
	}
}

// declarable are the tools that a call may turn out to be of. What the registry does not know yet is known by its name.
// A tool of the agent's own is no server's, whatever servers call theirs.
func declarable(c call.Call, p *policy.Policy) []call.Known {
	native := c.Server == "" && p.Native(c.Tool)
	if certain := slices.DeleteFunc(slices.Clone(c.Known), func(k call.Known) bool { return k.Bare && native }); len(certain) > 0 || native {
		return certain
	}
	server, tool := c.Server, c.Tool
	if server == "" {
		var certain bool
		if server, tool, certain = policy.Divide(c.Tool); !certain {
			return nil
		}
	}
	return []call.Known{{Server: server, Tool: tool}}
}

// takeDeclared finds the call that a model asked for and that is made now. Each is made once.
func (j *Judge) takeDeclared(c call.Call) (id call.ID, found bool) {
	key := declaredKey(c.Actor, c.Server, c.Tool, c.Args)
	if !j.declared.has(key) {
		return "", false
	}
	now := time.Now()
	j.declared.update(key, func(calls []declaredCall) []declaredCall {
		calls = slices.DeleteFunc(slices.Clone(calls), func(d declaredCall) bool { return now.Sub(d.time) > declaredFor })
		if len(calls) == 0 {
			return nil
		}
		id, found = calls[0].id, true
		return calls[1:]
	})
	return id, found
}

// declaredKey names a call by who makes it, and of what, whatever order and white space its arguments come in.
func declaredKey(a call.Actor, server, tool string, args jsontext.Value) string {
	server, tool = policy.Identity(server, tool)
	canonical := bytes.Clone(args)
	if len(canonical) == 0 {
		canonical = []byte("{}")
	}
	if (*jsontext.Value)(&canonical).Canonicalize() != nil {
		canonical = args
	}
	sum := sha256.Sum256(canonical)
	return answerKey(a, server+"\x00"+tool, string(sum[:]))
}
