package recordcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/cli/terminal"
	"github.com/weir-gate/weir/internal/record/kept"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/text/quantity"
)

func newStoreStatus() *cobra.Command {
	var record excerpt.Flags
	var asJSON, segments bool
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
			if segments {
				if s.Finished, err = v.Segments(cmd.Context()); err != nil {
					return err
				}
			}
			if asJSON {
				return jsonout.Print(cmd.OutOrStdout(), s)
			}
			return printStatus(cmd.OutOrStdout(), url, s)
		},
	}
	record.Register(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&segments, "segments", false, "also list the finished segments of the logs, with times, events and SHA-256")
	return cmd
}

func printStatus(out io.Writer, url string, s kept.Status) error {
	behind := "up to date"
	if s.Behind > 0 {
		behind = quantity.Count(s.Behind, "event") + " behind"
	}
	const text = "%s\n  events  %s in %s\n  logs    %d, of which %d %s written; %s in %s, %d compressed\n  index   %s, %s\n"
	_, err := fmt.Fprintf(out, text,
		store.URL(url), quantity.Thousands(s.Events), quantity.Count(s.Chains, "chain"), s.Logs, s.Live, isAre(s.Live), megabytes(s.LogBytes),
		quantity.Count(s.Segments, "segment"), s.Packed, megabytes(s.IndexSize), behind)
	for _, f := range s.Finished {
		if err == nil {
			_, err = fmt.Fprintf(out, "  %s/%d  %s to %s  %s  %s  sha256:%s\n",
				f.Log, f.Base, f.First.Format(time.RFC3339), f.Last.Format(time.RFC3339),
				quantity.Count(f.Events, "event"), megabytes(f.Bytes), f.SHA256)
		}
	}
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
		Example: "  weir store rebuild",
		Args:    cobra.NoArgs,
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
