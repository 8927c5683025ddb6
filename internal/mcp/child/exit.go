package child

import (
	"fmt"
	"os"
)

// An Exit is how a process ended.
type Exit struct {
	Code   int       // that it returned; -1: it was killed by a signal
	Signal os.Signal // that killed it; nil: none did
}

// String says it in words, after "the server".
func (e Exit) String() string {
	if e.Signal != nil {
		return fmt.Sprintf("was killed by a signal (%s)", e.Signal)
	}
	return fmt.Sprintf("ended with exit code %d", e.Code)
}

// Status is what a program that stands in for the process returns, as shells do: 128 and the number of the signal that killed it,
// else its code.
func (e Exit) Status() int {
	if e.Signal != nil {
		return 128 + signalNumber(e.Signal)
	}
	return e.Code
}
