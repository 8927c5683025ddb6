package runcmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/run/agent"
	"github.com/weir-gate/weir/internal/run/agent/roster"
	"github.com/weir-gate/weir/internal/run/setup"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

type setupFlags struct {
	config                        string
	yes, dryRun, undo, list, json bool
}

func newSetup() *cobra.Command {
	var f setupFlags
	cmd := &cobra.Command{
		Use:   "setup CLIENT | --list",
		Short: "Route a client through weir permanently, or undo that",
		Long: `setup changes the settings of a client so that it reaches its models and MCP servers through weir, and starts stdio
servers with weir mcp wrap. The clients are ` + strings.Join(agentNames(), ", ") + `. It shows the changes and asks
before it makes them. Everything else in the files stays as it is, comments included.

--undo restores the files. If you have edited them since, it only removes the settings that still have weir's values,
and names the others. Until then, weir stores the changes in the state folder.

If weir has clients, set WEIR_KEY to your key. It is written into the settings of the client.`,
		Example: `  weir setup claude
  weir setup codex --dry-run
  weir setup claude --undo
  weir setup --list`,
		Args:      cobra.MaximumNArgs(1),
		ValidArgs: agentNames(),
		RunE:      func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	cmd.Flags().StringVar(&f.config, "config", "", "configuration of the weir to use (default: weir.yaml in the configuration folder, if it "+
		"exists)")
	cmd.Flags().BoolVar(&f.yes, "yes", false, "do not ask")
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "only show what would change")
	cmd.Flags().BoolVar(&f.undo, "undo", false, "undo the changes of setup")
	cmd.Flags().BoolVar(&f.json, "json", false, "with --list: print one JSON object per line, one for each client")
	cmd.Flags().BoolVar(&f.list, "list", false, "list the clients on this machine, and where they connect to")
	for _, other := range []string{"undo", "config", "yes", "dry-run"} {
		cmd.MarkFlagsMutuallyExclusive("list", other)
	}
	cmd.MarkFlagsMutuallyExclusive("config", "undo")
	cmd.MarkFlagsMutuallyExclusive("yes", "dry-run")
	return cmd
}

func agentNames() []string {
	var names []string
	for _, a := range roster.All() {
		names = append(names, a.Name())
	}
	return names
}

func (f *setupFlags) run(cmd *cobra.Command, args []string) error {
	if f.list == (len(args) == 1) {
		return exit.WrongInput(fmt.Errorf("name a client (%s), or use --list", yamlfile.OneOf(agentNames())))
	}
	if f.json && !f.list {
		return exit.WrongInput(errors.New("--json is for --list; add it"))
	}
	stateDir, err := config.StateDir(os.LookupEnv)
	if err != nil {
		return exit.WrongInput(err)
	}
	journal := setup.NewJournal(stateDir)
	around, err := surroundings()
	if err != nil {
		return exit.WrongInput(err)
	}
	if f.list {
		if f.json {
			return printClientsJSON(cmd.OutOrStdout(), journal, around)
		}
		return f.printClients(cmd.OutOrStdout(), journal, around)
	}
	a, ok := roster.Named(args[0])
	if !ok {
		return exit.WrongInput(fmt.Errorf("weir does not know the client %s; use %s", yamlfile.Quote(args[0]), yamlfile.OneOf(agentNames())))
	}
	if f.undo {
		return f.takeBack(cmd, journal, a)
	}
	return f.lead(cmd, journal, a, around)
}

// surroundings returns those of this process, for agents that it starts.
func surroundings() (agent.Surroundings, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return agent.Surroundings{}, fmt.Errorf("find your home folder: %w; set HOME", err)
	}
	dir, err := os.Getwd()
	if err != nil {
		return agent.Surroundings{}, fmt.Errorf("find the working folder: %w", err)
	}
	return agent.Surroundings{Home: home, Dir: dir, Lookup: os.LookupEnv}, nil
}

// lead routes a client through weir.
func (f *setupFlags) lead(cmd *cobra.Command, journal *setup.Journal, a agent.Agent, around agent.Surroundings) error {
	if err := demandWhole(journal, a); err != nil {
		return err
	}
	way, err := f.way()
	if err != nil {
		return err
	}
	wanted, err := a.Setup(around, way.weir)
	if err != nil {
		return exit.WrongInput(fmt.Errorf("set up %s: %w", a.Title(), err))
	}
	plan, err := setup.Prepare(wanted.Changes)
	if err != nil {
		return exit.WrongInput(err)
	}
	out := cmd.OutOrStdout()
	notes := append(wanted.Notes, way.notes...)
	if plan.Empty() {
		printNotes(out, notes)
		_, err := fmt.Fprintf(out, "the settings of %s need no change\n", a.Title())
		return err
	}
	fmt.Fprint(out, plan.Diff())
	printNotes(out, notes)
	if done, err := f.agreed(cmd); !done {
		return err
	}
	if err := plan.Apply(journal, a.Name()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s now goes through %s\n  check it  weir verify %[3]s\n"+
		"  keep it   weir service install (weir runs whenever you do)\n  undo it   weir setup %[3]s --undo\n", a.Title(), way.shown, a.Name())
	return err
}

// demandWhole returns an error if an earlier setup did not finish: it may have changed only some of the settings.
func demandWhole(journal *setup.Journal, a agent.Agent) error {
	entries, err := journal.List()
	if err != nil {
		return exit.WrongInput(err)
	}
	for _, e := range entries {
		if e.Name == a.Name() && e.Stale {
			return exit.With(exit.Failed, fmt.Errorf("an earlier setup of %s did not finish; undo it first: weir setup %s --undo", a.Title(),
				a.Name()))
		}
	}
	return nil
}

// takeBack undoes a setup.
func (f *setupFlags) takeBack(cmd *cobra.Command, journal *setup.Journal, a agent.Agent) error {
	plan, err := journal.Undo(a.Name())
	if err != nil {
		return exit.WrongInput(err)
	}
	out := cmd.OutOrStdout()
	fmt.Fprint(out, plan.Diff())
	printNotes(out, plan.Left())
	if done, err := f.agreed(cmd); !done {
		return err
	}
	if err := plan.Apply(journal, a.Name()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s no longer goes through weir\n", a.Title())
	return err
}

func printNotes(out io.Writer, notes []string) {
	const longest = 1000
	for _, note := range notes {
		fmt.Fprintf(out, "note: %s\n", inert.Text(note, longest))
	}
}

// agreed says whether the shown changes should be made. Without a terminal nobody can be asked.
func (f *setupFlags) agreed(cmd *cobra.Command) (bool, error) {
	if f.dryRun {
		_, err := fmt.Fprintln(cmd.OutOrStdout(), "nothing was changed (--dry-run)")
		return false, err
	}
	if f.yes {
		return true, nil
	}
	in, ok := cmd.InOrStdin().(*os.File)
	if ok {
		info, err := in.Stat()
		ok = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	if !ok {
		return false, exit.WrongInput(errors.New("there is no terminal to ask on, so nothing was changed; use --yes to go ahead"))
	}
	fmt.Fprint(cmd.OutOrStdout(), "Change this? [y/N] ")
	answer, err := readAnswer(cmd.Context(), in)
	if err != nil {
		return false, err
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true, nil
	}
	return false, exit.With(exit.Failed, errors.New("nothing was changed"))
}

// readAnswer reads a line, or ends with the context. The end of the input is not an answer.
func readAnswer(ctx context.Context, in io.Reader) (string, error) {
	line := make(chan string, 1)
	go func() {
		text, err := bufio.NewReader(in).ReadString('\n')
		if err != nil {
			text = ""
		}
		line <- text
	}()
	select {
	case text := <-line:
		return text, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
