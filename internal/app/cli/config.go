package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/daemon"
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
	cmd := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Say whether a configuration and its policy can be loaded, and everything that is wrong with them",
		Example: `  weir config check weir.yaml
  weir config check --config /etc/weir/weir.yaml`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				if path != "" {
					return wrongInput(errors.New("give a file or --config, not both"))
				}
				path = args[0]
			}
			if path = configInUse(path); path == "" {
				return wrongInput(errors.New("no configuration given, and none in the configuration folder; without one weir serve uses its defaults. See weir config check --help"))
			}
			return checkConfig(cmd, path)
		},
	}
	cmd.Flags().StringVar(&path, "config", "", "configuration file (default: weir.yaml in the configuration folder)")
	return cmd
}

func checkConfig(cmd *cobra.Command, path string) error {
	cfg, err := loadConfig(path)
	if err != nil {
		return err
	}
	if _, err := daemon.ServerTLS(cfg); err != nil {
		return wrongInput(err)
	}
	if _, err := daemon.Prices(cfg); err != nil {
		return wrongInput(err)
	}
	p, name, err := (&policyFlags{config: path}).load()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: ok, listens on %s, %s, %s\n%s: ok, %s, version %s\n",
		path, cfg.Listen, count(len(cfg.Upstreams), "upstream"), count(len(cfg.Clients), "client"),
		name, count(p.Len(), "rule"), p.Version())
	return err
}
