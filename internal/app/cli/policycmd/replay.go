package policycmd

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/cli/moment"
	"github.com/weir-gate/weir/internal/app/cli/terminal"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/study"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/quantity"
)

// pastFlags select the recorded calls that a command is about.
type pastFlags struct {
	excerpt.Flags
	since, until string
}

func (f *pastFlags) register(cmd *cobra.Command) {
	f.Flags.Register(cmd)
	cmd.Flags().StringVar(&f.since, "since", "7d", "only calls from this time on: "+moment.Forms+"; with --from the default is "+
		usualTranscripts)
	cmd.Flags().StringVar(&f.until, "until", "", "only calls before this time, written as for --since (default: now)")
}

func (f *pastFlags) filter() (query.Filter, error) {
	now := time.Now()
	since, err := moment.Parse(f.since, now)
	if err != nil {
		return query.Filter{}, exit.WrongInput(fmt.Errorf("--since: %w", err))
	}
	until := now
	if f.until != "" {
		if until, err = moment.Parse(f.until, now); err != nil {
			return query.Filter{}, exit.WrongInput(fmt.Errorf("--until: %w", err))
		}
	}
	if !since.Before(until) {
		return query.Filter{}, exit.WrongInput(fmt.Errorf("--since %s is not before --until %s",
			since.Format(time.DateTime), until.Format(time.DateTime)))
	}
	return query.Filter{Since: since, Until: until}, nil
}

type replayFlags struct {
	pastFlags
	transcriptFlags
	policy       string
	limit        int
	json         bool
	failOnChange bool
}

func newReplay() *cobra.Command {
	var f replayFlags
	cmd := &cobra.Command{
		Use:   "replay",
		Short: "Show what a policy would have decided about calls on record, or in an agent's transcripts",
		Long: `replay decides every call on record again, with the policy of --policy, and compares that with the rulings on
record. It prints how many calls change and how, by rule and tool, with examples. It also lists rules that
matched no call, and tools that no rule mentions. Refusals that were not enforced, as in shadow mode, count as
refusals.

Rates and budgets are not replayed. Calls that the record does not hold exactly, for example because secrets
were removed first, are counted separately.

With --from it reads no record, but the transcripts that an agent stores on this machine: it shows which calls of
the last 30 days the policy would have refused or asked about. That needs no configuration and no record. Without
--policy it uses the policy in use, or the starter policy. Calls that the agent's own permissions refused are
counted, too, and marked.`,
		Example: `  weir policy replay --policy candidate.yaml
  weir policy replay --from claude
  weir policy replay --from codex --since 90d --policy candidate.yaml
  weir policy replay --policy candidate.yaml --since 30d --fail-on-change
  weir policy replay --policy candidate.yaml --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.register(cmd)
	f.registerFrom(cmd)
	cmd.Flags().StringVar(&f.policy, "policy", "", "policy to replay with; --from needs none")
	cmd.Flags().IntVarP(&f.limit, "limit", "n", 0, "replay at most this many calls, the newest; 0: all")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	cmd.Flags().BoolVar(&f.failOnChange, "fail-on-change", false, "exit with 1 if anything changes")
	cmd.MarkFlagsMutuallyExclusive("from", "limit")
	return cmd
}

func (f *replayFlags) run(cmd *cobra.Command) error {
	if err := f.check(); err != nil {
		return err
	}
	if f.from != "" {
		return f.replayTranscripts(cmd)
	}
	if f.policy == "" {
		return exit.WrongInput(errors.New(`required flag(s) "policy" not set; or replay transcripts with --from`))
	}
	filter, err := f.filter()
	if err != nil {
		return err
	}
	if f.limit < 0 {
		return exit.WrongInput(fmt.Errorf("--limit: %d is less than 0", f.limit))
	}
	filter.Limit, filter.Newest = f.limit, f.limit > 0
	candidate, err := inuse.PolicyFile(f.policy).Load()
	if err != nil {
		return exit.WrongInput(err)
	}
	r, err := f.Open(cmd.Context())
	if err != nil {
		return err
	}
	defer r.Close()
	replay := newReplayer(candidate)
	if replay.egress, err = (&inuse.PolicyFlags{Config: f.Config}).EgressDefault(); err != nil {
		return err
	}
	if inForce, _, err := (&inuse.PolicyFlags{Config: f.Config}).Load(); err == nil {
		replay.know(inForce)
	}
	working := terminal.StartProgress(cmd, "replaying the record")
	defer working.End()
	record, err := working.Watch(cmd.Context(), r)
	if err == nil {
		err = replay.all(acts(cmd.Context(), record, filter))
	}
	working.End()
	if err != nil {
		return err
	}
	report := replay.tally.Report()
	if f.json {
		err = jsonout.Print(cmd.OutOrStdout(), report)
	} else {
		err = printReplay(cmd.OutOrStdout(), f.policy, report)
	}
	if err == nil && f.failOnChange && report.Changed > 0 {
		return exit.With(exit.Failed, exit.ErrSilent)
	}
	return err
}

// A replayer rules recorded calls again.
type replayer struct {
	tally     *study.Replay
	candidate *foresight
	// known are the available policies by version, to check whether a ruling can be repeated.
	known map[string]*foresight
	// egress is the verdict of the configuration on connections that no rule matches; "": allow.
	egress policy.Verdict
	// callsOnly leaves connections out.
	callsOnly bool
}

// settle returns what a policy decides about an act.
func (r *replayer) settle(f *foresight, a act) study.Settled {
	if a.event.Surface == call.Egress {
		d := f.policy.Decide(connectionQuery(a.event, r.egress))
		return study.Settled{Verdict: d.Verdict, Rule: d.Rule}
	}
	return settled(f.ruleAct(a)[0])
}

func newReplayer(candidate *policy.Policy) *replayer {
	r := &replayer{tally: study.NewReplay(candidate), candidate: newForesight(candidate), known: map[string]*foresight{}}
	r.known[candidate.Version()] = r.candidate
	return r
}

func (r *replayer) know(p *policy.Policy) {
	if r.known[p.Version()] == nil {
		r.known[p.Version()] = newForesight(p)
	}
}

func (r *replayer) all(past iter.Seq2[act, error]) error {
	for a, err := range past {
		if err != nil {
			return err
		}
		if r.callsOnly && a.event.Surface == call.Egress {
			continue
		}
		r.add(a)
	}
	return nil
}

// The reasons why a call cannot be decided again, in addition to those of act.partial.
const (
	inexactLimits = "refused by a rate or budget"
	inexactRecord = "the ruling used more than the record has"
)

func (r *replayer) add(a act) {
	r.tally.Meet(queryOf(a.event))
	for _, e := range a.inner {
		r.tally.Meet(queryOf(e))
	}
	then := settled(a.event)
	if a.refusedAnyway() {
		r.tally.Add(r.replayed(a, then))
		return
	}
	if why := a.partial(); why != "" {
		if d, refused := r.candidate.policy.RefusedByName(queryOf(a.event)); refused {
			r.tally.Add(r.replayed(a, study.Settled{Verdict: d.Verdict, Rule: d.Rule}))
			return
		}
		r.tally.AddInexact(why)
		return
	}
	now := r.settle(r.candidate, a)
	switch {
	case study.ChangeOf(then, now) == study.Unchanged:
	case a.wasLimited():
		r.tally.AddInexact(inexactLimits)
		return
	case !r.repeatable(a, then):
		r.tally.AddInexact(inexactRecord)
		return
	}
	r.tally.Add(r.replayed(a, now))
}

// repeatable says whether the policy that was in force then decides the same again. If that policy is not available, it is assumed
// to.
func (r *replayer) repeatable(a act, then study.Settled) bool {
	f := r.known[a.event.PolicyVersion]
	return f == nil || study.ChangeOf(then, r.settle(f, a)) == study.Unchanged
}

func (r *replayer) replayed(a act, now study.Settled) study.Replayed {
	e := a.event
	if a.told != nil {
		return a.retold(r.candidate.policy, now)
	}
	return study.Replayed{Server: e.Server, Tool: e.Tool, Then: settled(e), Now: now, Example: study.Example{
		Time: e.Time.Local().Format("2006-01-02 15:04:05"), CallID: string(e.CallID), Who: whoText(e.Actor), Args: inert.Text(string(e.Args),
			160),
	}}
}

// whoText returns an actor as text for people.
func whoText(a call.Actor) string {
	var parts []string
	for _, f := range [][2]string{{"employee", a.Employee}, {"key", a.Key}, {"team", a.Team}, {"org", a.Org}, {"session", a.Session}} {
		if f[1] != "" && !(f[0] == "session" && a.SessionDerived) {
			parts = append(parts, f[0]+" "+inert.Name(f[1], 80))
		}
	}
	return strings.Join(parts, ", ")
}

// changeNames are the names of changes for people.
var changeNames = map[study.Change]string{
	study.NewlyRefused: "newly refused", study.NewlyAsked: "newly asked",
	study.NewlyReleased: "newly released", study.NewlySanitized: "newly sanitised",
	study.NewlyFlagged: "newly flagged", study.NoLongerMarked: "no longer flagged or sanitised",
}

func printReplay(out io.Writer, name string, r study.Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "policy: %s, version %s\n", name, r.Policy)
	fmt.Fprintf(&b, "%s: %d unchanged, %d changed\n", quantity.Count(r.Calls, "call"), r.Unchanged, r.Changed)
	for _, change := range study.Changes {
		if n := r.Totals[change]; n > 0 {
			fmt.Fprintf(&b, "  %6d  %s\n", n, changeNames[change])
		}
	}
	for _, why := range slices.Sorted(maps.Keys(r.Inexact)) {
		fmt.Fprintf(&b, "%s cannot be replayed exactly: %s\n", quantity.Count(r.Inexact[why], "call"), why)
	}
	printGroups(&b, r, changeNames)
	printCoverage(&b, r)
	_, err := io.WriteString(out, b.String())
	return err
}

// printGroups prints the changes, under headings that say what kind of change it is.
func printGroups(b *strings.Builder, r study.Report, headings map[study.Change]string) {
	var last study.Change
	for _, g := range r.Groups {
		if g.Change != last {
			last = g.Change
			fmt.Fprintf(b, "\n%s\n", headings[last])
		}
		rule := "by default"
		if g.Rule != "" {
			rule = "rule " + inert.Name(g.Rule, 80)
		}
		fmt.Fprintf(b, "  %6d  %s  %s\n", g.Count, rule, toolText(g.Server, g.Tool))
		for _, e := range g.Examples {
			fmt.Fprintf(b, "          %s  %s", e.Time, inert.Name(cmp.Or(e.At, e.CallID), 400))
			for _, part := range []string{e.Who, e.Args} {
				if part != "" {
					fmt.Fprintf(b, "  %s", inert.Text(part, 200))
				}
			}
			b.WriteString("\n")
		}
	}
	if r.MoreChanges > 0 {
		fmt.Fprintf(b, "  %6d  more, of other tools\n", r.MoreChanges)
	}
}

func printCoverage(b *strings.Builder, r study.Report) {
	if len(r.Idle) > 0 {
		b.WriteString("\nrules that matched no call\n")
		for _, rule := range r.Idle {
			fmt.Fprintf(b, "  %s (%s, %s)\n", inert.Name(rule.ID, 80), rule.Verdict, rule.Where())
		}
	}
	if len(r.Bare) > 0 {
		fmt.Fprintf(b, "\ntools that no rule mentions (default: %s)\n", r.Default)
		for _, t := range r.Bare {
			fmt.Fprintf(b, "  %6d  %s\n", t.Count, toolText(t.Server, t.Tool))
		}
	}
	if r.MoreBare > 0 {
		fmt.Fprintf(b, "  %6d  calls of more tools\n", r.MoreBare)
	}
}

// toolText returns the name of a tool for people.
func toolText(server, tool string) string {
	if server != "" {
		return inert.Name(tool, 80) + " of server " + inert.Name(server, 80)
	}
	return inert.Name(tool, 80)
}
