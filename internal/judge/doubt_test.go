package judge_test

import (
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
)

const (
	byPort   = "{id: r, surface: egress, verdict: deny, conditions: {param_path: port, operator: equals, value: 25}}"
	byHost   = "{id: r, surface: egress, verdict: deny, conditions: {param_path: host, operator: host_in, value: [a.example]}}"
	servers  = "mcp: {servers: [{id: weather, type: http, url: \"https://mcp.example/mcp\"}]"
	deepHost = "{id: r, surface: egress, verdict: audit, conditions: {none: [{any: [{param_path: \"**.host\", operator: equals, value: a.example}]}]}}"
)

// First bytes that cannot be read are refused where the name in them could change the ruling, and only there.
func TestDoubt(t *testing.T) {
	rules := func(rules string) string { return "version: 1\ndefault: allow\nrules: [" + rules + "]\n" }
	for name, tt := range map[string]struct {
		policy  string
		change  func(*judge.Config)
		refused bool
	}{
		"no rule":                     {policy: everything},
		"a rule about ports":          {policy: rules(byPort)},
		"a rule about hosts":          {policy: rules(byHost), refused: true},
		"inside of blocks":            {policy: rules(deepHost), refused: true},
		"about everything":            {policy: rules(`{id: r, surface: egress, verdict: audit, conditions: {param_path: $, operator: contains, value: a.example}}`), refused: true},
		"an expression":               {policy: rules(`{id: r, surface: egress, verdict: deny, conditions: {operator: expr, value: 'has(args.host) && args.host == "a"'}}`), refused: true},
		"an expression about ports":   {policy: rules(`{id: r, surface: egress, verdict: deny, conditions: {operator: expr, value: args.port == 25}}`)},
		"a shadow rule":               {policy: rules(`{id: r, surface: egress, shadow: true, verdict: deny, conditions: {param_path: host, operator: host_in, value: [a.example]}}`)},
		"a rule for somebody else":    {policy: rules(`{id: r, surface: egress, verdict: deny, who: {team: x}, conditions: {param_path: host, operator: host_in, value: [a.example]}}`)},
		"a rule about other surfaces": {policy: rules(`{id: r, tool: "*", verdict: deny, conditions: {param_path: host, operator: host_in, value: [a.example]}}`)},
		"an allowed host":             {policy: rules(`{id: r, surface: egress, verdict: allow, conditions: {param_path: host, operator: host_in, value: [a.example]}}`), refused: true},
		"servers":                     {policy: "version: 1\ndefault: allow\n" + servers + "}\n"},
		"denied servers":              {policy: "version: 1\ndefault: allow\n" + servers + ", denied_servers: [{id: weather}]}\n", refused: true},
		"a rule about a server":       {policy: rules(`{id: r, surface: egress, server: weather, verdict: deny}`) + servers + "}\n", refused: true},
		"a rule about a process":      {policy: rules(`{id: r, surface: egress, server: files, verdict: deny}`) + "mcp: {servers: [{id: files, type: stdio, command: x}], denied_servers: [{id: y}]}\n"},
		"models are refused":          {policy: everything, change: func(c *judge.Config) { c.Egress.Models = policy.Deny }, refused: true},
	} {
		for _, mode := range []judge.Mode{judge.Enforce, judge.Observe} {
			w := newWithServers(t, tt.policy, func(c *judge.Config) {
				watching(c)
				c.Mode = mode
				if tt.change != nil {
					tt.change(c)
				}
			})
			conn := to([]string{"192.0.2.1"}, "192.0.2.1", 443)
			conn.Doubt, conn.Unread = true, true
			r, e := w.Connect(t.Context(), conn), w.only()
			if want := tt.refused && mode == judge.Enforce; r.Released == want || e.Blocked != want {
				t.Errorf("%s: %+v, recorded as %+v", name, r, e)
			}
			if tt.refused && (e.Code != call.CodeMalformed || e.Rule != "egress.unread") {
				t.Errorf("%s: recorded as %+v", name, e)
			}
			if d, _ := e.Detail.(record.Connection); !d.Unread {
				t.Errorf("%s: not said to be unread", name)
			}
		}
	}
}

// A connection that may be to several servers is refused if one of them is. What was refused was not reached.
func TestConnectToServers(t *testing.T) {
	w := newWithServers(t, "version: 1\ndefault: allow\nmcp: {denied_servers: [{id: other}]}\n", func(c *judge.Config) {
		watching(c)
		c.Egress.Server = func(_, host string, _ uint16) (string, bool) {
			id, ok := map[string]string{"mcp.example": "weather", "other.example": "other"}[host]
			return id, ok
		}
	})
	w.Ended(call.Outcome{Actor: inSession})
	w.take()
	for name, tt := range map[string]struct {
		hosts  []string
		passes bool
		server string
		types  []record.Type
	}{
		"none":        {[]string{"a.example"}, true, "", []record.Type{record.Types.Connection}},
		"one":         {[]string{"mcp.example"}, true, "weather", []record.Type{record.Types.MCPConnection, record.Types.UndeclaredAct}},
		"denied":      {[]string{"other.example"}, false, "other", []record.Type{record.Types.MCPConnection}},
		"denied last": {[]string{"mcp.example", "other.example"}, false, "other", []record.Type{record.Types.MCPConnection}},
	} {
		r, events := w.Connect(t.Context(), to(tt.hosts, "192.0.2.1", 443)), w.take()
		if r.Released != tt.passes || len(events) != len(tt.types) {
			t.Errorf("%s: %+v, recorded as %+v", name, r, events)
			continue
		}
		for i, e := range events {
			if e.Type != tt.types[i] || e.Server != tt.server {
				t.Errorf("%s: recorded as %+v", name, e)
			}
		}
	}
}

// A model on this machine is an upstream by the machine's address. Other services, asked under another name, are not taken for it.
func TestServicesBesideAModel(t *testing.T) {
	for name, tt := range map[string]struct {
		hosts   []string
		flagged bool
	}{
		"another name":     {[]string{"app.example", "127.0.0.1"}, false},
		"the model's name": {[]string{"api.model.example", "127.0.0.1"}, true},
		"by the address":   {[]string{"127.0.0.1"}, true},
	} {
		w := newWithServers(t, everything, func(c *judge.Config) {
			watching(c)
			c.Egress.IsModel = func(host string) bool { return host == "127.0.0.1" || host == "api.model.example" }
		})
		conn := to(tt.hosts, "127.0.0.1", 5432)
		conn.Loopback = true
		if r, e := w.Connect(t.Context(), conn), w.only(); !r.Released || (e.Rule == "egress.models") != tt.flagged {
			t.Errorf("%s: %+v, recorded as %+v", name, r, e)
		}
	}
}
