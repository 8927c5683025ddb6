package policycmd

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/policy/preset"
)

func newPreset() *cobra.Command {
	return &cobra.Command{
		Use:   "preset " + strings.Join(preset.Names(), "|"),
		Short: "Print a policy that comes with weir",
		Long: `preset prints one of the policies that come with weir:

  open      releases and records everything, except removing the system and overwriting disks
  balanced  releases ordinary coding work; refuses destructive acts and sending secrets away
  tight     releases only reading, writing, building and testing in the project`,
		Example:   "  weir policy preset balanced > policy.yaml",
		Args:      cobra.ExactArgs(1),
		ValidArgs: preset.Names(),
		RunE: func(cmd *cobra.Command, args []string) error {
			source, err := preset.Text(args[0])
			if err != nil {
				return exit.WrongInput(err)
			}
			_, err = cmd.OutOrStdout().Write(source)
			return err
		},
	}
}
