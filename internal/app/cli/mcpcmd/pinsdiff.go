package mcpcmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/cli/terminal"
	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/text/inert"
)

func newPinsDiff() *cobra.Command {
	var f registryFlags
	cmd := &cobra.Command{
		Use:   "diff SERVER [TOOL]",
		Short: "Show how tools changed since they were trusted",
		Long: `diff compares the current definition of each trusted tool of a server with the trusted one, and prints the
differences. Members that are not part of the hash (_meta, and those MCP does not define) are shown too, and
marked.

The exit code is 0 if nothing differs, 1 if something does, 2 if they could not be compared.

With --json a tool that differs has the members server, tool, state, was and now (the hashes), gone (since when
the server no longer offers it) and differences: each with path (a JSON pointer), before, after, words (same,
removed and added words of a text) and noted (true: not part of the hash).`,
		Example: `  weir mcp pins diff filesystem
  weir mcp pins diff filesystem read_file --json`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := f.read(cmd.Context())
			if err != nil {
				return exit.With(exit.Usage, err)
			}
			all, err := pinDiffs(r, args)
			if err != nil {
				return err
			}
			err = terminal.Show(cmd, func(s *terminal.Screen) error {
				if f.json {
					return jsonout.PrintLines(s, all)
				}
				return f.printDiffs(s, all)
			})
			if err == nil && len(all) > 0 {
				return exit.With(exit.Failed, exit.ErrSilent)
			}
			return err
		},
	}
	f.register(cmd)
	terminal.RegisterScreen(cmd)
	return cmd
}

// A pinDiff is what changed in a tool since it was trusted.
type pinDiff struct {
	Server      string                `json:"server"`
	Tool        string                `json:"tool"`
	State       registry.State        `json:"state"`
	Was         registry.Hash         `json:"was"`
	Now         registry.Hash         `json:"now"`
	Gone        time.Time             `json:"gone,omitzero"`
	Differences []registry.Difference `json:"differences"`
}

// pinDiffs returns the differences of a server, or of one of its tools.
func pinDiffs(r *registry.Registry, args []string) ([]pinDiff, error) {
	server := args[0]
	pins := r.Pins(server)
	if len(args) == 1 {
		if err := demandServer(r, server); err != nil {
			return nil, err
		}
	} else {
		id := registry.Identity{Server: server, Name: args[1]}
		if _, err := demandTool(r, id); err != nil {
			return nil, err
		}
		pin := r.State(server, id.Name).Pin
		if pin == nil {
			return nil, exit.WrongInput(fmt.Errorf("%s is not trusted, so there is nothing to compare it with; see weir mcp tools and weir mcp "+
				"pins trust",
				toolName(id)))
		}
		pins = []registry.Pin{*pin}
	}
	var all []pinDiff
	for _, p := range pins {
		t, known := r.Tool(server, p.Name)
		if !known {
			return nil, errors.New("a tool was removed meanwhile; try again")
		}
		d := pinDiff{
			Server: server, Tool: p.Name, State: r.State(server, p.Name).State, Was: p.Hash, Now: t.Hash, Gone: t.Gone,
			Differences: registry.Diff(p.Definition, t.Definition),
		}
		if len(d.Differences) > 0 || !d.Gone.IsZero() {
			all = append(all, d)
		}
	}
	return all, nil
}

// toolName returns the name of a tool for people.
func toolName(id registry.Identity) string {
	return inert.Name(id.Name, shownName) + " of " + inert.Name(id.Server, shownName)
}

func (f *registryFlags) printDiffs(w io.Writer, all []pinDiff) error {
	out := bufio.NewWriter(w) // it returns its first error from Flush
	for _, d := range all {
		name := toolName(registry.Identity{Server: d.Server, Name: d.Tool})
		switch {
		case !d.Gone.IsZero():
			fmt.Fprintf(out, "%s is gone since %s\n", name, f.when(d.Gone))
		case d.Was == d.Now:
			fmt.Fprintf(out, "%s is unchanged: %s\n", name, d.Now)
		default:
			fmt.Fprintf(out, "%s is changed: trusted is %s, now it is %s\n", name, d.Was, d.Now)
		}
		if err := writeDifferences(out, d.Differences); err != nil {
			return err
		}
	}
	return out.Flush()
}

// writeDifferences writes differences, indented below the line about their tool.
func writeDifferences(out io.Writer, all []registry.Difference) error {
	var text strings.Builder
	if err := registry.WriteDifferences(&text, all); err != nil {
		return err
	}
	for line := range strings.Lines(text.String()) {
		if _, err := io.WriteString(out, "  "+line); err != nil {
			return err
		}
	}
	return nil
}
