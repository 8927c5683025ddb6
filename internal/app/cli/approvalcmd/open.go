package approvalcmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/app/cli/running"
)

func newOpen() *cobra.Command {
	var f excerpt.Flags
	cmd := &cobra.Command{
		Use:   "open",
		Short: "Print a link to the page on which calls are approved",
		Long: `open has the running weir serve its console on a free port of this machine, and prints a link for a browser. The
link logs one person in, once, within five minutes. A vote there asks for a code of your authenticator. It cannot
run inside a session of weir run.`,
		Example: `  weir approvals open`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := running.DemandOutside(cmd.CommandPath()); err != nil {
				return err
			}
			client, err := judge(cmd.Context(), &f)
			if err != nil {
				return err
			}
			defer client.Close()
			link, err := client.Open(cmd.Context())
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), link)
			return err
		},
	}
	f.Register(cmd)
	return cmd
}
