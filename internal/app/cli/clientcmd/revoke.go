package clientcmd

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// revoked is what weir client revoke --json prints.
type revoked struct {
	Name string `json:"name"`
	File string `json:"file"`
}

func newRevoke() *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "revoke NAME",
		Short: "Take a key back: it is refused from the next request on",
		Long: `revoke removes a client from client_files. Responses that are being sent go on; the next request with the key is
refused.`,
		Example: `  weir client revoke ann`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := f.open()
			if err != nil {
				return err
			}
			c := find(cfg, args[0])
			switch {
			case c == nil:
				return exit.WrongInput(fmt.Errorf("there is no client %s; weir client list names them", args[0]))
			case c.Source == "":
				return exit.WrongInput(fmt.Errorf("the client %s is in weir.yaml itself; remove it there, and a running weir takes that over", c.Name))
			}
			if err := remove(*c, cfg.ClientFiles); err != nil {
				return err
			}
			out := said(cmd, f.json)
			if f.json {
				err = jsonout.Print(cmd.OutOrStdout(), revoked{c.Name, c.Source})
			} else {
				_, err = fmt.Fprintf(out, "The key of %s is revoked.\n", c.Name)
			}
			if err != nil {
				return err
			}
			return tell(cmd.Context(), out, cfg.ClientFiles)
		},
	}
	f.register(cmd)
	return cmd
}

// noClients is what is left of the one file of clients after the last one.
const noClients = "clients: []\n"

// remove removes a client from its file. A file of a folder that has no other client is removed.
func remove(c config.Client, files string) error {
	data, err := yamlfile.ReadFile(c.Source)
	if err != nil {
		return err
	}
	rest, err := cut(data, c.Name)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w; remove the client %s from it yourself", c.Source, err, c.Name)
	case rest == nil && c.Source == files:
		rest = []byte(noClients)
	case rest == nil:
		return os.Remove(c.Source)
	}
	return replace(c.Source, rest)
}
