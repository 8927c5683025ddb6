package runcmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/run/verify"
)

func newProbe() *cobra.Command {
	return &cobra.Command{
		Use:     verify.ProbeCommand,
		Short:   "Try what a session must not allow: a part of weir verify",
		Example: "  weir probe <plan.json",
		Hidden:  true,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if seen, ok := verify.Nested(args); ok {
				_, err := fmt.Fprintln(cmd.OutOrStdout(), seen)
				return err
			}
			if len(args) > 0 {
				return exit.WrongInput(fmt.Errorf("weir probe takes no arguments"))
			}
			return exit.WrongInput(verify.Probe(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout()))
		},
	}
}
