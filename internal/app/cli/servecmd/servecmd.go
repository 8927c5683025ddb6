// Package servecmd has the commands for weir itself: serve, its configuration, and the demo.
package servecmd

import "github.com/spf13/cobra"

// Add adds the commands of the group.
func Add(root *cobra.Command) { root.AddCommand(newServe(), newConfig(), newDemo()) }
