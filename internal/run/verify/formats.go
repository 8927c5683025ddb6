package verify

import (
	"context"
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/formats"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/run/canary"
	"github.com/weir-gate/weir/internal/text/inert"
)

// formats sends a call that must be refused to the main address, in every format.
func (v *verifier) formats(ctx context.Context) []Row {
	if v.Running.ProxyMode == disabled {
		return []Row{{Area: areaFormats, Tried: "the door for models", Status: Warning, Seen: v.unjudged() + ": it serves no model"}}
	}
	var rows []Row
	for _, f := range formats.All() {
		row := v.tryFormat(ctx, v.Base+"/"+canary.Upstream, f)
		row.Area, row.Tried, row.Promised = areaFormats, f.Title, true
		rows = append(rows, row)
	}
	return rows
}

// A sighting is the result of one canary.
type sighting struct {
	response canary.Response
	err      error
	nonce    string
	how      string // streamed or whole
}

// tryFormat asks in one format, streamed and whole.
func (v *verifier) tryFormat(ctx context.Context, base string, f dialect.Format) Row {
	var seen []sighting
	for _, streamed := range []bool{true, false} {
		s := sighting{nonce: canary.NewNonce(), how: "whole"}
		if streamed {
			s.how = "streamed"
		}
		s.response, s.err = canary.Ask(ctx, v.Client, canary.Request{Base: base, Format: f, Streamed: streamed, Nonce: s.nonce})
		seen = append(seen, s)
	}
	return v.ruleOn(ctx, seen, "")
}

// ruleOn returns the row for the canaries of one format. session is the session in which they were sent; "": none.
func (v *verifier) ruleOn(ctx context.Context, seen []sighting, session string) Row {
	why := v.unjudged()
	for _, s := range seen {
		switch a := s.response; {
		case s.err != nil:
			return Row{Status: NotCovered, Seen: s.how + ": " + inert.Text(s.err.Error(), 200), Cure: "weir doctor"}
		case a.Status == 404:
			return Row{
				Status: NotCovered, Seen: s.how + ": the program there has no canary; it is not weir, or an older version",
				Cure: "restart weir with this program, and run weir verify again",
			}
		case a.Status != 200:
			return Row{Status: NotCovered, Seen: fmt.Sprintf("%s: response with status %d", s.how, a.Status), Cure: "weir doctor"}
		case a.Call && why != "":
			return Row{Status: Warning, Seen: "not refused: " + why + "; " + v.recorded(ctx, s, session)}
		case a.Call:
			return Row{Status: NotCovered, Seen: s.how + ": the call came through", Cure: "find out which program listens there: weir doctor"}
		case !a.Text:
			return Row{Status: NotCovered, Seen: s.how + ": the text around the call did not come through", Cure: "weir doctor"}
		case !a.Notice && !v.Dropped:
			return Row{
				Status: NotCovered, Seen: s.how + ": the call is gone, but there is no notice in its place",
				Cure: "find out which program listens there: weir doctor",
			}
		}
	}
	for _, s := range seen {
		e, state := v.find(ctx, s.nonce, session)
		switch {
		case state != "":
			return Row{Status: Untold, Seen: "refused; " + state, Cure: "weir doctor"}
		case e == nil:
			return Row{
				Status: NotCovered, Seen: s.how + ": refused, but not in the record that the configuration names",
				Cure: "give --config the configuration of the running weir",
			}
		case !e.Blocked || e.Rule != policy.RuleCanary:
			return Row{
				Status: NotCovered, Seen: s.how + ": the record has it as " + inert.Name(e.Verdict, 40) + ", not as refused",
				Cure: "weir calls show " + string(e.CallID),
			}
		}
	}
	return Row{Status: Covered, Seen: "refused, streamed and whole; on record"}
}

// recorded says whether a call that was not refused is recorded.
func (v *verifier) recorded(ctx context.Context, s sighting, session string) string {
	switch e, state := v.find(ctx, s.nonce, session); {
	case state != "":
		return state
	case e == nil:
		return "it is not on record"
	}
	return "it is on record"
}

// find finds the event of a canary; nil: there is none. trouble says why it is not known.
func (v *verifier) find(ctx context.Context, nonce, session string) (e *record.Event, trouble string) {
	return v.await(ctx, query.Filter{Tool: policy.CanaryTool, Session: session}, func(e record.Event) bool {
		return strings.Contains(string(e.Args), nonce)
	})
}
