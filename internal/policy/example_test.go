package policy_test

import (
	"fmt"

	"github.com/weir-gate/weir/internal/policy"
)

// A policy is compiled once, and decides calls without clock or I/O. The strictest rule that matches wins.
func ExamplePolicy_Decide() {
	p, err := policy.Parse("policy.yaml", []byte(`
version: 1
default: allow
rules:
  - id: no-sudo
    tool: Bash
    conditions: {param_path: command, operator: runs, value: sudo}
    verdict: deny
    reason: Not as root.
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, args := range []string{`{"command":"ls"}`, `{"command":"cd /tmp && sudo ls"}`} {
		d := p.Decide(policy.Query{Tools: []string{"Bash"}, Args: []byte(args)})
		fmt.Printf("%s %q %q\n", d.Verdict, d.Rule, d.Reason)
	}
	// Output:
	// allow "" ""
	// deny "no-sudo" "Not as root. The tool itself is allowed; this use of it is not: \"sudo ls\"."
}
