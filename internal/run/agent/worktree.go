package agent

import (
	"path/filepath"
	"strings"
)

// MainWorktree returns the repository of a worktree, if the .git file in it names it.
func MainWorktree(dir string) []string {
	text, err := ReadFile(filepath.Join(dir, ".git"))
	if err != nil {
		return nil // one name less; the others are still tried
	}
	gitdir := strings.TrimSpace(strings.TrimPrefix(string(text), "gitdir:"))
	if root, _, ok := strings.Cut(filepath.ToSlash(gitdir), "/.git/worktrees/"); ok {
		return []string{root}
	}
	return nil
}
