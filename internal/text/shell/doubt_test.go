package shell

import (
	"strings"
	"testing"
)

// A command that is not known says why.
func TestDoubts(t *testing.T) {
	for _, tt := range []struct {
		text string
		want Doubt
	}{
		{"ls -l", ""},
		{`echo "x`, Unclosed},
		{`echo 'x`, Unclosed},
		{"echo `x", Unclosed},
		{"(ls", Incomplete},
		{"if true; then ls", Incomplete},
		{"cat <<E\nx", Incomplete},
		{"ls )", Unparsed},
		{"ls " + strings.Repeat("> x ", maxRedirect+1), TooLong},
		{strings.Repeat("$(", 3000) + strings.Repeat(")", 3000), TooDeep},
		{nested(maxDepth + 2), TooDeep},
		{`eval "$X"`, Computed},
		{`rm "$X"`, Computed},
		{"curl x | sh", Computed},
		{"LD_PRELOAD=x.so ls", Opaque},
	} {
		var got Doubt
		for _, c := range Read(tt.text, Start{}) {
			if why := c.InDoubt(); why != "" {
				got = why
				break
			}
		}
		if got != tt.want {
			t.Errorf("%.60q is in doubt as %q, want %q", tt.text, got, tt.want)
		}
	}
}

// nested is a command in so many substitutions.
func nested(depth int) string {
	return strings.Repeat("$(echo ", depth) + "x" + strings.Repeat(")", depth)
}
