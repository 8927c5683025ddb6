package project

import (
	"os"
	"path/filepath"
	"testing"
)

func TestProject(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	repository := filepath.Join(home, "app")
	below := filepath.Join(repository, "src", "deep")
	for _, dir := range []string{filepath.Join(repository, ".git"), below, filepath.Join(home, "plain")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for dir, want := range map[string]string{"/": "", home: "", home + "/": "", "relative": "", "": "", below: below, repository + "/": repository} {
		if got := Folder(dir); got != want {
			t.Errorf("folder of %q: %q, want %q", dir, got, want)
		}
	}
	for dir, want := range map[string]string{below: repository, repository: repository, filepath.Join(home, "plain"): "", "": "", "relative": ""} {
		if got := Root(dir); got != want {
			t.Errorf("root of %q: %q, want %q", dir, got, want)
		}
	}
	t.Chdir(below)
	if got := Working(); got != repository || WorkingRoot() != repository {
		t.Errorf("in %s: %q, %q", below, got, WorkingRoot())
	}
	t.Chdir(filepath.Join(home, "plain"))
	if Working() != filepath.Join(home, "plain") || WorkingRoot() != "" {
		t.Errorf("without a repository: %q, %q", Working(), WorkingRoot())
	}
	// A home that is a repository, as of settings, is no project.
	if err := os.Mkdir(filepath.Join(home, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got := WorkingRoot(); got != "" {
		t.Errorf("in a home that is a repository: %q", got)
	}
}
