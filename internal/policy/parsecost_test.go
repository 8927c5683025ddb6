//go:build unix

package policy

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"mvdan.cc/sh/v3/syntax"

	"github.com/weir-gate/weir/internal/policy/preset"
)

// BenchmarkParseCost compares decisions of the starter policy about long scripts with the shell parser alone on the same text, in turns
// and by the time of the processor, so that the load of the machine does not count. x-parser is the proportion.
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
				var judging, parsing time.Duration
				var code string
				for b.Loop() {
					start := processorTime(b)
					if _, err := syntax.NewParser().Parse(strings.NewReader(script), ""); err != nil {
						b.Fatal(err)
					}
					parsing += processorTime(b) - start
					start = processorTime(b)
					code = p.Decide(Query{Tools: []string{"Bash"}, Args: text}).Code
					judging += processorTime(b) - start
				}
				b.ReportMetric(float64(judging)/float64(parsing), "x-parser")
				b.Logf("code %q", code)
			})
		}
	}
}

// processorTime is how long the process has used processors so far, those of the garbage collector included.
func processorTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
