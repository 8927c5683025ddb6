// Package policycmd is the command weir policy: it checks, explains, tests, replays, suggests, lists and changes policies.
package policycmd

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/text/quantity"
)

// Add adds the commands of the group.
func Add(root *cobra.Command) { root.AddCommand(newPolicy()) }

func newPolicy() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "policy",
		Short:   "Check, explain, test, replay, suggest, list and change policies",
		Example: "  weir policy check policy.yaml",
	}
	cmd.AddCommand(newCheck(), newExplain(), newTest(), newReplay(), newSuggest(), newList(), newAllow())
	cmd.AddCommand(newPreset(), newSchema())
	return cmd
}

func newCheck() *cobra.Command {
	var f inuse.PolicyFlags
	cmd := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Check a policy file, and list everything that is wrong with it",
		Example: `  weir policy check policy.yaml
  weir policy check --config weir.yaml`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				if f.Policy != "" || f.Config != "" {
					return exit.WrongInput(errors.New("give a file, --policy or --config, not several"))
				}
				f.Policy = args[0]
			}
			p, name, err := f.Load()
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: ok, %s, version %s\n", name, quantity.Count(p.Len(), "rule"), p.Version())
			return err
		},
	}
	f.Register(cmd)
	return cmd
}

func newSchema() *cobra.Command {
	return jsonout.SchemaCommand("Print the JSON Schema of a policy, for editors", "  weir policy schema > policy.schema.json", policy.Schema)
}
