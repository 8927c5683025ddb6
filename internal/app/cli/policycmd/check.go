package policycmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/cli/moment"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/warn"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/quantity"
	"github.com/weir-gate/weir/internal/text/when"
)

type checkFlags struct {
	inuse.PolicyFlags
	store  string
	since  string
	calls  int
	strict bool
	json   bool
}

func newCheck() *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Check a policy file, and list everything that is wrong with it",
		Long: `check prints every error in a policy, and warns of parts that probably mean something else than they seem to:
rules without effect, conditions that hold for too much or for nothing, names of tools that no agent has.
Each warning says what is the matter and how to correct it. docs/policy-tools.md describes all of them.

If there is a record, check compares the policy with the newest calls in it, and warns of conditions that no call met.

A policy can silence a warning with a reason: silence: [{warning: NAME, reason: …}], in a rule or for the whole policy.
With --strict a warning is an error.`,
		Example: `  weir policy check policy.yaml
  weir policy check --strict policy.yaml
  weir policy check --config weir.yaml --since 90d`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				if f.Policy != "" || f.Config != "" {
					return exit.WrongInput(errors.New("give a file, --policy or --config, not several"))
				}
				f.Policy = args[0]
			}
			return f.run(cmd)
		},
	}
	f.Register(cmd)
	cmd.Flags().BoolVar(&f.strict, "strict", false, "treat warnings as errors")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	cmd.Flags().StringVar(&f.store, "store", "",
		"record to compare with, such as sqlite:///path/to/weir.db (default: that of the configuration)")
	cmd.Flags().StringVar(&f.since, "since", "30d", "compare with calls from this time on: "+moment.Forms)
	cmd.Flags().IntVar(&f.calls, "calls", 2000, "compare with at most this many calls on record, the newest; 0: with none")
	return cmd
}

// A checkReport is the result of a check, for programs.
type checkReport struct {
	Policy   string        `json:"policy"`
	Version  string        `json:"policy_version"`
	Rules    int           `json:"rules"`
	Warnings []warningLine `json:"warnings"`
	Silenced int           `json:"silenced"`
	// Calls are the calls on record with which the policy was compared, and NotCompared says why there are none.
	Calls       int    `json:"calls"`
	NotCompared string `json:"not_compared,omitzero"`
	// Unmet are the rules that refuse calls and met none of these.
	Unmet []string `json:"rules_that_refused_nothing,omitzero"`
}

// A warningLine is one warning, for programs.
type warningLine struct {
	ID      string `json:"id"`
	Rule    string `json:"rule,omitzero"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Key     string `json:"key"`
	Message string `json:"message"`
	Cure    string `json:"cure"`
}

func (f *checkFlags) run(cmd *cobra.Command) error {
	since, err := moment.Parse(f.since, time.Now())
	if err != nil {
		return exit.WrongInput(fmt.Errorf("--since: %w", err))
	}
	if f.calls < 0 {
		return exit.WrongInput(fmt.Errorf("--calls: %d is less than 0", f.calls))
	}
	p, name, err := f.Load()
	if err != nil {
		return err
	}
	finder := warn.New(p)
	if f.Policy == "" {
		if finder.Egress, err = f.EgressDefault(); err != nil {
			return err
		}
	}
	trouble := ""
	if f.calls > 0 {
		trouble = f.compare(cmd.Context(), finder, query.Filter{Since: since, Limit: f.calls, Newest: true})
	} else {
		trouble = "--calls is 0"
	}
	found := finder.Find(when.At(time.Now()))
	out := checkReport{
		Policy: name, Version: p.Version(), Rules: p.Len(), Warnings: []warningLine{}, Silenced: found.Silenced,
		Calls: found.Calls, NotCompared: trouble, Unmet: found.Unmet,
	}
	for _, w := range found.Warnings {
		out.Warnings = append(out.Warnings, warningLine{w.ID, w.Rule, w.File, w.Line, w.Column, w.Key, w.Message, w.Cure})
	}
	if f.json {
		err = jsonout.Print(cmd.OutOrStdout(), out)
	} else {
		err = f.print(cmd, out)
	}
	if err == nil && f.strict && len(out.Warnings) > 0 {
		return exit.With(exit.Usage, exit.ErrSilent)
	}
	return err
}

// compareFor bounds the time for which calls are compared.
const compareFor = 10 * time.Second

// compare compares the policy with calls on record. It says why it could not; "": it could.
func (f *checkFlags) compare(ctx context.Context, finder *warn.Finder, filter query.Filter) (trouble string) {
	ctx, stop := context.WithTimeout(ctx, compareFor)
	defer stop()
	r, err := (&excerpt.Flags{Config: f.Config, Store: f.store}).Open(ctx)
	if errors.Is(err, fs.ErrNotExist) && f.store == "" {
		return "there is no record yet"
	}
	if err != nil {
		why, _, _ := strings.Cut(err.Error(), "; ") // a check needs no record, so there is nothing to correct
		return why
	}
	defer r.Close()
	var meet func(policy.Query)
	for a, err := range acts(ctx, r, filter) {
		if ctx.Err() != nil {
			break // what was met until now counts
		}
		if err != nil {
			return err.Error()
		}
		if a.event.Surface == call.Egress || a.event.Surface == call.Inbound {
			continue
		}
		if meet == nil {
			meet = finder.Compare()
		}
		if a.partial() == "" {
			meet(queryOf(a.event))
		}
		for _, e := range a.inner {
			if e.Args != nil {
				meet(queryOf(e))
			}
		}
	}
	if meet == nil {
		return "the record has no calls since then"
	}
	return ""
}

// print prints the result for people: warnings where errors are printed, too.
func (f *checkFlags) print(cmd *cobra.Command, r checkReport) error {
	var b strings.Builder
	word := "warning "
	if f.strict {
		word = ""
	}
	for _, w := range r.Warnings {
		fmt.Fprintf(&b, "%s:%d:%d: %s%s: %s: %s; %s\n", w.File, w.Line, w.Column, word, w.ID, w.Key, w.Message, w.Cure)
	}
	if _, err := io.WriteString(cmd.ErrOrStderr(), b.String()); err != nil || f.strict && len(r.Warnings) > 0 {
		return err
	}
	b.Reset()
	fmt.Fprintf(&b, "%s: ok, %s, version %s", r.Policy, quantity.Count(r.Rules, "rule"), r.Version)
	if len(r.Warnings) > 0 {
		b.WriteString(", " + quantity.Count(len(r.Warnings), "warning"))
	}
	if r.Silenced > 0 {
		fmt.Fprintf(&b, ", %d silenced", r.Silenced)
	}
	b.WriteString("\n")
	if r.NotCompared != "" {
		fmt.Fprintf(&b, "not compared with calls on record: %s\n", inert.Text(r.NotCompared, 400))
	} else {
		fmt.Fprintf(&b, "compared with %s on record\n", quantity.Count(r.Calls, "call"))
	}
	if len(r.Unmet) > 0 {
		fmt.Fprintf(&b, "rules that refused none of them: %s\n", strings.Join(r.Unmet, ", "))
	}
	_, err := io.WriteString(cmd.OutOrStdout(), b.String())
	return err
}
