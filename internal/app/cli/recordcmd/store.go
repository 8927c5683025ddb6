package recordcmd

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/terminal"
	"github.com/weir-gate/weir/internal/record/kept"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/text/quantity"
)

func newStore() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "store",
		Short: "Show, upgrade or reindex the place where the record is",
		Example: `  weir store status
  weir store migrate --check`,
	}
	cmd.AddCommand(newStoreMigrate(), newStoreStatus(), newStoreRebuild())
	return cmd
}

func newStoreMigrate() *cobra.Command {
	var record excerpt.Flags
	var check bool
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
				return checkStore(cmd, url)
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
			return printMigration(cmd, url, from, to, moved)
		},
	}
	record.Register(cmd)
	cmd.Flags().Lookup("store").Usage = "store to migrate, such as " + store.Forms.Examples
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

func printMigration(cmd *cobra.Command, url string, from, to, moved int64) (err error) {
	switch {
	case from == to && moved == 0:
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: up to date, version %d\n", store.URL(url), to)
		return err
	case from != to:
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: migrated from version %d to version %d\n", store.URL(url), from, to)
	}
	if err == nil && moved > 0 {
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: moved %s into a log\n", store.URL(url), quantity.Count(moved, "event"))
	}
	return err
}

// checkStore fails if a store is not up to date.
func checkStore(cmd *cobra.Command, url string) error {
	found, known, err := store.URL(url).Versions(cmd.Context())
	if err != nil {
		return exit.WrongInput(err)
	}
	if found == known {
		return printMigration(cmd, url, found, known, 0)
	}
	if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: version %d, to be migrated to version %d\n", store.URL(url), found, known); err != nil {
		return err
	}
	return exit.With(exit.Failed, exit.ErrSilent)
}

func newStoreStatus() *cobra.Command {
	var record excerpt.Flags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Say how large the record is, and whether its index is up to date",
		Long: `status says what the logs have, how much room they and their index take, and how many events are not indexed yet.
Lists show those, too; statistics do not count them. A store on a server has no logs that are kept and no index.`,
		Example: "  weir store status\n  weir store status --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			url, err := keptURL(&record)
			if err != nil {
				return err
			}
			v, err := kept.OpenReadOnly(cmd.Context(), kept.Config{URL: url})
			if err != nil {
				return exit.WrongInput(err)
			}
			defer v.Close() // nothing was written
			s, err := v.Status(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return json.MarshalWrite(cmd.OutOrStdout(), s, jsontext.WithIndent("  "), jsontext.SpaceAfterColon(true))
			}
			return printStatus(cmd.OutOrStdout(), url, s)
		},
	}
	record.Register(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printStatus(out io.Writer, url string, s kept.Status) error {
	behind := "up to date"
	if s.Behind > 0 {
		behind = quantity.Count(s.Behind, "event") + " behind"
	}
	_, err := fmt.Fprintf(out, "%s\n  events  %s in %s\n  logs    %d, of which %d %s written; %s in %s, %d compressed\n  index   %s, %s\n",
		store.URL(url), quantity.Thousands(s.Events), quantity.Count(s.Chains, "chain"), s.Logs, s.Live, isAre(s.Live), megabytes(s.LogBytes),
		quantity.Count(s.Segments, "segment"), s.Packed, megabytes(s.IndexSize), behind)
	return err
}

func isAre(n int) string {
	if n == 1 {
		return "is being"
	}
	return "are being"
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

func newStoreRebuild() *cobra.Command {
	var record excerpt.Flags
	cmd := &cobra.Command{
		Use:   "rebuild",
		Short: "Delete the index of the record, and make it anew from the logs",
		Long: `rebuild makes the index anew. The logs are the record, so nothing is lost with the index. weir notices an index that is
damaged, and makes it anew by itself; use this command if you do not want to wait for that.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			url, err := keptURL(&record)
			if err != nil {
				return err
			}
			working := terminal.StartProgress(cmd, "indexing "+store.URL(url).String())
			s, err := rebuild(cmd.Context(), url)
			working.End()
			if err != nil {
				return exit.WrongInput(err)
			}
			return printStatus(cmd.OutOrStdout(), url, s)
		},
	}
	record.Register(cmd)
	return cmd
}

func rebuild(ctx context.Context, url string) (s kept.Status, err error) {
	r, err := kept.Open(ctx, kept.Config{URL: url})
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	if err := r.Rebuild(ctx); err != nil {
		return s, err
	}
	return r.Status(ctx)
}

// keptURL returns the URL of a record that is kept in logs.
func keptURL(f *excerpt.Flags) (string, error) {
	url, err := f.URL()
	if err != nil {
		return "", err
	}
	if _, isFile := store.URL(url).File(); !isFile {
		return "", exit.WrongInput(fmt.Errorf("%s is on a server: it has no index; weir status says how far it is behind", store.URL(url)))
	}
	return url, nil
}
