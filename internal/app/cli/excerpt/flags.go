// Package excerpt reads the part of the record that flags select, and lists it.
package excerpt

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/record/catchup"
	"github.com/weir-gate/weir/internal/record/home"
	"github.com/weir-gate/weir/internal/text/inert"
)

// Flags say which store a command reads.
type Flags struct {
	Config string
	Store  string
	of     *cobra.Command // nil: they were not registered
}

// Register adds the flags to a command.
func (f *Flags) Register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.Config, "config", "",
		"configuration that names the store (default: weir.yaml in the configuration folder, else the store in the state folder)")
	cmd.Flags().StringVar(&f.Store, "store", "", "store to read, such as sqlite:///path/to/weir.db")
	cmd.MarkFlagsMutuallyExclusive("config", "store")
	f.of = cmd
}

// Open opens the record for reading, with everything that was released before. A running weir may use it at the same time.
func (f *Flags) Open(ctx context.Context) (home.View, error) {
	url, err := f.URL()
	if err != nil {
		return nil, err
	}
	errOut := io.Writer(os.Stderr)
	if f.of != nil {
		errOut = f.of.ErrOrStderr()
	}
	r, err := CaughtUp(ctx, url, errOut)
	return r, exit.WrongInput(err)
}

// CaughtUp opens a store for reading when it has everything that was recorded before. What may be missing is told on errOut.
func CaughtUp(ctx context.Context, url string, errOut io.Writer) (home.View, error) {
	return catchup.Open(ctx, catchup.Config{URL: url, StateDir: stateDir(), Say: func(text string) {
		fmt.Fprintln(errOut, "weir: "+inert.Text(text, 1000))
	}})
}

// OpenHome opens the record for writing.
func (f *Flags) OpenHome(ctx context.Context) (*home.Home, error) {
	url, err := f.URL()
	if err != nil {
		return nil, err
	}
	return home.Open(ctx, home.Config{URL: url, StateDir: stateDir()})
}

// stateDir is the state folder; "": there is none, and so no logs in it.
func stateDir() string {
	state, err := config.StateDir(os.LookupEnv)
	if err != nil {
		return ""
	}
	return state
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
