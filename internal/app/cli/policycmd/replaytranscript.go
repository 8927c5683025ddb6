package policycmd

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/cli/terminal"
	"github.com/weir-gate/weir/internal/policy/study"
	"github.com/weir-gate/weir/internal/run/agent/transcript"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/quantity"
)

// A transcriptReport is what a policy would have decided about the calls of transcripts.
type transcriptReport struct {
	From     string           `json:"from"`
	Since    string           `json:"since"`
	Read     transcript.Tally `json:"transcripts"`
	Allowed  int              `json:"allowed"`
	Asked    int              `json:"asked"`
	Refused  int              `json:"refused"`
	Sanitize int              `json:"sanitized"`
	Flagged  int              `json:"flagged"`
	study.Report
}

// replayTranscripts decides the calls of an agent's transcripts.
func (f *replayFlags) replayTranscripts(cmd *cobra.Command) error {
	if !cmd.Flags().Changed("since") {
		f.since = usualTranscripts
	}
	when, err := f.filter()
	if err != nil {
		return err
	}
	given := inuse.PolicyFlags{Config: f.Config, Policy: f.policy}
	p, name, err := given.Load()
	if err != nil {
		return err
	}
	reading, err := f.open(when)
	if err != nil {
		return err
	}
	replay := newReplayer(p)
	working := terminal.StartProgress(cmd, "reading the transcripts")
	err = replay.all(told(cmd.Context(), reading, false))
	working.End()
	if err != nil {
		return err
	}
	report := transcriptReport{
		From: f.from, Since: when.Since.Local().Format("2006-01-02"), Read: reading.Tally, Report: replay.tally.Report(),
	}
	report.Allowed, report.Asked, report.Refused = report.Unchanged, report.Totals[study.NewlyAsked], report.Totals[study.NewlyRefused]
	report.Sanitize, report.Flagged = report.Totals[study.NewlySanitized], report.Totals[study.NewlyFlagged]
	if f.json {
		err = jsonout.Print(cmd.OutOrStdout(), report)
	} else {
		err = report.print(cmd.OutOrStdout(), name)
	}
	if err == nil && f.failOnChange && report.Changed > 0 {
		return exit.With(exit.Failed, exit.ErrSilent)
	}
	return err
}

// toldNames are the names of what a policy does with calls that nothing was decided about before.
var toldNames = map[study.Change]string{
	study.NewlyRefused: "refused", study.NewlyAsked: "asked", study.NewlySanitized: "sanitised", study.NewlyFlagged: "flagged",
}

func (r transcriptReport) print(out io.Writer, name string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "policy: %s, version %s\n", name, r.Policy)
	fmt.Fprintf(&b, "%s of %s in %s since %s\n", quantity.Count(r.Read.Calls, "call"), r.From, quantity.Count(r.Read.Files, "file"), r.Since)
	fmt.Fprintf(&b, "  %6d  allowed\n", r.Allowed)
	for _, change := range []study.Change{study.NewlyAsked, study.NewlyRefused} {
		fmt.Fprintf(&b, "  %6d  %s\n", r.Totals[change], toldNames[change])
	}
	for _, change := range []study.Change{study.NewlySanitized, study.NewlyFlagged} {
		if n := r.Totals[change]; n > 0 {
			fmt.Fprintf(&b, "  %6d  %s\n", n, toldNames[change])
		}
	}
	if r.Stopped > 0 {
		fmt.Fprintf(&b, "the agent itself had refused %s of these\n", quantity.Count(r.Stopped, "call"))
	}
	for _, why := range slices.Sorted(maps.Keys(r.Inexact)) {
		fmt.Fprintf(&b, "%s cannot be decided: %s\n", quantity.Count(r.Inexact[why], "call"), why)
	}
	printTally(&b, r.Read)
	printGroups(&b, r.Report, toldNames)
	printCoverage(&b, r.Report)
	return inert.WriteLines(out, b.String())
}

// printTally prints what could not be read, or where nothing was found.
func printTally(b *strings.Builder, t transcript.Tally) {
	if t.Files == 0 {
		fmt.Fprintf(b, "no transcript of this time is in %s; --path names another folder\n", strings.Join(t.Places, " or "))
	}
	if n := t.BadFiles; n > 0 {
		fmt.Fprintf(b, "%s could not be read\n", quantity.Count(n, "file"))
	}
	if n := t.BadLines; n > 0 {
		fmt.Fprintf(b, "%s could not be read\n", quantity.Count(n, "line"))
	}
	for _, trouble := range t.Troubles {
		at := inert.Name(trouble.File, 400)
		if trouble.Line > 0 {
			at += fmt.Sprintf(":%d", trouble.Line)
		}
		fmt.Fprintf(b, "  %s: %s\n", at, inert.Text(trouble.Why, 200))
	}
	if more := t.BadFiles + t.BadLines - len(t.Troubles); more > 0 && len(t.Troubles) > 0 {
		fmt.Fprintf(b, "  and %d more\n", more)
	}
}

// suggestTranscripts makes a policy from the calls of an agent's transcripts.
func (f *suggestFlags) suggestTranscripts(cmd *cobra.Command) error {
	if !cmd.Flags().Changed("since") {
		f.since = usualTranscripts
	}
	when, err := f.filter()
	if err != nil {
		return err
	}
	first, err := f.open(when)
	if err != nil {
		return err
	}
	second, err := f.open(when)
	if err != nil {
		return err
	}
	working := terminal.StartProgress(cmd, "reading the transcripts")
	defer working.End()
	err = f.suggest(cmd, told(cmd.Context(), first, true), told(cmd.Context(), second, true), working.End)
	if err != nil {
		return err
	}
	var b strings.Builder
	printTally(&b, first.Tally)
	return inert.WriteLines(cmd.ErrOrStderr(), b.String())
}
