package clients

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// checkRecord compares what the client saw with what was recorded.
func (p performance) checkRecord(t *testing.T, record map[string][]entry) {
	want := p.scene.want(p.kind.streamed)
	var calls []recorded
	refused := ""
	for _, r := range p.result.Responses {
		entries := record[r.Request]
		calls = append(calls, callsOf(entries)...)
		for _, e := range entries {
			p.checkActor(t, e)
			if e.Type == "stream_refused" {
				refused += e.Code
			}
		}
		if r.Status == http.StatusOK {
			checkDone(t, entries, want)
		}
	}
	if diff := cmp.Diff(want.calls, calls, cmp.AllowUnexported(recorded{}), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("recorded calls (-want +got):\n%s", diff)
	}
	if refused != want.refused {
		t.Errorf("the response was refused as %q, want %q", refused, want.refused)
	}
	p.checkReceived(t, calls)
}

func callsOf(entries []entry) []recorded {
	var calls []recorded
	for _, e := range entries {
		if e.Type == "tool_call" {
			calls = append(calls, recorded{
				tool: e.Tool, id: e.WireID, verdict: e.Verdict, wouldBe: e.WouldBe, code: e.Code, rule: e.Rule, blocked: e.Blocked, args: e.Args,
			})
		}
	}
	return calls
}

// checkDone wants one event for the end of a response, which counts the calls right.
func checkDone(t *testing.T, entries []entry, want outcome) {
	t.Helper()
	var done []entry
	released, refused := 0, 0
	for _, e := range entries {
		switch {
		case e.Type == "response_done":
			done = append(done, e)
		case e.Type == "tool_call" && e.Blocked:
			refused++
		case e.Type == "tool_call":
			released++
		}
	}
	if len(done) != 1 {
		t.Errorf("%d events for the end of a response, want 1", len(done))
		return
	}
	if d := done[0].Detail; d.Released != released || d.Refused != refused {
		t.Errorf("%d calls released and %d refused, but the end says %+v", released, refused, d)
	}
	if d := done[0].Detail; want.err == nil && !want.broken && (!d.Clean || d.Usage.Output != outputTokens) {
		t.Errorf("the end says %+v, want a clean one with %d output tokens", d, outputTokens)
	}
}

// checkActor wants events of clients with keys to say who they are.
func (p performance) checkActor(t *testing.T, e entry) {
	t.Helper()
	var want map[string]string
	if p.scene.door == "keyed" {
		want = map[string]string{"key": "laptop", "employee": "ann@example.com"}
	}
	if diff := cmp.Diff(want, e.Actor); diff != "" {
		t.Errorf("actor of %s (-want +got):\n%s", e.Type, diff)
	}
}

// checkReceived wants every call that the client has to be in the record as released, with the same arguments.
func (p performance) checkReceived(t *testing.T, calls []recorded) {
	released := map[string]recorded{}
	for _, c := range calls {
		if !c.blocked {
			released[c.id] = c
		}
	}
	for _, turn := range p.result.Turns {
		for _, b := range turn.Content {
			if b.Type != "tool_use" && b.Type != "server_tool_use" {
				continue
			}
			r, ok := released[b.ID]
			if !ok {
				t.Errorf("the client has a call that is not in the record: %+v", b)
				continue
			}
			if diff := cmp.Diff(r.args, b.Input); r.tool != b.Name || diff != "" {
				t.Errorf("the client has %s where the record has %s (-record +client):\n%s", b.Name, r.tool, diff)
			}
		}
	}
}
