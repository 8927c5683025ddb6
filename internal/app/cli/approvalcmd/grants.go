package approvalcmd

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/cli/running"
	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/text/inert"
)

func newGrants() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "grants",
		Short: "Manage approvals that hold for a session",
		Example: `  weir grants list
  weir grants revoke gr_1q3n8k0c9g5t2`,
	}
	cmd.AddCommand(newGrantsList(), newGrantsRevoke())
	return cmd
}

func newGrantsList() *cobra.Command {
	var f excerpt.Flags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "Show approvals that hold for a session",
		Long: `list prints one line for each grant that holds now, the newest first: its id, until when it holds, its session,
the tool, and who said yes. It reads the store directly; weir need not be running.`,
		Example: `  weir grants list
  weir grants list --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			view, err := f.Open(cmd.Context())
			if err != nil {
				return err
			}
			defer view.Close() // nothing was written
			all, err := view.Grants(cmd.Context(), time.Now())
			if err != nil {
				return err
			}
			if asJSON {
				return jsonout.PrintLines(cmd.OutOrStdout(), all)
			}
			if len(all) == 0 {
				_, err := fmt.Fprintln(cmd.OutOrStdout(), "no approval holds for a session")
				return err
			}
			for _, g := range all {
				if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s  until %s  %s  %s  by %s\n", g.ID, g.Expires.Local().Format(time.DateTime),
					inert.Name(g.Session, nameLength), inert.Name(g.Tool, nameLength), inert.Text(strings.Join(g.By, ", "), 200)); err != nil {
					return err
				}
			}
			return nil
		},
	}
	f.Register(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, one grant per line")
	return cmd
}

func newGrantsRevoke() *cobra.Command {
	var f excerpt.Flags
	var v voter
	cmd := &cobra.Command{
		Use:   "revoke ID",
		Short: "End an approval that holds for a session",
		Long: `revoke ends a grant: the next call that it would have let pass waits for a person again. It cannot run inside a
session of weir run.`,
		Example: `  weir grants revoke gr_1q3n8k0c9g5t2`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := running.DemandOutside("weir grants revoke"); err != nil {
				return err
			}
			client, err := judge(cmd.Context(), &f)
			if err != nil {
				return err
			}
			defer client.Close()
			err = client.Revoke(cmd.Context(), control.Revocation{ID: args[0], User: v.user, Code: v.code})
			if errors.Is(err, approval.ErrUnknown) {
				return errors.New("there is no such grant, or it has ended; list them with weir grants list")
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), "revoked")
			return err
		},
	}
	f.Register(cmd)
	v.register(cmd)
	return cmd
}
