// Package policycmd is the command weir policy: it checks, explains, tests, replays, suggests, lists and changes policies.
package policycmd

import (
	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/policy"
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

func newSchema() *cobra.Command {
	return jsonout.SchemaCommand("Print the JSON Schema of a policy, for editors", "  weir policy schema > policy.schema.json", policy.Schema)
}
