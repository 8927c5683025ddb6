package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/audit"
	"github.com/weir-gate/weir/internal/store"
)

func newCallsShow() *cobra.Command {
	var f recordFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show everything that is on record about one call",
		Long: `show prints what is known of one call: what the model asked for, what was ruled and why, and what the agent brought
back. ID is the call's own (call_…), which --json prints as call_id, or the one that the wire gave it (toolu_…, call_…).`,
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
			for _, e := range entries {
				if err := printWhole(out, e, asJSON); err != nil {
					return err
				}
			}
			return out.Flush()
		},
	}
	f.register(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line, whole")
	return cmd
}

// entriesAbout finds the entries about a call by either of its ids.
func entriesAbout(ctx context.Context, r *store.Reader, id string) (found []audit.Entry, err error) {
	for _, f := range []audit.Filter{{CallID: id}, {WireID: id}} {
		for e, err := range r.Entries(ctx, f) {
			if err != nil {
				return nil, err
			}
			found = append(found, e)
		}
		if len(found) > 0 {
			return found, nil
		}
	}
	return nil, nil
}

// printWhole prints an event with all its members, one a line.
func printWhole(out io.Writer, e audit.Entry, asJSON bool) error {
	if asJSON {
		line, err := e.JSON()
		if err == nil {
			_, err = fmt.Fprintln(out, inertJSON(string(line)))
		}
		return err
	}
	ev, err := e.Event()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s  %s  %s\n", ev.Time.Local().Format("2006-01-02 15:04:05.000"), ev.Type, outcome(ev))
	result := ""
	if r, ok := ev.Detail.(audit.ToolResult); ok {
		result = answerText(r) + ", " + r.Digest
	}
	for _, m := range [][2]string{
		{"call", string(ev.CallID)},
		{"wire id", ev.WireID},
		{"within", string(ev.Within)},
		{"surface", string(ev.Surface)},
		{"server", ev.Server},
		{"tool", ev.Tool},
		{"arguments", string(ev.Args)},
		{"result", result},
		{"code", ev.Code},
		{"rule", ev.Rule},
		{"reason", ev.Reason},
		{"policy", ev.PolicyVersion},
		{"employee", ev.Actor.Employee},
		{"team", ev.Actor.Team},
		{"org", ev.Actor.Org},
		{"key", ev.Actor.Key},
		{"session", ev.Actor.Session},
		{"provider", ev.Exchange.Provider},
		{"model", ev.Exchange.Model},
		{"request", ev.Exchange.RequestID},
		{"response", ev.Exchange.ResponseID},
	} {
		if m[1] != "" {
			fmt.Fprintf(out, "  %-10s %s\n", m[0], printable(m[1], 4000))
		}
	}
	return nil
}
