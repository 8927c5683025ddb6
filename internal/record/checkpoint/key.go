package checkpoint

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Key signs checkpoints.
type Key struct {
	private ed25519.PrivateKey
	id      string
	path    string // of its file
}

// keyScheme begins the id of a key. The rest is the public key itself, in hex, so that the id is enough to check a signature.
const keyScheme = "ed25519:"

// ID names the key: its public half, which is no secret.
func (k *Key) ID() string { return k.id }

func newKey(private ed25519.PrivateKey) *Key {
	public, _ := private.Public().(ed25519.PublicKey) // an Ed25519 key has no other type of public key
	return &Key{private: private, id: keyScheme + hex.EncodeToString(public)}
}

// publicKey parses the id of a key.
func publicKey(id string) (ed25519.PublicKey, bool) {
	digits, ok := strings.CutPrefix(id, keyScheme)
	if !ok || digits != strings.ToLower(digits) { // one key has one id
		return nil, false
	}
	b, err := hex.DecodeString(digits)
	return b, err == nil && len(b) == ed25519.PublicKeySize
}

// OpenKey reads the key at path, and makes one if there is none yet. Whoever can read the file can sign in weir's name, so OpenKey
// fails if others can read it.
func OpenKey(path string) (*Key, error) {
	data, err := readSecret(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err = createKey(path); err == nil {
			data, err = readSecret(path)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("audit key: %w", err)
	}
	key, err := parsePrivate(data)
	if err != nil {
		return nil, fmt.Errorf("audit key: %s: %w; restore the file from a backup, or move it away: weir makes a new one, and "+
			"weir audit verify must be told of the old one's public key with --key", path, err)
	}
	key.path = path
	return key, nil
}

// readSecret reads a file that nobody else can read.
func readSecret(path string) ([]byte, error) {
	return guarded{
		path: path, barred: 0o077, others: "can be read or written by others", suspect: "move the file away instead: weir makes a new key",
		elsewhere: "move it away or change audit.key",
	}.read()
}

// A guarded file is a file that other users must not read or write.
type guarded struct {
	path      string
	barred    fs.FileMode // permissions that others must not have
	others    string      // what others could do with these permissions, for the error
	suspect   string      // what to do if somebody may have done so
	elsewhere string      // what to do if the path is not such a file
}

func (g guarded) read() ([]byte, error) {
	f, err := os.Open(g.path)
	if errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf("%w; let it belong to the user that runs weir", err)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close() // nothing was written
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file; %s", g.path, g.elsewhere)
	case info.Mode().Perm()&g.barred != 0:
		return nil, fmt.Errorf("%s %s (mode %04o); run chmod 600 %[1]s, and if one of them may have done so, %[4]s",
			g.path, g.others, info.Mode().Perm(), g.suspect)
	case info.Size() > maxKeyFile:
		return nil, fmt.Errorf("%s is too large; %s", g.path, g.elsewhere)
	}
	data := make([]byte, info.Size())
	if _, err := f.ReadAt(data, 0); err != nil {
		return nil, err
	}
	return data, nil
}

// maxKeyFile bounds a file with keys.
const maxKeyFile = 1 << 20

const (
	privateBlock = "PRIVATE KEY"
	publicBlock  = "PUBLIC KEY"
)

// createKey puts a new key where there is none. The file appears whole or not at all. If two processes make a key, one wins and
// both use its key.
func createKey(path string) error {
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return fmt.Errorf("make a key: %w", err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return fmt.Errorf("make a key: %w", err)
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("%w; create the folder or change audit.key", err)
	}
	f, err := os.CreateTemp(dir, ".audit-key-*") // with mode 0600
	if err != nil {
		return fmt.Errorf("%w; make the folder writable or change audit.key", err)
	}
	defer os.Remove(f.Name()) // the key has its final name by then
	_, err = f.Write(pem.EncodeToMemory(&pem.Block{Type: privateBlock, Bytes: der}))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Link(f.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w; make the folder writable or change audit.key", err)
	}
	return syncFolder(dir)
}

// syncFolder makes the names in a folder durable.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

var errNoKey = errors.New("there is no Ed25519 key in it")

// parsePrivate parses the one private key in a PEM file.
func parsePrivate(data []byte) (*Key, error) {
	block, rest := pem.Decode(data)
	if block == nil || block.Type != privateBlock || len(bytes.TrimSpace(rest)) > 0 {
		return nil, errNoKey
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	private, ok := parsed.(ed25519.PrivateKey)
	if err != nil || !ok {
		return nil, errNoKey
	}
	return newKey(private), nil
}

// ReadKeyIDs returns the ids of the keys in a file: private or public keys in PEM, or lines with ids as weir audit verify prints
// them. It fails for private keys that others can read.
func ReadKeyIDs(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("read key: %w", err)
	}
	if info.Size() > maxKeyFile {
		return nil, fmt.Errorf("read key: %s is too large for keys", path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read key: %w", err)
	}
	var ids []string
	for block, rest := pem.Decode(data); block != nil; block, rest = pem.Decode(rest) {
		id, err := blockID(block)
		if err != nil {
			return nil, fmt.Errorf("read key: %s: %w", path, err)
		}
		if block.Type == privateBlock {
			if _, err := readSecret(path); err != nil {
				return nil, fmt.Errorf("read key: %w", err)
			}
		}
		ids = append(ids, id)
	}
	for word := range strings.FieldsSeq(string(data)) {
		if _, ok := publicKey(word); ok {
			ids = append(ids, word)
		}
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("read key: %s: %w; give a key in PEM, or lines that weir audit verify printed", path, errNoKey)
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// blockID is the id of the key in a PEM block.
func blockID(block *pem.Block) (string, error) {
	switch block.Type {
	case privateBlock:
		if parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes); err == nil {
			if private, ok := parsed.(ed25519.PrivateKey); ok {
				return newKey(private).id, nil
			}
		}
	case publicBlock:
		if parsed, err := x509.ParsePKIXPublicKey(block.Bytes); err == nil {
			if public, ok := parsed.(ed25519.PublicKey); ok {
				return keyScheme + hex.EncodeToString(public), nil
			}
		}
	}
	return "", errNoKey
}

// Path is the path of the key's file.
func (k *Key) Path() string { return k.path }
