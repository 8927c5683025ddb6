package servecmd

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/app/daemon"
	"github.com/weir-gate/weir/internal/text/quantity"
)

func newConfig() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "config",
		Short:   "Check the configuration",
		Example: "  weir config check weir.yaml",
	}
	cmd.AddCommand(newConfigCheck(), newConfigSchema())
	return cmd
}

func newConfigCheck() *cobra.Command {
	var path string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Check a configuration and its policy, and list everything that is wrong with them",
		Example: `  weir config check weir.yaml
  weir config check --config /etc/weir/weir.yaml`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				if path != "" {
					return exit.WrongInput(errors.New("give a file or --config, not both"))
				}
				path = args[0]
			}
			if path = inuse.ConfigPath(path); path == "" {
				return exit.WrongInput(errors.New("there is no configuration to check: name a file; weir init writes one, and without one weir serve " +
					"uses defaults"))
			}
			return checkConfig(cmd, path, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, if the configuration is right")
	cmd.Flags().StringVar(&path, "config", "", "configuration file (default: weir.yaml in the configuration folder)")
	return cmd
}

// A goodConfig is what check says of a configuration without errors, as JSON.
type goodConfig struct {
	Config    string `json:"config"`
	Listen    string `json:"listen"`
	Upstreams int    `json:"upstreams"`
	Clients   int    `json:"clients"`
	Policy    string `json:"policy"`
	Rules     int    `json:"rules"`
	Version   string `json:"version"`
}

func checkConfig(cmd *cobra.Command, path string, asJSON bool) error {
	cfg, err := inuse.Config(path)
	if err != nil {
		return err
	}
	if _, err := daemon.ServerTLS(cfg); err != nil {
		return exit.WrongInput(err)
	}
	if err := daemon.CheckOutgoing(cfg); err != nil {
		return exit.WrongInput(err)
	}
	if _, err := daemon.Prices(cfg); err != nil {
		return exit.WrongInput(err)
	}
	p, name, err := (&inuse.PolicyFlags{Config: path}).Load()
	if err != nil {
		return err
	}
	if asJSON {
		return jsonout.Print(cmd.OutOrStdout(), goodConfig{
			path, cfg.Listen, len(cfg.Upstreams), len(cfg.Clients), name, p.Len(), p.Version(),
		})
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: ok, listens on %s, %s, %s\n%s: ok, %s, version %s\n",
		path, cfg.Listen, quantity.Count(len(cfg.Upstreams), "upstream"), quantity.Count(len(cfg.Clients), "client"),
		name, quantity.Count(p.Len(), "rule"), p.Version())
	return err
}

func newConfigSchema() *cobra.Command {
	return jsonout.SchemaCommand("Print the JSON Schema of the configuration, for editors", "  weir config schema > weir.schema.json",
		config.Schema)
}
