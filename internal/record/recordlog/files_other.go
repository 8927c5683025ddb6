//go:build !linux

package recordlog

import (
	"errors"
	"os"
)

// reserve takes the room that a file will need. This system has no way that is the same on all its disks.
func reserve(*os.File, int64) error { return errors.ErrUnsupported }

// syncData makes the data of a file durable.
func syncData(f *os.File) error { return f.Sync() }
