package config

import (
	"errors"
	"path/filepath"
)

// FileName is the name of the configuration in the configuration folder.
const FileName = "weir.yaml"

// ConfigDir returns the folder for the configuration: $XDG_CONFIG_HOME/weir, else ~/.config/weir.
func ConfigDir(env func(string) (string, bool)) (string, error) {
	if dir, _ := env("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "weir"), nil
	}
	if home := homeDir(env); home != "" {
		return filepath.Join(home, ".config", "weir"), nil
	}
	return "", errors.New("find the configuration folder: neither HOME nor XDG_CONFIG_HOME is set to a folder; set one of them")
}

// StateDir returns the folder for what weir stores: $XDG_STATE_HOME/weir, else ~/.local/state/weir.
func StateDir(env func(string) (string, bool)) (string, error) {
	// By the XDG rules, relative paths are ignored.
	if dir, _ := env("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "weir"), nil
	}
	if home := homeDir(env); home != "" {
		return filepath.Join(home, ".local", "state", "weir"), nil
	}
	return "", errors.New("find the state folder: neither HOME nor XDG_STATE_HOME is set to a folder; set one of them")
}

// homeDir returns the home folder, or "". Windows sets USERPROFILE, and seldom HOME.
func homeDir(env func(string) (string, bool)) string {
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if dir, _ := env(name); filepath.IsAbs(dir) {
			return dir
		}
	}
	return ""
}
