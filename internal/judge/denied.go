package judge

import (
	"slices"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
)

// DeniesServer says whether an actor is kept from an MCP server altogether, and why. Then nothing may be sent to the server on the actor's
// behalf. The policy of the actor's session and the one in force must both let it be used: who denies a server means at once.
func (j *Judge) DeniesServer(a call.Actor, server string) (call.Ruling, bool) {
	if j.cfg.Mode != Enforce {
		return call.Ruling{}, false
	}
	return deniesServer(j.policyOf(a), j.cfg.Policy(), a, server)
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

// notTaken leaves out the tools of denied servers that a bare name could mean, where it could mean another server's: what a denied server
// once offered takes no name away from those that may be used. Where only denied servers have it, the call may be meant for one of them.
func (j *Judge) notTaken(c call.Call, all []call.Known) []call.Known {
	if len(all) < 2 || !slices.ContainsFunc(all, func(k call.Known) bool { return k.Bare }) {
		return all
	}
	denied := func(k call.Known) bool {
		_, denied := j.DeniesServer(c.Actor, k.Server)
		return denied
	}
	if !slices.ContainsFunc(all, func(k call.Known) bool { return !denied(k) }) {
		return all
	}
	return slices.DeleteFunc(all, func(k call.Known) bool { return k.Bare && denied(k) })
}
