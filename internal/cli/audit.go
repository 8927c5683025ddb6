package cli

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/audit"
)

func newAudit() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "audit",
		Short:   "Look after the record",
		Example: "  weir audit verify",
	}
	cmd.AddCommand(newAuditVerify())
	return cmd
}

func newAuditVerify() *cobra.Command {
	var record recordFlags
	var expect string
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check that no record was changed, removed or moved",
		Long: `verify reads the whole record and checks its hash chains. Every start of weir opens a chain. The end of a chain
may be missing without a trace, since a killed process leaves it just so: keep the heads that verify prints, and give
them back with --expect to be sure that nothing was cut off since.`,
		Example: `  weir audit verify
  weir audit verify > heads.txt && weir audit verify --expect heads.txt`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			heads, err := readHeads(expect)
			if err != nil {
				return wrongInput(err)
			}
			r, err := record.open(cmd.Context())
			if err != nil {
				return err
			}
			defer r.Close() //nolint:errcheck // nothing was written
			report, err := audit.Verify(cmd.Context(), r, heads...)
			if err != nil {
				return err
			}
			return printReport(cmd, report)
		},
	}
	record.register(cmd)
	cmd.Flags().StringVar(&expect, "expect", "", "file with heads from an earlier run that must still be in the record")
	return cmd
}

// headWord begins the line of a head, so that the whole output can be kept and given back.
const headWord = "head"

func printReport(cmd *cobra.Command, report audit.Report) error {
	out := cmd.OutOrStdout()
	for _, p := range report.Problems {
		fmt.Fprintln(out, "problem", p)
	}
	for _, h := range report.Heads {
		fmt.Fprintln(out, headWord, printable(h.Chain, 80), h.Seq, printable(h.Hash, 80))
	}
	if report.Found > 0 {
		fmt.Fprintf(out, "NOT INTACT: %s in %s\n", count(report.Found, "problem"), count(report.Events, "event"))
		return failure{exitFailed, errSilent}
	}
	_, err := fmt.Fprintf(out, "intact: %s in %s\n", count(report.Events, "event"), count(len(report.Heads), "chain"))
	return err
}

// readHeads reads the head lines of an earlier run's output.
func readHeads(path string) ([]audit.Head, error) {
	if path == "" {
		return nil, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read expected heads: %w", err)
	}
	var heads []audit.Head
	for i, line := range strings.Split(string(data), "\n") {
		f := strings.Fields(line)
		if len(f) == 0 || f[0] != headWord {
			continue
		}
		var seq int64
		if len(f) == 4 {
			seq, err = strconv.ParseInt(f[2], 10, 64)
		}
		if len(f) != 4 || err != nil {
			return nil, fmt.Errorf("%s:%d: not a head; expected: %s CHAIN SEQ HASH", path, i+1, headWord)
		}
		heads = append(heads, audit.Head{Chain: f[1], Seq: seq, Hash: f[3]})
	}
	if len(heads) == 0 {
		return nil, fmt.Errorf("%s: no heads in it; give it what weir audit verify printed", path)
	}
	return heads, nil
}
