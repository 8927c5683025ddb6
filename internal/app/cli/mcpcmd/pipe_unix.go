//go:build unix

package mcpcmd

import (
	"os"
	"os/signal"
	"syscall"
)

// surviveBrokenPipes makes writes to a client that is gone return an error. Otherwise they would end the process, and the processes
// that it started would stay.
func surviveBrokenPipes() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
