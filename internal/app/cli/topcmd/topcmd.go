// Package topcmd is the command weir top: sessions, calls and cost on one screen, as they happen.
package topcmd

import (
	"errors"
	"fmt"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/cli/terminal"
)

// Add adds the command.
func Add(root *cobra.Command) { root.AddCommand(newTop()) }

type topFlags struct {
	excerpt.Flags
	excerpt.Selection
	every time.Duration
	json  bool
}

func newTop() *cobra.Command {
	var f topFlags
	cmd := &cobra.Command{
		Use:   "top",
		Short: "Watch sessions, calls, held ones and cost on one screen",
		Long: `top fills the terminal with what happens now: the sessions of the last hour (--since) with their calls, refusals and
cost, the calls that weir holds, and the newest calls. It reads the store and asks the weir of this machine; if
that does not run, the calls are shown all the same.

Keys: up and down, or k and j, choose a line; tab changes between sessions and calls; enter opens a call, or shows
the calls of one session only; / filters, such as tool=Bash or employee=!ann, or a part of a tool's name; r shows
what was refused only; space stops and goes on; esc goes back; q quits.

With --json it prints one look and ends.`,
		Example: `  weir top
  weir top --since today --employee ann@acme.com
  weir top --json | jq .totals`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.Flags.Register(cmd)
	f.Selection.Register(cmd)
	cmd.Flags().Lookup("since").DefValue = usualSince
	cmd.Flags().DurationVar(&f.every, "every", time.Second, "how often to look")
	cmd.Flags().BoolVar(&f.json, "json", false, "print one look as JSON, and end")
	return cmd
}

// usualSince is from when on sessions and sums are shown.
const usualSince = "1h"

// leastEvery is how often it may look at most: each look asks the store some questions.
const leastEvery = 100 * time.Millisecond

func (f *topFlags) run(cmd *cobra.Command) error {
	if !cmd.Flags().Changed("since") {
		if err := cmd.Flags().Set("since", usualSince); err != nil {
			return err
		}
	}
	if err := f.Complete(cmd); err != nil {
		return exit.WrongInput(err)
	}
	if f.every < leastEvery {
		return exit.WrongInput(fmt.Errorf("--every: %s is less than %s", f.every, leastEvery))
	}
	out, onTerminal := cmd.OutOrStdout().(*os.File)
	if !f.json && (!onTerminal || !terminal.Is(out) || !terminal.CanAsk(cmd)) {
		return exit.WrongInput(errors.New("weir top needs a terminal; elsewhere use weir calls --follow, weir stats or weir top --json"))
	}
	r, err := f.Open(cmd.Context())
	if err != nil {
		return err
	}
	defer r.Close() // nothing was written
	if f.Filter, err = excerpt.Meant(cmd.Context(), r, f.Filter); err != nil {
		return err
	}
	w := &watcher{record: r, since: f.Filter.Since}
	if f.json {
		l, err := w.look(cmd.Context(), f.Filter)
		if err != nil {
			return err
		}
		return jsonout.Print(cmd.OutOrStdout(), l)
	}
	m := newModel(cmd.Context(), w, f, terminal.WantsColours(out))
	program := tea.NewProgram(m, tea.WithContext(cmd.Context()), tea.WithoutSignalHandler(),
		tea.WithInput(cmd.InOrStdin()), tea.WithOutput(out))
	last, err := program.Run()
	if cmd.Context().Err() != nil {
		return nil // somebody ended it, as people end such programs
	}
	if done, ok := last.(*model); ok && err == nil {
		err = done.fatal
	}
	return err
}
