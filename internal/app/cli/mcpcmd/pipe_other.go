//go:build !unix

package mcpcmd

// surviveBrokenPipes has writes to a client that is gone fail, which here they do.
func surviveBrokenPipes() {}
