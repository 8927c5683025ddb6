package judge

import (
	"slices"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
)

// DeniesServer says whether an actor may not use an MCP server at all, and why. Then nothing may be sent to the server on the actor's
// behalf. The policy of the actor's session and the one in force must both allow it: denying a server takes effect at once.
func (j *Judge) DeniesServer(a call.Actor, server string) (call.Ruling, bool) {
	if j.cfg.Mode != Enforce {
		return call.Ruling{}, false
	}
	r, denied := deniesServer(j.policyOf(a), j.cfg.Policy(), a, server)
	return r.WithContact(j.cfg.Contact), denied
}

func deniesServer(own, inForce *policy.Policy, a call.Actor, server string) (call.Ruling, bool) {
	for _, p := range []*policy.Policy{own, inForce} {
		if d, denied := p.RefusesServer(server, a); denied {
			return refusal(d, p), true
		}
		if own == inForce {
			break
		}
	}
	return call.Ruling{}, false
}

// notTaken are the tools that a call could mean, without those of denied servers if another server has a tool of the same name: a
// denied server must not be able to block names of allowed ones. Where only denied servers have the name, or the model was offered
// theirs and not the other's, theirs stay.
func (j *Judge) notTaken(c call.Call, all []meantTool) []call.Known {
	usable := -1 // how sure it is that the call means a tool of a server that may be used
	denied := make([]bool, len(all))
	if len(all) > 1 && slices.ContainsFunc(all, func(m meantTool) bool { return m.alone }) {
		for i, m := range all {
			if _, denied[i] = j.DeniesServer(c.Actor, m.Server); !denied[i] {
				usable = max(usable, m.certainty())
			}
		}
	}
	var out []call.Known
	for i, m := range all {
		if !denied[i] || !m.alone || m.certainty() > usable {
			out = append(out, m.Known)
		}
	}
	return out
}
