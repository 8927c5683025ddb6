package secretfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "key")
	for _, tt := range []struct {
		mode fs.FileMode
		says string // "": it is read
	}{
		{0o600, ""},
		{0o400, ""},
		{0o640, "(mode 0640); run chmod 600 "},
		{0o604, "(mode 0604)"},
		{0o620, "(mode 0620)"},
		{0o644, "can be read or written by others"},
	} {
		if err := os.WriteFile(path, []byte("secret"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, tt.mode); err != nil {
			t.Fatal(err)
		}
		text, err := Read(path)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if tt.says == "" && (err != nil || string(text) != "secret") {
			t.Errorf("%04o: %q, %v", tt.mode, text, err)
		}
		if tt.says != "" && (err == nil || !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), path)) {
			t.Errorf("%04o: %v, want %q", tt.mode, err, tt.says)
		}
	}
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a folder: %v", err)
	}
	if _, err := Read(path); err == nil {
		t.Error("a file that is not there is read")
	}
	if err := os.Truncate(mustWrite(t, path), maxSize+1); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(path); err == nil || !strings.Contains(err.Error(), "has more than") {
		t.Errorf("a large file: %v", err)
	}
}

func mustWrite(t *testing.T, path string) string {
	t.Helper()
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestGivenByRoot: root gives a file to weir through a group.
func TestGivenByRoot(t *testing.T) {
	for mode, fine := range map[fs.FileMode]bool{0o440: true, 0o640: true, 0o400: true, 0o660: false, 0o444: false} {
		if err := checkPermissions("key", mode, false); (err == nil) != fine {
			t.Errorf("%04o: %v", mode, err)
		}
	}
}
