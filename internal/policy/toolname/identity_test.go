package toolname

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestIdentities(t *testing.T) {
	for _, tt := range []struct {
		server, tool string
		want         []Identity
	}{
		{"", "Bash", []Identity{{"", "Bash"}}},
		{"fs", "write", []Identity{{"fs", "write"}}},
		{"", "mcp__fs__write_file", []Identity{{"fs", "write_file"}}},
		{"", "MCP__FS__Write", []Identity{{"fs", "write"}}},
		{"", "mcp__a__b__c", []Identity{{"a", "b__c"}, {"a__b", "c"}}},
		{"", "mcp__a___b", []Identity{{"a", "_b"}, {"a_", "b"}}},
		{"", "mcp__fs", []Identity{{"", "mcp__fs"}}},
		{"", "mcp__", []Identity{{"", "mcp__"}}},
		{"", "fs_write_file", []Identity{{"", "fs_write_file"}}},
	} {
		if diff := cmp.Diff(tt.want, Identities(tt.server, tt.tool), cmp.AllowUnexported(Identity{})); diff != "" {
			t.Errorf("%q %q (-want +got):\n%s", tt.server, tt.tool, diff)
		}
	}
}
