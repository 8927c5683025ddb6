// Package policycmd is weir policy: what a policy says, would have said, and could say.
package policycmd

import "github.com/spf13/cobra"

// Add adds the commands of the group.
func Add(root *cobra.Command) { root.AddCommand(newPolicy()) }
