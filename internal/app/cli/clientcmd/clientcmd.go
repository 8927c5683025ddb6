// Package clientcmd has the commands for the keys of clients.
package clientcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/app/cli/running"
	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/run"
)

// Add adds the commands of this group.
func Add(root *cobra.Command) {
	cmd := &cobra.Command{
		Use:   "client",
		Short: "Give clients keys, list them and take them back",
		Long: `client changes the files that client_files in weir.yaml names. They have no keys, only their digests. A running weir
takes a change over at once, without a restart: a revoked key is refused from the next request on.`,
		Example: `  weir client add ann --employee ann@acme.com --team payments --expires 90d
  weir client list
  weir client revoke ann`,
	}
	cmd.AddCommand(newAdd(), newList(), newRevoke())
	root.AddCommand(cmd)
}

// flags are those that all commands of the group have.
type flags struct {
	config string
	json   bool
}

func (f *flags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.config, "config", "", "configuration file (default: weir.yaml in the configuration folder, if it exists)")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
}

// open reads the configuration. Agents have no part in it.
func (f *flags) open() (*config.Config, error) {
	if os.Getenv(run.SessionVariable) != "" {
		return nil, exit.WrongInput(errors.New("weir client cannot be used inside a session of weir run; run it outside"))
	}
	return inuse.Config(f.config)
}

// errNoFiles says that there is nowhere to write a key.
var errNoFiles = errors.New("weir.yaml does not say where clients are kept; add client_files: clients.d to it, and restart weir")

// tell has the running weir take the change over, and says what came of it.
func tell(ctx context.Context, out io.Writer, files string) error {
	client, err := running.Client()
	if err != nil {
		return err
	}
	defer client.Close()
	a, err := client.Reload(ctx)
	switch {
	case err != nil:
		_, err = fmt.Fprintln(out, "No weir of this machine could be told. "+
			"One that runs elsewhere with these files sees the change within a second or two.")
	case a.ClientFiles != files:
		_, err = fmt.Fprintf(out, "The weir of this machine does not use %s. One that does sees the change within a second or two.\n", files)
	case a.Trouble != "":
		return fmt.Errorf("the running weir cannot use the change, and keeps its old clients: %s", a.Trouble)
	default:
		_, err = fmt.Fprintln(out, "The running weir has taken it over.")
	}
	return err
}
