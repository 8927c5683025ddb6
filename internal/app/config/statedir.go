package config

import (
	"errors"
	"path/filepath"
)

// FileName is what the configuration is called in the configuration folder.
const FileName = "weir.yaml"

// ConfigDir is the folder for what people tell weir: $XDG_CONFIG_HOME/weir, else ~/.config/weir.
func ConfigDir(env func(string) (string, bool)) (string, error) {
	if dir, _ := env("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "weir"), nil
	}
	if home, _ := env("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".config", "weir"), nil
	}
	return "", errors.New("find the configuration folder: neither HOME nor XDG_CONFIG_HOME is set to a folder; set one of them")
}

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
