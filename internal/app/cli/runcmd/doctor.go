package runcmd

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/cli/running"
	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/app/version"
	"github.com/weir-gate/weir/internal/run/agent"
	"github.com/weir-gate/weir/internal/run/doctor"
	"github.com/weir-gate/weir/internal/text/inert"
)

type doctorFlags struct {
	config string
	json   bool
}

func newDoctor() *cobra.Command {
	var f doctorFlags
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Find problems with weir on this machine, and how to fix them",
		Long: `doctor checks the running weir, its configuration, policy, state folder, store and port; the changes of weir
setup, the settings of agents and environment variables; and what this machine supports. It prints problems, the
worst first: what is wrong, why it matters, and the cure. It changes nothing and prints no secrets.

The exit code is 1 if there are errors. To check whether the record is intact, use weir audit verify; to check
what is covered, weir verify.`,
		Example: `  weir doctor
  weir doctor --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	cmd.Flags().StringVar(&f.config, "config", "", "configuration to check (default: the one that weir was started with last)")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	return cmd
}

func (f *doctorFlags) run(cmd *cobra.Command) error {
	if err := running.DemandOutside("weir doctor"); err != nil {
		return err
	}
	cfg, done, err := f.doctorConfig()
	if err != nil {
		return exit.WrongInput(err)
	}
	defer done()
	found := doctor.Examine(cmd.Context(), cfg)
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	failed := doctor.Failed(found)
	if f.json {
		err = jsonout.Print(cmd.OutOrStdout(), struct {
			OK       bool                   `json:"ok"`
			Findings []doctor.Finding       `json:"findings"`
			Policy   *control.PolicyInForce `json:"policy_in_force,omitzero"`
		}{!failed, append([]doctor.Finding{}, found...), running.Policy(cmd.Context())})
	} else {
		err = printDiagnosis(cmd.OutOrStdout(), found, running.Policy(cmd.Context()))
	}
	if err == nil && failed {
		err = exit.With(exit.Failed, exit.ErrSilent)
	}
	return err
}

// doctorConfig returns what doctor examines. done closes what was opened for this.
func (f *doctorFlags) doctorConfig() (cfg doctor.Config, done func(), err error) {
	around, err := surroundings()
	if err != nil {
		return cfg, nil, err
	}
	cfg = doctor.Config{
		Version: version.Build(), Temp: os.TempDir(), Surroundings: around,
		Installed: func(a agent.Agent) bool { return programText(a) != notOnPath },
	}
	done = func() {}
	var started running.StartedAs
	if cfg.StateDir, cfg.NoState = config.StateDir(os.LookupEnv); cfg.NoState == nil {
		started, cfg.NotStarted = running.LastStart(cfg.StateDir)
		path, err := control.Path(cfg.StateDir)
		if cfg.NoSocket = err; err == nil {
			client := control.NewClient(control.ClientConfig{Path: path, Key: os.Getenv(running.KeyVariable)})
			cfg.Ask, done = client, client.Close
		}
	}
	for _, path := range []string{started.Config, started.Policy} {
		if path != "" {
			cfg.Started = append(cfg.Started, path)
		}
	}
	cfg.Load, cfg.LoadPolicy = f.loaders(started)
	return cfg, done, nil
}

// loaders returns functions that read the configuration and the policy: those of the last start, unless flags name others or they
// no longer exist.
func (f *doctorFlags) loaders(started running.StartedAs) (load func() (*config.Config, error),
	loadPolicy func() (source, version string, err error),
) {
	given := f.config
	if given == "" {
		if _, err := os.Stat(started.Config); err == nil {
			given = started.Config
		}
	}
	load = func() (*config.Config, error) {
		cfg, err := inuse.Config(given)
		if err == nil && started.Listen != "" && f.config == "" {
			err = cfg.SetListen(started.Listen)
		}
		return cfg, err
	}
	loadPolicy = func() (source, version string, err error) {
		flags := inuse.PolicyFlags{Config: given}
		if _, err := os.Stat(started.Policy); err == nil && f.config == "" {
			flags = inuse.PolicyFlags{Policy: started.Policy}
		}
		p, source, err := flags.Load()
		if err != nil {
			return source, "", err
		}
		return source, p.Version(), nil
	}
	return load, loadPolicy
}

// printDiagnosis prints what is wrong, for people.
func printDiagnosis(out io.Writer, found []doctor.Finding, has *control.PolicyInForce) error {
	var b strings.Builder
	for _, f := range found {
		hang(&b, fmt.Sprintf("%-8s ", f.Severity), f.What)
		hang(&b, "         why:  ", f.Why)
		hang(&b, "         cure: ", f.Cure)
	}
	if len(found) == 0 {
		b.WriteString("no problems found\n")
	}
	if has != nil {
		hang(&b, "in force: ", "the policy "+inert.Text(has.Source, 400)+", version "+has.Version)
	}
	b.WriteString("not checked: whether the record is intact (weir audit verify), and what is covered (weir verify)\n")
	_, err := io.WriteString(out, b.String())
	return err
}
