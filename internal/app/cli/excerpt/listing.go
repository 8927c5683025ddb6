package excerpt

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/terminal"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/show"
	"github.com/weir-gate/weir/internal/text/inert"
)

// A Listing shows events one after the other, and can show new ones as they are recorded.
type Listing struct {
	Flags
	Selection
	Among        []record.Type // the types that can be chosen; nil: all
	Usual        []record.Type // the types that are shown if none is named; nil: all
	Wide         []record.Type // if one of these types is named, and no surface is, events of every surface are shown
	limit        int
	json, follow bool
	Joined       bool   // calls are shown with the arguments that were recorded later
	shares       Shares // of calls, for JSON
	lines        *lines
	Title        string // of what is said of an event
	// Line says on one line what happened, with the result of a call if it is known.
	Line func(s show.Style, e record.Event, result *record.ToolResult) string
}

// Register adds the flags to a command. typ is the type of events that is listed if none is named.
func (l *Listing) Register(cmd *cobra.Command, typ string) {
	l.Flags.Register(cmd)
	l.Selection.Register(cmd)
	fs := cmd.Flags()
	l.RegisterType(cmd, typ, "only events of this type; all: every type")
	fs.IntVarP(&l.limit, "limit", "n", 100, "show at most this many, the newest; 0: all")
	fs.BoolVar(&l.json, "json", false,
		"print one JSON object per line, in full; a call with its result and its share of tokens and cost, if known")
	terminal.RegisterScreen(cmd)
	fs.BoolVarP(&l.follow, "follow", "f", false, "keep running, and show new events as they are recorded")
}

// Run lists what the flags of the command select.
func (l *Listing) Run(cmd *cobra.Command) error {
	if err := l.complete(cmd); err != nil {
		return exit.WrongInput(err)
	}
	r, err := l.Open(cmd.Context())
	if err != nil {
		return err
	}
	defer r.Close() // nothing was written
	if l.Filter, err = Meant(cmd.Context(), r, l.Filter); err != nil {
		return err
	}
	screen := terminal.OpenScreen(cmd, l.follow)
	defer screen.Close() // else closed below
	l.lines = newLines(screen, l.Zone(), l.Title)
	out := bufio.NewWriter(screen)
	if l.follow {
		f := follower{Listing: l, record: r, out: out, errOut: cmd.ErrOrStderr()}
		return f.run(cmd.Context())
	}
	working := terminal.StartProgress(cmd, "reading the record")
	defer working.End()
	first, _, err := l.print(cmd.Context(), r, out, working.End)
	if err != nil {
		return err
	}
	working.End()
	if err := screen.Close(); err != nil {
		return err
	}
	return l.tellRest(cmd.Context(), r, cmd.ErrOrStderr(), first)
}

func (l *Listing) complete(cmd *cobra.Command) (err error) {
	if err := l.Selection.Complete(cmd); err != nil {
		return err
	}
	if l.limit < 0 {
		return fmt.Errorf("--limit: %d is less than 0", l.limit)
	}
	typ := l.typ.wants()
	if l.Wide != nil && !cmd.Flags().Changed("surface") && slices.Contains(l.Wide, l.Filter.Type) {
		l.Filter.Surface = ""
	}
	switch {
	case typ == "" && l.Usual != nil:
		l.Filter.Types = l.Usual
	case l.Filter.Type == "":
		l.Filter.Types = l.Among
	case l.Among != nil && !slices.Contains(l.Among, l.Filter.Type):
		return fmt.Errorf("--type: %q is not shown here; use one of %s, or all", typ, typeNames(l.Among))
	}
	l.Filter.Limit, l.Filter.Newest = l.limit, true
	return err
}

func typeNames(types []record.Type) string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = string(t)
	}
	return strings.Join(names, ", ")
}

// tellRest says if nothing was shown, and if there is more than the limit allows. first is the row of the first entry that was
// shown; 0: none was.
func (l *Listing) tellRest(ctx context.Context, r query.Source, errOut io.Writer, first int64) error {
	rest := l.Filter
	rest.Limit, rest.Newest = 1, true
	switch {
	case first > 0 && l.limit > 0:
		rest.UpToRow = first - 1
		_, more, err := query.First(ctx, r, rest)
		if more && first > 1 {
			these := "these are"
			if l.limit == 1 {
				these = "this is"
			}
			fmt.Fprintf(errOut, "weir: %s the newest %d; there are more; --limit 0 shows all\n", these, l.limit)
		}
		return err
	case first > 0:
		return nil
	}
	text := "no event on record matches"
	if rest.NoCanaries {
		rest.NoCanaries = false
		_, hidden, err := query.First(ctx, r, rest)
		if err != nil {
			return err
		}
		if hidden {
			text += ", apart from test calls of weir verify; --canaries shows them"
		}
	}
	fmt.Fprintln(errOut, "weir: "+text)
	return nil
}

// print shows what the filter selects. It returns the rows of the first and the last entry that it showed; 0: none. The function
// before is called for each entry, before its line is written.
func (l *Listing) print(ctx context.Context, r query.Source, out *bufio.Writer, before func()) (first, last int64, err error) {
	entries := r.Entries(ctx, l.Filter)
	if l.Joined {
		entries = query.Joined(ctx, r, entries)
	}
	for e, err := range entries {
		before()
		if err == nil {
			err = l.printEntry(ctx, r, out, e)
		}
		if err != nil {
			return first, last, cmp.Or(l.flush(out), err) // if the output cannot be written, that is the error
		}
		first, last = cmp.Or(first, e.Row), e.Row
	}
	return first, last, l.flush(out)
}

// flush writes what waits.
func (l *Listing) flush(out *bufio.Writer) error {
	if !l.json {
		return l.lines.Flush()
	}
	return out.Flush()
}

// printEntry writes an entry on one line, with the result of a call if it is known.
func (l *Listing) printEntry(ctx context.Context, r query.Source, out io.Writer, e record.Entry) error {
	result, err := resultOf(ctx, r, e)
	if err != nil {
		return err
	}
	taken, err := withdrawalOf(ctx, r, e)
	if err != nil {
		return err
	}
	if l.json {
		return l.printJSON(ctx, r, out, e, result, taken)
	}
	ev, err := e.Event()
	if err != nil {
		return err
	}
	text := l.Line(l.lines.style, ev, result)
	if taken != nil {
		text += "  not delivered: " + inert.Name(taken.Code, 80)
	}
	return l.lines.add(ev, text)
}

// printJSON writes an entry as JSON, with what else is known of its call.
func (l *Listing) printJSON(
	ctx context.Context, r query.Source, out io.Writer, e record.Entry, result *record.ToolResult, taken *withdrawal,
) error {
	if l.shares.Record != r {
		l.shares = Shares{Record: r}
	}
	share, err := l.shares.Of(ctx, e)
	if err != nil {
		return err
	}
	line, err := jsonLine(e, result, share, taken)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, line)
	return err
}

// A withdrawal says why a call that is recorded as released did not reach the agent.
type withdrawal struct {
	Code   string `json:"code"`
	Reason string `json:"reason"`
}

// withdrawalOf returns the withdrawal of a call; nil: there is none.
func withdrawalOf(ctx context.Context, r query.Source, e record.Entry) (*withdrawal, error) {
	if !e.Type.IsCall() || e.Blocked || e.CallID == "" {
		return nil, nil
	}
	entry, found, err := query.First(ctx, r, query.Filter{CallID: e.CallID, Type: record.Types.CallWithdrawn})
	if !found {
		return nil, err
	}
	return &withdrawal{entry.Code, entry.Reason}, nil
}

// jsonLine returns an entry as it was recorded, with additional members: the result of a call, its share of what the response used,
// and why it was not delivered.
func jsonLine(e record.Entry, result *record.ToolResult, share *Share, taken *withdrawal) (string, error) {
	line, err := e.JSON()
	if err != nil {
		return "", err
	}
	for _, m := range []struct {
		name  string
		value any
		there bool
	}{{"result", result, result != nil}, {"share", share, share != nil}, {"withdrawn", taken, taken != nil}} {
		if !m.there {
			continue
		}
		joined, err := json.Marshal(m.value)
		if err != nil {
			return "", fmt.Errorf("%s of call: %w", m.name, err)
		}
		line = append(append(append(line[:len(line)-1], `,"`+m.name+`":`...), joined...), '}')
	}
	return inert.JSON(string(line)), nil
}

// resultOf returns the recorded result of a call; nil: it is not recorded.
func resultOf(ctx context.Context, r query.Source, e record.Entry) (*record.ToolResult, error) {
	if !e.Type.IsCall() || e.CallID == "" {
		return nil, nil
	}
	entry, found, err := query.First(ctx, r, query.Filter{CallID: e.CallID, Type: record.Types.ToolResult})
	if !found {
		return nil, err
	}
	ev, err := entry.Event()
	if result, ok := ev.Detail.(record.ToolResult); ok && err == nil {
		return &result, nil
	}
	return nil, err
}
