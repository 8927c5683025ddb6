package runcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/app/cli/running"
	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/files"
	"github.com/weir-gate/weir/internal/run"
	"github.com/weir-gate/weir/internal/run/agent"
	"github.com/weir-gate/weir/internal/text/inert"
)

// exitNotFound is the exit code if there is no such agent, the same as in shells.
const exitNotFound = 127

type runFlags struct {
	config, policy, watch string
	loopback              []uint
	dryRun, quiet         bool
	sandboxes             bool
	noStart               bool
}

func newRun() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run [flags] -- AGENT [ARGUMENT...]",
		Short: "Run an agent behind weir",
		Long: `run starts an agent in a session of the weir on this machine. If no weir runs, it starts one. For this run only,
it routes the agent through weir: with environment variables, arguments, and files in a folder that is removed
at the end. Your own files do not change. It knows Claude Code, Codex, Gemini CLI and opencode, and routes other
programs with the SDKs of Anthropic, OpenAI and Google through the variables that those SDKs read. API keys and
logins keep working. The MCP servers in the agent's settings are wrapped.

The policy is fixed when the session starts: the one of --policy, else the one in force. On Linux, the agent and
everything it starts run in their own namespaces: every connection goes to weir, weir looks up names, and weir's
state, record and configuration cannot be reached. Where namespaces are not possible, and on other systems,
programs are asked to use weir as their proxy (HTTPS_PROXY), which they can ignore; run says so. Services on
this machine's loopback cannot be reached unless they are declared, with --loopback or egress.loopback in
weir.yaml.

Terminal, signals and exit code are the agent's. At the end, run prints to standard error what was asked for,
released and refused, and what it cost. weir verify tests all of this on your machine.`,
		Example: `  weir run -- claude
  weir run --policy strict.yaml -- codex exec "fix the failing test"
  weir run --loopback 5432 -- gemini
  weir run --dry-run -- opencode`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	cmd.Flags().StringVar(&f.policy, "policy", "", "policy for this run (default: the policy in force)")
	cmd.Flags().StringVar(&f.config, "config", "", "configuration to start weir with if none runs (default: as it was started last)")
	cmd.Flags().UintSliceVar(&f.loopback, "loopback", nil,
		"port of a service on this machine that the agent may reach, such as 5432; may be repeated")
	cmd.Flags().StringVar(&f.watch, "watch", string(run.Auto),
		"how connections are watched: auto, namespace (fail if it is not possible), proxy or none")
	cmd.Flags().BoolVar(&f.sandboxes, "sandboxes", false,
		"let the agent make its own mount namespaces, as bubblewrap does (default: only if its own sandbox needs them)")
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "print what would be set; start nothing")
	cmd.Flags().BoolVar(&f.noStart, "no-start", false, "do not start weir: fail if none runs")
	cmd.Flags().BoolVar(&f.quiet, "quiet", false, "print only errors")
	cmd.Flags().SetInterspersed(false) // arguments after the agent's name belong to the agent
	return cmd
}

func (f *runFlags) run(cmd *cobra.Command, args []string) error {
	cfg, err := f.runConfig(cmd, args)
	if err != nil {
		return err
	}
	if f.dryRun {
		return f.preview(cmd, cfg)
	}
	stateDir, err := config.StateDir(os.LookupEnv)
	if err != nil {
		return exit.WrongInput(err)
	}
	ask, err := f.asker(stateDir)
	if err != nil {
		return exit.WrongInput(err)
	}
	cfg.Ask = ask
	first := ask("")
	err = first.Ensure(cmd.Context())
	first.Close()
	if err != nil {
		return err
	}
	f.tellOther(cmd.Context(), cfg.Tell)
	// Signals are for the agent: they do not end weir run.
	out, err := run.Run(context.WithoutCancel(cmd.Context()), cfg)
	switch {
	case errors.Is(err, run.ErrNotStarted):
		return exit.With(run.NotStarted, err)
	case err != nil:
		return exit.WrongInput(err)
	}
	printOutcome(cmd.ErrOrStderr(), out, f.quiet)
	if out.Exit != 0 {
		return exit.With(out.Exit, exit.ErrSilent)
	}
	return nil
}

// tellOther tells the user if the policy that the configuration names differs from that of the running weir.
func (f *runFlags) tellOther(ctx context.Context, tell func(string)) {
	if f.policy != "" {
		return
	}
	has := running.Policy(ctx)
	named, source, err := (&inuse.PolicyFlags{Config: f.config}).Load()
	if has == nil || err != nil {
		return
	}
	if differs := running.Differs(*has, source, named.Version()); differs != "" {
		tell(fmt.Sprintf("the policy %s is not in force: %s", inert.Text(source, 400), differs))
	}
}

// runConfig returns the part of the configuration that is known before weir is asked.
func (f *runFlags) runConfig(cmd *cobra.Command, args []string) (run.Config, error) {
	if id := os.Getenv(run.SessionVariable); id != "" {
		return run.Config{}, exit.WrongInput(fmt.Errorf("this is already a session of weir run (%s): start the agent itself", inert.Text(id, 64)))
	}
	program, err := run.Find(args[0])
	if err != nil {
		return run.Config{}, exit.With(exitNotFound, err)
	}
	self, err := os.Executable()
	if err != nil {
		return run.Config{}, fmt.Errorf("find weir's own program: %w", err)
	}
	dir, err := os.Getwd()
	if err != nil {
		return run.Config{}, fmt.Errorf("find the current folder: %w", err)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return run.Config{}, exit.WrongInput(fmt.Errorf("%w; set HOME", err))
	}
	cfg := run.Config{
		Program: program, Args: args[1:], Self: self, Temp: os.TempDir(), Env: os.Environ(), Sandboxes: f.sandboxes,
		Surroundings: agent.Surroundings{Home: home, Dir: dir, Lookup: os.LookupEnv},
		Tell:         f.teller(cmd.ErrOrStderr()),
	}
	switch cfg.Watch = run.Watch(f.watch); cfg.Watch {
	case run.Auto, run.Namespace, run.Proxy, run.None:
	default:
		return run.Config{}, exit.WrongInput(errors.New("--watch: use auto, namespace, proxy or none"))
	}
	for _, port := range f.loopback {
		if port == 0 || port > 65535 {
			return run.Config{}, exit.WrongInput(fmt.Errorf("--loopback: %d is not a port; use 1 to 65535", port))
		}
		cfg.Loopback = append(cfg.Loopback, uint16(port))
	}
	cfg.Policy, err = f.policyText()
	return cfg, err
}

// policyText reads the policy of the run. Errors in it are reported before anything is started.
func (f *runFlags) policyText() (*control.PolicyText, error) {
	if f.policy == "" {
		return nil, nil
	}
	path, err := filepath.Abs(f.policy)
	if err != nil {
		return nil, exit.WrongInput(err)
	}
	sources, err := files.Read(path)
	if err != nil {
		return nil, exit.WrongInput(err)
	}
	if _, err := policy.ParseSources(sources); err != nil {
		return nil, exit.WrongInput(err)
	}
	return control.NewPolicyText(path, sources), nil
}

// asker returns a function that makes clients of the machine's weir.
func (f *runFlags) asker(stateDir string) (func(key string) *control.Client, error) {
	if f.config != "" {
		if _, err := inuse.Config(f.config); err != nil {
			return nil, err // the user sees it here, and not only in the log of a weir that cannot start
		}
	}
	path, err := control.Path(stateDir)
	if err != nil {
		return nil, err
	}
	return func(key string) *control.Client {
		c := control.ClientConfig{Path: path, Key: key, BackWithin: 5 * time.Second}
		if key == "" {
			c.Key = os.Getenv(running.KeyVariable)
			if !f.noStart {
				running.StartIfNone(&c, stateDir, f.config)
			}
		}
		return control.NewClient(c)
	}, nil
}

// teller returns a function that tells the user something before the agent takes over the terminal.
func (f *runFlags) teller(out io.Writer) func(string) {
	if f.quiet {
		return func(string) {}
	}
	return func(line string) { fmt.Fprintln(out, "weir: "+line) }
}
