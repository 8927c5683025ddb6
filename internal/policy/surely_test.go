package policy

import (
	"fmt"
	"testing"
)

// What surely_ operators look for must be in the text. Doubt is enough for the others.
func TestSurely(t *testing.T) {
	for _, tt := range []struct {
		operator, value, sure, doubtful, other string
	}{
		{"reads", "/etc/shadow", "cat /etc/shadow", "cat /etc/sh*", "cat notes"},
		{"writes", "/etc/**", "echo x > /etc/hosts; ls", "echo x > /etc/$X; cd `pwd`; echo 'unterminated", "echo /etc/x"},
		{"removes", "/etc", "rm -rf /etc", "rm -rf /*", "rm -rf etc"},
		{"stops", "process:*weir*", "pkill weir", "kill $PID; eval 'unterminated", "echo pkill weir"},
		{"escalates", "user", "sudo ls", `"unterminated sudo`, "echo sudo"},
	} {
		for _, c := range []struct {
			operator, command string
			holds             bool
		}{
			{tt.operator, tt.sure, true},
			{tt.operator, tt.doubtful, true},
			{tt.operator, tt.other, false},
			{"surely_" + tt.operator, tt.sure, true},
			{"surely_" + tt.operator, tt.doubtful, false},
			{"surely_" + tt.operator, tt.other, false},
		} {
			p := mustParse(t, fmt.Sprintf("version: 1\ndefault: allow\nrules: [{id: r, tool: x, verdict: deny, conditions: {operator: %s, value: %q}}]", c.operator, tt.value))
			if got := p.Decide(Query{Tools: []string{"x"}, Args: fmt.Appendf(nil, `{"command":%q}`, c.command)}); got.Refused() != c.holds {
				t.Errorf("%s %s: %q: %+v", c.operator, tt.value, c.command, got)
			}
		}
	}
}
