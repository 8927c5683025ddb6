package recordcmd

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/running"
	"github.com/weir-gate/weir/internal/app/cli/terminal"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/show"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/quantity"
)

func newCallsShow() *cobra.Command {
	var f excerpt.Flags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show everything on record about one call",
		Long: `show first prints the steps of a call, a line each: what the model asked for, what the client called, which
connections programs made meanwhile, what the tool returned. Then it prints every event of the call in full.

ID is weir's id of the call (call_…), or the beginning of it, as weir calls shows it on a terminal: six characters
or more, with or without call_. Or it is the provider's id (toolu_…, call_…).`,
		Example: `  weir calls show 06gut30c4c5n
  weir calls show toolu_01A09q90qw90lq917835lq9`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := f.Open(cmd.Context())
			if err != nil {
				return err
			}
			defer r.Close() // nothing was written
			entries, err := excerpt.About(cmd.Context(), r, args[0])
			if err != nil {
				return err
			}
			if len(entries) == 0 {
				return exit.WrongInput(errors.New(
					"no call on record has this id, or an id that begins so; weir calls --json prints ids as call_id and wire_id"))
			}
			return terminal.Show(cmd, func(s *terminal.Screen) error {
				out := bufio.NewWriter(s)
				if asJSON {
					err = printEntries(out, entries)
				} else {
					err = printCall(cmd.Context(), r, out, entries)
				}
				return cmp.Or(err, out.Flush())
			})
		},
	}
	f.Register(cmd)
	terminal.RegisterScreen(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per line, with all members")
	return cmd
}

// printEntries prints entries as they were recorded.
func printEntries(out io.Writer, entries []record.Entry) error {
	for _, e := range entries {
		line, err := e.JSON()
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintln(out, inert.JSON(string(line))); err != nil {
			return err
		}
	}
	return nil
}

// A callSource has the events of calls, and the stored bodies of their requests.
type callSource interface {
	query.Source
	bodySource
}

// printCall prints what happened to a call, and then all its events.
func printCall(ctx context.Context, r callSource, out io.Writer, entries []record.Entry) error {
	style := show.Style{Zone: time.Local}
	events := make([]record.Event, len(entries))
	for i, e := range entries {
		var err error
		if events[i], err = e.Event(); err != nil {
			return err
		}
	}
	style.Story(out, events)
	printWayOut(out, events)
	for i, e := range entries {
		style.Whole(out, events[i])
		if err := printResponse(ctx, r, out, e); err != nil {
			return err
		}
		if err := printStoredBodies(ctx, r, out, e); err != nil {
			return err
		}
	}
	return nil
}

// exceptable are the codes of refusals by rules of the policy, or by its default.
var exceptable = []string{call.CodeToolDenied, call.CodeArgsDenied}

// printWayOut says what a person can do who finds that a call should not have been refused.
func printWayOut(out io.Writer, events []record.Event) {
	var last record.Event
	for _, e := range events {
		if e.Type.IsCall() || e.Type.IsAgain() {
			last = e
		}
	}
	if last.Blocked && last.Within == "" && (slices.Contains(exceptable, last.Code) || call.WantsYes(last.Code)) {
		fmt.Fprintf(out, "to let it pass from now on: %s policy allow %s\n", running.ProgramName(), inert.Text(string(last.CallID), 120))
	}
}

// printResponse prints what the response of a call cost and where its time went, if it has ended.
func printResponse(ctx context.Context, r query.Source, out io.Writer, e record.Entry) error {
	if !e.Type.IsCall() || e.RequestID == "" {
		return nil
	}
	n, err := excerpt.ResponseOf(ctx, r, e.RequestID)
	if err != nil {
		return err
	}
	if n.TotalMicros > 0 {
		fmt.Fprintf(out, "  %-10s %s in all: upstream %s, held %s, judged %s, recorded %s\n", "time",
			quantity.Duration(n.TotalMicros), quantity.Duration(n.UpstreamMicros), quantity.Duration(n.HeldMicros),
			quantity.Duration(n.JudgedMicros), quantity.Duration(n.RecordedMicros))
	}
	share, err := (&excerpt.Shares{Record: r}).Of(ctx, e)
	if err != nil || share == nil {
		return err
	}
	all, calls := share.Response, quantity.Count(share.Calls, "call")
	if all.InputTokens+all.CacheTokens+all.OutputTokens > 0 {
		fmt.Fprintf(out, "  %-10s %s in, %s cached, %s out, its share of %s, %s and %s among %s\n", "tokens",
			quantity.Thousands(share.InputTokens), quantity.Thousands(share.CacheTokens), quantity.Thousands(share.OutputTokens),
			quantity.Thousands(all.InputTokens), quantity.Thousands(all.CacheTokens), quantity.Thousands(all.OutputTokens), calls)
	}
	if all.CostMicros > 0 {
		fmt.Fprintf(out, "  %-10s %s, its share of %s among %s\n", "cost", quantity.Dollars(share.CostMicros), quantity.Dollars(all.CostMicros),
			calls)
	}
	return nil
}
