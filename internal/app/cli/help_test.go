package cli

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func TestEveryCommandExplainsItself(t *testing.T) {
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		t.Run(cmd.CommandPath(), func(t *testing.T) {
			if cmd.Short == "" {
				t.Error("no Short")
			}
			if !strings.HasPrefix(cmd.Example, "  ") || !strings.Contains(cmd.Example, cmd.CommandPath()) {
				t.Errorf("no indented Example that shows it: %q", cmd.Example)
			}
			if !cmd.Runnable() || cmd.Args == nil {
				t.Error("it takes a misspelt subcommand for success")
			}
			checkExamples(t, cmd)
		})
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(Root())
}

// checkExamples makes sure that the flags in a command's examples are flags that the command has.
func checkExamples(t *testing.T, cmd *cobra.Command) {
	t.Helper()
	for line := range strings.Lines(cmd.Example) {
		line, _, _ = strings.Cut(line, "|")
		words := strings.Fields(line)
		for i, word := range words {
			if word != "weir" {
				continue
			}
			target, rest, err := Root().Find(words[i+1:])
			if err != nil {
				t.Errorf("example %q: %v", line, err)
				continue
			}
			for _, w := range rest {
				if w == "--" {
					break // what follows is for another program
				}
				name, isFlag := strings.CutPrefix(w, "--")
				if isFlag && target.Flags().Lookup(name) == nil {
					t.Errorf("example %q: %s has no flag %s", line, target.CommandPath(), w)
				}
			}
		}
	}
}
