package approvalcmd

import (
	"bufio"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/running"
	"github.com/weir-gate/weir/internal/app/cli/terminal"
	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/approval"
)

// A voting is the command of a vote.
type voting struct {
	excerpt.Flags
	voter
	yes    bool
	scope  string
	reason string
}

// A voter says who votes.
type voter struct{ user, code string }

func (v *voter) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&v.user, "user", "", "who votes, as people in weir.yaml names them (default: the login name)")
	cmd.Flags().StringVar(&v.code, "code", "", "the code of your authenticator (default: asked on the terminal)")
}

func newVote(yes bool) *cobra.Command {
	v := &voting{yes: yes}
	cmd := &cobra.Command{
		Use:   "approve ID",
		Short: "Let a call pass that waits for a person",
		Long: `approve shows the call, asks for a code of your authenticator, and counts your yes. If the rule needs more votes,
the call still waits for them. What passes is exactly this call, once, or with --scope session as often as its
session makes it. It cannot run inside a session of weir run.

It ends with 0 if the vote counts, 3 if the request has expired, and 4 if it was decided otherwise.`,
		Example: `  weir approvals approve apr_1q3n8k0c9g5t2
  weir approvals approve apr_1q3n8k0c9g5t2 --scope session --code 123456`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return v.run(cmd, args[0]) },
	}
	if !yes {
		cmd.Use, cmd.Short = "deny ID", "Refuse a call that waits for a person"
		cmd.Long = `deny shows the call, asks for a code of your authenticator, and refuses the call. One no is enough, however many
votes a yes needs. The agent reads your reason. It cannot run inside a session of weir run.

It ends with 0 if the vote counts, 3 if the request has expired, and 4 if it was decided otherwise.`
		cmd.Example = `  weir approvals deny apr_1q3n8k0c9g5t2 --reason "Not on a Friday."`
	}
	v.Register(cmd)
	v.register(cmd)
	cmd.Flags().StringVar(&v.reason, "reason", "", "why, for the record; a no tells it to the agent")
	if yes {
		cmd.Flags().StringVar(&v.scope, "scope", string(approval.Once), "what the yes covers, of what the rule offers: once or session")
	}
	return cmd
}

func (v *voting) run(cmd *cobra.Command, id string) error {
	if err := running.DemandOutside(cmd.CommandPath()); err != nil {
		return err
	}
	r, err := find(cmd.Context(), &v.Flags, id)
	if err != nil {
		return err
	}
	client, err := judge(cmd.Context(), &v.Flags)
	if err != nil {
		return err
	}
	defer client.Close()
	if err := printCard(cmd.OutOrStdout(), r.Aged(time.Now())); err != nil {
		return err
	}
	shown, err := r.Card.Digest()
	if err != nil {
		return err
	}
	if err := v.askCode(cmd); err != nil {
		return err
	}
	voted, err := client.Vote(cmd.Context(), control.Ballot{
		ID: id, User: v.user, Code: v.code, Yes: v.yes, Scope: approval.Scope(v.scope), Reason: v.reason, Display: shown, Channel: "terminal",
	})
	if err != nil {
		return v.uncounted(voted, err)
	}
	return v.tell(cmd, voted)
}

// askCode asks for the code on the terminal, if it was not given and there is one.
func (v *voter) askCode(cmd *cobra.Command) error {
	if v.code != "" || !terminal.CanAsk(cmd) {
		return nil
	}
	if _, err := fmt.Fprint(cmd.ErrOrStderr(), "code of your authenticator: "); err != nil {
		return err
	}
	line, err := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
	if err != nil {
		return fmt.Errorf("read the code: %w", err)
	}
	v.code = strings.TrimSpace(line)
	return nil
}

// uncounted is the error of a vote that does not count.
func (v *voting) uncounted(r approval.Request, err error) error {
	switch {
	case errors.Is(err, approval.ErrExpired):
		return exit.With(exitExpired, err)
	case errors.Is(err, approval.ErrDecided), errors.Is(err, approval.ErrVoted):
		return exit.With(exitDecided, fmt.Errorf("%w: %s", err, r.State))
	case errors.Is(err, approval.ErrStepUp) && v.code == "":
		return errors.New("the vote needs a code of your authenticator: give --code, or set one up with weir approvals enrol")
	}
	return err
}

// tell says what the vote did.
func (v *voting) tell(cmd *cobra.Command, r approval.Request) error {
	text := "denied"
	switch {
	case r.State == approval.Pending:
		text = "your vote counts; more votes are needed: " + needed(r.Terms)
	case v.yes && !r.Until.IsZero():
		text = "approved; the call passes now, or when the agent repeats it before " + r.Until.Local().Format(time.TimeOnly)
	}
	_, err := fmt.Fprintln(cmd.OutOrStdout(), text)
	return err
}
