package config

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/weir-gate/weir/internal/record/store"
)

// Installed says where parts of a weir are that its configuration does not name.
type Installed struct {
	Config   string // its configuration; "": none
	Policy   string // its policy, or the folder of it
	StateDir string // "": none
}

// OwnFiles are the files and folders of a weir with this configuration, which no agent is to change: its program, policy, configuration,
// record, keys and state. The paths are absolute, as they are written and as links lead.
func (c *Config) OwnFiles(in Installed) (all []string) {
	paths := []string{in.Config, in.Policy, in.StateDir, c.Audit.Key, c.Audit.Secret, c.TLS.Key, c.TLS.Cert, c.Prices, c.ClientFiles}
	paths = append(paths, c.CAFiles()...)
	paths = append(paths, c.KeyFiles()...)
	paths = append(paths, store.URL(c.Store.URL).Files()...)
	if folder, err := store.URL(c.Store.URL).LogFolder(in.StateDir); err == nil {
		paths = append(paths, folder)
	}
	if self, err := os.Executable(); err == nil {
		paths = append(paths, self)
	}
	for _, path := range paths {
		if path == "" {
			continue
		}
		whole, err := filepath.Abs(path)
		if err != nil {
			continue
		}
		resolved, err := filepath.EvalSymlinks(whole)
		if err != nil {
			resolved = whole // it does not exist yet
		}
		for _, p := range []string{whole, resolved} {
			if !slices.Contains(all, p) && p != filepath.Dir(p) {
				all = append(all, p)
			}
		}
	}
	return all
}
