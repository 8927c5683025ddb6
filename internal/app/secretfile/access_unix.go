//go:build unix

package secretfile

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// checkAccess fails if others can use the file, or could have written it.
func checkAccess(path string, info fs.FileInfo) error {
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return fmt.Errorf("%s: the system does not say whose file it is; move it to another file system", path)
	}
	own := int(owner.Uid) == os.Geteuid()
	if !own && owner.Uid != 0 {
		return fmt.Errorf("%s belongs to another user (%d); let it belong to the user that runs weir (%d), or to root",
			path, owner.Uid, os.Geteuid())
	}
	return checkPermissions(path, info.Mode(), own)
}
