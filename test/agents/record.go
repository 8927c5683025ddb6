package agents

import (
	"slices"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/test/agents/model"
)

// recorded is a call in the record.
type recorded struct {
	Dialect, Server, Tool, ID, Verdict, Code, Rule string
	Blocked                                        bool
	Args                                           any
}

// checkRecord wants every call in the record, whole, with what became of it.
func checkRecord(t *testing.T, wire model.Wire, calls []model.Call, events []Event) {
	t.Helper()
	var want, got []recorded
	for _, c := range calls {
		r := recorded{Dialect: wire.Dialect(), ID: c.ID, Verdict: "allow", Code: c.Code, Rule: c.Rule}
		r.Server, r.Tool = c.InRecord()
		if c.Fate != model.Released {
			r.Verdict, r.Blocked = "deny", true
		}
		decode(t, c.Recorded(), &r.Args)
		want = append(want, r)
	}
	done := 0
	for _, e := range events {
		switch {
		case e.Within != "": // it is judged by itself, and passes or not with the one around it
		case e.Type == "tool_call" || e.Type == "mcp_tool_call_intercepted":
			r := recorded{e.Dialect, e.Server, e.Tool, e.WireID, e.Verdict, e.Code, e.Rule, e.Blocked, nil}
			decode(t, e.Args, &r.Args)
			got = append(got, r)
		case e.Type == "response_done":
			done++
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("recorded calls (-want +got):\n%s", diff)
	}
	if done == 0 {
		t.Error("no end of a response is recorded")
	}
}

// checkServed wants one id for every call of an MCP server's tool: from the model's answer to the server, and back to the model. Nothing
// may be called that the model has not asked for.
func checkServed(t *testing.T, calls []model.Call, events []Event) {
	t.Helper()
	for _, e := range events {
		if e.Type == "undeclared_act" || e.Type == "mcp_tool_called" && !e.Detail.Declared {
			t.Errorf("there is %s of %s %s that no model asked for", e.Type, e.Server, e.Tool)
		}
	}
	for _, c := range calls {
		server, tool := c.InRecord()
		if server == "" {
			continue
		}
		want := []string{"mcp_tool_call_intercepted on response", "mcp_tool_called on mcp", "tool_result on mcp", "tool_result on inbound"}
		if c.Fate != model.Released {
			want = want[:1]
		}
		asked := slices.IndexFunc(events, func(e Event) bool {
			return e.Type == "mcp_tool_call_intercepted" && e.Server == server && e.Tool == tool
		})
		if asked < 0 {
			t.Errorf("that the model asked for %s of %s is not on record", tool, server)
			continue
		}
		var got []string
		for _, e := range events {
			if e.CallID == events[asked].CallID && e.Type != "tool_call_arguments" {
				got = append(got, e.Type+" on "+e.Surface)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("events of %s (-want +got):\n%s", tool, diff)
		}
	}
}

func decode(t *testing.T, text []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}
