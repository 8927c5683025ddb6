package recordcmd

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/terminal"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/text/inert"
)

type statsFlags struct {
	excerpt.Flags
	excerpt.Selection
	by    string
	limit int
	json  bool
}

func newStats() *cobra.Command {
	var f statsFlags
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Show statistics: calls, tokens, cost and times",
		Long: `stats counts what matches all filters. Without --by it prints a summary. It reads the store directly; weir need
not be running.

In the summary, and by employee, team, org, session, model, provider, hour or day, tokens, cost and times are
those of responses. By tool, server, verdict, rule or code, or with a filter on one of these, they are those of
calls: each call has an equal share of its response's tokens and cost, and its response's times.`,
		Example: `  weir stats --since 7d
  weir stats --by tool --since monday
  weir stats --by employee --team payments
  weir stats --by hour --since yesterday --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.Flags.Register(cmd)
	f.Selection.Register(cmd)
	terminal.RegisterScreen(cmd)
	cmd.Flags().StringVar(&f.by, "by", "", "group by "+groupList())
	cmd.Flags().IntVarP(&f.limit, "limit", "n", 20, "show at most this many groups: those with the most calls, or the newest; 0: all")
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON object per line, one for each group")
	return cmd
}

// groupList names the groups: "a, b or c".
func groupList() string {
	names := query.By.Names()
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

func (f *statsFlags) run(cmd *cobra.Command) error {
	if err := f.complete(cmd); err != nil {
		return exit.WrongInput(err)
	}
	r, err := f.Open(cmd.Context())
	if err != nil {
		return err
	}
	defer r.Close() // nothing was written
	if f.Filter, err = excerpt.Meant(cmd.Context(), r, f.Filter); err != nil {
		return err
	}
	working := terminal.StartProgress(cmd, "counting")
	defer working.End()
	stats, err := f.ask(cmd.Context(), r, query.Group(f.by), f.limit)
	if err != nil {
		return err
	}
	return terminal.Show(cmd, func(s *terminal.Screen) error {
		var text strings.Builder
		switch {
		case f.json:
			err = f.printJSON(&text, stats)
		case f.by == "":
			err = f.printSummary(cmd.Context(), r, &text, stats)
		default:
			err = f.printTable(&text, s.Width, stats)
		}
		working.End()
		if err != nil {
			return err
		}
		_, err = io.WriteString(s, text.String())
		return err
	})
}

func (f *statsFlags) complete(cmd *cobra.Command) error {
	if err := f.Selection.Complete(cmd); err != nil {
		return err
	}
	if f.limit < 0 {
		return fmt.Errorf("--limit: %d is less than 0", f.limit)
	}
	if cmd.Flags().Changed("by") && !slices.Contains(query.By.Names(), f.by) {
		return fmt.Errorf("--by: cannot group by %q; use %s", f.by, groupList())
	}
	return nil
}

// groupedStats are statistics, and how many groups are not shown.
type groupedStats struct {
	query.Stats
	ofCalls bool
	more    int // groups beyond the limit
}

// A statistics returns statistics of the record.
type statistics interface {
	Stats(ctx context.Context, q query.StatsQuery) (query.Stats, error)
}

// ask returns statistics of the selection, with at most this many groups; 0: all.
func (f *statsFlags) ask(ctx context.Context, r statistics, by query.Group, most int) (groupedStats, error) {
	q := query.StatsQuery{Filter: f.Filter, By: by, Zone: f.Zone()}
	stats, err := r.Stats(ctx, q)
	a := groupedStats{Stats: stats, ofCalls: q.OfCalls()}
	if by == "" && len(a.Groups) == 0 {
		a.Groups = []query.Stat{{}}
	}
	if n := len(a.Groups) - most; most > 0 && n > 0 {
		a.more = n
		if by == query.By.Hour || by == query.By.Day {
			a.Groups = a.Groups[n:]
		} else {
			a.Groups = a.Groups[:most]
		}
	}
	return a, err
}

// name returns the name of a group for people.
func (f *statsFlags) name(s query.Stat) string {
	switch query.Group(f.by) {
	case query.By.Hour:
		return s.Begin.In(f.Zone()).Format("2006-01-02 15:04")
	case query.By.Day:
		return s.Begin.In(f.Zone()).Format("2006-01-02 Mon")
	}
	return groupName(query.Group(f.by), s.Name)
}

// noName is shown for the group without a name: calls that no rule decided, people who are not known.
const noName = "-"

// groupName returns the name of a group for people. A tool always has a name, even if it is empty.
func groupName(by query.Group, name string) string {
	switch {
	case name == "" && by != query.By.Tool:
		return noName
	case name == noName:
		return `"` + noName + `"`
	}
	return inert.Name(name, 60)
}
