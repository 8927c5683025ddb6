//go:build !unix

package cli

import "os/exec"

// detach has a command go on when this process is gone, which here every command does.
func detach(*exec.Cmd) {}

// surviveBrokenPipes has writes to a client that is gone fail, which here they do.
func surviveBrokenPipes() {}
