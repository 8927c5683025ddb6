// Package recordcmd has the commands that read the record: calls, events, stats, bodies, audit and store.
package recordcmd

import "github.com/spf13/cobra"

// Add adds the commands of the group.
func Add(root *cobra.Command) {
	root.AddCommand(newCalls(), newEvents(), newStats(), newBodies(), newAudit(), newStore())
}
