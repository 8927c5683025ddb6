package mcpcmd

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/cli/running"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/quantity"
)

func newPinsReset() *cobra.Command {
	var f resetFlags
	cmd := &cobra.Command{
		Use:   "reset SERVER [TOOL]",
		Short: "Forget tools and who trusted them",
		Long: `reset forgets a tool and who trusted it, or a server with all its tools. The tool then counts as new: if the
policy has auto_trust_first, weir trusts the next definition it sees, whatever it is. To trust a changed tool,
use weir mcp pins trust. The record has who reset what (mcp_pin_changed).

With --json it prints an object with the members server and forgotten (the names of the tools).`,
		Example: `  weir mcp pins reset filesystem read_file
  weir mcp pins reset filesystem`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			done, err := f.reset(cmd.Context(), args)
			if err != nil {
				return err
			}
			if f.json {
				return jsonout.PrintLines(cmd.OutOrStdout(), []resetLine{done})
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "forgot %s of %s\n", quantity.Count(len(done.Forgotten), "tool"),
				inert.Name(done.Server, shownName))
			return err
		},
	}
	f.register(cmd)
	cmd.Flags().StringVar(&f.reason, "reason", "", "reason, for the record")
	return cmd
}

// resetFlags are the flags of pins reset.
type resetFlags struct {
	registryFlags
	reason string
}

// A resetLine says what was forgotten.
type resetLine struct {
	Server    string   `json:"server"`
	Forgotten []string `json:"forgotten"`
}

// reset forgets the named server, or one of its tools.
func (f *resetFlags) reset(ctx context.Context, args []string) (resetLine, error) {
	id := registry.Identity{Server: args[0]}
	if len(args) == 2 {
		id.Name = args[1]
	}
	s, err := f.change(ctx)
	if err != nil {
		return resetLine{}, err
	}
	defer s.Close() // what was written is durable
	before, err := s.Registry(ctx)
	if err != nil {
		return resetLine{}, err
	}
	names, err := registry.Reset(ctx, s, id)
	switch {
	case errors.Is(err, registry.ErrUnknownServer):
		return resetLine{}, unknownServer(id.Server)
	case errors.Is(err, registry.ErrUnknown):
		return resetLine{}, unknownTool(id)
	case err != nil:
		return resetLine{}, err
	}
	var changes []call.PinChange
	for _, name := range names {
		c := call.PinChange{Server: id.Server, Tool: name, Forgotten: true, By: running.Login(), Reason: f.reason}
		if pin := (storedPins{before}).State(id.Server, name).Pin; pin != nil {
			c.Was = string(pin.Hash)
		}
		changes = append(changes, c)
	}
	return resetLine{id.Server, names}, f.recordPins(ctx, s, changes)
}
