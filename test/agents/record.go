package agents

import (
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
		r := recorded{
			Dialect: wire.Dialect(), Server: c.Server(), Tool: c.Tool(), ID: c.ID, Verdict: "allow", Code: c.Code, Rule: c.Rule,
		}
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

func decode(t *testing.T, text []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}
