package policy

import (
	"fmt"
	"maps"
	"slices"

	"github.com/weir-gate/weir/internal/policy/toolname"
)

// reasonServerRate is the reason if calls of a server come too often.
const reasonServerRate = "Calls of this MCP server come too often; wait before the next."

// serverRates say how often the tools of servers may be called.
type serverRates struct {
	others *RateLimit            // for each server without its own rate; nil: they are not limited
	named  map[string]*RateLimit // by folded id
}

// newServerRate is the rate of one server's calls; "": of each server's.
func newServerRate(server string, perMinute float64, burst int) *RateLimit {
	return &RateLimit{
		Rule: ruleRates, Reason: reasonServerRate, PerMinute: perMinute, Burst: burst, Per: []string{"server"}, Server: toolname.Fold(server),
		OnResponse: true,
	}
}

// check demands the rates. It refuses no call itself, and allows none.
func (s serverRates) check(line int) check {
	limited := func(rate *RateLimit) *rule {
		return &rule{id: ruleRates, line: line, verdict: Allow, reason: reasonServerRate, rate: rate, own: &ownPart{}}
	}
	named := make(map[string]*rule, len(s.named))
	for id, rate := range s.named {
		named[id] = limited(rate)
	}
	return check{
		id: ruleRates, line: line, verdict: Allow, surfaces: calledSurfaces, ofTools: true,
		about: RuleSummary{Duties: s.duties(), Reason: reasonServerRate},
		meets: func(rd *reading, why *string) *rule {
			r := named[rd.server.Folded]
			if r == nil && rd.server.Folded != "" && s.others != nil {
				rate := *s.others
				rate.Server = rd.server.Folded
				r = limited(&rate)
			}
			if why == nil {
				return r
			}
			switch {
			case r != nil:
				*why = r.rate.String()
			case rd.server.Folded == "":
				*why = notServed
			default:
				*why = "its server has no rate"
			}
			return r
		},
	}
}

func (s serverRates) duties() (out []string) {
	for _, id := range slices.Sorted(maps.Keys(s.named)) {
		out = append(out, fmt.Sprintf("%s: %s", id, s.named[id]))
	}
	if s.others != nil {
		out = append(out, s.others.String())
	}
	return out
}
