// Package project finds the folder that $project means in policies.
package project

import (
	"os"
	"path/filepath"
)

// Folder is a folder that can be a project's: an absolute path that is not the root, nor a home. Those have everything in them, and a rule
// that allows something in the project would allow it everywhere. "": it cannot be one.
func Folder(dir string) string {
	dir = filepath.Clean(dir)
	home, err := os.UserHomeDir()
	if !filepath.IsAbs(dir) || filepath.Dir(dir) == dir || err == nil && dir == filepath.Clean(home) {
		return ""
	}
	return dir
}

// Root is the root of the repository that contains a folder; "": it is in none.
func Root(dir string) string {
	for at := filepath.Clean(dir); filepath.IsAbs(at); at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return Folder(at)
		}
		if filepath.Dir(at) == at {
			break
		}
	}
	return ""
}

// Working is the project of the folder in which this program runs: the root of its repository, or else the folder itself. "": there is
// none.
func Working() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	if root := Root(dir); root != "" {
		return root
	}
	return Folder(dir)
}

// WorkingRoot is the root of the repository in which this program runs; "": it runs in none.
func WorkingRoot() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return Root(dir)
}
