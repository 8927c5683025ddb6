package policycmd

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/preset"
)

// listsArg asks for the lists that come with weir.
const listsArg = "lists"

func newPreset() *cobra.Command {
	return &cobra.Command{
		Use:   "preset " + strings.Join(preset.Names(), "|") + "|" + listsArg,
		Short: "Print a policy that comes with weir, or the lists that policies can use",
		Long: `preset prints one of the policies that come with weir:

  open      releases and records everything, except removing the system, overwriting disks and changing weir
  balanced  releases ordinary coding work; asks or refuses where it destroys, publishes, or reads or sends secrets
  tight     releases only reading, writing, building and testing in the project

The first line of a copy says which revision of the preset it is, so that weir doctor can tell when the preset of
a newer weir differs. A policy with the key extends needs no copy, and follows the preset by itself.

preset lists prints the lists that come with weir, which every policy can use by name, such as $credentials.`,
		Example:   "  weir policy preset balanced > policy.yaml",
		Args:      cobra.ExactArgs(1),
		ValidArgs: append(preset.Names(), listsArg),
		RunE: func(cmd *cobra.Command, args []string) error {
			source := policy.Lists
			if args[0] != listsArg {
				var err error
				if source, err = preset.Copy(args[0]); err != nil {
					return exit.WrongInput(err)
				}
			}
			_, err := cmd.OutOrStdout().Write(source)
			return err
		},
	}
}
