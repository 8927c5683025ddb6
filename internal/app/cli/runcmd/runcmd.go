// Package runcmd has the commands that route agents through weir and test that it works: init, setup, run, verify and doctor.
package runcmd

import "github.com/spf13/cobra"

// Add adds the commands of the group.
func Add(root *cobra.Command) {
	root.AddCommand(newInit(), newSetup(), newRun(), newVerify(), newDoctor(), newProbe())
}
