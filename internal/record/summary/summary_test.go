package summary

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
)

// TestSummaryCountsEachRefusalOnce holds the numbers of a summary and the refusals that it lists together.
func TestSummaryCountsEachRefusalOnce(t *testing.T) {
	refused := func(e record.Event) record.Event {
		e.Blocked, e.Verdict, e.Code, e.Rule, e.Reason = true, "deny", call.CodeToolDenied, "r", "No."
		return e
	}
	var s summing
	s.tools, s.refusals = map[string]*Tally{}, map[refusalKey]*Refusal{}
	for _, e := range []record.Event{
		{Type: record.Types.ToolCall, Surface: call.Response, Tool: "Read", Ruling: record.Ruling{Verdict: "allow"}, CallID: "c1"},
		// A call in the arguments of another is refused with it.
		refused(record.Event{Type: record.Types.ToolCall, Surface: call.Response, Tool: "exec", CallID: "c2"}),
		refused(record.Event{Type: record.Types.ToolCall, Surface: call.Response, Tool: "Bash", CallID: "c3", Within: "c2"}),
		refused(record.Event{Type: record.Types.MCPCalled, Surface: call.MCP, Server: "fs", Tool: "write", CallID: "c4"}),
		refused(record.Event{Type: record.Types.ToolCall, Surface: call.Inbound, Tool: "web_search", CallID: "c5"}),
		refused(record.Event{Type: record.Types.StreamRefused}),
		{Type: record.Types.ResponseDone, Detail: record.ResponseDone{CostMicros: 7}},
	} {
		s.add(e)
	}
	got := s.result()
	if got.Calls != 2 || got.Refused != 1 || got.MCPCalls != 1 || got.MCPRefused != 1 || got.Otherwise != 2 || got.Responses != 1 {
		t.Errorf("summary: %+v", got)
	}
	var listed int64
	names := map[string]int64{}
	for _, r := range got.Refusals {
		listed += r.Times
		names[r.What] = r.Times
	}
	if counted := got.Refused + got.MCPRefused + got.Cut + got.Otherwise; listed != counted {
		t.Errorf("%d refusals are listed, and %d counted", listed, counted)
	}
	want := map[string]int64{"exec": 1, "fs/write": 1, "web_search": 1, string(record.Types.StreamRefused): 1}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("refusals (-want +got):\n%s", diff)
	}
}
