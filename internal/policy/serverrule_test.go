package policy

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

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
