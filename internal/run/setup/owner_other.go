//go:build !unix

package setup

import (
	"io/fs"
	"os"
)

// keepOwner has nothing to do: a new file gets what its folder passes on.
func keepOwner(*os.File, fs.FileInfo) error { return nil }

// syncFolder has nothing to do: there is no way to ask for it.
func syncFolder(string) error { return nil }
