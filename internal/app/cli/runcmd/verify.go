package runcmd

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/app/cli/running"
	"github.com/weir-gate/weir/internal/app/cli/terminal"
	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/record/home"
	"github.com/weir-gate/weir/internal/run"
	"github.com/weir-gate/weir/internal/run/agent/roster"
	"github.com/weir-gate/weir/internal/run/setup"
	"github.com/weir-gate/weir/internal/run/verify"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

type provingFlags struct {
	config, watch string
	json          bool
}

func newVerify() *cobra.Command {
	var f provingFlags
	cmd := &cobra.Command{
		Use:   "verify [CLIENT...]",
		Short: "Test that the running weir covers your agents",
		Long: `verify sends calls that every policy refuses to the weir on this machine, and checks that they are refused. No model is asked,
and nothing leaves the machine. It tests:

  every format, through weir's own address
  the addresses in the settings of agents, and how agents reach their MCP servers
  a session as weir run makes it: calls, connections, lookups, and ways to weir's files and policy

Everything that weir says it refused must be in its record. The table shows for each test what was seen: covered, not
covered, a warning, or that it cannot be told, and the cure. The agents are those you name, else those on your PATH
or set up with weir setup: ` + strings.Join(agentNames(), ", ") + `.

The exit code is 0 if everything is covered that your setup promises. The table also shows what it does not promise:
agents that do not go through weir by themselves, unless you name them; what a session cannot prevent on a machine
without namespaces; and what cannot be told from here.`,
		Example: `  weir verify
  weir verify claude
  weir verify --watch namespace --json`,
		ValidArgs: agentNames(),
		Args:      cobra.ArbitraryArgs,
		RunE:      func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	cmd.Flags().StringVar(&f.config, "config", "", "configuration of the running weir (default: the one that it was started with)")
	cmd.Flags().StringVar(&f.watch, "watch", string(run.Auto),
		"how the session is watched: auto, namespace (fail if it is not possible) or proxy")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	return cmd
}

func (f *provingFlags) run(cmd *cobra.Command, args []string) error {
	cfg, done, err := f.verifyConfig(cmd.Context(), args)
	if err != nil {
		return err
	}
	defer done()
	if terminal.Is(cmd.ErrOrStderr()) {
		working := terminal.StartProgress(cmd, "trying canaries")
		defer working.End()
		rows := verify.All(cmd.Context(), cfg)
		working.End()
		return f.print(cmd, rows)
	}
	return f.print(cmd, verify.All(cmd.Context(), cfg))
}

// print prints what was tried.
func (f *provingFlags) print(cmd *cobra.Command, rows []verify.Row) (err error) {
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	failed := verify.Failed(rows)
	if f.json {
		err = printVerifyJSON(cmd.OutOrStdout(), rows, failed)
	} else {
		err = printVerify(cmd.OutOrStdout(), rows, failed)
	}
	if err == nil && failed {
		err = exit.With(exit.Failed, exit.ErrSilent)
	}
	return err
}

// verifyConfig returns what is known about the running weir. done closes what was opened for this.
func (f *provingFlags) verifyConfig(ctx context.Context, args []string) (cfg verify.Config, done func(), err error) {
	switch run.Watch(f.watch) {
	case run.Auto, run.Namespace, run.Proxy:
	default:
		return cfg, nil, exit.WrongInput(errors.New("--watch: use auto, namespace or proxy"))
	}
	if err := running.DemandOutside("weir verify"); err != nil {
		return cfg, nil, err
	}
	there, err := f.findRunning(ctx)
	if err != nil {
		return cfg, nil, err
	}
	cfg, err = there.verifyConfig(ctx, run.Watch(f.watch))
	if err != nil {
		return cfg, nil, err
	}
	if cfg.Agents, err = agentsToVerify(args, there.stateDir); err != nil {
		return cfg, nil, err
	}
	done = func() {}
	record, err := home.OpenReadOnly(ctx, there.config.Store.URL)
	if err != nil {
		cfg.NoRecord = err.Error()
		return cfg, done, nil
	}
	cfg.Record = record
	return cfg, func() { _ = record.Close() }, nil
}

// runningWeir is the running weir of this machine, and its configuration.
type runningWeir struct {
	stateDir, socket string
	hello            control.Hello
	config           *config.Config
	ask              func(key string) *control.Client
}

// findRunning finds the running weir. It starts none.
func (f *provingFlags) findRunning(ctx context.Context) (w runningWeir, err error) {
	if w.stateDir, err = config.StateDir(os.LookupEnv); err != nil {
		return w, exit.WrongInput(err)
	}
	if w.socket, err = control.Path(w.stateDir); err != nil {
		return w, exit.WrongInput(err)
	}
	given := f.config
	if given == "" {
		started, err := running.LastStart(w.stateDir)
		if err != nil {
			return w, exit.WrongInput(err)
		}
		given = started.Config
	}
	if w.config, err = inuse.Config(given); err != nil {
		return w, err
	}
	if w.ask, err = (&runFlags{config: given, noStart: true}).asker(w.stateDir); err != nil {
		return w, exit.WrongInput(err)
	}
	client := w.ask("")
	defer client.Close()
	if w.hello, err = client.Hello(ctx); err != nil {
		return w, exit.With(exit.Failed, errors.New("no weir runs on this machine; start it with weir serve, or see weir doctor"))
	}
	if !w.hello.Admitted {
		return w, exit.With(exit.Failed, errors.New("the running weir has clients, and no valid key was given; set WEIR_KEY to your key"))
	}
	return w, nil
}

// verifyConfig returns what verify must know about this weir.
func (w runningWeir) verifyConfig(ctx context.Context, watch run.Watch) (verify.Config, error) {
	response, err := w.facts(ctx)
	if err != nil {
		return verify.Config{}, err
	}
	base, err := addressOf(response, w.config)
	if err != nil {
		return verify.Config{}, exit.WrongInput(err)
	}
	client, err := httpClient(w.config)
	if err != nil {
		return verify.Config{}, exit.WrongInput(err)
	}
	around, err := surroundings()
	if err != nil {
		return verify.Config{}, exit.WrongInput(err)
	}
	self, err := os.Executable()
	if err != nil {
		return verify.Config{}, fmt.Errorf("find weir's own program: %w", err)
	}
	probe := around
	probe.Lookup = nothingLeads(around.Lookup)
	return verify.Config{
		Base: base, Client: client, Running: response, Dropped: w.config.OnDeny == config.Drop,
		Surroundings: around, Socket: w.socket, PID: w.hello.PID,
		Session: run.Config{
			Ask: w.ask, Self: self, Watch: watch, Temp: os.TempDir(), Surroundings: probe,
			Env: os.Environ(), Tell: func(string) {},
		},
	}, nil
}

// nothingLeads looks up variables, but hides those with addresses of models: only the session routes the probe.
func nothingLeads(lookup func(string) (string, bool)) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for _, end := range []string{"_BASE_URL", "_API_BASE", "_ENDPOINT", "_HOST", "_BEDROCK_RUNTIME"} {
			if strings.HasSuffix(name, end) {
				return "", false
			}
		}
		return lookup(name)
	}
}

// facts returns what the running weir tells a session. The session ends at once.
func (w runningWeir) facts(ctx context.Context) (control.SessionResponse, error) {
	client := w.ask("")
	defer client.Close()
	request := control.SessionRequest{ID: "verify-" + strings.ToLower(rand.Text()[:10]), Token: admission.NewSessionToken()}
	session, err := client.OpenSession(ctx, request)
	if err != nil {
		return control.SessionResponse{}, exit.With(exit.Failed, fmt.Errorf("ask the running weir: %w", err))
	}
	session.Close()
	return session.Response, nil
}

// agentsToVerify returns the named agents, or if none is named, those that are installed or set up.
func agentsToVerify(names []string, stateDir string) ([]verify.CheckedAgent, error) {
	var agents []verify.CheckedAgent
	for _, name := range names {
		a, ok := roster.Named(name)
		if !ok {
			return nil, exit.WrongInput(fmt.Errorf("weir does not know the client %s; use %s", yamlfile.Quote(name), yamlfile.OneOf(agentNames())))
		}
		agents = append(agents, verify.CheckedAgent{Agent: a, Promised: true})
	}
	if len(agents) > 0 {
		return agents, nil
	}
	entries, err := setup.NewJournal(stateDir).List()
	if err != nil {
		return nil, exit.WrongInput(err)
	}
	for _, a := range roster.All() {
		made := slices.ContainsFunc(entries, func(e setup.Entry) bool { return e.Name == a.Name() })
		if made || programText(a) != notOnPath {
			agents = append(agents, verify.CheckedAgent{Agent: a, Promised: made})
		}
	}
	return agents, nil
}
