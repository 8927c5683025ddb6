// Package servecmd has the commands for weir itself: serve, the service that keeps it running, its status and configuration, and the demo.
package servecmd

import "github.com/spf13/cobra"

// Add adds the commands of the group.
func Add(root *cobra.Command) {
	root.AddCommand(newServe(), newService(), newStatus(), newConfig(), newDemo())
}
