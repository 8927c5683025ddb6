package need

import (
	"os"
	"path/filepath"
	"testing"
)

func TestCodexIn(t *testing.T) {
	modules := t.TempDir()
	put := func(platform, triple string) string {
		path := filepath.Join(modules, "@openai", "codex-"+platform, "vendor", triple, "bin", "codex")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, path, nil)
		return path
	}
	if path, ok := codexIn(modules); ok {
		t.Errorf("found %s where there is none", path)
	}
	want := put("linux-x64", "x86_64-unknown-linux-musl")
	if path, ok := codexIn(modules); !ok || path != want {
		t.Errorf("found %q, want %q", path, want)
	}
	put("linux-arm64", "aarch64-unknown-linux-musl")
	if path, ok := codexIn(modules); ok {
		t.Errorf("found %s where there are two", path)
	}
}
