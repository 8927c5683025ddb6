//go:build !unix

package setup

import (
	"io/fs"
	"os"
)

// keepOwner has nothing to do: a new file inherits from its folder.
func keepOwner(*os.File, fs.FileInfo) error { return nil }

// syncFolder has nothing to do: this system has no call for it.
func syncFolder(string) error { return nil }
