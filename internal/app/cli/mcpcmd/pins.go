package mcpcmd

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/text/inert"
)

func newPins() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "pins",
		Short: "Decide which tools of MCP servers are trusted as they are defined",
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
		Short: "Show what is trusted, by whom, since when, and whether it still stands",
		Long: `list prints a line for each tool of an MCP server that is trusted: whether that stands (the tool is defined as it was then), or the
tool is changed or gone; by whom it is trusted, or that it is because it was seen first; since when; and the beginning of its hash then.

With --json a pin has the members server, tool, state (trusted, changed or gone), stands, hash, now (the hash of the tool as it is
defined now, if that is another), by (not there: it was seen first) and time.`,
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
			if f.json {
				return jsonout.PrintLines(cmd.OutOrStdout(), all)
			}
			return f.printPins(cmd.OutOrStdout(), all)
		},
	}
	f.register(cmd)
	return cmd
}

// A pinLine is what there is to say of a pin.
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

func (f *registryFlags) printPins(out io.Writer, all []pinLine) error {
	if len(all) == 0 {
		_, err := fmt.Fprintln(out, "no tool of an MCP server is trusted yet")
		return err
	}
	t := newTable(out, "SERVER", "TOOL", "STATE", "TRUSTED BY", "SINCE", "HASH")
	for _, l := range all {
		word := string(l.State)
		if l.Stands {
			word = "stands"
		}
		by := "(first seen)" // a name would stand in quotes
		if l.By != "" {
			by = inert.Name(l.By, shownName)
		}
		t.line(inert.Name(l.Server, shownName), inert.Name(l.Tool, shownName), word, by, f.when(l.Time), shortHash(l.Hash))
	}
	return t.Flush()
}
