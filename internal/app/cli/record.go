package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/record/store"
)

// recordFlags say where the record is that a command reads.
type recordFlags struct {
	config string
	store  string
}

func (f *recordFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.config, "config", "", "configuration that names the store (default: weir.yaml in the configuration folder, else the store in the state folder)")
	cmd.Flags().StringVar(&f.store, "store", "", "store to read, such as sqlite:///path/to/weir.db")
	cmd.MarkFlagsMutuallyExclusive("config", "store")
}

// open opens the record for reading. weir may be running on it, or not.
func (f *recordFlags) open(ctx context.Context) (*store.Reader, error) {
	url, err := f.url()
	if err != nil {
		return nil, err
	}
	r, err := store.OpenReadOnly(ctx, url)
	return r, wrongInput(err)
}

// url is the store that the flags name.
func (f *recordFlags) url() (string, error) {
	if f.store != "" {
		return f.store, nil
	}
	cfg, err := loadConfig(f.config)
	if err != nil {
		return "", err
	}
	return cfg.Store.URL, nil
}

// configInUse is the configuration that a command goes by: the one that it is given, else weir.yaml in the configuration folder, if it
// is there. "": there is none, and the defaults count.
func configInUse(path string) string {
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

// loadConfig reads the configuration that is in use, or returns the one that serves without a file.
func loadConfig(given string) (*config.Config, error) {
	path := configInUse(given)
	if path == "" {
		dir, err := config.StateDir(os.LookupEnv)
		if err != nil {
			return nil, wrongInput(err)
		}
		return config.Default(dir), nil
	}
	cfg, err := config.Load(path, os.LookupEnv)
	if _, ok := errors.AsType[*fs.PathError](err); ok && given != "" {
		err = fmt.Errorf("%w; correct the path, or leave --config out", err)
	}
	return cfg, wrongInput(err)
}
