package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/audit"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/store"
)

type callsFlags struct {
	recordFlags
	filter       audit.Filter
	typ          string
	since, until string
	blocked      bool
	limit        int
	json, follow bool
}

func newCalls() *cobra.Command {
	var f callsFlags
	cmd := &cobra.Command{
		Use:   "calls",
		Short: "Show the calls that agents asked for",
		Long: `calls reads the record directly, whether weir is running or not. It shows the newest calls that fit all of the
filters, oldest first. Tool and server names may use * for any run of characters.`,
		Example: `  weir calls
  weir calls --verdict deny --since 24h
  weir calls --tool 'Bash' --json | jq .args.command
  weir calls --follow
  weir calls --type stream_refused
  weir calls show call_1q3n8k0c9g5t2`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	cmd.AddCommand(newCallsShow())
	f.register(cmd)
	fs := cmd.Flags()
	fs.StringVar(&f.filter.Session, "session", "", "only calls of this session")
	fs.StringVar(&f.filter.Server, "server", "", "only calls of this MCP server")
	fs.StringVar(&f.filter.Tool, "tool", "", "only calls of this tool")
	fs.StringVar(&f.filter.Verdict, "verdict", "", "only calls with this verdict: allow, audit, sanitize or deny")
	fs.StringVar(&f.filter.Rule, "rule", "", "only calls that this rule decided")
	fs.StringVar(&f.filter.Code, "code", "", "only calls with this code, such as tool_denied")
	fs.BoolVar(&f.blocked, "blocked", false, "only calls that were kept from the agent (--blocked=false: only those that were not)")
	fs.StringVar(&f.typ, "type", string(audit.TypeToolCall), "type of event, or all")
	fs.StringVar(&f.since, "since", "", "only from then on: a time, or how long ago, such as 90m, 24h or 7d")
	fs.StringVar(&f.until, "until", "", "only before then: likewise")
	fs.IntVarP(&f.limit, "limit", "n", 100, "at most so many; 0: all")
	fs.BoolVar(&f.json, "json", false, "one JSON object a line, whole")
	fs.BoolVarP(&f.follow, "follow", "f", false, "go on and show new ones as they are recorded")
	return cmd
}

func (f *callsFlags) run(cmd *cobra.Command) error {
	if err := f.complete(cmd); err != nil {
		return wrongInput(err)
	}
	r, err := f.open(cmd.Context())
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // nothing was written
	out := bufio.NewWriter(cmd.OutOrStdout())
	if err := f.print(cmd.Context(), r, out); err != nil || !f.follow {
		return err
	}
	return f.keepPrinting(cmd.Context(), r, out)
}

// complete checks the flags and makes them one filter.
func (f *callsFlags) complete(cmd *cobra.Command) error {
	now := time.Now()
	var err error
	if f.filter.Since, err = moment(f.since, now); err != nil {
		return fmt.Errorf("--since: %w", err)
	}
	if f.filter.Until, err = moment(f.until, now); err != nil {
		return fmt.Errorf("--until: %w", err)
	}
	switch v := f.filter.Verdict; v {
	case "", "allow", "audit", "deny", "sanitize":
	default:
		return fmt.Errorf("--verdict: %q is not a verdict; use allow, audit, sanitize or deny", v)
	}
	if f.limit < 0 {
		return fmt.Errorf("--limit: %d is less than 0", f.limit)
	}
	if f.typ != "all" {
		f.filter.Type = audit.Type(f.typ)
		if !f.filter.Type.Known() {
			return fmt.Errorf("--type: %q is not a type of event; use one of %s, or all", f.typ, strings.Join(audit.TypeNames(), ", "))
		}
	}
	if cmd.Flags().Changed("blocked") {
		f.filter.Blocked = &f.blocked
	}
	f.filter.Limit, f.filter.Newest = f.limit, true
	return nil
}

// moment reads a time: RFC 3339, a day, or how long ago.
func moment(s string, now time.Time) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n >= 0 {
			return now.AddDate(0, 0, -n), nil
		}
	}
	if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04", "2006-01-02"} {
		if t, err := time.ParseInLocation(layout, s, time.Local); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is neither a time (2026-01-31, 2026-01-31T08:00:00Z) nor how long ago (90m, 24h, 7d)", s)
}

// print shows what the filter selects and remembers where it ended.
func (f *callsFlags) print(ctx context.Context, r *store.Reader, out *bufio.Writer) error {
	for e, err := range r.Entries(ctx, f.filter) {
		if err != nil {
			return err
		}
		f.filter.AfterRow = e.Row
		if err := f.printEntry(ctx, r, out, e); err != nil {
			return err
		}
	}
	return out.Flush()
}

// followEvery is how often a followed store is asked for news.
const followEvery = 250 * time.Millisecond

func (f *callsFlags) keepPrinting(ctx context.Context, r *store.Reader, out *bufio.Writer) error {
	f.filter.Limit, f.filter.Newest = 0, false
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if err := f.print(ctx, r, out); err != nil && ctx.Err() == nil {
			return err
		}
	}
}

func (f *callsFlags) printEntry(ctx context.Context, r *store.Reader, out io.Writer, e audit.Entry) error {
	if f.json {
		line, err := e.JSON()
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(out, inertJSON(string(line)))
		return err
	}
	ev, err := e.Event()
	if err != nil {
		return err
	}
	line := eventLine(ev)
	if answer, err := answerTo(ctx, r, ev); err != nil {
		return err
	} else if answer != nil {
		line += "  answered: " + answerText(*answer)
	}
	_, err = fmt.Fprintln(out, line)
	return err
}

// answerTo is the result of a call, as far as it is on record; nil: it is not.
func answerTo(ctx context.Context, r *store.Reader, e audit.Event) (*audit.ToolResult, error) {
	if e.Type != audit.TypeToolCall || e.CallID == "" {
		return nil, nil
	}
	for entry, err := range r.Entries(ctx, audit.Filter{CallID: string(e.CallID), Type: audit.TypeToolResult, Limit: 1}) {
		if err != nil {
			return nil, err
		}
		found, err := entry.Event()
		if err != nil {
			return nil, err
		}
		if answer, ok := found.Detail.(audit.ToolResult); ok {
			return &answer, nil
		}
	}
	return nil, nil
}

// eventLine is an event for people, on one line.
func eventLine(e audit.Event) string {
	parts := []string{e.Time.Local().Format("2006-01-02 15:04:05.000"), fmt.Sprintf("%-8s", outcome(e))}
	switch {
	case e.Type != audit.TypeToolCall:
		parts = append(parts, string(e.Type))
	case e.Surface != call.Response:
		parts = append(parts, string(e.Surface))
	}
	for _, p := range []string{e.Tool, e.Code} {
		if p != "" {
			parts = append(parts, printable(p, 80))
		}
	}
	if e.Rule != "" {
		parts = append(parts, "rule="+printable(e.Rule, 80))
	}
	if e.Args != nil {
		parts = append(parts, printable(string(e.Args), 160))
	}
	if e.Reason != "" && e.Type != audit.TypeToolCall {
		parts = append(parts, printable(e.Reason, 200))
	}
	if r, ok := e.Detail.(audit.ToolResult); ok {
		parts = append(parts, answerText(r))
	}
	return strings.Join(parts, "  ")
}

// answerText is a result for people.
func answerText(r audit.ToolResult) string {
	if r.Failed {
		return "an error of " + count(r.SizeBytes, "byte")
	}
	return count(r.SizeBytes, "byte")
}

// outcome is what became of it, in one word.
func outcome(e audit.Event) string {
	switch {
	case e.Blocked:
		return "refused"
	case e.WouldBe != "":
		return "would:" + e.WouldBe
	case e.Verdict == "audit":
		return "flagged"
	case e.Verdict == "sanitize":
		return "sanitised"
	case e.Verdict == "allow":
		return "released"
	}
	return "-"
}
