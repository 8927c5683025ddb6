// Package runcmd is the commands that lead agents through weir and prove that it works: init, setup, run, verify and doctor.
package runcmd

import "github.com/spf13/cobra"

// Add adds the commands of the group.
func Add(root *cobra.Command) {
	root.AddCommand(newInit(), newSetup(), newRun(), newVerify(), newDoctor(), newProbe())
}
