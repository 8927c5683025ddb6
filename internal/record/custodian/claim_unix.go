//go:build unix

package custodian

import (
	"os"
	"syscall"
)

// A claim says that a process uses a key, for as long as it lives: the system releases the claim when the process ends.
type claim struct{ file *os.File }

// claimKey claims the key in a file, and returns whether no other process has claimed it. If so, no other process can until share
// is called.
func claimKey(path string) (c claim, alone bool) {
	f, err := os.Open(path)
	if err != nil {
		return claim{}, false
	}
	return claim{f}, syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// share lets others claim the key as well. Where files cannot be locked, claimKey always returns false.
func (c claim) share() {
	if c.file != nil {
		_ = syscall.Flock(int(c.file.Fd()), syscall.LOCK_SH)
	}
}

func (c claim) release() {
	if c.file != nil {
		c.file.Close() // nothing was written
	}
}
