package recordcmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/app/cli/terminal"
	"github.com/weir-gate/weir/internal/record/store"
)

func newStore() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "store",
		Short:   "Look after the database that holds the record",
		Example: "  weir store migrate --check",
	}
	cmd.AddCommand(newStoreMigrate())
	return cmd
}

func newStoreMigrate() *cobra.Command {
	var record excerpt.Flags
	var check bool
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Bring the tables of the store up to date",
		Long: `migrate creates the tables that are missing and upgrades those of an older weir, as weir serve does when it
starts. It is for a database whose tables belong to another role than the one that weir serves with, and for who wants
to choose the moment. With --check it changes nothing and ends with code 1 if there is work to do.`,
		Example: `  weir store migrate
  weir store migrate --check --config /etc/weir/weir.yaml
  weir store migrate --store postgres://owner@db.example/weir`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			url := record.Store
			if url == "" {
				cfg, err := inuse.Config(record.Config)
				if err != nil {
					return err
				}
				url = cfg.Store.URL
			}
			if check {
				return checkStore(cmd, url)
			}
			working := terminal.StartProgress(cmd, "migrating "+store.Name(url))
			from, to, err := store.Migrate(cmd.Context(), url)
			working.End()
			if err != nil {
				return exit.WrongInput(err)
			}
			return printMigration(cmd, url, from, to)
		},
	}
	cmd.Flags().StringVar(&record.Config, "config", "", "configuration that names the store (default: weir.yaml in the configuration folder, else the store in the state folder)")
	cmd.Flags().StringVar(&record.Store, "store", "", "store to migrate, such as "+store.Examples())
	cmd.Flags().BoolVar(&check, "check", false, "only say whether there is work to do")
	cmd.MarkFlagsMutuallyExclusive("config", "store")
	return cmd
}

func printMigration(cmd *cobra.Command, url string, from, to int64) (err error) {
	if from == to {
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: up to date, version %d\n", store.Name(url), to)
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: migrated from version %d to version %d\n", store.Name(url), from, to)
	return err
}

// checkStore fails if a store is not up to date.
func checkStore(cmd *cobra.Command, url string) error {
	found, known, err := store.Versions(cmd.Context(), url)
	if err != nil {
		return exit.WrongInput(err)
	}
	if found == known {
		return printMigration(cmd, url, found, known)
	}
	if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: version %d, to be migrated to version %d\n", store.Name(url), found, known); err != nil {
		return err
	}
	return exit.With(exit.Failed, exit.ErrSilent)
}
