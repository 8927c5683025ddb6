package verify

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/model/formats"
	"github.com/weir-gate/weir/internal/run/agent"
	"github.com/weir-gate/weir/internal/run/agent/claude"
	"github.com/weir-gate/weir/internal/weirtest/expect"
	"github.com/weir-gate/weir/internal/weirtest/port"
)

func TestFormatsTellAWeirFromOthers(t *testing.T) {
	keepName := func(body []byte) []byte {
		return append(refuse(body), `{"type":"tool_use","tool_calls":[],"functionCall":1,"toolUse":1,"x":"function_call"}`...)
	}
	tests := []struct {
		name string
		fake *fake
		set  func(*verifier)
		want Status
		seen string
	}{
		{"all is well", &fake{change: refuse, blocked: true}, nil, Covered, "refused, streamed and whole; on record"},
		{"the call passes", &fake{blocked: true}, nil, NotCovered, "streamed: the call came through"},
		{"the call passes in disguise", &fake{change: disguise, blocked: true}, nil, NotCovered, "streamed: the call came through"},
		{"its name passes", &fake{change: keepName, blocked: true}, nil, NotCovered, "streamed: the call came through"},
		{"it vanishes", &fake{change: vanish, blocked: true}, nil, NotCovered, "streamed: the call is gone, but there is no notice in its place"},
		{"it vanishes as it should", &fake{change: vanish, blocked: true}, func(v *verifier) { v.Dropped = true }, Covered, "refused, streamed and whole; on record"},
		{"nothing comes", &fake{change: func([]byte) []byte { return nil }, blocked: true}, nil, NotCovered, "streamed: the text around the call did not come through"},
		{"nothing is recorded", &fake{change: refuse, silent: true}, nil, NotCovered, "streamed: refused, but not in the record that the configuration names"},
		{"it is recorded as released", &fake{change: refuse}, nil, NotCovered, "streamed: the record has it as allow, not as refused"},
		{"no record", &fake{change: refuse, broken: errors.New("locked\x1b[2J")}, nil, Untold, `refused; the record cannot be read: locked\x1b[2J`},
		{"an older weir", &fake{status: 404}, nil, NotCovered, "streamed: the program there has no canary; it is not weir, or an older version"},
		{"trouble", &fake{status: 502}, nil, NotCovered, "streamed: response with status 502"},
		{"shadow", &fake{}, func(v *verifier) { v.Running.Enforcement = "shadow" }, Warning, "not refused: enforcement is shadow; it is on record"},
		{"shadow, and unseen", &fake{silent: true}, func(v *verifier) { v.Running.Enforcement = "shadow" }, Warning, "not refused: enforcement is shadow; it is not on record"},
		{"only MCP is judged", &fake{change: refuse, blocked: true}, func(v *verifier) { v.Running.ProxyMode = "mcp-only" }, Covered, "refused, streamed and whole; on record"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v := test.fake.verifier(t)
			if test.set != nil {
				test.set(v)
			}
			rows := v.formats(t.Context())
			if len(rows) != len(formats.All()) {
				t.Fatalf("%d rows", len(rows))
			}
			for _, r := range rows {
				want := Row{Area: areaFormats, Tried: r.Tried, Status: test.want, Seen: test.seen, Cure: r.Cure, Promised: true}
				expect.Same(t, want, r)
				if (r.Status == NotCovered) != (r.Cure != "") && r.Status != Untold {
					t.Errorf("the cure of %s is %q", r.Status, r.Cure)
				}
			}
			if got, want := Failed(rows), test.want == NotCovered || test.want == Untold; got != want {
				t.Errorf("failed: %t", got)
			}
		})
	}
}

func TestNobodyAnswers(t *testing.T) {
	v := (&fake{}).verifier(t)
	v.Base = "http://" + port.Reserve(t) + "/k/secret-key"
	for _, r := range v.formats(t.Context()) {
		expect.Equal(t, r.Status, NotCovered, "%+v", r)
		expect.Text(t, r.Seen, "", "!secret-key", "refused")
	}
}

// An agentWith is an agent with a given configuration.
type agentWith struct {
	claude.Agent
	look agent.Look
	err  error
}

func (a agentWith) Look(agent.Surroundings) (agent.Look, error) { return a.look, a.err }

func TestClients(t *testing.T) {
	v := (&fake{change: refuse, blocked: true}).verifier(t)
	elsewhere := httptest.NewServer(http.NotFoundHandler())
	defer elsewhere.Close()
	tests := []struct {
		name   string
		agent  agentWith
		want   []Status
		seen   string
		failed bool
	}{
		{"it leads here", agentWith{look: agent.Look{Routes: []agent.Route{{Setting: "S", Origin: "o", URL: v.Base + "/anthropic"}}}}, []Status{Covered}, "/anthropic (o); refused, streamed and whole; on record", false},
		{"it leads here by another name", agentWith{look: agent.Look{Routes: []agent.Route{{Setting: "S", Origin: "o", URL: strings.Replace(v.Base, "127.0.0.1", "localhost", 1) + "/anthropic/v1/"}}}}, []Status{Covered}, "refused", false},
		{"it leads here with a key", agentWith{look: agent.Look{Routes: []agent.Route{{Setting: "S", Origin: "o", URL: v.Base + "/k/secret-key/anthropic"}}}}, []Status{Covered}, "/k/.../anthropic (o)", false},
		{"it is routed to nothing of weir's", agentWith{look: agent.Look{Routes: []agent.Route{{Setting: "S", Origin: "o", URL: v.Base + "/nothing"}}}}, []Status{NotCovered}, "but weir has no upstream nothing", true},
		{"it leads elsewhere", agentWith{look: agent.Look{Routes: []agent.Route{{Setting: "S", Origin: "default", URL: "https://user:secret-key@api.example/?key=secret-key"}}}}, []Status{NotCovered}, "by itself it is routed to https://api.example/ (default)", true},
		{"it is routed to another port", agentWith{look: agent.Look{Routes: []agent.Route{{Setting: "S", Origin: "o", URL: elsewhere.URL + "/anthropic"}}}}, []Status{NotCovered}, "by itself it is routed to", true},
		{"it does not say", agentWith{}, []Status{NotCovered}, "name no address", true},
		{"it cannot be read", agentWith{err: errors.New("settings.json: line 1\x1b")}, []Status{Untold}, `settings.json: line 1\x1b`, true},
		{
			"its servers",
			agentWith{look: agent.Look{
				Routes: []agent.Route{{Setting: "S", URL: v.Base + "/anthropic"}},
				Servers: []agent.Server{
					{Name: "w", Way: agent.Wrapped},
					{Name: "g", Type: "http", Way: agent.Gateway},
					{Name: "h", Type: "http", URL: v.Base + "/mcp/h", Way: agent.Bare},
					{Name: "o", Way: agent.Off},
					{Name: "b", Way: agent.Bare, Origin: "f", Why: "because"},
				},
			}},
			[]Status{Covered, Covered, Covered, Covered, Covered, NotCovered},
			"it is reached past weir (f): because", true,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, promised := range []bool{true, false} {
				rows := v.agent(t.Context(), CheckedAgent{Agent: test.agent, Promised: promised})
				var got []Status
				for _, r := range rows {
					got = append(got, r.Status)
					if strings.Contains(r.Tried+r.Seen+r.Cure, "secret-key") {
						t.Errorf("a secret is shown: %+v", r)
					}
				}
				expect.Same(t, test.want, got)
				if !slices.ContainsFunc(rows, func(r Row) bool { return strings.Contains(r.Seen, test.seen) }) {
					t.Errorf("%q is not in %+v", test.seen, rows)
				}
				expect.Equal(t, Failed(rows), test.failed && promised, "failed: %t, promised: %t", Failed(rows), promised)
			}
		})
	}
}

func TestAProbeDemandsASessionAndAPlan(t *testing.T) {
	for session, plans := range map[string][]string{"": {"{}"}, "run-1234567890": {"", "{", `{"unknown":1}`, `[]`}} {
		t.Setenv("WEIR_SESSION", session)
		for _, plan := range plans {
			var out strings.Builder
			if err := Probe(context.Background(), strings.NewReader(plan), &out); err == nil || out.Len() > 0 {
				t.Errorf("a probe with the plan %q: %v, %q", plan, err, &out)
			}
		}
	}
}

func TestFormatsOfAgents(t *testing.T) {
	for _, test := range []struct{ agent, upstream, want string }{
		{"claude", "anthropic", "anthropic"},
		{"claude", "corp", "anthropic"},
		{"codex", "openai", "openai-responses"},
		{"codex", "chatgpt", "openai-responses"},
		{"codex", "ollama", "openai-responses"},
		{"gemini", "codeassist", "gemini"},
		{"opencode", "anthropic", "anthropic"},
		{"opencode", "openai", "openai-chat"},
		{"opencode", "gemini", "gemini"},
		{"opencode", "ollama", "ollama"},
		{"opencode", "corp", "openai-chat"},
	} {
		expect.Equal(t, formatOf(test.agent, test.upstream).Name, test.want, "%s asks %s in", test.agent, test.upstream)
	}
}
