// Package auditkey opens the key that signs the record. A platform may give it to each replica as a secret file.
package auditkey

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/app/secretfile"
	"github.com/weir-gate/weir/internal/record/checkpoint"
)

// An Opened is a key, and the id of the one that was there before.
type Opened struct {
	*checkpoint.Key
	// Former is the id of the key that signed before this one; "": it is the same, or there was none.
	Former string
}

// Open opens the key of a configuration. If a secret file names it, the key is copied from there: beside it weir notes what it has
// signed, and a file that a platform mounts cannot be written beside. Without a secret a missing key is made.
func Open(a config.Audit) (Opened, error) {
	former, err := install(a)
	if err != nil {
		return Opened{}, fmt.Errorf("audit.secret: %w", err)
	}
	key, err := checkpoint.OpenKey(a.Key)
	if err != nil {
		return Opened{}, fmt.Errorf("open audit.key: %w", err)
	}
	if former == key.ID() {
		former = ""
	}
	return Opened{key, former}, nil
}

// install copies the secret, if there is one, and returns the id of the key that was there.
func install(a config.Audit) (former string, err error) {
	if a.Secret == "" {
		return "", nil
	}
	text, err := secretfile.Read(a.Secret)
	if err != nil {
		return "", err
	}
	if !isKey(text) {
		return "", fmt.Errorf("%s has no Ed25519 key in it; make one with: openssl genpkey -algorithm ed25519", a.Secret)
	}
	old, err := os.ReadFile(a.Key)
	switch {
	case err == nil && bytes.Equal(old, text):
		return "", nil
	case err == nil:
		ids, err := checkpoint.ReadKeyIDs(a.Key)
		if err != nil {
			return "", fmt.Errorf("%w; move %s away, and keep it: its public key verifies what it has signed", err, a.Key)
		}
		former = ids[0]
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	return former, write(a.Key, text)
}

// isKey says whether a text is one private key of Ed25519 in PEM.
func isKey(text []byte) bool {
	block, rest := pem.Decode(text)
	if block == nil || len(bytes.TrimSpace(rest)) > 0 {
		return false
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	_, ok := parsed.(ed25519.PrivateKey)
	return err == nil && ok
}

// write writes the key as a whole, readable by its owner alone.
func write(path string, text []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("%w; create the folder or change audit.key", err)
	}
	f, err := os.CreateTemp(dir, ".audit-key-*") // with mode 0600
	if err != nil {
		return fmt.Errorf("%w; make the folder writable or change audit.key", err)
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
