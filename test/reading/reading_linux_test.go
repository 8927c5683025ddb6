package reading

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/text/shell"
)

var (
	seed  = flag.Uint64("seed", 1, "what the commands are made from")
	depth = flag.Int("depth", 3, "how many layers a command has at most")
	cases = flag.Int("cases", 300, "how many commands run programs; half as many use files, a quarter databases")
)

// TestExecuted runs commands that were made up: each start of a program must be among the commands that are read in the text.
func TestExecuted(t *testing.T) {
	shapes := readShapes(t)
	jobs := make([]job, *cases)
	for i := range jobs {
		g := &generator{Rand: rand.New(rand.NewPCG(*seed, uint64(i))), shapes: shapes}
		text := g.command(g.IntN(*depth + 1))
		jobs[i] = job{Shell: "bash", Text: text}
		if !g.bash && g.IntN(2) == 0 {
			jobs[i].Shell = "sh"
		}
	}
	count := map[grade]int{}
	idle := 0
	for i, o := range observe(t, jobs) {
		commands := shell.Read(jobs[i].Text, shell.Start{Folders: []string{project}})
		if len(o.Executed) == 0 {
			idle++
			if testing.Verbose() {
				t.Logf("idle: %s -c %s\n\t%s", jobs[i].Shell, jobs[i].Text, o.Output)
			}
		}
		for _, e := range o.Executed {
			g := best(commands, e.Program, e.Args)
			count[g]++
			if g == unseen {
				t.Errorf("seed %d: %s -c %s\nran  %s %q\nread %s", *seed, jobs[i].Shell, jobs[i].Text, e.Program, e.Args, shown(commands))
				break
			}
		}
	}
	if idle*4 > len(jobs) {
		t.Errorf("%d of %d commands ran nothing: the generator or the sandbox is broken", idle, len(jobs))
	}
	// A reading that takes everything for unknown would find everything. Of what ran, about one in 25 is read as an unknown program.
	if total := count[plain] + count[partly] + count[blank]; count[blank]*8 > total {
		t.Errorf("%d of %d programs that ran are read as unknown ones", count[blank], total)
	}
	t.Logf("seed %d: %d commands, %d of them ran nothing; of what ran, read word by word %d, with unknown parts %d, as unknown programs %d",
		*seed, len(jobs), idle, count[plain], count[partly], count[blank])
}

func shown(commands []shell.Command) string {
	var b strings.Builder
	for _, c := range commands {
		fmt.Fprintf(&b, "[%s] ", c)
	}
	return b.String()
}
