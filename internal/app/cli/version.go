package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/version"
)

func newVersion() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Example: `  weir version
  weir version --json            # also the commit, and its date`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				return jsonout.Print(cmd.OutOrStdout(), version.Read())
			}
			return printVersion(cmd)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// printVersion prints the version in one line: weir version and weir --version.
func printVersion(cmd *cobra.Command) error {
	info := version.Read()
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "weir %s %s %s\n", info.Version, info.Go, info.Platform)
	return err
}
