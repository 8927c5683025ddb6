package approvalcmd

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/app/cli/running"
	"github.com/weir-gate/weir/internal/app/cli/terminal"
	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/text/inert"
)

func newApprovals() *cobra.Command {
	var f excerpt.Flags
	var watch, all, asJSON bool
	cmd := &cobra.Command{
		Use:   "approvals",
		Short: "Show the calls that wait for a person, and decide about them",
		Long: `approvals lists the calls that wait for a person's decision, the newest first. It reads the store directly; weir
need not be running. With --all it lists decided ones, too: approved (not used yet), used, lapsed, denied,
expired, withdrawn.

With --watch it shows each call as it begins to wait, and rings, until it is interrupted. While somebody watches,
calls are held for a decision; else they are refused at once, and pass when the agent repeats them after the
approval.`,
		Example: `  weir approvals
  weir approvals --watch
  weir approvals --all --json
  weir approvals show apr_1q3n8k0c9g5t2
  weir approvals approve apr_1q3n8k0c9g5t2
  weir approvals deny apr_1q3n8k0c9g5t2 --reason "Not on a Friday."`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if watch {
				return watchRequests(cmd, &f)
			}
			filter := approval.Filter{States: []approval.State{approval.Pending}}
			if all {
				filter.States = nil
			}
			return list(cmd, &f, filter, asJSON)
		},
	}
	f.Register(cmd)
	cmd.Flags().BoolVar(&watch, "watch", false, "show calls as they begin to wait, and ring")
	cmd.Flags().BoolVar(&all, "all", false, "also those that are decided")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, one request per line")
	cmd.MarkFlagsMutuallyExclusive("watch", "all")
	cmd.MarkFlagsMutuallyExclusive("watch", "json")
	cmd.AddCommand(newShow(), newVote(true), newVote(false), newEnrol(), newOpen())
	return cmd
}

func list(cmd *cobra.Command, f *excerpt.Flags, filter approval.Filter, asJSON bool) error {
	view, err := f.Open(cmd.Context())
	if err != nil {
		return err
	}
	defer view.Close() // nothing was written
	all, err := view.Approvals(cmd.Context(), filter)
	if err != nil {
		return err
	}
	now, shown := time.Now(), all[:0]
	for _, r := range all {
		if r = r.Aged(now); filter.States == nil || r.State == approval.Pending {
			shown = append(shown, r)
		}
	}
	if asJSON {
		return jsonout.PrintLines(cmd.OutOrStdout(), shown)
	}
	if len(shown) == 0 {
		_, err := fmt.Fprintln(cmd.OutOrStdout(), "no call waits for a person")
		return err
	}
	for _, r := range shown {
		if err := printLine(cmd.OutOrStdout(), r, now); err != nil {
			return err
		}
	}
	return nil
}

const (
	nameLength = 64
	argsLength = 100
)

// printLine writes a request on one line.
func printLine(out io.Writer, r approval.Request, now time.Time) error {
	who := r.Card.Actor.Employee
	if who == "" {
		who = r.Card.Actor.Session
	}
	tool := inert.Name(r.Card.Tool, nameLength)
	if r.Card.Server != "" {
		tool = inert.Name(r.Card.Server, nameLength) + "/" + tool
	}
	_, err := fmt.Fprintf(out, "%s  %-8s  %s  %s  %s  %s\n", r.ID, r.State, age(now.Sub(r.Created)), inert.Name(who, nameLength), tool,
		inert.Text(string(r.Card.Args), argsLength))
	return err
}

// age is how long ago something was, in words for a column.
func age(d time.Duration) string {
	switch d = max(0, d); {
	case d < time.Minute:
		return fmt.Sprintf("%3ds ago", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%3dm ago", int(d.Minutes()))
	}
	return fmt.Sprintf("%3dh ago", int(d.Hours()))
}

// lookEvery is how often a watcher looks.
const lookEvery = time.Second

// watchRequests shows pending requests as they come.
func watchRequests(cmd *cobra.Command, f *excerpt.Flags) error {
	if err := running.DemandOutside("weir approvals"); err != nil {
		return err
	}
	client, err := judge(cmd.Context(), f)
	if err != nil {
		return err
	}
	defer client.Close()
	bell := ""
	if terminal.Is(cmd.OutOrStdout()) {
		bell = "\a"
	}
	seen := map[string]bool{}
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for first := true; ; first = false {
		all, err := client.Watch(cmd.Context())
		if err != nil {
			return ended(cmd.Context(), err)
		}
		if first {
			fmt.Fprintln(cmd.ErrOrStderr(), "watching: calls that need a person are held from now on; decide with weir approvals approve or deny")
		}
		for i := range all {
			r := all[len(all)-1-i] // the oldest first
			if seen[r.ID] {
				continue
			}
			seen[r.ID] = true
			if _, err := fmt.Fprint(cmd.OutOrStdout(), bell); err != nil {
				return err
			}
			if err := printLine(cmd.OutOrStdout(), r, time.Now()); err != nil {
				return err
			}
		}
		select {
		case <-cmd.Context().Done():
			return nil
		case <-ticker.C:
		}
	}
}

// ended is nil if the person ended the command.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}
