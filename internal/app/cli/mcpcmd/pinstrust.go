package mcpcmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/cli/running"
	"github.com/weir-gate/weir/internal/app/cli/terminal"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/quantity"
	"github.com/weir-gate/weir/internal/text/scan"
)

// trustFlags are the flags of pins trust.
type trustFlags struct {
	registryFlags
	all, yes bool
	hash     string
	reason   string
}

func newPinsTrust() *cobra.Command {
	var f trustFlags
	cmd := &cobra.Command{
		Use:   "trust SERVER [TOOL]",
		Short: "Trust the current definition of tools",
		Long: `trust shows how a tool differs from the trusted definition, or the whole definition if there is none, with
everything that could mislead a model. Then it asks whether to trust the tool as it is now. weir stores the
decision with your login name, and records it (mcp_pin_changed). With --all it does so for every tool of the
server that is offered and not trusted yet.

Without a terminal it needs --yes. --hash makes sure that you trust what you checked: weir mcp tools --json and
weir mcp pins diff print the hash.

The exit code is 1 if the tool changed meanwhile, is gone, or you say no. Then nothing is trusted.

With --json, which needs --yes, a pin has the members server, tool, state, stands, hash, by and time, as in weir
mcp pins list.`,
		Example: `  weir mcp pins trust filesystem read_file
  weir mcp pins trust filesystem --all --yes
  weir mcp pins trust filesystem read_file --yes --hash weirtool1:9b1f…`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.register(cmd)
	cmd.Flags().BoolVar(&f.all, "all", false, "trust every tool that the server offers and that is not trusted yet")
	cmd.Flags().BoolVarP(&f.yes, "yes", "y", false, "do not ask")
	cmd.Flags().StringVar(&f.hash, "hash", "", "trust the tool only if this is its full hash")
	cmd.Flags().StringVar(&f.reason, "reason", "", "reason, for the record")
	cmd.MarkFlagsMutuallyExclusive("all", "hash")
	return cmd
}

func (f *trustFlags) run(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 1 && !f.all:
		return exit.WrongInput(errors.New("no tool given; name one, or add --all"))
	case len(args) == 2 && f.all:
		return exit.WrongInput(errors.New("--all means every tool of the server; remove the name of the tool"))
	case f.json && !f.yes:
		return exit.WrongInput(errors.New("--json cannot ask; add --yes"))
	}
	r, err := f.read(cmd.Context())
	if err != nil {
		return err
	}
	tools, err := f.choose(r, args)
	if err != nil {
		return err
	}
	if !f.json {
		if err := f.show(cmd.OutOrStdout(), r, tools); err != nil {
			return err
		}
	}
	if len(tools) > 0 && !f.yes {
		if err := ask(cmd, fmt.Sprintf("Trust %s as defined now?", quantity.Count(len(tools), "tool"))); err != nil {
			return err
		}
	}
	pins, err := f.trust(cmd.Context(), tools)
	if err != nil {
		return err
	}
	return f.printTrusted(cmd.OutOrStdout(), pins)
}

// choose returns the tools to trust. Tools whose current definition somebody trusts already are not among them.
func (f *trustFlags) choose(r *registry.Registry, args []string) ([]registry.Tool, error) {
	server := args[0]
	if f.all {
		if err := demandServer(r, server); err != nil {
			return nil, err
		}
		var all []registry.Tool
		for _, t := range r.Tools(server) {
			if st := r.State(server, t.Name); st.Offered && st.State != registry.Trusted {
				all = append(all, t)
			}
		}
		return all, nil
	}
	id := registry.Identity{Server: server, Name: args[1]}
	t, err := demandTool(r, id)
	if err != nil {
		return nil, err
	}
	st := r.State(server, id.Name)
	switch {
	case f.hash != "" && f.hash != string(t.Hash):
		return nil, fmt.Errorf("%s has changed: its hash is %s now; see weir mcp pins diff", toolName(id), t.Hash)
	case !st.Offered:
		return nil, fmt.Errorf("%s is gone, so it cannot be trusted; weir mcp pins reset forgets it", toolName(id))
	case st.State == registry.Trusted && st.Pin.By != "":
		return nil, nil
	}
	return []registry.Tool{t}, nil
}

// show prints what is new in each tool, and what in it could mislead a model.
func (f *trustFlags) show(w io.Writer, r *registry.Registry, tools []registry.Tool) error {
	scanner, err := scan.New(scan.Config{})
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w) // it returns its first error from Flush
	for _, t := range tools {
		before, word := registry.Definition{Server: t.Server, Name: t.Name}, "is not trusted yet"
		if pin := r.State(t.Server, t.Name).Pin; pin != nil {
			before, word = pin.Definition, "was trusted on "+f.when(pin.Time)
		}
		fmt.Fprintf(out, "%s %s; %s\n", toolName(t.Identity()), word, t.Hash)
		if err := writeDifferences(out, registry.Diff(before, t.Definition)); err != nil {
			return err
		}
		for _, found := range findingsIn(scanner, t.Definition) {
			fmt.Fprintf(out, "  %s %s at %s: %s: %s\n", found.Severity, inert.Name(found.Rule, shownName), inert.Name(found.Where, shownLine),
				inert.Text(found.Why, 200), inert.Text(found.Excerpt, 200))
		}
	}
	return out.Flush()
}

// trust pins the definitions of tools that were shown.
func (f *trustFlags) trust(ctx context.Context, tools []registry.Tool) ([]pinLine, error) {
	if len(tools) == 0 {
		return nil, nil
	}
	s, err := f.change(ctx)
	if err != nil {
		return nil, err
	}
	defer s.Close() // what was written is durable
	r, err := registry.New(ctx, registry.Config{Store: s})
	if err != nil {
		return nil, err
	}
	var words []registry.Trust
	var changes []call.PinChange
	for _, t := range tools {
		words = append(words, registry.Trust{Identity: t.Identity(), Hash: t.Hash, By: running.Login()})
		c := call.PinChange{Server: t.Server, Tool: t.Name, By: running.Login(), Hash: string(t.Hash), Reason: f.reason}
		if pin := r.State(t.Server, t.Name).Pin; pin != nil {
			c.Was = string(pin.Hash)
		}
		changes = append(changes, c)
	}
	pins, err := r.Trust(ctx, words...)
	if errors.Is(err, registry.ErrMoved) || errors.Is(err, registry.ErrUnknown) {
		return nil, errors.New("a tool changed meanwhile, so nothing was trusted; try again")
	}
	if err != nil {
		return nil, err
	}
	if err := f.recordPins(ctx, s, changes); err != nil {
		return nil, err
	}
	var all []pinLine
	for _, p := range pins {
		all = append(all, pinLine{
			Server: p.Server, Tool: p.Name, State: registry.Trusted, Stands: true, Hash: p.Hash, By: p.By, Time: p.Time,
		})
	}
	return all, nil
}

func (f *trustFlags) printTrusted(out io.Writer, all []pinLine) error {
	if f.json {
		return jsonout.PrintLines(out, all)
	}
	if len(all) == 0 {
		_, err := fmt.Fprintln(out, "nothing to do: every tool is trusted as it is defined now")
		return err
	}
	_, err := fmt.Fprintf(out, "trusted %s as %s\n", quantity.Count(len(all), "tool"), inert.Name(all[0].By, shownName))
	return err
}

// errNoTerminal says that nobody can answer the question.
var errNoTerminal = errors.New("there is no terminal to ask on; add --yes if you have checked it")

// ask asks a question on the terminal.
func ask(cmd *cobra.Command, question string) error {
	yes, err := terminal.Ask(cmd, question)
	switch {
	case errors.Is(err, terminal.ErrNobody):
		return exit.WrongInput(errNoTerminal)
	case err == nil && !yes:
		return errors.New("nothing was trusted")
	default:
		return err
	}
}
