package mcpcmd

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/cli/terminal"
	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/table"
)

func newPins() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "pins",
		Short: "Manage which tools of MCP servers are trusted",
		Example: `  weir mcp pins list
  weir mcp pins diff filesystem
  weir mcp pins trust filesystem read_file`,
	}
	cmd.AddCommand(newMCPPinsList(), newPinsDiff(), newPinsTrust(), newPinsReset())
	return cmd
}

func newMCPPinsList() *cobra.Command {
	var f registryFlags
	cmd := &cobra.Command{
		Use:   "list [SERVER]",
		Short: "Show which tools are trusted, by whom and since when",
		Long: `list prints one line for each trusted tool: whether its definition is still the trusted one (stands), or the
tool is changed or gone; who trusts it, or that it was trusted when first seen; since when; and the beginning of
the trusted hash.

With --json a pin has the members server, tool, state (trusted, changed or gone), stands, hash, now (the current
hash, if it differs), by (missing if it was trusted when first seen) and time.`,
		Example: `  weir mcp pins list
  weir mcp pins list filesystem --json | jq 'select(.stands | not).tool'`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := f.read(cmd.Context())
			if err != nil {
				return err
			}
			servers, err := serversOf(r, args)
			if err != nil {
				return err
			}
			all := pinLines(r, servers)
			return terminal.Show(cmd, func(s *terminal.Screen) error {
				if f.json {
					return jsonout.PrintLines(s, all)
				}
				return f.printPins(s, all)
			})
		},
	}
	f.register(cmd)
	terminal.RegisterScreen(cmd)
	return cmd
}

// A pinLine is what is shown about a pin.
type pinLine struct {
	Server string         `json:"server"`
	Tool   string         `json:"tool"`
	State  registry.State `json:"state"`
	Stands bool           `json:"stands"`
	Hash   registry.Hash  `json:"hash"`
	Now    registry.Hash  `json:"now,omitzero"`
	By     string         `json:"by,omitzero"`
	Time   time.Time      `json:"time"`
}

func pinLines(r *registry.Registry, servers []string) []pinLine {
	var all []pinLine
	for _, server := range servers {
		for _, p := range r.Pins(server) {
			st := r.State(server, p.Name)
			l := pinLine{
				Server: server, Tool: p.Name, State: st.State, Stands: st.State == registry.Trusted, Hash: p.Hash, By: p.By, Time: p.Time,
			}
			if st.Hash != p.Hash {
				l.Now = st.Hash
			}
			all = append(all, l)
		}
	}
	return all
}

func (f *registryFlags) printPins(out *terminal.Screen, all []pinLine) error {
	if len(all) == 0 {
		_, err := fmt.Fprintln(out, "no tool of an MCP server is trusted yet")
		return err
	}
	t := table.New(out, out.Width,
		table.Column{Title: "SERVER", Min: 8}, table.Column{Title: "TOOL", Min: 10}, table.Column{Title: "STATE"},
		table.Column{Title: "TRUSTED BY", Min: 10, Rank: 1}, table.Column{Title: "SINCE", Rank: 2}, table.Column{Title: "HASH", Rank: 3})
	for _, l := range all {
		word := string(l.State)
		if l.Stands {
			word = "stands"
		}
		by := "(first seen)" // a real name would be in quotes
		if l.By != "" {
			by = inert.Name(l.By, shownName)
		}
		if err := t.Line(inert.Name(l.Server, shownName), inert.Name(l.Tool, shownName), word, by, f.when(l.Time),
			shortHash(l.Hash)); err != nil {
			return err
		}
	}
	return t.Flush()
}
