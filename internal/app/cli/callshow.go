package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/text/inert"
)

func newCallsShow() *cobra.Command {
	var f recordFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show everything that is on record about one call",
		Long: `show prints what is known of one call: first its story, a line for each step, from what the model asked for to what the client
called, where programs connected to meanwhile, and what the agent brought back; then every event of it, whole. ID is the call's own (call_…), which --json prints as call_id, or the one that the wire gave it (toolu_…, call_…).`,
		Example: `  weir calls show toolu_01A09q90qw90lq917835lq9`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := f.open(cmd.Context())
			if err != nil {
				return err
			}
			defer r.Close() //nolint:errcheck // nothing was written
			entries, err := entriesAbout(cmd.Context(), r, args[0])
			if err != nil {
				return err
			}
			if len(entries) == 0 {
				return wrongInput(errors.New("no call with this id is on record; weir calls --json prints the ids as call_id and wire_id"))
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			if !asJSON {
				events, err := eventsOf(entries)
				if err != nil {
					return err
				}
				printStory(out, events)
			}
			for _, e := range entries {
				if err := printWhole(out, e, asJSON); err != nil {
					return err
				}
				if !asJSON {
					if err := printResponse(cmd.Context(), r, out, e); err != nil {
						return err
					}
					if err := printKeptBodies(cmd.Context(), r, out, e); err != nil {
						return err
					}
				}
			}
			return out.Flush()
		},
	}
	f.register(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line, whole")
	return cmd
}

// eventsOf reads entries.
func eventsOf(entries []record.Entry) ([]record.Event, error) {
	events := make([]record.Event, len(entries))
	for i, e := range entries {
		var err error
		if events[i], err = e.Event(); err != nil {
			return nil, err
		}
	}
	return events, nil
}

// entriesAbout finds the entries about a call by either of its ids. What belongs to the call and has no id of the wire, such as a
// connection, has the call's own.
func entriesAbout(ctx context.Context, r *store.Reader, id string) (found []record.Entry, err error) {
	f, err := meant(ctx, r, query.Filter{CallID: id})
	if err != nil {
		return nil, err
	}
	return entriesOf(ctx, r, f)
}

func entriesOf(ctx context.Context, r *store.Reader, f query.Filter) (found []record.Entry, err error) {
	for e, err := range r.Entries(ctx, f) {
		if err != nil {
			return nil, err
		}
		found = append(found, e)
	}
	return found, nil
}

// derivedText says that nobody named a session.
func derivedText(a call.Actor) string {
	if !a.SessionDerived {
		return ""
	}
	return "the client names no session: this is all of its key"
}

// remoteOf is the address that a connection was for; "": the event is about none.
func remoteOf(e record.Event) string {
	d, _ := e.Detail.(record.Connection)
	return d.RemoteAddr
}

// printResponse prints what the response of a call cost and where its time went, if it has ended.
func printResponse(ctx context.Context, r *store.Reader, out io.Writer, e record.Entry) error {
	if !e.Type.IsCall() || e.RequestID == "" {
		return nil
	}
	n, err := responseOf(ctx, r, e.RequestID)
	if err != nil {
		return err
	}
	if n.TotalMicros > 0 {
		fmt.Fprintf(out, "  %-10s %s in all: upstream %s, held %s, judged %s, recorded %s\n", "time", duration(n.TotalMicros),
			duration(n.UpstreamMicros), duration(n.HeldMicros), duration(n.JudgedMicros), duration(n.RecordedMicros))
	}
	share, err := (&shares{record: r}).of(ctx, e)
	if err != nil || share == nil {
		return err
	}
	if share.Response.InputTokens+share.Response.CacheTokens+share.Response.OutputTokens > 0 {
		fmt.Fprintf(out, "  %-10s %s in, %s cached, %s out, its share of %s, %s and %s among %s\n", "tokens",
			thousands(share.InputTokens), thousands(share.CacheTokens), thousands(share.OutputTokens),
			thousands(share.Response.InputTokens), thousands(share.Response.CacheTokens), thousands(share.Response.OutputTokens), count(share.Calls, "call"))
	}
	if share.Response.CostMicros > 0 {
		fmt.Fprintf(out, "  %-10s %s, its share of %s among %s\n", "cost", dollars(share.CostMicros), dollars(share.Response.CostMicros), count(share.Calls, "call"))
	}
	return nil
}

// printWhole prints an event with all its members, one a line.
func printWhole(out io.Writer, e record.Entry, asJSON bool) error {
	if asJSON {
		line, err := e.JSON()
		if err == nil {
			_, err = fmt.Fprintln(out, inert.JSON(string(line)))
		}
		return err
	}
	ev, err := e.Event()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s  %s  %s\n", ev.Time.Local().Format("2006-01-02 15:04:05.000"), ev.Type, outcome(ev))
	result := ""
	if r, ok := ev.Detail.(record.ToolResult); ok {
		result = resultText(r) + ", " + r.Digest
	}
	for _, m := range []struct {
		title, text string
		limit       int // of a text; 0: it is a name
	}{
		{"call", string(ev.CallID), 0},
		{"wire id", ev.WireID, 0},
		{"within", string(ev.Within), 0},
		{"surface", string(ev.Surface), 0},
		{"server", ev.Server, 0},
		{"tool", ev.Tool, 0},
		{"arguments", argsText(ev), 4000},
		{"left out", leftOutText(ev), 400},
		{"result", result, 400},
		{"to", remoteOf(ev), 0},
		{"code", ev.Code, 0},
		{"would be", ev.WouldBe, 0},
		{"rule", ev.Rule, 0},
		{"reason", ev.Reason, 4000},
		{"policy", ev.PolicyVersion, 0},
		{"employee", ev.Actor.Employee, 0},
		{"team", ev.Actor.Team, 0},
		{"org", ev.Actor.Org, 0},
		{"key", ev.Actor.Key, 0},
		{"session", ev.Actor.Session, 0},
		{"", derivedText(ev.Actor), 200},
		{"provider", ev.Exchange.Provider, 0},
		{"model", ev.Exchange.Model, 0},
		{"request", ev.Exchange.RequestID, 0},
		{"response", ev.Exchange.ResponseID, 0},
	} {
		switch {
		case m.text == "" && (m.title != "tool" || !isCall(ev)):
		case m.limit == 0:
			fmt.Fprintf(out, "  %-10s %s\n", m.title, inert.Name(m.text, 4000))
		default:
			fmt.Fprintf(out, "  %-10s %s\n", m.title, inert.Text(m.text, m.limit))
		}
	}
	return nil
}

// leftOutText are the members that a call was delivered without.
func leftOutText(e record.Event) string {
	d, _ := e.Detail.(record.ToolCall)
	return strings.Join(d.MembersLeftOut, ", ")
}
