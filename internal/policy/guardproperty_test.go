package policy

import (
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/call"
)

// withoutBlock is a random policy that has rules alone.
func (m maker) withoutBlock() string {
	text := m.policy()
	if before, after, found := strings.Cut(text, "mcp: "); found {
		_, after, _ = strings.Cut(after, "\n")
		return before + after
	}
	return text
}

// withMCP puts an mcp block into a policy of rules.
func withMCP(text, block string) string {
	return strings.Replace(text, "rules:\n", "mcp: "+block+"\nrules:\n", 1)
}

// What a list denies is refused whatever else the policy says.
func TestDenyListsWin(t *testing.T) {
	refused := 0
	for seed := range uint64(300) {
		m := newMaker(seed)
		text, q := m.withoutBlock(), m.query()
		server, tool := q.Server, q.Tools[0]
		for _, k := range q.Known {
			if server == "" && !k.Bare {
				server, tool = k.Server, k.Tool
			}
		}
		if server == "" || q.Surface == call.Inbound && q.Server == "" {
			continue
		}
		refused++
		lists := []string{"{server_policy: allowlist, allowed_servers: [{id: '*'}], denied_servers: [{id: " + server + "}]}"}
		if !q.Method {
			lists = append(lists, "{tool_policy: allowlist, allowed_tools: [{tool: '*'}], denied_tools: [{server: "+server+", tool: "+tool+"}]}")
		}
		for _, list := range lists {
			if d := mustParse(t, withMCP(text, list)).Decide(q); !d.Refused() {
				t.Errorf("%+v\n%+v\n%s", d, q, withMCP(text, list))
			}
		}
	}
	if refused < 100 {
		t.Errorf("only %d calls: the test shows little", refused)
	}
}

// A call of which several tools are known is refused if and only if it is as one of them.
func TestStrictestReadingCounts(t *testing.T) {
	differ := 0
	eachCall(t, func(m maker, text string, p *Policy, q Query) {
		if strings.Contains(text, "fail_closed") || strings.Contains(text, "auto_trust_first: false") {
			return // there, to be known lets a call pass
		}
		alone := q
		alone.Known = nil
		want := p.Decide(alone).Refused()
		for _, k := range q.Known {
			alone.Known = []call.Known{k}
			one := p.Decide(alone).Refused()
			if one != want {
				differ++
			}
			want = want || one
		}
		if got := p.Decide(q); got.Refused() != want {
			t.Errorf("%+v, want refused %v\n%+v\n%s", got, want, q, text)
		}
	})
	if differ < 100 {
		t.Errorf("only %d calls differ: the test shows little", differ)
	}
}

// What weir's own rules refuse, they refuse before arguments are known.
func TestGuardRefusesByName(t *testing.T) {
	refusals := 0
	eachCall(t, func(m maker, text string, p *Policy, q Query) {
		d := p.Decide(q)
		if !d.Refused() || !strings.HasPrefix(d.Rule, ownPrefix) {
			return
		}
		refusals++
		if early, refused := p.RefusedByName(q); !refused || early.Rule != d.Rule || early.Code != d.Code {
			t.Errorf("by name %+v, decided %+v\n%+v\n%s", early, d, q, text)
		}
	})
	if refusals < 200 {
		t.Errorf("only %d refusals: the test shows little", refusals)
	}
}

// A policy with an empty block says what it says without one.
func TestEmptyBlockChangesNothing(t *testing.T) {
	for seed := range uint64(60) {
		m := newMaker(seed)
		text := m.withoutBlock()
		without, with := mustParse(t, text), mustParse(t, withMCP(text, "{fail_closed: false}"))
		for range 20 {
			q := m.query()
			a, b := without.Decide(q), with.Decide(q)
			if a.Verdict != b.Verdict || a.Rule != b.Rule || a.Code != b.Code || a.WouldBe != b.WouldBe {
				t.Errorf("%+v became %+v\n%+v\n%s", a, b, q, text)
			}
		}
	}
}
