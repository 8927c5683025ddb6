package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/version"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  weir version",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "weir %s %s %s/%s\n", version.Build(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
