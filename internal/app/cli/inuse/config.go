// Package inuse finds the configuration and the policy that a command uses.
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

// ConfigPath returns the configuration that a command uses: the given one, else weir.yaml in the configuration folder, if it
// exists. "": there is none, and the defaults are used.
func ConfigPath(path string) string {
	if path != "" {
		return path
	}
	dir, err := config.ConfigDir(os.LookupEnv)
	if err != nil {
		return ""
	}
	file := filepath.Join(dir, config.FileName)
	// A file that exists but cannot be read must cause an error: no other configuration is used instead.
	if _, err := os.Lstat(file); errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return ""
	}
	return file
}

// Config reads the configuration in use, or returns the default if there is no file.
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
