package excerpt

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/show"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/quantity"
)

// Some servers only number their calls, so one id of the provider may belong to thousands of calls. These bound how many are read
// and shown.
const (
	maxWireEvents = 2000
	maxCandidates = 20
)

// Meant changes a filter with the provider's id of a call, or with the beginning of weir's own, into a filter with weir's own id. If
// several calls have the provider's id, the other conditions of the filter, except the type, select the call.
func Meant(ctx context.Context, r query.Source, f query.Filter) (query.Filter, error) {
	f.Not = slices.Clone(f.Not)
	for i, n := range f.Not {
		var err error
		if f.Not[i], err = Meant(ctx, r, n); err != nil {
			return f, err
		}
	}
	if f.CallID == "" {
		return f, nil
	}
	if _, own, err := query.First(ctx, r, query.Filter{CallID: f.CallID}); own || err != nil {
		return f, err
	}
	byWire := f
	byWire.CallID, byWire.WireID = "", f.CallID
	found := byWire
	found.Type, found.Types, found.Surface, found.Blocked, found.Verdict = "", nil, "", nil, ""
	found.Limit, found.Newest = maxWireEvents, true
	var calls []record.Entry // the first entry of each call
	some := false
	for e, err := range r.Entries(ctx, found) {
		if err != nil {
			return f, err
		}
		some = true
		if e.CallID != "" && !slices.ContainsFunc(calls, func(c record.Entry) bool { return c.CallID == e.CallID }) {
			calls = append(calls, e)
		}
	}
	switch {
	case len(calls) == 1:
		f.CallID = calls[0].CallID
	case len(calls) > 1:
		return f, exit.WrongInput(ambiguousCall(f.CallID, calls))
	case some:
		return byWire, nil // results of calls that are not recorded
	default:
		return byBeginning(ctx, r, f)
	}
	return f, nil
}

// leastBeginning is how many characters of an id are enough to ask for it: they select some minutes.
const leastBeginning = 6

// byBeginning changes a filter with the beginning of a call's id, with or without call_, into a filter with the id. If no id begins so,
// the filter stays as it is.
func byBeginning(ctx context.Context, r query.Source, f query.Filter) (query.Filter, error) {
	rest := strings.ToLower(strings.TrimPrefix(strings.TrimSuffix(f.CallID, "…"), "call_"))
	if len(rest) < leastBeginning || len(rest) > 40 || strings.ContainsFunc(rest, func(r rune) bool { return r > unicode.MaxASCII }) {
		return f, nil
	}
	var calls []record.Entry
	found := query.Filter{IDBegin: "call_" + rest, Limit: maxWireEvents, Newest: true}
	for e, err := range r.Entries(ctx, found) {
		if err != nil {
			return f, err
		}
		if !slices.ContainsFunc(calls, func(c record.Entry) bool { return c.CallID == e.CallID }) {
			calls = append(calls, e)
		}
	}
	switch len(calls) {
	case 0:
	case 1:
		f.CallID = calls[0].CallID
	default:
		return f, exit.WrongInput(candidates(inert.Name(f.CallID, 80)+" begins the ids of "+
			quantity.Count(len(calls), "call")+"; give more of one of them:", calls))
	}
	return f, nil
}

// ambiguousCall returns the error that lists the calls with an id.
func ambiguousCall(id string, calls []record.Entry) error {
	return candidates(fmt.Sprintf("%s is the provider's id of %s; use weir's own id of one of them:",
		inert.Name(id, 80), quantity.Count(len(calls), "call")), calls)
}

// candidates returns an error that lists calls, the newest last.
func candidates(text string, calls []record.Entry) error {
	var b strings.Builder
	b.WriteString(text)
	if more := len(calls) - maxCandidates; more > 0 {
		fmt.Fprintf(&b, "\n  and %d older", more)
		calls = calls[more:]
	}
	style := show.Style{Zone: time.Local}
	for _, c := range calls {
		fmt.Fprintf(&b, "\n  %s  %s", inert.Name(c.CallID, 80), style.LongTime(time.UnixMicro(c.Micros)))
		for _, part := range []string{c.Server, c.Tool, c.Employee, c.Session} {
			if part != "" {
				b.WriteString("  " + inert.Name(part, 80))
			}
		}
	}
	return fmt.Errorf("%s", b.String())
}

// About finds the entries about a call by either of its ids. Entries that belong to the call but have no id of the provider, such
// as connections, have the call's own id.
func About(ctx context.Context, r query.Source, id string) (found []record.Entry, err error) {
	f, err := Meant(ctx, r, query.Filter{CallID: id})
	if err != nil {
		return nil, err
	}
	for e, err := range r.Entries(ctx, f) {
		if err != nil {
			return nil, err
		}
		found = append(found, e)
	}
	return found, nil
}
