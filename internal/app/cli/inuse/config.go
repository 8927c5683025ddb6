// Package inuse finds the configuration and the policy that a command goes by.
package inuse

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/config"
)

// ConfigPath is the configuration that a command goes by: the one that it is given, else weir.yaml in the configuration folder, if it
// is there. "": there is none, and the defaults count.
func ConfigPath(path string) string {
	if path != "" {
		return path
	}
	dir, err := config.ConfigDir(os.LookupEnv)
	if err != nil {
		return ""
	}
	file := filepath.Join(dir, config.FileName)
	// One that is there and cannot be read is an error to be told, and no reason to go by another.
	if _, err := os.Lstat(file); errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return ""
	}
	return file
}

// Config reads the configuration that is in use, or returns the one that serves without a file.
func Config(given string) (*config.Config, error) {
	path := ConfigPath(given)
	if path == "" {
		dir, err := config.StateDir(os.LookupEnv)
		if err != nil {
			return nil, exit.WrongInput(err)
		}
		return config.Default(dir), nil
	}
	cfg, err := config.Load(path, os.LookupEnv)
	if _, ok := errors.AsType[*fs.PathError](err); ok && given != "" {
		err = fmt.Errorf("%w; correct the path, or leave --config out", err)
	}
	return cfg, exit.WrongInput(err)
}
