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
			if f.json {
				return jsonout.PrintLines(cmd.OutOrStdout(), all)
			}
			return f.printPins(cmd.OutOrStdout(), all)
		},
	}
	f.register(cmd)
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
		by := "(first seen)" // a real name would be in quotes
		if l.By != "" {
			by = inert.Name(l.By, shownName)
		}
		t.line(inert.Name(l.Server, shownName), inert.Name(l.Tool, shownName), word, by, f.when(l.Time), shortHash(l.Hash))
	}
	return t.Flush()
}
