package recordcmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/cli/terminal"
	"github.com/weir-gate/weir/internal/record/store"
)

func newStore() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "store",
		Short:   "Migrate the database of the record, and back it up",
		Example: "  weir store migrate --check",
	}
	cmd.AddCommand(newStoreMigrate(), newStoreBackup())
	return cmd
}

func newStoreMigrate() *cobra.Command {
	var record excerpt.Flags
	var check, asJSON bool
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Create or upgrade the tables of the store",
		Long: `migrate creates missing tables, and upgrades those of an older weir. weir serve does the same when it starts.
Use this command if the tables belong to another database role than the one weir serves with, or to choose when
it happens. With --check it changes nothing, and the exit code is 1 if a migration is needed.`,
		Example: `  weir store migrate
  weir store migrate --check --config /etc/weir/weir.yaml
  weir store migrate --store postgres://owner@db.example/weir`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			url, err := record.URL()
			if err != nil {
				return err
			}
			if check {
				return checkStore(cmd, url, asJSON)
			}
			working := terminal.StartProgress(cmd, "migrating "+store.URL(url).String())
			from, to, err := store.URL(url).Migrate(cmd.Context())
			working.End()
			if err != nil {
				return exit.WrongInput(err)
			}
			return printMigration(cmd, url, from, to, asJSON)
		},
	}
	record.Register(cmd)
	cmd.Flags().Lookup("store").Usage = "store to migrate, such as " + store.Forms.Examples
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: the store, and its versions before and after")
	cmd.Flags().BoolVar(&check, "check", false, "change nothing; only say whether a migration is needed")
	return cmd
}

// A migration is what migrate says, as JSON.
type migration struct {
	Store string `json:"store"`
	From  int64  `json:"from"`
	To    int64  `json:"to"`
	Done  bool   `json:"done"` // false: it is needed
}

func printMigration(cmd *cobra.Command, url string, from, to int64, asJSON bool) (err error) {
	if asJSON {
		return jsonout.Print(cmd.OutOrStdout(), migration{store.URL(url).String(), from, to, true})
	}
	if from == to {
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: up to date, version %d\n", store.URL(url), to)
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: migrated from version %d to version %d\n", store.URL(url), from, to)
	return err
}

// checkStore fails if a store is not up to date.
func checkStore(cmd *cobra.Command, url string, asJSON bool) error {
	found, known, err := store.URL(url).Versions(cmd.Context())
	if err != nil {
		return exit.WrongInput(err)
	}
	if found == known {
		return printMigration(cmd, url, found, known, asJSON)
	}
	if asJSON {
		err = jsonout.Print(cmd.OutOrStdout(), migration{store.URL(url).String(), found, known, false})
	} else {
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: version %d, to be migrated to version %d\n", store.URL(url), found, known)
	}
	if err != nil {
		return err
	}
	return exit.With(exit.Failed, exit.ErrSilent)
}
