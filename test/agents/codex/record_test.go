package codex

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/test/agents"
)

// recorded is a call in the record.
type recorded struct {
	Dialect, Server, Tool, ID, Verdict, Code, Rule string
	Blocked                                        bool
	Args                                           any
}

// checkRecord wants every call in the record, whole, with what became of it.
func (s scene) checkRecord(t *testing.T, events []agents.Event) {
	t.Helper()
	var want, got []recorded
	for _, c := range slices.Concat(s.calls(), s.then) {
		want = append(want, c.recorded(t))
	}
	done := 0
	for _, e := range events {
		switch e.Type {
		case "tool_call":
			r := recorded{e.Dialect, e.Server, e.Tool, e.WireID, e.Verdict, e.Code, e.Rule, e.Blocked, nil}
			decode(t, e.Args, &r.Args)
			got = append(got, r)
		case "response_done":
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

func (c call) recorded(t *testing.T) recorded {
	t.Helper()
	r := recorded{Dialect: "openai-responses", Tool: c.tool(), ID: c.id, Verdict: "allow", Code: c.code, Rule: c.rule}
	r.Server = c.server()
	if c.fate != released {
		r.Verdict, r.Blocked = "deny", true
	}
	decode(t, c.args(), &r.Args)
	return r
}

func decode(t *testing.T, text []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// checkUpgrades wants Codex to have tried a WebSocket once for each prompt, where its provider is one that does, and
// weir to say why there is none.
func (s scene) checkUpgrades(t *testing.T, weirLog, codexLog string) {
	t.Helper()
	want := 0
	if s.setup == builtInProvider {
		want = 2
	}
	if got := strings.Count(weirLog, "status=426"); got != want {
		t.Errorf("weir answered %d upgrades with 426, want %d", got, want)
	}
	if got := strings.Count(codexLog, "failed to connect to Responses WebSocket"); got != want {
		t.Errorf("Codex failed to connect a WebSocket %d times, want %d", got, want)
	}
	const why = "weir does not take this protocol upgrade, because it could not judge the calls in it"
	if got := strings.Count(weirLog, why); got != want {
		t.Errorf("weir's log says %d times why, want %d", got, want)
	}
}
