package policy

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"mvdan.cc/sh/v3/syntax"

	"github.com/weir-gate/weir/internal/policy/preset"
)

// BenchmarkParseCost compares decisions of the starter policy about long scripts with the shell parser alone on the same text, in turns,
// so that the load of the machine does not count. x-parser is the proportion of their medians.
func BenchmarkParseCost(b *testing.B) {
	p, err := Parse("starter", preset.Starter())
	if err != nil {
		b.Fatal(err)
	}
	for _, size := range []int{64 << 10, 1 << 20, 8 << 20} {
		script := strings.Repeat(";ls", size/3)[1:]
		for form, args := range map[string]any{
			"text": map[string]any{"command": script},
			"list": map[string]any{"command": []string{"bash", "-lc", script}},
		} {
			text, err := json.Marshal(args)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%dKiB-%s", size>>10, form), func(b *testing.B) {
				var judging, parsing []time.Duration
				var code string
				for b.Loop() {
					start := time.Now()
					if _, err := syntax.NewParser().Parse(strings.NewReader(script), ""); err != nil {
						b.Fatal(err)
					}
					parsing = append(parsing, time.Since(start))
					start = time.Now()
					code = p.Decide(Query{Tools: []string{"Bash"}, Args: text}).Code
					judging = append(judging, time.Since(start))
				}
				b.ReportMetric(float64(median(judging))/float64(median(parsing)), "x-parser")
				b.Logf("code %q", code)
			})
		}
	}
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}
