package kept

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/bodies"
	"github.com/weir-gate/weir/internal/record/checkpoint"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/recordlog"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/record/store/storetest"
	"github.com/weir-gate/weir/internal/record/verify"
)

// An old record is one whose events are in the file.
type oldRecord struct {
	url, folder string
	store       *store.Store
	chains      [][]record.Entry
	saved       []record.Head       // heads that somebody kept elsewhere
	vouched     []checkpoint.Signed // likewise the newest checkpoints
	before      map[string]any      // what it answered
}

// mixed returns events of a chain: calls with rulings and spent money, and the ends of their responses.
func mixed(t *testing.T, chain, n int) []record.Entry {
	t.Helper()
	head, all := record.NewChain(), make([]record.Entry, n)
	for i := range all {
		id := fmt.Sprint(chain, "-", i)
		e := record.Event{
			ID: "evt_" + id, Type: record.Types.ToolCall, Time: time.Date(2026, 3, 1, chain, 0, i, 0, time.UTC), CallID: call.ID("call_" + id), WireID: "w" + id,
			Actor: call.Actor{Org: "acme", Team: fmt.Sprint("team", i%3), Session: fmt.Sprint("s", chain)}, Tool: fmt.Sprint("tool", i%4),
			Exchange: call.Exchange{RequestID: "req_" + fmt.Sprint(chain, "-", i/3)},
			Ruling:   record.Ruling{Verdict: "allow"}, Args: []byte(`{"command":"ls ` + id + `"}`),
		}
		switch {
		case i%3 == 2:
			e.Type, e.Tool, e.CallID, e.WireID, e.Args, e.Ruling = record.Types.ResponseDone, "", "", "", nil, record.Ruling{}
			e.Detail = record.ResponseDone{Released: 2, Clean: true}
		case i%5 == 0:
			e.Ruling = record.Ruling{Verdict: "deny", Blocked: true, Code: call.CodeToolDenied, Rule: "no"}
		}
		u, err := e.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if all[i], head = head.Next(u); e.Blocked {
			all[i].With.Remember = &call.Remembered{Upstream: "u", Response: "r", WireID: e.WireID, Unit: "function_call", Ruling: call.Ruling{Code: e.Code}}
		}
		all[i].With.Spend = []call.Spend{{Scope: fmt.Sprint("scope", i%2), Micro: int64(i + 1)}}
	}
	return all
}

// newOld makes a record as the version before logs were kept did.
func newOld(t *testing.T) *oldRecord {
	t.Helper()
	o := &oldRecord{url: "sqlite://" + filepath.Join(t.TempDir(), "weir.db")}
	var err error
	if o.folder, err = store.URL(o.url).LogFolder(""); err != nil {
		t.Fatal(err)
	}
	if o.store, err = store.Open(t.Context(), o.url); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.store.Close() })
	for chain := range 4 {
		o.chains = append(o.chains, mixed(t, chain, 40))
	}
	for from := 0; from < 40; from += 10 {
		for _, all := range o.chains {
			if err := o.store.Append(t.Context(), all[from:from+10]); err != nil {
				t.Fatal(err)
			}
		}
	}
	for chain, before := range []int64{2, 8, 41, 23} {
		if _, err := storetest.CutBefore(t, o.store, o.chains[chain][0].Chain, before); err != nil {
			t.Fatal(err)
		}
	}
	body := bodies.Body{RequestID: "req_0-0", Side: "request", Time: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), Content: []byte("x")}
	if err := o.store.PutBodies(t.Context(), []bodies.Body{body}); err != nil {
		t.Fatal(err)
	}
	o.remember(t)
	return o
}

// remember notes what the record answers now.
func (o *oldRecord) remember(t *testing.T) {
	t.Helper()
	report := verifiedBy(t, o.store, verify.Check{})
	if report.Found > 0 {
		t.Fatalf("before anything was moved: %v", report.Problems)
	}
	o.saved, o.vouched, o.before = report.Heads, report.Newest, answers(t, o.store)
}

func verifiedBy(t *testing.T, r verify.Record, c verify.Check) verify.Report {
	t.Helper()
	c.Record = r
	report, err := c.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// An answering record answers all questions.
type answering interface {
	query.Source
	Stats(ctx context.Context, q query.StatsQuery) (query.Stats, error)
	Chains(ctx context.Context) ([]record.ChainState, error)
	Refused(ctx context.Context, upstream, response string) ([]call.Remembered, error)
	Spends(ctx context.Context, since time.Time) ([]call.Spend, error)
	Bodies(ctx context.Context, requestID string) ([]bodies.Body, error)
}

// answers asks a record all questions. Rows are left out: they are where an index has an event.
func answers(t *testing.T, r answering) map[string]any {
	t.Helper()
	all := map[string]any{}
	ask := func(name string, answer any, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all[name] = answer
	}
	blocked := true
	for name, f := range map[string]query.Filter{
		"all": {}, "newest": {Newest: true, Limit: 17}, "oldest": {Limit: 17}, "tool": {Tool: "tool1"}, "session": {Session: "s3"},
		"call": {CallID: "call_3-30"}, "wire": {WireID: "w0-4"}, "refused": {Blocked: &blocked},
		"since": {Since: time.Date(2026, 3, 1, 1, 0, 9, 0, time.UTC), Until: time.Date(2026, 3, 1, 3, 0, 30, 0, time.UTC)},
		"kind":  {Type: record.Types.ResponseDone}, "team": {Team: "team2"}, "nobody": {Employee: "nobody"},
	} {
		var got []record.Entry
		for e, err := range r.Entries(t.Context(), f) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			e.Row, e.Place, e.With = 0, record.Place{}, record.Effects{}
			got = append(got, e)
		}
		all[name] = got
	}
	for _, by := range []query.Group{"", query.By.Tool, query.By.Team, query.By.Session, query.By.Hour, query.By.Code} {
		for _, session := range []string{"s0", "s1", "s3"} { // without it, a table also counts what retention removed
			s, err := r.Stats(t.Context(), query.StatsQuery{By: by, Filter: query.Filter{Session: session}})
			ask("stats of "+session+" by "+string(by), s, err)
		}
	}
	chains, err := r.Chains(t.Context())
	ask("chains", chains, err)
	refused, err := r.Refused(t.Context(), "u", "r")
	ask("rulings", refused, err)
	spent, err := r.Spends(t.Context(), time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))
	ask("budgets", spent, err)
	kept, err := r.Bodies(t.Context(), "req_0-0")
	ask("bodies", kept, err)
	return all
}

// wantMoved opens a record, and checks that it answers as before.
func (o *oldRecord) wantMoved(t *testing.T, url string) {
	t.Helper()
	r := openRecord(t, url)
	defer r.Close() // nothing was written
	if err := r.IndexAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, got := range answers(t, r) {
		if diff := cmp.Diff(o.before[name], got); diff != "" {
			t.Errorf("%s (-before +moved):\n%s", name, diff)
		}
	}
	report := verifiedBy(t, r, verify.Check{Heads: o.saved, Checkpoints: o.vouched})
	if report.Found > 0 {
		t.Errorf("verified: %v", report.Problems)
	}
	if has, err := r.HasEvents(t.Context()); has || err != nil {
		t.Errorf("the file has events: %v, %v", has, err)
	}
}

func openRecord(t *testing.T, url string) *Record {
	t.Helper()
	r, err := Open(t.Context(), Config{URL: url, OnError: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestMoved: a record of the version before answers as it did, and goes on.
func TestMoved(t *testing.T) {
	o := newOld(t)
	o.wantMoved(t, o.url)
	o.wantMoved(t, o.url)
	if err := o.store.Append(t.Context(), mixed(t, 9, 1)); err == nil || !strings.Contains(err.Error(), "restart this one") {
		t.Errorf("an older weir still writes: %v", err)
	}
	w := openWriter(t, o.url)
	more := mixed(t, 9, 5)
	if err := w.Append(t.Context(), more); err != nil {
		t.Fatal(err)
	}
	for chain, before := range map[string]int64{o.chains[0][0].Chain: 12, more[0].Chain: 2} {
		if _, err := storetest.CutBefore(t, w, chain, before); err != nil {
			t.Fatal(err)
		}
	}
	if r := verifiedBy(t, w, verify.Check{Heads: o.saved}); r.Found > 0 || r.Events != 29+33+0+18+4 {
		t.Errorf("verified: %d events, %v", r.Events, r.Problems)
	}
}

// TestMoveKilled: a move that was interrupted loses nothing and doubles nothing.
func TestMoveKilled(t *testing.T) {
	o := newOld(t)
	copied := filepath.Join(t.TempDir(), "copy")
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Open(ctx, Config{URL: o.url, OnMoved: func(done, all int64) {
		if err := os.CopyFS(copied, os.DirFS(filepath.Dir(o.folder))); err != nil {
			t.Error(err)
		}
		cancel()
	}})
	if err == nil {
		t.Fatal("it was not interrupted")
	}
	t.Run("while it copied", func(t *testing.T) { o.wantMoved(t, "sqlite://"+filepath.Join(copied, "weir.db")) })
	if err := os.MkdirAll(filepath.Join(o.folder, ".new-"+movedLog), 0o700); err != nil { // one was interrupted when the log began
		t.Fatal(err)
	}
	t.Run("before the file let go", func(t *testing.T) { o.wantMoved(t, o.url) })
}

// TestMoveKilledLate: a move was interrupted after the file let go of the events, and before the log ended.
func TestMoveKilledLate(t *testing.T) {
	o := newOld(t)
	r := &Record{Store: o.store, config: Config{URL: o.url, OnError: func(err error) { t.Error(err) }, OnMoved: func(int64, int64) {}}}
	if err := r.moveIn(t.Context()); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(o.folder, movedLog, "*.wlog"))
	if err != nil || len(files) != 2 {
		t.Fatalf("%q, %v", files, err)
	}
	if err := os.Remove(files[1]); err != nil { // the end of the log
		t.Fatal(err)
	}
	o.wantMoved(t, o.url)
}

// TestMoveAtOnce: several processes begin to move.
func TestMoveAtOnce(t *testing.T) {
	o := newOld(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			r, err := Open(t.Context(), Config{URL: o.url})
			if err == nil {
				err = r.Close()
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	o.wantMoved(t, o.url)
}

// TestMoveWithLogs: the version before left events in logs of its own, some of which the file has.
func TestMoveWithLogs(t *testing.T) {
	o := newOld(t)
	more := mixed(t, 7, 30)
	log, err := recordlog.Create(recordlog.Config{Folder: o.folder})
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Append(t.Context(), slices.Clone(more)); err != nil {
		t.Fatal(err)
	}
	if err := o.store.Append(t.Context(), more[:20]); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), Config{URL: o.url}); err == nil || !strings.Contains(err.Error(), "still runs") {
		t.Errorf("opened while the version before writes: %v", err)
	}
	if has, err := o.store.HasEvents(t.Context()); !has || err != nil {
		t.Errorf("the file has let go of events: %v, %v", has, err)
	}
	if err := log.Close(false); err != nil {
		t.Fatal(err)
	}
	r := openRecord(t, o.url)
	defer r.Close() // nothing was written
	if _, err := storetest.CutBefore(t, r, more[0].Chain, 2); err != nil {
		t.Fatal(err)
	}
	report := verifiedBy(t, r, verify.Check{Heads: append(o.saved, more[29].Head)})
	if report.Found > 0 || report.Events != 39+33+18+29 {
		t.Errorf("%d events, %v", report.Events, report.Problems)
	}
	refused, err := r.Refused(t.Context(), "u", "r")
	if want := len(o.before["rulings"].([]call.Remembered)) + 4; err != nil || len(refused) != want {
		t.Errorf("%d rulings, want %d, %v", len(refused), want, err)
	}
}

// TestMoveTampered: what somebody changed in the file is moved as it is, so that it is found.
func TestMoveTampered(t *testing.T) {
	for name, change := range map[string]string{
		"text":        "UPDATE events SET text = replace(text, 'ls', 'rm') WHERE seq = 25",
		"no event":    "UPDATE events SET text = 'x' WHERE seq = 25",
		"column":      "UPDATE events SET tool = x'00' WHERE seq = 25",
		"hash":        "UPDATE events SET hash = 'x', text = replace(text, 'ls', 'rm') WHERE seq = 25",
		"removed":     "DELETE FROM events WHERE seq = 25",
		"order":       "UPDATE events SET row_id = row_id + 1000 WHERE seq = 25",
		"note":        "UPDATE chains SET seq = 12",
		"no note":     "DELETE FROM chains",
		"checkpoints": "DELETE FROM checkpoints",
	} {
		t.Run(name, func(t *testing.T) {
			o := newOld(t)
			o.exec(t, "DROP TRIGGER events_no_update", "DROP TRIGGER events_no_delete", "DROP TRIGGER checkpoints_no_delete", change)
			told := int64(0)
			r, err := Open(t.Context(), Config{URL: o.url, OnError: func(error) { told++ }})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close() // nothing was written
			// A log has no columns, so that what was wrong with one is only told when it is moved.
			if report := verifiedBy(t, r, verify.Check{}); report.Found == 0 && (name != "column" || told == 0) {
				t.Error("nothing was found")
			}
		})
	}
}

func (o *oldRecord) exec(t *testing.T, queries ...string) {
	t.Helper()
	path, _ := store.URL(o.url).File()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() // what was changed is durable
	for _, query := range queries {
		if _, err := db.ExecContext(t.Context(), query); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
	}
}
