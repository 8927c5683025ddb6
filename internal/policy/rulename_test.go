package policy

import (
	"testing"
)

func TestNames(t *testing.T) {
	tests := []struct {
		pattern, server, tool string
		matches, flagged      bool
	}{
		{"Bash", "", "Bash", true, false},
		{"Bash", "", "bash", true, true},
		{"bash", "", "BASH", true, true},
		{"Bash", "", "Bash2", false, false},
		{"Bash", "", "Ｂａｓｈ", true, true},
		{"Bash", "", "Ba\u200bsh", true, true},
		{"Bash", "", "Ba\u00adsh", true, true},
		{"Bash", "", "Bash\ufe0f", true, true},
		{"Bash", "", "B\U000e0061ash", true, true},
		{"Bash", "", " Bash\n", true, true},
		{"Bash", "", "Ba\u034fsh", true, true},
		{"Bash", "", "Bash\uffa0", true, true},
		{"Read", "", "Ba\u200bsh", false, true},
		{"Ba\u200bsh", "", "Bash", true, true},
		{"straße", "", "STRASSE", true, true},
		{"mcp__*__exec*", "", "mcp__box__execute", true, false},
		{"mcp__%__exec%", "", "mcp__box__exec", true, false},
		{"*", "", "a/b.c\nd", true, true},
		{"*", "", "", true, false},
		{"a*b", "", "a/x.y\u2028b", true, false},
		{"\u00a0Bash\u2028", "", "Bash", true, true},
		{"\u2029Bash\u3000", "", "Bash", true, true},
		{"\u2028Ba*", "", "\u2028Bash", true, true},
		{"*sh\u00a0\u2028", "", "Bash\u2029", true, true},
		{"*\u2028sh", "", "Ba\u2028sh", true, false},
		{"a?b", "", "axb", false, false},
		{"a?b", "", "a?b", true, false},
		{"a*a", "", "a", false, false},
		{"*a*b*", "", "xbxa", false, false},
		{"mcp__git__push", "git", "push", true, false},
		{"git.push", "git", "push", true, false},
		{"git/push", "git", "push", true, false},
		{"git__push", "git", "push", true, false},
		{"git_push", "git", "push", true, false},
		{"mcp_git_push", "git", "push", true, false},
		{"push", "git", "push", true, false},
		{"mcp__hub__push", "git", "push", false, false},
	}
	for _, tt := range tests {
		rule := `{"version":1,"default":"allow","rules":[{"id":"r","verdict":"deny","tool":` + string(quoted(tt.pattern)) + `}]}`
		d := mustParse(t, rule).Decide(Query{Server: tt.server, Tools: []string{tt.tool}})
		if d.Refused() != tt.matches || d.Flagged != tt.flagged {
			t.Errorf("%q on %q %q: matches %v, flagged %v; want %v, %v", tt.pattern, tt.server, tt.tool, d.Refused(), d.Flagged, tt.matches, tt.flagged)
		}
	}
}
