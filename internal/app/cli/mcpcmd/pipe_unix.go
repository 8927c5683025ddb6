//go:build unix

package mcpcmd

import (
	"os"
	"os/signal"
	"syscall"
)

// surviveBrokenPipes has writes to a client that is gone fail. Otherwise they would end the process, and leave behind what it
// started.
func surviveBrokenPipes() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
