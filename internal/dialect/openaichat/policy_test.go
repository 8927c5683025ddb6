package openaichat_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/policy"
)

// TestParityUnderPolicies checks that streams and whole completions are judged alike, with made up responses and made up
// policies in the language that users write.
func TestParityUnderPolicies(t *testing.T) {
	s := subject(t)
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 7))
		source := randomPolicy(rng)
		p, err := policy.Parse("policy.yaml", []byte(source))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, source)
		}
		in := generate(rng)
		drop := rng.IntN(3) == 0
		s.CheckParity(t, in, func() *dialecttest.Judge { return &dialecttest.Judge{Policy: judgeBy(p, drop)} })
		if t.Failed() {
			t.Fatalf("seed %d:\n%s\n%s", seed, source, in)
		}
	}
}

// judgeBy makes a policy of the language one of the contract suite.
func judgeBy(p *policy.Policy, drop bool) dialecttest.Policy {
	query := func(c call.Call) policy.Query {
		return policy.Query{
			Surface: c.Surface, Actor: c.Actor, Server: c.Server, Tools: append([]string{c.Tool}, c.Aliases...), Args: c.Args,
		}
	}
	return dialecttest.Policy{
		Name: "policy", Drop: drop,
		ByName: func(c call.Call) bool {
			_, refused := p.RefusedByName(query(c))
			return refused
		},
		ByArgs: func(c call.Call) bool { return p.Decide(query(c)).Refused() },
	}
}

// randomPolicy is a policy about the tools and arguments that generate makes up.
func randomPolicy(r *rand.Rand) string {
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	var b strings.Builder
	fmt.Fprintf(&b, "version: 1\ndefault: %s\nrules:\n", pick("allow", "audit", "deny"))
	for i := range 1 + r.IntN(4) {
		fmt.Fprintf(&b, "  - id: rule-%d\n    tool: %q\n    verdict: %s\n", i,
			pick("*", "bash", "*_file", "future_*", "video"),
			pick("allow", "audit", "deny", "deny"))
		if r.IntN(2) == 0 {
			fmt.Fprintf(&b, "    conditions:\n      %s:\n        - {param_path: %q, operator: %s, value: %q}\n",
				pick("any", "all", "none"), pick("$", "k0", "**.k1", "body"),
				pick("contains", "not_contains", "matches", "starts_with"), pick(dialecttest.Secret, "1", "sea", "😀", "é"))
		}
	}
	return b.String()
}
