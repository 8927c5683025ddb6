package policy

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestIdentities(t *testing.T) {
	for _, tt := range []struct {
		server, tool string
		want         []identity
	}{
		{"", "Bash", []identity{{"", "Bash"}}},
		{"fs", "write", []identity{{"fs", "write"}}},
		{"", "mcp__fs__write_file", []identity{{"fs", "write_file"}}},
		{"", "MCP__FS__Write", []identity{{"fs", "write"}}},
		{"", "mcp__a__b__c", []identity{{"a", "b__c"}, {"a__b", "c"}}},
		{"", "mcp__a___b", []identity{{"a", "_b"}, {"a_", "b"}}},
		{"", "mcp__fs", []identity{{"", "mcp__fs"}}},
		{"", "mcp__", []identity{{"", "mcp__"}}},
		{"", "fs_write_file", []identity{{"", "fs_write_file"}}},
	} {
		if diff := cmp.Diff(tt.want, identities(tt.server, tt.tool), cmp.AllowUnexported(identity{})); diff != "" {
			t.Errorf("%q %q (-want +got):\n%s", tt.server, tt.tool, diff)
		}
	}
}

// A rule about a server holds in every spelling that clients use, and about no other server.
func TestServerRules(t *testing.T) {
	for _, tt := range []struct {
		rule    string // of verdict deny
		server  string
		tool    string
		refused bool
	}{
		{"server: fs, tool: '*'", "fs", "write", true},
		{"server: fs, tool: '*'", "", "mcp__fs__write", true},
		{"server: fs, tool: 'write_*'", "", "mcp__fs__write_file", true},
		{"server: fs, tool: 'write_*'", "", "mcp_fs_write_file", true},
		{"server: fs, tool: 'write_*'", "", "fs_write_file", true},
		{"server: fs, tool: 'write_*'", "", "fs.write_file", true},
		{"server: fs, tool: 'write_*'", "", "fs/write_file", true},
		{"server: fs, tool: 'write_*'", "", "FS__WRITE_FILE", true},
		{"server: 'fs*', tool: 'write_*'", "", "fs2_write_file", true},
		{"server: fs, tool: 'mcp__fs__*'", "", "fs_write_file", true},
		{"server: fs, tool: 'write_*'", "", "fs_read_file", false},
		{"server: fs, tool: 'write_*'", "", "write_file", false},
		{"server: fs, tool: '*'", "", "Bash", false},
		{"server: fs, tool: '*'", "git", "push", false},
		{"server: fs, tool: '*'", "", "mcp__git__push", false},
		{"server: a, tool: '*'", "", "mcp__a__b__c", true},
		{"server: a__b, tool: '*'", "", "mcp__a__b__c", true},
		// Without a server, or with any, halves of names mean nothing.
		{"server: '*', tool: file", "", "read_file", false},
		{"tool: file", "", "read_file", false},
		{"server: '*', tool: Bash", "", "Bash", true},
		{"server: '*', tool: write", "fs", "write", true},
		{"server: '*', tool: write", "", "mcp__fs__write", true},
	} {
		p, err := Parse("p", []byte("version: 1\ndefault: allow\nrules: [{id: r, verdict: deny, "+tt.rule+"}]"))
		if err != nil {
			t.Fatal(err)
		}
		q := Query{Server: tt.server, Tools: []string{tt.tool}}
		if got := p.Decide(q).Refused(); got != tt.refused {
			t.Errorf("{%s} refuses %q of %q: %v", tt.rule, tt.tool, tt.server, got)
		}
		if diff := cmp.Diff(p.Decide(q), p.Explain(q).Decision); diff != "" {
			t.Errorf("{%s} (-decided +explained):\n%s", tt.rule, diff)
		}
	}
}

// What a name could mean lets nothing pass that the name itself does not.
func TestGuessesOnlyRestrict(t *testing.T) {
	p, err := Parse("p", []byte("version: 1\ndefault: deny\nrules: [{id: r, verdict: allow, server: fs, tool: '*'}]"))
	if err != nil {
		t.Fatal(err)
	}
	for tool, passes := range map[string]bool{"mcp__fs__read": true, "fs_read": false, "fs.read": false, "read": false} {
		if got := !p.Decide(Query{Tools: []string{tool}}).Refused(); got != passes {
			t.Errorf("%s passes: %v", tool, got)
		}
	}
}

// The index finds the rules that a look at every rule finds.
func TestIndexAgrees(t *testing.T) {
	patterns := []string{"a", "ab", "a*", "ab*", "*a", "*ba", "*a*", "*ab*b*", "*", "a*b", "b*a", "%", "a%a", "*é*", "A*", "aa*a"}
	text := "version: 1\ndefault: allow\nrules:\n"
	for i, p := range patterns {
		text += fmt.Sprintf("  - {id: r%d, verdict: audit, tool: '%s'}\n", i, p)
	}
	p, err := Parse("p", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{"", "a", "b", "ab", "ba", "aba", "bab", "aab", "abab", "ABA", "éa", "xé", "aaa", "aa"} {
		n := newName(tool)
		var want []int
		for i := range p.rules {
			if p.rules[i].namesAny([]name{n}) {
				want = append(want, i)
			}
		}
		if diff := cmp.Diff(want, p.index.candidates([]name{n})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tool, diff)
		}
	}
}
