package files

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/policy"
)

// folderOf writes files into a new folder.
func folderOf(t *testing.T, texts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range texts {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func names(dir string, texts []policy.Text) (out []string) {
	for _, text := range texts {
		name, _ := filepath.Rel(dir, text.Name)
		if text.Trouble != "" {
			name += ": " + text.Trouble
		}
		out = append(out, name)
	}
	return out
}

func TestRead(t *testing.T) {
	dir := folderOf(t, map[string]string{
		"one.yaml":     "version: 1\ndefault: allow\n",
		"chain.yaml":   "version: 1\nextends: sub/mid.yaml\n",
		"sub/mid.yaml": "version: 1\nextends: low.yaml\n",
		"sub/low.yaml": "version: 1\nextends: balanced\n",
		"circle.yaml":  "version: 1\nextends: circle.yaml\n",
		"lost.yaml":    "version: 1\nextends: nowhere.yaml\n",
		"d/b.yaml":     "rules: []\n",
		"d/a.yaml":     "version: 1\nextends: low/x.yaml\n",
		"d/low/x.yaml": "version: 1\ndefault: deny\n",
		"d/.c.yaml":    "version: 2\n",
		"d/notes.txt":  "notes",
	})
	for _, tt := range []struct {
		path         string
		files, bases []string
	}{
		{"one.yaml", []string{"one.yaml"}, nil},
		{"chain.yaml", []string{"chain.yaml"}, []string{"sub/mid.yaml", "sub/low.yaml"}},
		{"circle.yaml", []string{"circle.yaml"}, nil},
		{"lost.yaml", []string{"lost.yaml"}, []string{"nowhere.yaml: no such file or directory"}},
		{"d", []string{"d/a.yaml", "d/b.yaml"}, []string{"d/low/x.yaml"}},
	} {
		s, err := Read(filepath.Join(dir, tt.path))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([][]string{tt.files, tt.bases}, [][]string{names(dir, s.Files), names(dir, s.Bases)}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.path, diff)
		}
	}
	for _, path := range []string{"one.yaml", "chain.yaml", "d"} {
		if _, err := compiled(filepath.Join(dir, path)); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := compiled(filepath.Join(dir, "lost.yaml")); err == nil || !strings.Contains(err.Error(), "lost.yaml:2:10: extends: the file cannot be read: no such file") {
		t.Errorf("lost.yaml: %v", err)
	}
	if _, err := Read(filepath.Join(dir, "none.yaml")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("none.yaml: %v", err)
	}
}

// A file that somebody may take for a part of the policy is never ignored.
func TestFoldersThatAreNoPolicy(t *testing.T) {
	for name, want := range map[string]string{
		"a.yml": "of a folder only files *.yaml are read", "a.json": "of a folder only files *.yaml are read", "a.YAML": "of a folder only files *.yaml are read",
		"a.txt": "there is no file *.yaml in the folder", ".a.yaml": "there is no file *.yaml in the folder",
	} {
		if _, err := Read(folderOf(t, map[string]string{name: "version: 1\n"})); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func compiled(path string) (*policy.Policy, error) {
	s, err := Read(path)
	if err != nil {
		return nil, err
	}
	return policy.ParseSources(s)
}
