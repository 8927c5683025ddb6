package daemon

import (
	"database/sql"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite" // to harm the database behind weir's back

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/bodies"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/store"
)

// askAbout sends a request with a text in it and returns weir's id of it.
func (r *rig) askAbout(text string) string {
	r.t.Helper()
	resp, err := http.Post("http://"+r.daemon.Address()+"/model/v1/messages", "application/json",
		strings.NewReader(`{"model":"m","max_tokens":1,"stream":true,"messages":[{"role":"user","content":"`+text+`"}]}`))
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		r.t.Fatal(err)
	}
	return resp.Header.Get("X-Weir-Request-Id")
}

// keptText is a body's text.
func (r *rig) keptText(request string, side string) string {
	r.t.Helper()
	reader := r.reader()
	defer reader.Close()
	all, err := reader.Bodies(r.t.Context(), request)
	if err != nil {
		r.t.Fatal(err)
	}
	for _, b := range all {
		if b.Side == side {
			text, err := b.Text()
			if err != nil {
				r.t.Fatal(err)
			}
			return string(text)
		}
	}
	return ""
}

const hideMail = allowAll + "rules:\n- {id: hide, tool: Mail, verdict: sanitize, sanitize: {presets: [email]}}\n"

// TestBodiesHideWhatThePolicyHides: what the policy in force hides anywhere is not kept, from the moment it is in force.
func TestBodiesHideWhatThePolicyHides(t *testing.T) {
	r := newRig(t, turn(toolCall{"Read", `{"who":"ann@example.com"}`}))
	r.config.Bodies.Store = true
	r.serve(time.Millisecond)
	before := r.askAbout("bob@example.com")
	waitFor(t, func() bool { return r.keptText(before, "response") != "" })
	r.write(hideMail)
	waitFor(t, func() bool { return strings.Contains(r.log.String(), "policy loaded") })
	after := r.askAbout("bob@example.com")
	if err := r.end(); err != nil {
		t.Fatal(err)
	}
	for request, hidden := range map[string]bool{before: false, after: true} {
		for side, address := range map[string]string{"request": "bob@example.com", "response": "ann@example.com"} {
			text := r.keptText(request, side)
			if strings.Contains(text, address) == hidden || strings.Contains(text, "[redacted:email]") != hidden {
				t.Errorf("the %s, with the policy that hides it %v:\n%s", side, hidden, text)
			}
		}
	}
	for _, e := range r.events(query.Filter{Type: record.Types.ResponseDone}) {
		done, _ := e.Detail.(record.ResponseDone)
		if done.RequestBody.Digest == "" || done.ResponseBody.Digest == "" || done.RequestBody.NotStored != "" {
			t.Errorf("the record says %+v and %+v", done.RequestBody, done.ResponseBody)
		}
	}
	r.verify()
}

// TestBodiesCannotBeStored: calls pass all the same, responses end, and the record and the log say that the bodies are not kept.
func TestBodiesCannotBeStored(t *testing.T) {
	r := newRig(t, turn(toolCall{"Read", `{}`}))
	r.config.Bodies.Store = true
	r.serve(0)
	db, err := sql.Open("sqlite", "file:"+filepath.Join(r.dir, "weir.db")+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() // what was written is committed
	if _, err := db.Exec("CREATE TRIGGER no_bodies BEFORE INSERT ON bodies BEGIN SELECT RAISE(ABORT, 'no bodies today'); END"); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if body := r.mustAsk(); !strings.Contains(body, `"name":"Read"`) {
			t.Errorf("a call does not pass:\n%s", body)
		}
	}
	if err := r.end(); err != nil {
		t.Fatal(err)
	}
	r.demand("no bodies today", 1)
	events := r.events(query.Filter{Type: record.Types.ResponseDone})
	for _, e := range events {
		done, _ := e.Detail.(record.ResponseDone)
		if diff := cmp.Diff([2]call.Body{{NotStored: call.Unstored}, {NotStored: call.Unstored}}, [2]call.Body{done.RequestBody, done.ResponseBody}); diff != "" {
			t.Error(diff)
		}
	}
	if len(events) != 3 {
		t.Errorf("%d ends of responses are recorded, want 3", len(events))
	}
}

// TestOldBodiesGo, also when no new ones are kept.
func TestOldBodiesGo(t *testing.T) {
	r := newRig(t, turn())
	s, err := store.Open(t.Context(), r.config.Store.URL)
	if err != nil {
		t.Fatal(err)
	}
	old, young := time.Now().Add(-r.config.Bodies.Retention-time.Hour), time.Now()
	for id, at := range map[string]time.Time{"old": old, "young": young} {
		if err := s.PutBodies(t.Context(), []bodies.Body{{RequestID: id, Side: "request", Time: at, Content: []byte("x")}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	kept := func(id string) bool {
		reader := r.reader()
		defer reader.Close()
		all, err := reader.Bodies(t.Context(), id)
		return err != nil || len(all) > 0
	}
	r.serve(0)
	waitFor(t, func() bool { return !kept("old") })
	if !kept("young") {
		t.Error("a young body is gone")
	}
}

// TestUnjudged: in the mode mcp-only no call of an agent's own tools is judged or recorded, and ends are recorded.
func TestUnjudged(t *testing.T) {
	r := newRig(t, turn(toolCall{"Bash", `{"command":"ls"}`}))
	r.write(denyBash)
	r.config.Proxy.Mode = config.MCPOnly
	r.serve(0)
	if body := r.mustAsk(); !strings.Contains(body, `"name":"Bash"`) || strings.Contains(body, "[weir]") {
		t.Errorf("the call does not pass:\n%s", body)
	}
	if err := r.end(); err != nil {
		t.Fatal(err)
	}
	var types []record.Type
	for _, e := range r.events(query.Filter{}) {
		types = append(types, e.Type)
		if done, is := e.Detail.(record.ResponseDone); is && (done.Released != 1 || done.Usage.Output != 2 || !done.Clean) {
			t.Errorf("recorded as %+v", done)
		}
	}
	slices.Sort(types) // a policy is recorded while the first requests come
	if diff := cmp.Diff([]record.Type{record.Types.PolicyLoaded, record.Types.ResponseDone}, types); diff != "" {
		t.Error(diff)
	}
}
