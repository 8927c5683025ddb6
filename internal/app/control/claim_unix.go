//go:build unix

package control

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// claim locks a file until it is closed, or this process ends. It fails with ErrServed if another process has the lock.
func claim(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the control socket: %w", err)
	}
	switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return nil, errors.Join(ErrServed, f.Close())
	case err != nil:
		return nil, errors.Join(fmt.Errorf("open the control socket: lock %s: %w", path, err), f.Close())
	}
	return f, nil
}
