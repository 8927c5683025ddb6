package need

import (
	"os"
	"path/filepath"
	"testing"
)

func TestBinaryIn(t *testing.T) {
	modules := t.TempDir()
	find := func() (string, bool) { return binaryIn(modules, "@openai", "codex-*", "vendor", "*", "bin", "codex") }
	put := func(platform, triple string) string {
		path := filepath.Join(modules, "@openai", "codex-"+platform, "vendor", triple, "bin", "codex")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, path, nil)
		return path
	}
	if path, ok := find(); ok {
		t.Errorf("found %s where there is none", path)
	}
	want := put("linux-x64", "x86_64-unknown-linux-musl")
	if path, ok := find(); !ok || path != want {
		t.Errorf("found %q, want %q", path, want)
	}
	put("linux-arm64", "aarch64-unknown-linux-musl")
	if path, ok := find(); ok {
		t.Errorf("found %s where there are two", path)
	}
}
