package inuse

import (
	"bytes"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/app/daemon"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/preset"
)

// FormerPolicy returns the policy in the state folder, if it differs from the starter policy.
func FormerPolicy() (string, bool) {
	dir, err := config.StateDir(os.LookupEnv)
	if err != nil {
		return "", false
	}
	path := config.Default(dir).Policy.Path
	text, err := os.ReadFile(path)
	return path, err == nil && !bytes.Equal(text, preset.Starter())
}

// PolicyFlags say which policy a command uses.
type PolicyFlags struct {
	Config string
	Policy string
}

// Register adds the flags to a command.
func (f *PolicyFlags) Register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.Config, "config", "",
		"configuration that names the policy (default: weir.yaml in the configuration folder, else the policy in the state folder)")
	cmd.Flags().StringVar(&f.Policy, "policy", "", "policy file, or a folder of them")
	cmd.MarkFlagsMutuallyExclusive("config", "policy")
}

// Load returns the policy and where it came from.
func (f *PolicyFlags) Load() (*policy.Policy, string, error) {
	if f.Policy != "" {
		p, err := PolicyFile(f.Policy).Load()
		return p, f.Policy, exit.WrongInput(err)
	}
	cfg, err := Config(f.Config)
	if err != nil {
		return nil, "", err
	}
	if cfg.Policy.Inline != nil {
		return cfg.Policy.Inline, ConfigPath(f.Config), nil
	}
	source := PolicyFile(cfg.Policy.Path)
	stateDir, _ := config.StateDir(os.LookupEnv) // without one there is nothing in it
	source.Own = cfg.OwnFiles(config.Installed{Config: ConfigPath(f.Config), Policy: cfg.Policy.Path, StateDir: stateDir})
	p, err := source.Load()
	if errors.Is(err, os.ErrNotExist) && InStateFolder(cfg.Policy.Path) {
		p, err = policy.Parse("balanced.yaml", preset.Starter())
		return p, "the starter policy", err
	}
	return p, cfg.Policy.Path, exit.WrongInput(err)
}

// PolicyFile returns the source of a policy in its own file, or in a folder of files.
func PolicyFile(path string) daemon.PolicySource {
	return daemon.PolicySource{Path: path}
}

// InStateFolder says that path is the path of the policy in the state folder, where weir serve writes the starter policy.
func InStateFolder(path string) bool {
	dir, err := config.StateDir(os.LookupEnv)
	return err == nil && path == config.Default(dir).Policy.Path
}

// EgressDefault returns the configuration's verdict on connections that no rule matches. For a policy file without a configuration
// it is allow.
func (f *PolicyFlags) EgressDefault() (policy.Verdict, error) {
	if f.Policy != "" {
		return policy.Allow, nil
	}
	cfg, err := Config(f.Config)
	if err != nil {
		return "", err
	}
	return cfg.Egress.Default, nil
}
