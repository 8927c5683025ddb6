package toolname

import "testing"

// Patterns see through what rules see through.
func TestPattern(t *testing.T) {
	for _, tt := range []struct {
		pattern, server, tool string
		want                  bool
	}{
		{"bash", "", "Bash", true},
		{"bash", "", "Ba\u200bsh", true},
		{"BASH", "", "ｂａｓｈ", true},
		{"bash", "", "bashful", false},
		{"bash%", "", "bashful", true},
		{"*", "", "", true},
		{"delete_*", "weather", "delete_all", true},
		{"mcp__weather__*", "weather", "delete_all", true},
		{"weather/*", "weather", "delete_all", true},
		{"mcp__weather__*", "", "delete_all", false},
		{"mcp__other__*", "weather", "delete_all", false},
	} {
		p := NewGlob(tt.pattern)
		if got := p.MatchesTool(tt.server, tt.tool); got != tt.want {
			t.Errorf("%q on %q of %q: %v", tt.pattern, tt.tool, tt.server, got)
		}
		if tt.server == "" && p.Matches(tt.tool) != tt.want {
			t.Errorf("%q on the name %q: not %v", tt.pattern, tt.tool, tt.want)
		}
	}
}
