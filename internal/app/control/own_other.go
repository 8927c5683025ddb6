//go:build !unix

package control

import "os"

// isOwn says whether a file is the user's own. Here the system's rules for folders of temporary files ensure it.
func isOwn(os.FileInfo) bool { return true }
