package yamlfile

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	small, large, pipe := filepath.Join(dir, "small"), filepath.Join(dir, "large"), filepath.Join(dir, "pipe")
	if err := os.WriteFile(small, []byte("a: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(large, bytes.Repeat([]byte("#\n"), maxSize), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if data, err := ReadFile(small); err != nil || string(data) != "a: 1\n" {
		t.Errorf("small: %q, %v", data, err)
	}
	data, err := ReadFile(large)
	if err != nil || len(data) != maxSize+1 {
		t.Errorf("large: %d bytes, %v", len(data), err)
	}
	if root, report := Parse("large", data); root != nil || report.Clean() {
		t.Error("large: it was taken")
	}
	for _, path := range []string{pipe, "/dev/zero", dir, filepath.Join(dir, "missing")} {
		if _, err := ReadFile(path); err == nil {
			t.Errorf("%s: it was read", path)
		}
	}
}
