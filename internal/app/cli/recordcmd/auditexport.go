package recordcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/cli/terminal"
	"github.com/weir-gate/weir/internal/app/version"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
	"github.com/weir-gate/weir/internal/record/export"
	"github.com/weir-gate/weir/internal/record/query"
)

type exportFlags struct {
	excerpt.Flags
	excerpt.Selection
	format, out string
	heads       bool
}

func newAuditExport() *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Export the record as JSON Lines, CSV or OCSF",
		Long: `export writes the events that match all filters, oldest first. There are three formats: jsonl has one complete
event per line; csv is for spreadsheets; ocsf follows the Open Cybersecurity Schema Framework 1.8.0 (API
Activity, and Detection Finding for what was refused).

Text from agents and models is escaped so that it does no harm in a terminal, a web page or a spreadsheet.

With --heads it writes the heads of the chains and the newest checkpoints. Store them on another machine, and
pass them to weir audit verify --head.`,
		Example: `  weir audit export > events.jsonl
  weir audit export --format csv --since 30d --out refused.csv --blocked
  weir audit export --format ocsf --type tool_call --since yesterday --until today
  weir audit export --heads > heads.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.Flags.Register(cmd)
	f.Selection.Register(cmd)
	f.RegisterType(cmd, "all", "only events of this type; all: every type")
	cmd.Flags().StringVar(&f.format, "format", "jsonl", export.Formats)
	cmd.Flags().StringVar(&f.out, "out", "", "file to write, for you alone; it appears once it is complete (default: standard output)")
	cmd.Flags().BoolVar(&f.heads, "heads", false, "write the heads of the chains and the newest checkpoints, no events")
	cmd.MarkFlagsMutuallyExclusive("heads", "format")
	cmd.MarkFlagsMutuallyExclusive("heads", "type")
	return cmd
}

func (f *exportFlags) run(cmd *cobra.Command) (err error) {
	if err := f.Complete(cmd); err != nil {
		return exit.WrongInput(err)
	}
	if _, err := export.New(io.Discard, f.format, ""); err != nil {
		return exit.WrongInput(fmt.Errorf("--format: %w", err))
	}
	r, err := f.Open(cmd.Context())
	if err != nil {
		return err
	}
	defer r.Close() // nothing was written
	if f.Filter, err = excerpt.Meant(cmd.Context(), r, f.Filter); err != nil {
		return err
	}
	work := f.events
	if f.heads {
		work = exportHeads
	}
	if f.out != "" {
		return writeWhole(f.out, func(out io.Writer) error { return work(cmd, r, out) })
	}
	return work(cmd, r, cmd.OutOrStdout())
}

// events writes the events that are recorded now. Events that are recorded meanwhile are left for the next export.
func (f *exportFlags) events(cmd *cobra.Command, r terminal.Record, out io.Writer) error {
	ctx := cmd.Context()
	x, err := export.New(out, f.format, version.Build())
	if err != nil {
		return err
	}
	if f.Filter.UpToRow, err = r.LastRow(ctx); err != nil {
		return err
	}
	f.Filter.Thorough = true // it compares the events themselves, and does not rely on notes of the store
	var source query.Source = r
	if !terminal.Is(out) { // else progress would disturb the output
		working := terminal.StartProgress(cmd, "exporting the record")
		defer working.End()
		if source, err = working.Watch(ctx, r); err != nil {
			return err
		}
	}
	if f.Filter.UpToRow > 0 {
		entries := source.Entries(ctx, f.Filter)
		if x.Joins {
			entries = query.Joined(ctx, r, entries)
		}
		leftOut := x.Joins && f.Filter.Type != record.Types.CallArguments // arguments that were recorded later: their call has them
		for e, err := range entries {
			if err == nil && !(leftOut && e.Type == record.Types.CallArguments) {
				err = x.Write(e)
			}
			if err != nil {
				return err
			}
		}
	}
	return x.Close()
}

func exportHeads(cmd *cobra.Command, r terminal.Record, out io.Writer) error {
	ctx := cmd.Context()
	chains, err := r.Chains(ctx)
	if err != nil {
		return err
	}
	var heads []record.Head
	for _, c := range chains {
		if c.Seq > 0 {
			heads = append(heads, c.Head)
		}
	}
	newest, err := newestCheckpoints(ctx, r)
	if err != nil {
		return err
	}
	return jsonout.Print(out, savedOf(heads, newest))
}

// newestCheckpoints returns the newest checkpoint of every key, by key.
func newestCheckpoints(ctx context.Context, r terminal.Record) ([]checkpoint.Signed, error) {
	newest := map[string]checkpoint.Signed{}
	for s, err := range r.Checkpoints(ctx, 0) {
		if err != nil {
			return nil, err
		}
		if s.N > newest[s.Key].N {
			newest[s.Key] = s
		}
	}
	all := slices.Collect(maps.Values(newest))
	slices.SortFunc(all, func(a, b checkpoint.Signed) int { return cmp.Compare(a.Key, b.Key) })
	return all, nil
}

// writeWhole writes a file so that it appears only when it is complete, and not at all if something fails.
func writeWhole(path string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*") // with mode 0600
	if err != nil {
		return exit.WrongInput(fmt.Errorf("--out: %w", err))
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name()) // the first error is reported
		}
	}()
	if err := errors.Join(write(f), f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return nil
}
