package config

import (
	"errors"
	"path/filepath"
)

// StateDir is the folder for what weir keeps: $XDG_STATE_HOME/weir, else ~/.local/state/weir.
func StateDir(env func(string) (string, bool)) (string, error) {
	// The XDG rules have relative paths ignored.
	if dir, _ := env("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "weir"), nil
	}
	if home, _ := env("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "state", "weir"), nil
	}
	return "", errors.New("find the state folder: neither HOME nor XDG_STATE_HOME is set to a folder; set one of them")
}
