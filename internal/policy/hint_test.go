package policy

import (
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/call"
)

// TestHints shows which calls a rule with hints matches.
func TestHints(t *testing.T) {
	known := func(state call.ToolState, hints ...call.Hint) call.Known {
		return call.Known{Server: "fs", Tool: "purge", Hash: "h", State: state, Hints: hints}
	}
	other := call.Known{Server: "web", Tool: "purge", Hash: "h", State: call.ToolTrusted, Bare: true}
	own := known(call.ToolTrusted, call.HintDestructive)
	own.Bare = true
	for _, tt := range []struct {
		note     string
		hints    string
		tool     string
		known    []call.Known
		restrict bool // a rule that denies matches
		allow    bool // a rule that allows does
	}{
		{"declared", "destructive", "mcp__fs__purge", []call.Known{known(call.ToolTrusted, call.HintDestructive)}, true, true},
		{"one of several", "[read_only, destructive]", "mcp__fs__purge", []call.Known{known(call.ToolTrusted, call.HintDestructive)}, true, true},
		{"among others", "open_world", "mcp__fs__purge", []call.Known{known(call.ToolTrusted, call.HintDestructive, call.HintOpenWorld)}, true, true},
		{"another", "read_only", "mcp__fs__purge", []call.Known{known(call.ToolTrusted, call.HintDestructive)}, false, false},
		{"none", "destructive", "mcp__fs__purge", []call.Known{known(call.ToolTrusted)}, false, false},
		{"not known", "destructive", "mcp__fs__purge", nil, false, false},
		{"not trusted", "destructive", "mcp__fs__purge", []call.Known{known(call.ToolChanged, call.HintDestructive)}, true, false},
		{"another tool", "destructive", "mcp__fs__list", nil, false, false},
		{"another spelling", "destructive", "fs_purge", []call.Known{known(call.ToolTrusted, call.HintDestructive)}, true, false},
		{"one of two servers", "destructive", "purge", []call.Known{own, other}, true, false},
	} {
		decide := func(fallback, verdict string) Decision {
			p := mustParse(t, "version: 1\ndefault: "+fallback+"\nrules: [{id: a, tool: '*', hints: "+tt.hints+", verdict: "+verdict+"}]")
			return p.Decide(Query{Tools: []string{tt.tool}, Known: tt.known})
		}
		if got := decide("allow", "deny"); (got.Rule == "a") != tt.restrict {
			t.Errorf("%s: deny: %+v", tt.note, got)
		}
		if got := !decide("deny", "allow").Refused(); got != tt.allow {
			t.Errorf("%s: allow: %v", tt.note, got)
		}
	}
}

// TestHintsByName shows that a denied hint refuses a call before its arguments are there, but not the whole server.
func TestHintsByName(t *testing.T) {
	p := mustParse(t, "version: 1\ndefault: allow\nrules: [{id: a, server: fs, tool: '*', hints: destructive, verdict: deny}]")
	q := Query{Surface: call.MCP, Server: "fs", Tools: []string{"purge"}}
	if _, refused := p.RefusedByName(q); refused {
		t.Error("a tool that nobody knows is refused by its hint")
	}
	q.Known = []call.Known{{Server: "fs", Tool: "purge", Hash: "h", State: call.ToolTrusted, Hints: []call.Hint{call.HintDestructive}}}
	if d, refused := p.RefusedByName(q); !refused || d.Rule != "a" {
		t.Errorf("not refused by name: %+v", d)
	}
	if _, denied := p.RefusesServer("fs", call.Actor{}); denied {
		t.Error("the server is refused as a whole")
	}
	q.Known[0].Hints = nil
	if text := p.Explain(q).String(); !strings.Contains(text, "no hint of the tool is known, not destructive") {
		t.Errorf("the explanation does not name the hint:\n%s", text)
	}
	if rules := p.Rules(); rules[0].Group != GroupMCP || len(rules[0].Hints) != 1 {
		t.Errorf("listed as %+v", rules[0])
	}
}

func TestHintProblems(t *testing.T) {
	rule := func(rest string) string {
		return "version: 1\ndefault: allow\nrules: [{id: a, tool: '*', verdict: deny, " + rest + "}]"
	}
	for rest, want := range map[string]string{
		"hints: cruel": `"cruel" is not a hint; use destructive, read_only, open_world or idempotent`,
		"hints: []":    "the list is empty",
		"hints: destructive, surface: [response, inbound]": "hints are known only of tools that are called",
		"hints: destructive, surface: egress":              "hints are known only of tools that are called",
	} {
		if _, err := Parse("policy.yaml", []byte(rule(rest))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", rest, err)
		}
	}
}
