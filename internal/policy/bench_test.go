package policy

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/policy/preset"
)

// BenchmarkStarter measures decisions of the starter policy about an ordinary command and about texts of 1 MiB.
func BenchmarkStarter(b *testing.B) {
	p, err := Parse("starter", preset.Starter())
	if err != nil {
		b.Fatal(err)
	}
	many := func(text string) string { return strings.Repeat(text, 1<<20/len(text)) }
	for name, command := range map[string]string{
		"small":      "go test ./... 2>&1 | tail -20",
		"script":     many("echo some words of text and a path /usr/bin/env; "),
		"files":      many("cp src/a.go build/a.go && rm -f build/b.o\n"),
		"word":       "echo " + many("a"),
		"document":   "cat > a.md <<'EOF'\n" + many("Some text that a person writes of curl, python and /paths/of/files.\n") + "EOF\n",
		"code":       "python3 - <<'EOF'\n" + many("print('a line of code that reads and writes')\n") + "EOF\n",
		"unreadable": "if ( " + many("some words "),
		"refused":    many("cp src/a.go build/a.go && rm -f build/b.o\n") + "rm -rf /",
	} {
		args := fmt.Sprintf(`{"command":%q}`, command)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(args)))
			b.ReportAllocs()
			for b.Loop() {
				p.Decide(Query{Tools: []string{"Bash"}, Args: []byte(args)})
			}
		})
	}
}

// benchRules are policies of many rules of one kind. A call matches few of them, as in real policies.
var benchRules = map[string]func(i int) string{
	"names": func(i int) string { return fmt.Sprintf("{id: r%d, tool: tool_%d, verdict: deny}", i, i) },
	"globs": func(i int) string {
		return fmt.Sprintf("{id: r%d, tool: ['mcp__server%d__*', '*_act%d', '*inside%dx*'], verdict: deny}", i, i, i, i)
	},
	"regexes": func(i int) string {
		return fmt.Sprintf(`{id: r%d, tool: Bash, verdict: deny, conditions: {any: [{param_path: command, operator: matches, value: 'secret%dx\s+-[rf]+\s+/(?:etc|usr)'}]}}`, i, i)
	},
}

// benchTools are what is called: one that a single rule names, or all rules whose conditions then count.
var benchTools = map[string]string{"names": "tool_5", "globs": "mcp__server5__list", "regexes": "Bash"}

func benchPolicy(b *testing.B, kind string, rules int) *Policy {
	b.Helper()
	var text strings.Builder
	text.WriteString("version: 1\ndefault: allow\nrules:\n")
	for i := range rules {
		text.WriteString("- " + benchRules[kind](i) + "\n")
	}
	p, err := Parse("policy.yaml", []byte(text.String()))
	if err != nil {
		b.Fatal(err)
	}
	return p
}

func benchArgs(size int) []byte {
	const words = "echo some words of text and a path /usr/bin/env; "
	return []byte(`{"command":"` + strings.Repeat(words, 1+size/len(words))[:size] + `"}`)
}

// BenchmarkDecide measures decisions by the number of rules and the size of arguments. x-of-10 is the time in proportion to that of
// ten rules, measured in turns with it, so that the load of the machine does not count.
func BenchmarkDecide(b *testing.B) {
	sizes := []struct {
		name  string
		bytes int
	}{{"100B", 100}, {"10KB", 10 << 10}, {"100KB", 100 << 10}, {"1MB", 1 << 20}}
	for _, kind := range []string{"names", "globs", "regexes"} {
		ten := benchPolicy(b, kind, 10)
		for _, rules := range []int{10, 1000, 10000} {
			p := benchPolicy(b, kind, rules)
			for _, size := range sizes {
				args := benchArgs(size.bytes)
				b.Run(fmt.Sprintf("%s/%d/%s", kind, rules, size.name), func(b *testing.B) {
					b.ReportAllocs()
					q := Query{Tools: []string{benchTools[kind]}, Args: args}
					var spent, reference time.Duration
					for b.Loop() {
						start := time.Now()
						p.Decide(q)
						between := time.Now()
						ten.Decide(q)
						spent, reference = spent+between.Sub(start), reference+time.Since(between)
					}
					b.ReportMetric(float64(spent.Nanoseconds())/float64(b.N), "ns/decision")
					b.ReportMetric(float64(spent)/float64(max(1, reference)), "x-of-10")
				})
			}
		}
	}
}

// BenchmarkGuard measures decisions of a policy with an mcp block, about calls of which the registry knows nothing, one tool, and many.
func BenchmarkGuard(b *testing.B) {
	p, err := Parse("policy.yaml", []byte(withBlock("allow", `server_policy: allowlist
allowed_servers: [{id: fs}, {id: "git*"}]
denied_servers: [{id: evil}]
denied_tools: [{server: fs, tool: "delete_*"}, {tool: execute_command}]
fail_closed: true
version_pinning: {}
rate_limits: {default_rpm: 60}`)))
	if err != nil {
		b.Fatal(err)
	}
	many := said("seek")
	for i := range 50 {
		many.Known = append(many.Known, known(fmt.Sprintf("git%d", i), "seek", "bare"))
	}
	for name, q := range map[string]Query{
		"native": said("Bash"), "declared": said("mcp__fs__read", known("fs", "read")), "called": to("fs", "read", known("fs", "read")), "many": many,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p.Decide(q)
			}
		})
	}
}

// BenchmarkConnections measures decisions about connections: of a policy without rules, where only the canary counts, and of a preset.
func BenchmarkConnections(b *testing.B) {
	tight, err := preset.Text("tight")
	if err != nil {
		b.Fatal(err)
	}
	for name, text := range map[string]string{"empty": emptyPolicy, "tight": string(tight)} {
		p, err := Parse("policy.yaml", []byte(text))
		if err != nil {
			b.Fatal(err)
		}
		q := connecting(`{"host":"registry.npmjs.org","address":"192.0.2.1","port":443,"protocol":"tcp","process":"npm"}`)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p.Decide(q)
			}
		})
	}
}
