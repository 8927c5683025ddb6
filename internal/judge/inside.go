package judge

import (
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
)

// The reasons given when code hides which tools it calls, what with, or how often.
const (
	reasonOpaque  = "The code computes what it calls; write the tools and their arguments out."
	reasonRepeats = "How often the code makes this call cannot be seen, and its rate is limited; write the calls out."
	reasonHidden  = "The code computes arguments in which secrets must be replaced; write them out."
)

// innerCall is a call that stands in the arguments of c, as one of its own. A name in a group is also the name without it.
func innerCall(c call.Call, i call.Inner) call.Call {
	inner := call.Call{
		ID: call.NewID(time.Now()), Surface: c.Surface, Actor: c.Actor, Exchange: c.Exchange,
		Delivery: call.Delivery{Ran: c.Ran},
		Tool:     i.Tool, Args: i.Args, Partial: i.Partial, Menu: c.Menu,
	}
	if at := strings.LastIndexByte(i.Tool, '.'); at >= 0 && at+1 < len(i.Tool) {
		inner.Spellings = []string{i.Tool[at+1:]}
	}
	return inner
}

// opaqueRefusal is the ruling on code that cannot be read, where a rule restricts what it could call, or how often.
func opaqueRefusal(p *policy.Policy, rule, reason string) call.Ruling {
	return call.Ruling{Code: call.CodeOpaqueCode, Reason: reason, Rule: rule, Policy: p.Version()}
}
