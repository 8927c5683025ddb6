// Package mcpcmd is weir mcp: the shim around a server, what servers offer, and who trusts it.
package mcpcmd

import "github.com/spf13/cobra"

// Add adds the commands of the group.
func Add(root *cobra.Command) { root.AddCommand(newMCP()) }
