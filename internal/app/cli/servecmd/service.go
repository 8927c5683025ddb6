package servecmd

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/cli/running"
	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/app/service"
	"github.com/weir-gate/weir/internal/app/version"
	"github.com/weir-gate/weir/internal/run"
)

type serviceFlags struct {
	config         string
	system, dryRun bool
	json, follow   bool
	lines          int
}

func newService() *cobra.Command {
	var f serviceFlags
	cmd := &cobra.Command{
		Use:   "service",
		Short: "Keep weir running",
		Long: `service makes weir a service of this machine: it is started when you log in, or with --system when the machine
starts, and started again if it fails. On Linux systemd does that, on macOS launchd, on Windows the Task Scheduler.`,
		Example: `  weir service install
  weir service status`,
	}
	cmd.PersistentFlags().BoolVar(&f.system, "system", false, "the service of the machine, not yours (needs the rights for that)")
	add := func(use, short, example string, run func(*cobra.Command, *service.Service) error) *cobra.Command {
		sub := &cobra.Command{Use: use, Short: short, Example: example, Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := f.service()
			if err != nil {
				return exit.WrongInput(err)
			}
			return run(cmd, s)
		}}
		cmd.AddCommand(sub)
		return sub
	}
	install := add("install", "Install weir as a service, and start it",
		"  weir service install\n  sudo weir service install --system --config /etc/weir/weir.yaml", f.install)
	install.Flags().StringVar(&f.config, "config", "", "configuration file (default: weir.yaml in the configuration folder, if it exists)")
	install.Flags().BoolVar(&f.dryRun, "dry-run", false, "print what would be written and run, and change nothing")
	status := add("status", "Say whether the service runs", "  weir service status", f.status)
	status.Flags().BoolVar(&f.json, "json", false, "print JSON")
	add("restart", "Start the service again", "  weir service restart", f.act("restarted", (*service.Service).Restart))
	add("stop", "Stop the service until its next start", "  weir service stop", f.act("stopped", (*service.Service).Stop))
	add("uninstall", "Stop the service and remove it; the record and the policy stay", "  weir service uninstall",
		f.act("uninstalled", (*service.Service).Uninstall))
	logs := add("logs", "Print the log of the service", "  weir service logs --follow", f.logs)
	logs.Flags().IntVar(&f.lines, "lines", 100, "how many lines")
	logs.Flags().BoolVar(&f.follow, "follow", false, "print new lines as they come")
	return cmd
}

// service is weir as a service of this machine. Agents have no part in it.
func (f *serviceFlags) service() (*service.Service, error) {
	if os.Getenv(run.SessionVariable) != "" {
		return nil, errors.New("weir service cannot be used inside a session of weir run; run it outside")
	}
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	if err != nil {
		return nil, fmt.Errorf("find the program of weir: %w", err)
	}
	spec := service.Spec{Program: self, Args: []string{"serve"}, System: f.system, Version: version.Build()}
	if f.config != "" {
		path, err := filepath.Abs(f.config)
		if err != nil {
			return nil, err
		}
		spec.Args = append(spec.Args, "--config", path)
	}
	if !f.system {
		for _, name := range []string{"XDG_STATE_HOME", "XDG_CONFIG_HOME"} {
			if value := os.Getenv(name); value != "" {
				spec.Environment = append(spec.Environment, name+"="+value)
			}
		}
		if spec.StateDir, err = config.StateDir(os.LookupEnv); err != nil {
			return nil, err
		}
	} else {
		spec.StateDir = filepath.Join("/var", "lib", "weir")
	}
	return service.New(spec)
}

func (f *serviceFlags) install(cmd *cobra.Command, s *service.Service) error {
	out := cmd.OutOrStdout()
	if f.dryRun {
		s.Print(out)
		return nil
	}
	var cfg *config.Config
	if !f.system || f.config != "" {
		var err error
		if cfg, err = inuse.Config(inuse.ConfigPath(f.config)); err != nil {
			return err
		}
	}
	state, err := s.State(cmd.Context())
	if err != nil {
		return err
	}
	if !state.Running && cfg != nil {
		if err := portFree(cmd.Context(), cfg.Listen); err != nil {
			return err
		}
	}
	if err := s.Install(cmd.Context()); err != nil {
		return err
	}
	what := "installed"
	if state.Installed {
		what = "installed again"
	}
	fmt.Fprintf(out, "weir is %s as a service of %s: %s\n", what, state.Manager, s.File())
	if !f.system {
		if err := awaitHello(cmd.Context()); err != nil {
			return fmt.Errorf("the service was started, but weir does not respond: %w; see weir service logs", err)
		}
	}
	fmt.Fprintln(out, "It runs. weir status says with what.")
	if hint := s.Hint(); hint != "" {
		fmt.Fprintln(out, hint)
	}
	return nil
}

// portFree fails if something listens where the service would listen.
func portFree(ctx context.Context, address string) error {
	if client, err := running.Client(); err == nil {
		defer client.Close()
		if hello, err := client.Hello(ctx); err == nil {
			return fmt.Errorf("weir runs already, as process %d, and not as the service; stop that one first", hello.PID)
		}
	}
	if strings.HasPrefix(address, "unix:") {
		return nil // weir removes what a killed one has left, and says what else is wrong
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("the service could not listen on %s: %w; another program uses it: stop that one, or set listen in weir.yaml",
			address, err)
	}
	return l.Close()
}

// helloWithin is how long a service may take until it responds.
const helloWithin = 15 * time.Second

func awaitHello(ctx context.Context) error {
	client, err := running.Client()
	if err != nil {
		return err
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, helloWithin)
	defer cancel()
	for {
		_, err := client.Hello(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func (f *serviceFlags) act(done string, act func(*service.Service, context.Context) error) func(*cobra.Command, *service.Service) error {
	return func(cmd *cobra.Command, s *service.Service) error {
		if err := act(s, cmd.Context()); err != nil {
			return err
		}
		_, err := fmt.Fprintf(cmd.OutOrStdout(), "the service is %s\n", done)
		return err
	}
}

func (f *serviceFlags) status(cmd *cobra.Command, s *service.Service) error {
	state, err := s.State(cmd.Context())
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	if f.json {
		err = jsonout.Print(out, state)
	} else {
		printService(out, state)
	}
	if err == nil && !state.Running {
		err = exit.With(exit.Failed, exit.ErrSilent)
	}
	return err
}

func (f *serviceFlags) logs(cmd *cobra.Command, s *service.Service) error {
	words, err := s.LogCommand(f.lines, f.follow)
	if err != nil {
		return err
	}
	c := exec.CommandContext(cmd.Context(), words[0], words[1:]...)
	c.Stdout, c.Stderr = cmd.OutOrStdout(), cmd.ErrOrStderr()
	if err := c.Run(); err != nil && cmd.Context().Err() == nil {
		return fmt.Errorf("print the log: %s: %w", words[0], err)
	}
	return nil
}
