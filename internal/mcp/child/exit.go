package child

import (
	"fmt"
	"os"
)

// An Exit is how a process ended.
type Exit struct {
	Code   int       // its exit code; -1: a signal killed it
	Signal os.Signal // that killed it; nil: none did
}

// String returns a text that can follow "the server".
func (e Exit) String() string {
	if e.Signal != nil {
		return fmt.Sprintf("was killed by a signal (%s)", e.Signal)
	}
	return fmt.Sprintf("ended with exit code %d", e.Code)
}

// Status is the exit code for a program that runs in place of the process, as shells do it: 128 plus the number of the signal that
// killed it, else its code.
func (e Exit) Status() int {
	if e.Signal != nil {
		return 128 + signalNumber(e.Signal)
	}
	return e.Code
}
