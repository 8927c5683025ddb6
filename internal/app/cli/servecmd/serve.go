package servecmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/app/cli/running"
	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/app/daemon"
	"github.com/weir-gate/weir/internal/app/service"
	"github.com/weir-gate/weir/internal/app/version"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/preset"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/text/quantity"
)

type serveFlags struct {
	config, policy, listen string
	logFormat, logLevel    string
	quiet                  bool
}

func newServe() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Start weir",
		Long: `serve starts weir with the configuration of --config, else with weir.yaml in the configuration folder
($XDG_CONFIG_HOME/weir or ~/.config/weir), where weir init writes it. Without a configuration it listens on
127.0.0.1:4141, stores its record and a starter policy in the state folder, and serves the built-in upstreams.
Agents keep using their own API keys.

weir reads its policy, configuration and certificate again when their files change, and on SIGHUP. If the new ones
have errors, it reports them and uses the old ones. Of a new configuration the clients and the level of the log count
at once; other changes need a restart, and the log names them.

On SIGTERM or SIGINT it takes no more requests, and lets open responses end within the time that drain in weir.yaml
gives them. A second signal ends it at once.`,
		Example: `  weir serve
  weir serve --policy policy.yaml
  weir serve --config weir.yaml`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	cmd.Flags().StringVar(&f.config, "config", "", "configuration file (default: weir.yaml in the configuration folder, if it exists)")
	cmd.Flags().StringVar(&f.policy, "policy", "", "policy file; overrides the configuration")
	cmd.Flags().StringVar(&f.listen, "listen", "", "address to listen on; overrides the configuration")
	cmd.Flags().StringVar(&f.logFormat, "log-format", "", "form of the log: text or json; overrides the configuration")
	cmd.Flags().StringVar(&f.logLevel, "log-level", "", "least level that is logged: debug, info, warn or error; overrides the configuration")
	cmd.Flags().BoolVar(&f.quiet, "quiet", false, "log warnings and errors only")
	cmd.MarkFlagsMutuallyExclusive("quiet", "log-level")
	return cmd
}

func (f *serveFlags) run(cmd *cobra.Command) error {
	f.config = inuse.ConfigPath(f.config)
	cfg, err := inuse.Config(f.config)
	if err != nil {
		return err
	}
	if f.listen != "" {
		if err := cfg.SetListen(f.listen); err != nil {
			return exit.WrongInput(fmt.Errorf("--listen: %w", err))
		}
	}
	source, err := f.policySource(cfg)
	if err != nil {
		return err
	}
	if cfg.Log, err = f.logSettings(cfg.Log); err != nil {
		return err
	}
	log, level := newLog(cmd.ErrOrStderr(), cfg.Log)
	slog.SetDefault(log) // net/http writes to the standard log
	stateDir, err := config.StateDir(os.LookupEnv)
	if err != nil {
		log.Warn("cannot open the control socket: weir mcp wrap and weir run will not find this weir", "err", err)
	}
	d, err := daemon.Start(cmd.Context(), daemon.Config{
		Config: cfg, ConfigPath: f.config, Policy: source, Reread: f.reread(cfg), Log: log, Level: level,
		Version: version.Build(), StateDir: stateDir,
		OnControl: func() {
			if err := (running.StartedAs{Config: f.config, Policy: f.policy, Listen: f.listen}).Remember(stateDir); err != nil {
				log.Warn("cannot store how weir was started: weir mcp wrap and weir run cannot start it again", "err", err)
			}
		},
	})
	if err != nil {
		return exit.WrongInput(err)
	}
	f.printReady(cmd.OutOrStdout(), d, cfg, source)
	if err := service.Notify("READY=1"); err != nil {
		log.Warn("cannot tell systemd that weir is ready", "err", err)
	}
	defer context.AfterFunc(cmd.Context(), func() { _ = service.Notify("STOPPING=1") })() // it only shows in systemctl status
	return d.Run(cmd.Context())
}

// reread returns a function that reads the configuration again; nil: there is no file. cfg is the configuration at the start.
func (f *serveFlags) reread(cfg *config.Config) func() (*config.Config, error) {
	if f.config == "" {
		return nil
	}
	listen, source := cfg.Listen, cfg.Policy
	return func() (*config.Config, error) {
		read, err := config.Load(f.config, os.LookupEnv)
		if err != nil {
			return nil, err
		}
		// The command line overrides the file.
		if f.listen != "" {
			read.Listen = listen
		}
		if f.policy != "" {
			read.Policy = source
		}
		read.Log, err = f.logSettings(read.Log)
		return read, err
	}
}

// policySource returns where the policy is: the file on the command line, inline in the configuration, or the file that the
// configuration names. If none is named, the starter policy is first written to the state folder.
func (f *serveFlags) policySource(cfg *config.Config) (daemon.PolicySource, error) {
	path := cfg.Policy.Path
	if f.policy != "" {
		path = f.policy
	} else if cfg.Policy.Inline != nil {
		return daemon.PolicySource{Path: f.config, Inline: true, Parse: func(data []byte) (*policy.Policy, error) {
			c, err := config.Parse(f.config, data, os.LookupEnv)
			if err != nil {
				return nil, err
			}
			if c.Policy.Inline == nil {
				return nil, fmt.Errorf("%s: the policy is no longer inline; restart weir", f.config)
			}
			return c.Policy.Inline, nil
		}}, nil
	}
	if inuse.InStateFolder(path) {
		if err := ensureStarter(path); err != nil {
			return daemon.PolicySource{}, exit.WrongInput(err)
		}
	}
	return inuse.PolicyFile(path), nil
}

// ensureStarter writes the starter policy if the file does not exist yet.
func ensureStarter(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("create the state folder: %w; set XDG_STATE_HOME to a folder that can be written", err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err == nil {
		_, err = file.Write(preset.Starter())
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return fmt.Errorf("write the starter policy: %w; set XDG_STATE_HOME to a folder that can be written", err)
	}
	return nil
}

// printIngress prints how clients reach weir, if they do not reach it directly.
func printIngress(out io.Writer, cfg *config.Config) {
	i := cfg.Ingress
	if i.Advertise != nil {
		fmt.Fprintf(out, "  advertised   %s\n", i.Advertise)
	}
	if !i.Any() {
		return
	}
	trusted := make([]string, 0, len(i.Trusted)+1)
	for _, n := range i.Trusted {
		trusted = append(trusted, n.String())
	}
	if i.TrustsSocket {
		trusted = append(trusted, "whoever reaches the socket")
	}
	says := string(i.Header)
	if i.ProxyProtocol {
		says = "the PROXY protocol"
	}
	fmt.Fprintf(out, "  ingress      %s; %s counts from there alone\n", strings.Join(trusted, ", "), says)
	if i.EndsTLS {
		fmt.Fprintln(out, "  WARNING      ingress.ends_tls is true: between the ingress and weir keys and calls are NOT ENCRYPTED; "+
			"only the ingress and this machine are served")
	}
}

// printProxy prints the settings of the model proxy that differ from the default.
func printProxy(out io.Writer, cfg *config.Config) {
	switch cfg.Proxy.Mode {
	case config.MCPOnly:
		fmt.Fprintln(out, "  WARNING      proxy.mode is mcp-only: ONLY CALLS OF MCP TOOLS ARE JUDGED AND RECORDED; all others pass, whatever "+
			"the policy says")
	case config.Disabled:
		fmt.Fprintln(out, "  WARNING      proxy.mode is disabled: requests to models get a 404")
	}
	if cfg.Bodies.Store {
		fmt.Fprintf(out, "  bodies       stored for %s, without the secrets that weir finds\n", ageText(cfg.Bodies.Retention))
	}
}

// ageText returns a duration as text, in days if it is whole days.
func ageText(d time.Duration) string {
	if days := d / (24 * time.Hour); d == days*24*time.Hour {
		return quantity.Count(int64(days), "day")
	}
	return d.String()
}

// printReady says where weir listens and what is in force. It writes all at once: who waits for the first line can read the others.
func (f *serveFlags) printReady(w io.Writer, d *daemon.Daemon, cfg *config.Config, source daemon.PolicySource) {
	out := &bytes.Buffer{}
	f.describe(out, d, cfg, source)
	_, _ = out.WriteTo(w) // weir serves whether somebody reads it or not
}

func (f *serveFlags) describe(out io.Writer, d *daemon.Daemon, cfg *config.Config, source daemon.PolicySource) {
	base := d.Base()
	fmt.Fprintf(out, "weir %s is listening on %s\n", version.Build(), d.LocalBase())
	printIngress(out, cfg)
	fmt.Fprintf(out, "  policy       %s (reloaded when it changes)\n", source.Path)
	fmt.Fprintf(out, "               version %s\n", d.PolicyVersion())
	if path, ok := inuse.FormerPolicy(); ok && path != source.Path {
		fmt.Fprintf(out, "               not in force: %s, which has rules of your own\n", path)
	}
	fmt.Fprintf(out, "  record       %s\n", store.URL(cfg.Store.URL))
	if cfg.Audit.Release == config.Shipped {
		fmt.Fprintln(out, "               audit.release is shipped: a call waits until the store has its record")
	}
	fmt.Fprintf(out, "  enforcement  %s\n", cfg.Enforcement)
	if !cfg.Audit.BeforeRelease {
		fmt.Fprintln(out, "  WARNING      audit.before_release is false: a call may reach an agent before its record is durable")
	}
	if cfg.ForClients() && len(cfg.Clients) == 0 {
		fmt.Fprintln(out, "  WARNING      there are no clients, and nobody may use weir: weir client add makes a key")
	}
	printProxy(out, cfg)
	key := ""
	if cfg.ForClients() {
		key = "/k/<your weir key>"
	}
	for i, id := range d.Servers() {
		heading := ""
		if i == 0 {
			heading = "MCP servers"
		}
		fmt.Fprintf(out, "  %-11s  %s%s/mcp/%s\n", heading, base, key, id)
	}
	if cfg.Proxy.Mode == config.Disabled {
		return
	}
	if strings.HasPrefix(base, "unix:") {
		fmt.Fprintln(out, "\nClients reach the socket through a proxy; set ingress.advertise to the address at which they do.")
		return
	}
	watched := ""
	if f.config != "" {
		watched = " --store " + store.URL(cfg.Store.URL).String() // without the secrets that the configuration needs
	}
	fmt.Fprintf(out, `
Run an agent:      %[4]s run -- claude
Or point it here:
  Claude Code      ANTHROPIC_BASE_URL=%[1]s%[2]s/anthropic claude
  Gemini CLI       GOOGLE_GEMINI_BASE_URL=%[1]s%[2]s/gemini gemini
  Codex, opencode  docs/codex.md, docs/opencode.md
  Anthropic SDKs   ANTHROPIC_BASE_URL, or base_url="%[1]s%[2]s/anthropic"
  OpenAI SDKs      OPENAI_BASE_URL, or base_url="%[1]s%[2]s/openai/v1"
Watch it:          %[4]s calls --follow%[3]s
`, base, key, watched, running.ProgramName())
}
