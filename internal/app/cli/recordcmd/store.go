package recordcmd

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/cli/terminal"
	"github.com/weir-gate/weir/internal/record/kept"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/text/quantity"
)

func newStore() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "store",
		Short: "Show, upgrade, reindex or back up the place where the record is",
		Example: `  weir store status
  weir store migrate --check`,
	}
	cmd.AddCommand(newStoreMigrate(), newStoreStatus(), newStoreRebuild(), newStoreBackup())
	return cmd
}

func newStoreMigrate() *cobra.Command {
	var record excerpt.Flags
	var check, asJSON bool
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Create or upgrade the store",
		Long: `migrate creates missing tables, and upgrades those of an older weir. Events that an older weir kept in a SQLite file
are moved into a log, each compared with its hash. weir serve does the same when it starts. Use this command if the
tables belong to another database role than the one weir serves with, or to choose when it happens. With --check it
changes nothing, and the exit code is 1 if a migration is needed.`,
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
			var moved int64
			if err == nil {
				moved, err = moveEvents(cmd.Context(), url)
			}
			working.End()
			if err != nil {
				return exit.WrongInput(err)
			}
			return printMigration(cmd, migration{store.URL(url).String(), from, to, moved, true}, asJSON)
		},
	}
	record.Register(cmd)
	cmd.Flags().Lookup("store").Usage = "store to migrate, such as " + store.Forms.Examples
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: the store, its versions before and after, and how many events were moved")
	cmd.Flags().BoolVar(&check, "check", false, "change nothing; only say whether a migration is needed")
	return cmd
}

// moveEvents moves the events of an older weir out of a file, and returns how many.
func moveEvents(ctx context.Context, url string) (moved int64, err error) {
	if _, isFile := store.URL(url).File(); !isFile {
		return 0, nil
	}
	var failed error
	r, err := kept.Open(ctx, kept.Config{
		URL: url, OnMoved: func(done, _ int64) { moved = done }, OnError: func(err error) { failed = err },
	})
	if err != nil {
		return 0, err
	}
	return moved, errors.Join(r.Close(), failed)
}

// A migration is what migrate says, as JSON.
type migration struct {
	Store string `json:"store"`
	From  int64  `json:"from"`
	To    int64  `json:"to"`
	Moved int64  `json:"moved,omitzero"` // events
	Done  bool   `json:"done"`           // false: it is needed
}

func printMigration(cmd *cobra.Command, m migration, asJSON bool) (err error) {
	out := cmd.OutOrStdout()
	switch {
	case asJSON:
		return jsonout.Print(out, m)
	case !m.Done:
		_, err = fmt.Fprintf(out, "%s: version %d, to be migrated to version %d\n", m.Store, m.From, m.To)
	case m.From == m.To && m.Moved == 0:
		_, err = fmt.Fprintf(out, "%s: up to date, version %d\n", m.Store, m.To)
	case m.From != m.To:
		_, err = fmt.Fprintf(out, "%s: migrated from version %d to version %d\n", m.Store, m.From, m.To)
	}
	if err == nil && m.Moved > 0 {
		_, err = fmt.Fprintf(out, "%s: moved %s into a log\n", m.Store, quantity.Count(m.Moved, "event"))
	}
	return err
}

// checkStore fails if a store is not up to date.
func checkStore(cmd *cobra.Command, url string, asJSON bool) error {
	found, known, err := store.URL(url).Versions(cmd.Context())
	if err != nil {
		return exit.WrongInput(err)
	}
	err = printMigration(cmd, migration{Store: store.URL(url).String(), From: found, To: known, Done: found == known}, asJSON)
	if err != nil || found == known {
		return err
	}
	return exit.With(exit.Failed, exit.ErrSilent)
}
