package auditkey

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/app/config"
)

// secret writes a new key as a secret file.
func secret(t *testing.T, path string) {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestOpen: the key of a secret file signs, and one that it replaces is named.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	a := config.Audit{Key: filepath.Join(dir, "state", "audit.key"), Secret: filepath.Join(dir, "mounted.pem")}
	refused := func(says string) {
		t.Helper()
		if _, err := Open(a); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	refused("audit.secret: open ")
	if _, err := os.Stat(a.Key); err == nil {
		t.Error("a key was made, although a secret is to have it")
	}
	secret(t, a.Secret)
	first, err := Open(a)
	if err != nil || first.Former != "" {
		t.Fatalf("%+v, %v", first, err)
	}
	if info, err := os.Stat(a.Key); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	again, err := Open(a)
	if err != nil || again.ID() != first.ID() || again.Former != "" {
		t.Errorf("%+v, %v", again, err)
	}
	secret(t, a.Secret)
	next, err := Open(a)
	if err != nil || next.ID() == first.ID() || next.Former != first.ID() {
		t.Errorf("%+v, %v; the former is %s", next, err, first.ID())
	}
	if err := os.Chmod(a.Secret, 0o644); err != nil {
		t.Fatal(err)
	}
	refused("can be read or written by others (mode 0644); run chmod 600 ")
	if err := os.WriteFile(a.Secret, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(a.Secret, 0o600); err != nil {
		t.Fatal(err)
	}
	refused("has no Ed25519 key in it; make one with: openssl genpkey -algorithm ed25519")
	made, err := Open(config.Audit{Key: filepath.Join(dir, "made.key")})
	if err != nil || made.ID() == "" {
		t.Errorf("%+v, %v", made, err)
	}
}
