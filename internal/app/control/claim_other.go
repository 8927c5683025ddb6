//go:build !unix

package control

import (
	"fmt"
	"os"
)

// claim opens a file. Here the socket itself prevents a second process from listening.
func claim(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the control socket: %w", err)
	}
	return f, nil
}
