package clients

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/weir-gate/weir/internal/weirtest/expect"
	"github.com/weir-gate/weir/internal/weirtest/program"
)

// An entry is an event of the record, as far as it is compared.
type entry struct {
	Type      string            `json:"type"`
	Actor     map[string]string `json:"actor"`
	RequestID string            `json:"request_id"`
	Tool      string            `json:"tool"`
	WireID    string            `json:"wire_id"`
	Within    string            `json:"within"` // the call whose arguments this one is in
	Verdict   string            `json:"verdict"`
	Blocked   bool              `json:"blocked"`
	WouldBe   string            `json:"would_be"`
	Code      string            `json:"code"`
	Rule      string            `json:"rule"`
	Args      any               `json:"args"`
	Detail    struct {
		Aliases   []string `json:"aliases"`
		Spellings []string `json:"spellings"`
		Written   string   `json:"written_as"`

		Released int  `json:"released"`
		Refused  int  `json:"refused"`
		Clean    bool `json:"clean"`
		Usage    struct {
			Output int `json:"output_tokens"`
		} `json:"usage"`
	} `json:"detail"`
}

// recordOf is all that a weir recorded, by request.
func recordOf(t *testing.T, in program.Install) map[string][]entry {
	t.Helper()
	byRequest := map[string][]entry{}
	for _, e := range program.Record[entry](t, in) {
		byRequest[e.RequestID] = append(byRequest[e.RequestID], e)
	}
	return byRequest
}

// isCall says whether an event is about a call that was ruled.
func (e entry) isCall() bool {
	return e.Type == "tool_call" || e.Type == "mcp_tool_call_intercepted" || e.Type == "reread"
}

// checkRecord compares what the client saw with what was recorded.
func (p performance[T]) checkRecord(t *testing.T, record map[string][]entry) {
	want := p.scene.Want(p.kind)
	var calls []Recorded
	refused, silent := "", 0
	for _, r := range p.result.Responses {
		entries := record[r.Request]
		if len(entries) == 0 && r.Status == http.StatusOK {
			silent++
			continue
		}
		calls = append(calls, callsOf(entries)...)
		for _, e := range entries {
			p.checkActor(t, e)
			if e.Type == "stream_refused" {
				refused += e.Code
			}
		}
		if r.Status == http.StatusOK {
			p.checkDone(t, entries, want.Err == nil && !want.Broken && !want.Listed)
		}
	}
	// A refusal that is told early is on record before calls that began earlier and end later.
	anyOrder := cmpopts.SortSlices(func(a, b Recorded) bool { return fmt.Sprint(a) < fmt.Sprint(b) })
	expect.NoDiff(t, cmp.Diff(want.Calls, calls, cmpopts.EquateEmpty(), anyOrder), "recorded calls")
	expect.Equal(t, silent, want.Silent, "nothing is recorded of %d answers, want %d", silent, want.Silent)
	expect.Equal(t, refused, want.Refused, "the response was refused as")
	p.checkReceived(t, calls)
}

func callsOf(entries []entry) []Recorded {
	var calls []Recorded
	for _, e := range entries {
		if e.isCall() {
			calls = append(calls, Recorded{
				Tool: e.Tool, ID: e.WireID, Verdict: e.Verdict, WouldBe: e.WouldBe, Code: e.Code, Rule: e.Rule, Blocked: e.Blocked, Args: e.Args,
				Reread: e.Type == "reread", Within: e.Within != "",
			})
		}
	}
	return calls
}

// checkDone wants one event for the end of a response, which counts the calls right. Of a whole one it says that the end
// was clean, and the usage.
func (p performance[T]) checkDone(t *testing.T, entries []entry, whole bool) {
	t.Helper()
	var done []entry
	released, refused := 0, 0
	for _, e := range entries {
		switch {
		case e.Type == "response_done":
			done = append(done, e)
		case e.Type == "stream_refused":
			whole = false
		case !e.isCall() || e.Within != "":
		case e.Blocked:
			refused++
		default:
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
	if d := done[0].Detail; whole && (!d.Clean || d.Usage.Output != OutputTokens) {
		t.Errorf("the end says %+v, want a clean one with %d output tokens", d, OutputTokens)
	}
}

// checkActor wants events of clients with keys to say who they are.
func (p performance[T]) checkActor(t *testing.T, e entry) {
	t.Helper()
	var want map[string]string
	if p.scene.Door == Keyed {
		want = map[string]string{"key": "laptop", "employee": "ann@example.com"}
	}
	expect.NoDiff(t, cmp.Diff(want, e.Actor), "actor of %s", e.Type)
}

// checkReceived wants every call that the client has to be in the record as released, with the same arguments.
func (p performance[T]) checkReceived(t *testing.T, calls []Recorded) {
	for _, turn := range p.result.Turns {
		for _, c := range turn.Turn.Calls() {
			var diffs []string
			for _, r := range calls {
				if !r.Blocked && r.isOf(c) {
					diffs = append(diffs, cmp.Diff(r.Args, c.Args))
				}
			}
			switch {
			case len(diffs) == 0:
				t.Errorf("the client has a call that is not in the record: %+v", c)
			case !slices.Contains(diffs, ""):
				t.Errorf("arguments of %s (-record +client):\n%s", c.Name, diffs[0])
			}
		}
	}
}

// isOf says whether the record may be of a call that a client has. Some clients show no ids, and ids of calls that one
// found in the arguments of another are its own.
func (r Recorded) isOf(c Call) bool {
	return r.Tool == c.Name && (r.ID == c.ID || c.ID == "" || r.Within)
}
