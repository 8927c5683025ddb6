package dialecttest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/strictjson"
)

// Random generates pieces of responses.
type Random struct{ *rand.Rand }

// Pick returns one of some texts.
func (r Random) Pick(from ...string) string { return pick(r.Rand, from) }

// Tool returns the name of a tool.
func (r Random) Tool() string { return r.Pick("bash", "read_file", "delete_file", "get_time") }

// Secret begins with [Secret] and is different each time, so that it tells which call it is from.
func (r Random) Secret() string { return fmt.Sprint(Secret, r.Uint32()) }

// Object returns a JSON object. Strings in it contain the Secret.
func (r Random) Object(depth int) string {
	var members []string
	for i := range r.IntN(4) {
		name := Quote(fmt.Sprint("k", i, r.Pick("", "é", " ", "😀")))
		members = append(members, name+":"+r.Pick("", " ")+r.Value(depth-1))
	}
	return "{" + strings.Join(members, r.Pick(",", ", ")) + "}"
}

// Value returns a JSON value of any kind.
func (r Random) Value(depth int) string {
	kinds := 8
	if depth <= 0 {
		kinds = 6
	}
	switch r.IntN(kinds) {
	case 0:
		return r.Pick("0", "-1", "1e400", "12345678901234567890", "0.10", "-0")
	case 1:
		return r.Pick("true", "false", "null")
	case 2, 3:
		return Quote(r.Secret() + strings.ReplaceAll(r.Words(), " ", "_"))
	case 4:
		return `"` + r.Secret() + r.Pick(`\ud83d\ude00`, `\u00e9`, `\/`, `\"`, `\u0000`) + `"`
	case 5:
		return Quote(r.Secret())
	case 6:
		var elems []string
		for range r.IntN(3) {
			elems = append(elems, r.Value(depth-1))
		}
		return "[" + strings.Join(elems, ",") + "]"
	}
	return r.Object(depth)
}

// Words are text with everything in it that text can have.
func (r Random) Words() string {
	var b strings.Builder
	for range r.IntN(6) {
		b.WriteString(r.Pick("sea ", "top ", "\"sky\" ", "é水 ", "😀", "\n", "\\ ", "\u2028", "<b>", "\x00"))
	}
	return b.String()
}

// Pieces are some words, cut into JSON strings.
func (r Random) Pieces() []string { return r.Split(r.Words()) }

// Split cuts text into JSON strings, at any unit of UTF-16: between the two halves of a character too.
func (r Random) Split(text string) []string {
	var pieces []string
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			pieces = append(pieces, `"`+b.String()+`"`)
			b.Reset()
		}
	}
	for _, c := range text {
		hi, lo := utf16.EncodeRune(c)
		switch {
		case c > 0xFFFF && r.IntN(2) == 0:
			fmt.Fprintf(&b, `\u%04x`, hi)
			if r.IntN(3) == 0 {
				flush()
			}
			fmt.Fprintf(&b, `\u%04x`, lo)
		case c < 0xFFFF && r.IntN(20) == 0:
			fmt.Fprintf(&b, `\u%04X`, c)
		default:
			quoted := strictjson.AppendString(nil, string(c))
			b.Write(quoted[1 : len(quoted)-1])
		}
		if r.IntN(6) == 0 {
			flush()
		}
	}
	flush()
	return pieces
}

// Merge merges two lists, each in its order.
func (r Random) Merge(a, b []string) []string {
	var all []string
	for len(a)+len(b) > 0 {
		from := &a
		if len(a) == 0 || len(b) > 0 && r.IntN(2) == 0 {
			from = &b
		}
		all = append(all, (*from)[0])
		*from = (*from)[1:]
	}
	return all
}

// CheckParityUnderPolicies checks that streams and whole responses are judged alike, with made up responses and made up
// policies in the language that users write. The tools are globs for those that s makes up.
func (s Subject) CheckParityUnderPolicies(t *testing.T, tools ...string) {
	t.Helper()
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 7))
		source := randomPolicy(rng, tools)
		p, err := policy.Parse("policy.yaml", []byte(source))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, source)
		}
		in := s.Generate(rng)
		drop := rng.IntN(3) == 0
		s.CheckParity(t, in, func() *Judge { return &Judge{Policy: judgeBy(p, drop)} })
		if t.Failed() {
			t.Fatalf("seed %d:\n%s\n%s", seed, source, in)
		}
	}
}

// judgeBy makes a policy of the language one of the contract suite.
func judgeBy(p *policy.Policy, drop bool) Policy {
	query := func(c call.Call) policy.Query {
		return policy.Query{
			Surface: c.Surface, Actor: c.Actor, Server: c.Server, Tools: append([]string{c.Tool}, c.Aliases...), Args: c.Args,
			Spellings: c.Spellings,
		}
	}
	return Policy{
		Name: "policy", Drop: drop,
		ByName: func(c call.Call) bool {
			_, refused := p.RefusedByName(query(c))
			return refused
		},
		ByArgs: func(c call.Call) bool { return p.Decide(query(c)).Refused() },
	}
}

// randomPolicy is a policy about some tools and the arguments that are made up for them.
func randomPolicy(r *rand.Rand, tools []string) string {
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	var b strings.Builder
	fmt.Fprintf(&b, "version: 1\ndefault: %s\nrules:\n", pick("allow", "audit", "deny"))
	for i := range 1 + r.IntN(4) {
		fmt.Fprintf(&b, "  - id: rule-%d\n    tool: %q\n    verdict: %s\n", i, pick(tools...), pick("allow", "audit", "deny", "deny"))
		if r.IntN(2) == 0 {
			fmt.Fprintf(&b, "    conditions:\n      %s:\n        - {param_path: %q, operator: %s, value: %q}\n",
				pick("any", "all", "none"), pick("$", "k0", "**.k1", "body"),
				pick("contains", "not_contains", "matches", "starts_with"), pick(Secret, "1", "sea", "😀", "é"))
		}
	}
	return b.String()
}
