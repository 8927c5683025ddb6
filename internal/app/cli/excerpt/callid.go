package excerpt

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/quantity"
)

// Some servers only number their calls, so one id of the provider may belong to thousands of calls. These bound how many are read
// and shown.
const (
	maxWireEvents = 2000
	maxCandidates = 20
)

// Meant changes a filter with the provider's id of a call into a filter with weir's own id. If several calls have the provider's
// id, the other conditions of the filter, except the type, select the call.
func Meant(ctx context.Context, r query.Source, f query.Filter) (query.Filter, error) {
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
	}
	return f, nil
}

// ambiguousCall returns the error that lists the calls with an id, the newest last.
func ambiguousCall(id string, calls []record.Entry) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s is the provider's id of %s; use weir's own id of one of them:", inert.Name(id, 80), quantity.Count(len(calls), "call"))
	if more := len(calls) - maxCandidates; more > 0 {
		fmt.Fprintf(&b, "\n  and %d older", more)
		calls = calls[more:]
	}
	for _, c := range calls {
		fmt.Fprintf(&b, "\n  %s  %s", inert.Name(c.CallID, 80), time.UnixMicro(c.Micros).Local().Format("2006-01-02 15:04:05.000"))
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
