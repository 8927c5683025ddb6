package policy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/weir-gate/weir/internal/call"
)

func (m maker) connectionTest() string {
	return m.pick(
		"{param_path: host, operator: host_in, value: ['*.example.com', a.test]}",
		"{param_path: host, operator: not_host_in, value: ['*.example.com', a.test]}",
		"{param_path: host, operator: equals, value: a.test}",
		"{param_path: host, operator: not_in, value: [a.test, b.test]}",
		"{param_path: '**.host', operator: ends_with, value: .test}",
		"{param_path: host, operator: not_matches, value: '^a'}",
		"{param_path: host, operator: exists}",
		"{param_path: host, operator: not_exists}",
		"{param_path: address, operator: cidr_in, value: [10.0.0.0/8, 'fe80::/10']}",
		"{param_path: address, operator: not_cidr_in, value: 10.0.0.0/8}",
		"{param_path: port, operator: gt, value: 100}",
		"{param_path: loopback, operator: equals, value: true}",
		"{param_path: [process, protocol], operator: in, value: [curl, udp]}",
		"{param_path: $, operator: contains, value: example}",
		`{operator: expr, value: 'has(args.host) && args.host == "a.test"'}`,
		`{operator: expr, value: 'args.port > 100'}`,
	)
}

func (m maker) connectionConditions(depth int) string {
	if depth == 0 || m.IntN(3) == 0 {
		return m.connectionTest()
	}
	var parts []string
	for range 1 + m.IntN(3) {
		parts = append(parts, m.connectionConditions(depth-1))
	}
	return fmt.Sprintf("{%s: [%s]}", m.pick("any", "all", "none"), strings.Join(parts, ", "))
}

func (m maker) connectionRule(id, verdict string) string {
	r := fmt.Sprintf("- {id: %s, verdict: %s, surface: egress", id, verdict)
	if m.IntN(3) == 0 {
		r += ", tool: " + m.pick("connect", "resolve", "'*'", "'con*'")
	}
	if m.IntN(4) > 0 {
		r += ", conditions: " + m.connectionConditions(2)
	}
	if m.IntN(5) == 0 {
		r += ", server: " + m.pick("git", "'*'", "hub")
	}
	if m.IntN(5) == 0 {
		r += ", who: {team: " + m.pick("core", "other") + "}"
	}
	if verdict != "deny" && m.IntN(6) == 0 {
		r += ", rate_limit: {calls_per_minute: 5, per: server}"
	}
	return r
}

// connectionPolicy has rules about connections, and some about calls.
func (m maker) connectionPolicy() string {
	text := "version: 1\ndefault: " + m.pick("allow", "audit", "deny") + "\n"
	if m.IntN(3) == 0 {
		text += "mcp: " + m.block() + "\n"
	}
	text += "rules:\n"
	for i := range 1 + m.IntN(4) {
		text += m.connectionRule(fmt.Sprintf("c%d", i), m.pick("allow", "audit", "deny", "allow"))
		if m.IntN(6) == 0 {
			text += ", shadow: true"
		}
		text += "}\n"
	}
	return text + m.rule("call", "deny") + "}\n"
}

func (m maker) host() string {
	return m.pick("a.test", "b.test", "x.example.com", "evil.example", "A.TEST.", "canary.weir.invalid")
}

func (m maker) connection() Query {
	q := Query{Surface: call.Egress, Tools: []string{m.pick("connect", "connect", "resolve")}, Terms: Terms{Fallback: Verdict(m.pick("", "allow", "audit", "deny"))}}
	q.Server, q.Actor.Team = m.pick("", "", "git", "hub"), m.pick("core", "")
	var parts []string
	switch m.IntN(3) {
	case 0:
		parts = append(parts, fmt.Sprintf(`"host":%q`, m.host()))
	case 1:
		parts = append(parts, fmt.Sprintf(`"host":[%q,%q]`, m.host(), m.host()))
	}
	if m.IntN(3) > 0 {
		parts = append(parts, fmt.Sprintf(`"address":%q`, m.pick("10.0.0.1", "192.0.2.1", "fe80::1", "2001:db8::1")))
	}
	if m.IntN(5) > 0 {
		parts = append(parts, `"port":`+m.pick("80", "443"))
	}
	parts = append(parts, m.pick(`"protocol":"tcp"`, `"protocol":"udp","process":"curl"`, `"protocol":"tcp","loopback":true`))
	q.Args = []byte("{" + strings.Join(parts, ",") + "}")
	return q
}

// eachConnection runs check on many random policies and connections.
func eachConnection(t *testing.T, check func(m maker, text string, p *Policy, q Query)) {
	t.Helper()
	for seed := range uint64(80) {
		m := newMaker(seed)
		text := m.connectionPolicy()
		p := mustParse(t, text)
		for range 15 {
			if check(m, text, p, m.connection()); t.Failed() {
				t.Fatalf("seed %d", seed)
			}
		}
	}
}

func TestConnectionsAreExplained(t *testing.T) {
	codes := map[string]int{}
	eachConnection(t, func(_ maker, text string, p *Policy, q Query) {
		checkExplained(t, text, p, q)
		d := p.Decide(q)
		codes[d.Code]++
		if d.Refused() != slices.Contains([]string{call.CodeConnectionDenied, call.CodeServerDenied}, d.Code) || d.Refused() && d.Reason == "" {
			t.Errorf("%+v\n%s\n%s", d, text, q.Args)
		}
		if early, refused := p.RefusedByName(q); refused {
			late := p.Decide(Query{Surface: q.Surface, Tools: q.Tools, Server: q.Server, Actor: q.Actor, Terms: Terms{Fallback: q.Fallback}, Args: []byte(`{"host":"a.test"}`)})
			if diff := cmp.Diff(early, late, sameDuties, cmpopts.IgnoreFields(Decision{}, "WouldBe", "WouldBeRule")); diff != "" {
				t.Errorf("other arguments, another refusal (-early +late):\n%s\n%s", diff, text)
			}
		}
	})
	for _, code := range []string{"", call.CodeConnectionDenied, call.CodeServerDenied} {
		if codes[code] < 50 {
			t.Errorf("only %d decisions with the code %q: the test shows little", codes[code], code)
		}
	}
}

// Whatever allows, what is denied stays denied; and a further deny lets nothing more through.
func TestConnectionDenyWins(t *testing.T) {
	eachConnection(t, func(m maker, text string, p *Policy, q Query) {
		before := p.Decide(q)
		if before.Refused() && strings.HasPrefix(before.Rule, "c") {
			more := text + m.connectionRule("extra", "allow") + "}\n"
			if after := mustParse(t, more).Decide(q); !after.Refused() {
				t.Errorf("%+v became %+v:\n%s\n%s", before, after, more, q.Args)
			}
		}
		less := text + m.connectionRule("extra", "deny") + "}\n"
		if after := mustParse(t, less).Decide(q); before.Refused() && !after.Refused() {
			t.Errorf("%+v became %+v:\n%s\n%s", before, after, less, q.Args)
		}
	})
}

// What passes under a fallback that refuses passes under any, and rules about calls change nothing.
func TestConnectionFallback(t *testing.T) {
	eachConnection(t, func(m maker, text string, p *Policy, q Query) {
		refused := func(fallback Verdict) bool {
			q.Fallback = fallback
			return p.Decide(q).Refused()
		}
		if refused(Audit) != refused(Allow) || refused(Allow) && !refused(Deny) {
			t.Errorf("%s\n%s", text, q.Args)
		}
		more := strings.Replace(text, "default: allow", "default: deny", 1) + m.rule("extra", m.pick("allow", "deny")) + "}\n"
		if a, b := p.Decide(q), mustParse(t, more).Decide(q); a.Verdict != b.Verdict || a.Code != b.Code || a.Rule != b.Rule {
			t.Errorf("%+v became %+v:\n%s", a, b, more)
		}
	})
}

// A host that goes by several names passes only if it passes by each of them.
func TestEveryNameCounts(t *testing.T) {
	passed := 0
	eachConnection(t, func(m maker, text string, p *Policy, q Query) {
		args := func(host string) []byte { return []byte(`{"port":443,"protocol":"tcp","host":` + host + "}") }
		hosts := []string{m.host(), m.host(), m.host()}
		q.Args = args(fmt.Sprintf("[%q,%q,%q]", hosts[0], hosts[1], hosts[2]))
		together := p.Decide(q)
		if together.Refused() {
			return
		}
		passed++
		for _, host := range hosts {
			q.Args = args(fmt.Sprintf("%q", host))
			if alone := p.Decide(q); alone.Refused() {
				t.Errorf("%q passes, and %q alone does not: %+v\n%s", hosts, host, alone, text)
			}
		}
	})
	if passed < 200 {
		t.Errorf("only %d passed: the test shows little", passed)
	}
}

// Whatever names a host goes by, in whatever order: one that is refused refuses all, and no name hides the canary.
func FuzzConnection(f *testing.F) {
	f.Add("a.example.com", "evil.example", "192.0.2.1", uint16(443))
	f.Add("canary.weir.invalid", "", "fe80::1%eth0", uint16(0))
	f.Add("CANARY。weir.invalid", "xn--", "::ffff:169.254.169.254", uint16(53))
	f.Add("https://user@x.canary.weir.invalid:80/", "a b", "0xa9fea9fe", uint16(1))
	f.Add("metadata\u200b.goog", "METADATA.GOOG.", "not an address", uint16(80))
	p := mustParse(f, connectionRules)
	f.Fuzz(func(t *testing.T, one, other, address string, port uint16) {
		quoted := func(s string) string {
			text, err := jsontext.AppendQuote(nil, strings.ToValidUTF8(s, "?"))
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		ask := func(hosts ...string) Decision {
			host := strings.Join(hosts, ",")
			if len(hosts) > 1 {
				host = "[" + host + "]"
			}
			q := connecting(fmt.Sprintf(`{"host":%s,"address":%s,"port":%d}`, host, quoted(address), port))
			checkExplained(t, connectionRules, p, q)
			return p.Decide(q)
		}
		a, b := ask(quoted(one)), ask(quoted(other))
		both, turned := ask(quoted(one), quoted(other)), ask(quoted(other), quoted(one))
		if both.Verdict != turned.Verdict || both.Code != turned.Code {
			t.Errorf("%q and %q: %+v, the other way round %+v", one, other, both, turned)
		}
		if (a.Refused() || b.Refused()) && !both.Refused() {
			t.Errorf("%q: %+v, %q: %+v, together %+v", one, a, other, b, both)
		}
		if with := ask(quoted(one), quoted(CanaryHost)); !with.Refused() {
			t.Errorf("%q hides the canary: %+v", one, with)
		}
	})
}
