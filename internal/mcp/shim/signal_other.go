//go:build !unix

package shim

import "os"

// ends says whether a signal asks a process to end.
func ends(s os.Signal) bool { return s == os.Interrupt }

// Forwarded are the signals to pass on.
func Forwarded() []os.Signal { return []os.Signal{os.Interrupt} }
