package policycmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/app/cli/running"
	"github.com/weir-gate/weir/internal/app/cli/terminal"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/exemption"
	"github.com/weir-gate/weir/internal/policy/files"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/when"
)

type allowFlags struct {
	inuse.PolicyFlags
	store, span string
	anyContent  bool
}

func newAllow() *cobra.Command {
	var f allowFlags
	cmd := &cobra.Command{
		Use:   "allow CALL",
		Short: "Let a refused call pass from now on, by an exception in the policy",
		Long: `allow writes the narrowest exception for a call that was refused into the policy: for this tool with these
arguments, and for nobody else. It shows the change as a diff, and which other calls of the last 7 days would have
passed. Then it asks on the terminal, records who agreed (policy_allowed), and writes the file. Everything else in it
stays as it is.

CALL is weir's id of the call (call_…) or the provider's (toolu_…). All arguments must be the same, also the content of
a file. Only the description and the timeout of a command may differ, if they are not what is refused; allow says so.
--any-content lets the file get any content, if its path is what is refused.

--for session lets the call pass in its session only, for at most a day; --for 1h, or another time, until then; and
--for always without an end. Without --for it is the session, or 1h if the call was made in none.

allow is for people: it needs a terminal, has no flag that answers for you, and does not run inside a session.`,
		Example: `  weir policy allow toolu_01A09q90qw90lq917835lq9
  weir policy allow toolu_01A09q90qw90lq917835lq9 --for 2h
  weir policy allow call_06f3kz --for always --policy policy.yaml`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	f.PolicyFlags.Register(cmd)
	cmd.Flags().StringVar(&f.store, "store", "", "store that has the call (default: the one that the configuration names)")
	cmd.Flags().StringVar(&f.span, "for", "", "how long: session, a time such as 30m, 1h or 7d, or always (default: session, else 1h)")
	cmd.Flags().BoolVar(&f.anyContent, "any-content", false, "let the file get any content; only where its path is what is refused")
	return cmd
}

// An allowance is an exception that a person is asked about.
type allowance struct {
	act    act // as if it were made now
	terms  exemption.Terms
	span   string // how long, in the words of --for
	now    *policy.Policy
	plan   *exemption.Plan
	fresh  bool // the policy has no file yet
	others others
}

func (f *allowFlags) run(cmd *cobra.Command, id string) error {
	if err := running.DemandOutside("weir policy allow"); err != nil {
		return err
	}
	now := time.Now()
	a, err := f.find(cmd.Context(), id)
	if err != nil {
		return err
	}
	w := allowance{act: a}
	w.act.event.Time = now
	if w.span, w.terms, err = spanOf(f.span, a.event.Actor, now); err != nil {
		return exit.WrongInput(fmt.Errorf("--for: %w", err))
	}
	w.terms.Reason = fmt.Sprintf("%s allowed it on %s: %s", running.Login(), now.Format(time.DateOnly), a.event.CallID)
	w.terms.Name = shortID(a.event.CallID)
	if w.terms.AnyContent = f.anyContent; f.anyContent {
		w.terms.Reason += "; any content passes"
	}
	if err := f.prepare(&w); err != nil {
		return exit.WrongInput(err)
	}
	if w.others, err = f.othersOf(cmd, w); err != nil {
		return err
	}
	if err := w.print(cmd.OutOrStdout()); err != nil {
		return err
	}
	if err := w.consent(cmd); err != nil {
		return err
	}
	return f.carryOut(cmd, w)
}

// find returns a call on record that was refused, and for which there can be an exception.
func (f *allowFlags) find(ctx context.Context, id string) (act, error) {
	a, err := (&explainFlags{PolicyFlags: inuse.PolicyFlags{Config: f.Config}, store: f.store, call: id}).recorded(ctx)
	if err != nil {
		return a, err
	}
	var why string
	switch {
	case !isRefused(settled(a.event)):
		why = "the call was not refused"
	case a.event.Surface == call.Egress:
		why = "this is a connection; write an exception by hand, under unless of the rule"
	case a.refusedAnyway():
		why = fmt.Sprintf("the call was refused as %s, whatever the policy says", a.event.Code)
	case a.wasLimited():
		why = fmt.Sprintf("the call was refused as %s; change the limit by hand", a.event.Code)
	case a.partial() != "":
		why = a.partial() + ", so no exception can be exact"
	}
	if why != "" {
		return a, exit.WrongInput(errors.New(why + "; nothing was changed"))
	}
	return a, nil
}

// These bound how long an exception holds.
const (
	sessionSpan = 24 * time.Hour // a session ends, but its id is never used again
	longestSpan = 366 * 24 * time.Hour
)

// spanOf reads how long an exception holds.
func spanOf(text string, actor call.Actor, now time.Time) (span string, terms exemption.Terms, err error) {
	inSession := actor.Session != "" && !actor.SessionDerived
	switch {
	case text == "" && inSession:
		text = "session"
	case text == "":
		text = "1h"
	}
	length := sessionSpan
	switch text {
	case "always":
		return text, terms, nil
	case "session":
		if terms.Session = inSession; !inSession {
			return text, terms, errors.New("the call was made in no session of its own; write a time such as 1h")
		}
	default:
		if length, err = parseSpan(text); err != nil {
			return text, terms, err
		}
	}
	terms.Until = now.Add(length).UTC().Format(time.RFC3339)
	return text, terms, nil
}

func parseSpan(text string) (time.Duration, error) {
	length, err := time.ParseDuration(text)
	if days, found := strings.CutSuffix(text, "d"); found {
		var n int
		n, err = strconv.Atoi(days)
		length = time.Duration(min(n, 1000)) * 24 * time.Hour
	}
	if err != nil || length < time.Minute || length > longestSpan {
		return 0, fmt.Errorf("%q is not possible; write session, always, or a time from 1m to 366d, such as 30m, 1h or 7d", text)
	}
	return length, nil
}

// shortID returns the part of an id that tells it from others.
func shortID(id call.ID) string {
	text := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, string(id))
	const most = 10
	return text[max(0, len(text)-most):]
}

// prepare plans the exception, and tries it.
func (f *allowFlags) prepare(w *allowance) error {
	sources, fresh, err := f.sources()
	if err != nil {
		return err
	}
	if w.now, err = policy.ParseSources(sources); err != nil {
		return err
	}
	w.fresh = fresh
	events := newForesight(w.now).ruleAct(w.act)
	queries := []policy.Query{queryOf(w.act.event)}
	for _, inner := range events[1:] {
		q := queryOf(inner)
		q.Now = when.At(w.act.event.Time)
		queries = append(queries, q)
	}
	w.plan, err = exemption.Make(sources, queries, w.terms)
	if errors.Is(err, exemption.ErrNotRefused) {
		return fmt.Errorf("%s does not refuse this call now; it was refused by policy %s; if that is another file, name it with --policy",
			inert.Text(sources.Files[0].Name, 400), w.act.event.PolicyVersion)
	}
	if err != nil {
		return fmt.Errorf("%w; nothing was changed", err)
	}
	if after := newForesight(w.plan.Policy).ruleAct(w.act)[0]; isRefused(settled(after)) {
		return fmt.Errorf("with the exception the call would still be refused: %s; nothing was changed", rulingOf(after))
	}
	return nil
}

// sources returns the files of the policy in use. fresh says that it has none yet.
func (f *allowFlags) sources() (s policy.Sources, fresh bool, err error) {
	if f.Policy != "" {
		s, err = files.Read(f.Policy)
		return s, false, err
	}
	cfg, err := inuse.Config(f.Config)
	if err != nil {
		return s, false, err
	}
	if cfg.Policy.Inline != nil {
		return s, false, fmt.Errorf("the policy is part of %s, which is not changed automatically; write it in a file of its own, or write the "+
			"exception by hand", inuse.ConfigPath(f.Config))
	}
	s, err = files.Read(cfg.Policy.Path)
	if errors.Is(err, os.ErrNotExist) && inuse.InStateFolder(cfg.Policy.Path) {
		starter := policy.Text{Name: cfg.Policy.Path, Data: []byte("version: 1\nextends: balanced\n")}
		return policy.Sources{Files: []policy.Text{starter}}, true, nil
	}
	return s, false, err
}

// othersOf replays the calls of the last days, with the policy as it is and with the exception.
func (f *allowFlags) othersOf(cmd *cobra.Command, w allowance) (o others, err error) {
	r, err := (&excerpt.Flags{Config: f.Config, Store: f.store}).Open(cmd.Context())
	if err != nil {
		return o, err
	}
	defer r.Close()
	working := terminal.StartProgress(cmd, "replaying the record")
	defer working.End()
	record, err := working.Watch(cmd.Context(), r)
	if err != nil {
		return o, err
	}
	before, after := newForesight(w.now), newForesight(w.plan.Policy)
	since := query.Filter{Since: w.act.event.Time.Add(-replayedSpan), Until: w.act.event.Time}
	for a, err := range acts(cmd.Context(), record, since) {
		if err != nil {
			return o, err
		}
		o.add(w, a, before, after)
	}
	return o, nil
}

// consent asks the person whether the exception is to be written. A further factor, such as an approval by somebody else, belongs here.
func (w allowance) consent(cmd *cobra.Command) error {
	yes, err := terminal.Ask(cmd, "Write this exception?")
	switch {
	case errors.Is(err, terminal.ErrNobody):
		return exit.WrongInput(errors.New("there is no terminal to ask on, so nothing was changed; run it yourself in a terminal, or write the " +
			"lines above into the file by hand"))
	case err == nil && !yes:
		return exit.With(exit.Failed, errors.New("nothing was changed"))
	default:
		return err
	}
}
