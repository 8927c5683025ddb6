package mcpcmd

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/app/cli/running"
	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/app/project"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/child"
	"github.com/weir-gate/weir/internal/mcp/shim"
	"github.com/weir-gate/weir/internal/run"
)

type wrapFlags struct {
	config, id string
	allow      []string
	deny       []string
	noStart    bool
	wait       time.Duration
	verbose    bool
}

func newWrap() *cobra.Command {
	var f wrapFlags
	cmd := &cobra.Command{
		Use:   "wrap --id ID -- COMMAND [ARGUMENT...]",
		Short: "Run an MCP server behind weir",
		Long: `wrap runs an MCP server behind weir. In the settings of your client, write it in front of the server's command.
The weir that runs on this machine judges every message between client and server, under the id of --id. A
refused call never reaches the server, and the model is told why.

If no weir runs, wrap starts one: with the configuration of --config, else as weir was started last on this
machine, else with defaults. Its log is in the state folder. If weir stops later, calls wait for it as long as
--wait says, and are then refused until it runs again.

A server that the policy declares can use its id only with the declared command and arguments.

The server gets your environment, except weir's own variables (WEIR_...). With --env-allow it gets only the
named variables and the few that every program needs; --env-deny removes variables. Both take globs. The
server's standard error and exit code are passed on.

If weir has clients, set WEIR_KEY to your key.`,
		Example: `  weir mcp wrap --id filesystem -- npx @modelcontextprotocol/server-filesystem /home/ann
  weir mcp wrap --id github --env-allow 'GITHUB_*' -- github-mcp-server stdio`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	cmd.Flags().StringVar(&f.id, "id", "", "id of the server in policies and the record (required)")
	cmd.Flags().StringVar(&f.config, "config", "", "configuration to start weir with if none runs (default: as it was started last)")
	cmd.Flags().StringArrayVar(&f.allow, "env-allow", nil, "environment variable to pass to the server, such as 'GITHUB_*'; may be repeated")
	cmd.Flags().StringArrayVar(&f.deny, "env-deny", nil, "environment variable not to pass; may be repeated")
	cmd.Flags().BoolVar(&f.noStart, "no-start", false, "do not start weir: fail if none runs")
	cmd.Flags().DurationVar(&f.wait, "wait", 10*time.Second, "how long a call waits for weir to come back, before it is refused")
	cmd.Flags().BoolVar(&f.verbose, "verbose", false, "print to standard error what is not forwarded")
	_ = cmd.MarkFlagRequired("id") // the flag exists
	return cmd
}

// serverID matches valid ids of servers.
var serverID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

func (f *wrapFlags) run(cmd *cobra.Command, args []string) error {
	if !serverID.MatchString(f.id) {
		return exit.WrongInput(errors.New("--id: use up to 64 letters, digits, dots, dashes and underscores"))
	}
	level := slog.LevelWarn
	if f.verbose {
		level = slog.LevelDebug
	}
	log := slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: level}))
	judge, err := f.judge(log)
	if err != nil {
		return exit.WrongInput(err)
	}
	defer judge.Close()
	if err := judge.Ensure(cmd.Context()); err != nil {
		return err
	}
	if err := judge.Enter(cmd.Context(), control.Command{ID: f.id, Path: args[0], Args: args[1:]}); err != nil {
		return exit.WrongInput(err)
	}
	surviveBrokenPipes()
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, shim.Forwarded()...)
	defer signal.Stop(signals)
	// Signals end the server, and that ends the run, with the server's status and after its last output.
	status, err := shim.Run(context.WithoutCancel(cmd.Context()), shim.Config{
		Server: call.MCPServer{ID: f.id, Type: "stdio", Addr: filepath.Base(args[0])},
		Process: child.Config{
			Path: args[0], Args: args[1:], Stderr: cmd.ErrOrStderr(),
			Env: child.Environ(os.Environ(), child.Lists{Allow: f.allow, Deny: f.deny}),
		},
		Judge: judge, In: cmd.InOrStdin(), Out: cmd.OutOrStdout(), Signals: signals, Log: log,
	})
	if err != nil {
		return exit.WrongInput(err)
	}
	if status != 0 {
		return exit.With(status, errors.New("")) // the server has already reported the error
	}
	return nil
}

// judge returns a client of this machine's judge.
func (f *wrapFlags) judge(log *slog.Logger) (*control.Client, error) {
	c := control.ClientConfig{
		Key: os.Getenv(running.KeyVariable), Folder: project.Working(), BackWithin: max(f.wait, time.Millisecond),
		OnTrouble: func(err error) { log.Error("weir serve could not be asked", "err", err) },
	}
	if c.Path = os.Getenv(run.SocketVariable); c.Path != "" {
		// In a session of weir run only the session's own socket can be reached. The process that serves it starts what must be started.
		return control.NewClient(c), nil
	}
	if f.config != "" {
		if _, err := inuse.Config(f.config); err != nil {
			return nil, err // the user sees it here, and not only in the log of a weir that cannot start
		}
	}
	stateDir, err := config.StateDir(os.LookupEnv)
	if err != nil {
		return nil, err
	}
	if c.Path, err = control.Path(stateDir); err != nil {
		return nil, err
	}
	if !f.noStart {
		running.StartIfNone(&c, stateDir, f.config)
	}
	return control.NewClient(c), nil
}
