// Package excerpt reads the part of the record that flags select, and lists it.
package excerpt

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/record/store"
)

// Flags say which store a command reads.
type Flags struct {
	Config string
	Store  string
}

// Register adds the flags to a command.
func (f *Flags) Register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.Config, "config", "",
		"configuration that names the store (default: weir.yaml in the configuration folder, else the store in the state folder)")
	cmd.Flags().StringVar(&f.Store, "store", "", "store to read, such as sqlite:///path/to/weir.db")
	cmd.MarkFlagsMutuallyExclusive("config", "store")
}

// Open opens the record for reading. A running weir may use it at the same time.
func (f *Flags) Open(ctx context.Context) (*store.View, error) {
	url, err := f.URL()
	if err != nil {
		return nil, err
	}
	r, err := store.OpenReadOnly(ctx, url)
	return r, exit.WrongInput(err)
}

// URL returns the URL of the store that the flags name.
func (f *Flags) URL() (string, error) {
	if f.Store != "" {
		return f.Store, nil
	}
	cfg, err := inuse.Config(f.Config)
	if err != nil {
		return "", err
	}
	return cfg.Store.URL, nil
}
