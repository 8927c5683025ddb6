package policycmd

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/terminal"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/study"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/quantity"
)

type suggestFlags struct {
	pastFlags
	transcriptFlags
	out string
}

func newSuggest() *cobra.Command {
	var f suggestFlags
	cmd := &cobra.Command{
		Use:   "suggest",
		Short: "Write a policy that allows only what was released before",
		Long: `suggest reads the record and writes a policy that refuses by default, with one rule for each tool that had a
released call. Comments say how often the tool was called, by whom, and when last. If a tool has at least five
calls, and all of them run certain programs, use paths in one folder or addresses of certain hosts, the rule
requires that. Refused calls appear as comments.

Connections are left out, because no rule of the policy is for them.

Of arguments, only folders, hosts and program names are written. At the end suggest says whether the policy
releases everything that was released.

With --from it reads the transcripts that an agent stores on this machine, of the last 30 days, and no record. What
the agent's own permissions refused counts as refused.`,
		Example: `  weir policy suggest
  weir policy suggest --from claude --out policy.yaml
  weir policy suggest --since 30d --out policy.yaml`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.register(cmd)
	f.registerFrom(cmd)
	cmd.Flags().StringVar(&f.out, "out", "", "file to write; it must not exist yet (default: standard output)")
	return cmd
}

func (f *suggestFlags) run(cmd *cobra.Command) error {
	if err := f.check(); err != nil {
		return err
	}
	if f.from != "" {
		return f.suggestTranscripts(cmd)
	}
	filter, err := f.filter()
	if err != nil {
		return err
	}
	r, err := f.Open(cmd.Context())
	if err != nil {
		return err
	}
	defer r.Close()
	working := terminal.StartProgress(cmd, "reading the record")
	working.Then = "trying the policy"
	defer working.End()
	record, err := working.Watch(cmd.Context(), r)
	if err != nil {
		return err
	}
	return f.suggest(cmd, acts(cmd.Context(), record, filter), acts(cmd.Context(), r, filter), working.End)
}

// suggest makes a policy from calls, and tries it on the same calls again.
func (f *suggestFlags) suggest(cmd *cobra.Command, past, again iter.Seq2[act, error], done func()) error {
	text, err := suggestion(past)
	if err != nil {
		return err
	}
	suggested, err := policy.Parse("suggested policy", []byte(text))
	if err != nil {
		return fmt.Errorf("read the suggested policy: %w", err)
	}
	replay := newReplayer(suggested)
	replay.callsOnly = true
	err = replay.all(again)
	done()
	if err != nil {
		return err
	}
	if err := f.write(cmd.OutOrStdout(), text); err != nil {
		return err
	}
	return printSuggested(cmd.ErrOrStderr(), suggested, replay.tally.Report())
}

// suggestion makes a policy from calls.
func suggestion(past iter.Seq2[act, error]) (string, error) {
	s := study.NewSuggestion()
	for a, err := range past {
		if err != nil {
			return "", err
		}
		for _, seen := range a.seen() {
			s.Add(seen)
		}
	}
	return s.YAML(), nil
}

// seen returns what a suggestion learns from an act. It learns nothing from invalid calls.
func (a act) seen() (out []study.Seen) {
	if a.refusedAnyway() {
		return nil
	}
	for _, e := range append([]record.Event{a.event}, a.inner...) {
		out = append(out, study.Seen{
			Query: queryOf(e), Then: settled(e), Code: e.Code, Reason: call.WithoutPart(e.Reason), Day: e.Time.Local().Format("2006-01-02"),
			Partial: a.partial() != "",
		})
	}
	return out
}

func (f *suggestFlags) write(out io.Writer, text string) error {
	if f.out == "" {
		_, err := io.WriteString(out, text)
		return err
	}
	file, err := os.OpenFile(f.out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return exit.WrongInput(fmt.Errorf("--out: %s exists already; remove it, or name another file", f.out))
	}
	if err == nil {
		_, err = io.WriteString(file, text)
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return exit.WrongInput(fmt.Errorf("--out: write the policy: %w", err))
	}
	return nil
}

// printSuggested prints how well the policy fits the calls from which it was made.
func printSuggested(out io.Writer, p *policy.Policy, r study.Report) error {
	inexact := 0
	for _, n := range r.Inexact {
		inexact += n
	}
	text := fmt.Sprintf("%s from %s", quantity.Count(p.Len(), "rule"), quantity.Count(r.Calls+inexact, "call"))
	if n := r.Totals[study.NewlyRefused]; n > 0 {
		text += fmt.Sprintf("; it refuses %s released before, with code that cannot be read or a name that no rule can have",
			quantity.Count(n, "call"))
	} else {
		text += "; it releases every call that was released and can be replayed"
	}
	if n := r.Totals[study.NewlyReleased]; n > 0 {
		text += fmt.Sprintf("; it releases %s refused before: add the rules that refused them", quantity.Count(n, "call"))
	}
	if inexact > 0 {
		text += fmt.Sprintf("; %s cannot be replayed exactly", quantity.Count(inexact, "call"))
	}
	_, err := fmt.Fprintln(out, text)
	return err
}
