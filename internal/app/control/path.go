package control

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// maxPath is how long the path of a socket may be on every system.
const maxPath = 100

// Path returns the path of the socket of a state folder. It is in the folder, or, if that path is too long for a socket, in the
// user's own folder for temporary files.
func Path(stateDir string) (string, error) {
	path := filepath.Join(stateDir, "control.sock")
	if len(path) <= maxPath {
		return path, nil
	}
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("weir-%d", os.Getuid()))
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return "", fmt.Errorf("open the control socket: %w", err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return "", fmt.Errorf("open the control socket: %w", err)
	}
	if !info.IsDir() || info.Mode().Perm() != 0o700 || !isOwn(info) {
		return "", fmt.Errorf("open the control socket: others can use the folder %s; remove it, or set XDG_STATE_HOME to a shorter path", dir)
	}
	sum := sha256.Sum256([]byte(stateDir))
	return filepath.Join(dir, hex.EncodeToString(sum[:8])+".sock"), nil
}
