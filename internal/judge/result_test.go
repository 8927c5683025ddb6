package judge_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/recorder"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/record/store/sqlitetest"
)

// A desk is a judge with a record of its own, which can be closed and opened again.
type desk struct {
	*testing.T
	path     string
	store    *store.Store
	recorder *recorder.Recorder
	judge    *judge.Judge
}

func newDesk(t *testing.T) *desk {
	d := &desk{T: t, path: filepath.Join(t.TempDir(), "weir.db")}
	sqlitetest.Create(t, d.path)
	d.open()
	t.Cleanup(d.close)
	return d
}

func (d *desk) open() {
	s, err := store.Open(context.Background(), "sqlite://"+d.path)
	if err != nil {
		d.Fatal(err)
	}
	d.store, d.recorder = s, recorder.New(recorder.Config{Store: s})
	p := parse(d.T, rules)
	d.judge = judge.New(judge.Config{Policy: func() *policy.Policy { return p }, Recorder: d.recorder, Record: s})
}

func (d *desk) close() {
	if err := d.recorder.Close(context.Background()); err != nil {
		d.Error(err)
	}
	if err := d.store.Close(); err != nil {
		d.Error(err)
	}
}

func (d *desk) restart() {
	d.close()
	d.open()
}

// ask has a call ruled.
func (d *desk) ask(id call.ID, wireID, tool, args string) {
	c := aCall(tool, args)
	c.ID, c.WireID = id, wireID
	done := make(chan call.Ruling, 1)
	d.judge.Judge(d.Context(), c, func(r call.Ruling) { done <- r })
	<-done
}

// answer brings results, and waits until what is recorded of them is durable.
func (d *desk) answer(results ...call.Result) {
	c := aCall("", "")
	for i := range results {
		if results[i].Measure == nil {
			results[i].Measure = func() (int64, string) { return 3, "sha256:abc" }
		}
	}
	d.judge.RecordResults(d.Context(), call.Results{Actor: c.Actor, Exchange: c.Exchange, List: results})
	durable := make(chan error, 1)
	d.recorder.Record(record.Event{Type: record.Types.ResponseDone}, func(err error) { durable <- err })
	if err := <-durable; err != nil {
		d.Fatal(err)
	}
}

// answers are the results on record: which call they answer, and how.
func (d *desk) answers() (out []string) {
	for entry, err := range d.store.Entries(d.Context(), query.Filter{Type: record.Types.ToolResult}) {
		if err != nil {
			d.Fatal(err)
		}
		e, err := entry.Event()
		if err != nil {
			d.Fatal(err)
		}
		r := e.Detail.(record.ToolResult)
		out = append(out, fmt.Sprintf("%s %s %s %d %v", e.CallID, e.WireID, e.Tool, r.SizeBytes, r.Failed))
	}
	return out
}

func (d *desk) want(want ...string) {
	d.Helper()
	if diff := cmp.Diff(want, d.answers()); diff != "" {
		d.Errorf("answers on record (-want +got):\n%s", diff)
	}
}

// A result is recorded once, with the call that it answers, however often requests repeat it.
func TestAnsweredOnce(t *testing.T) {
	d := newDesk(t)
	d.ask("call_a", "toolu_1", "ls", `{}`)
	d.ask("call_b", "toolu_2", "bash", `{"command":"x"}`)
	first := call.Result{WireID: "toolu_1", New: true}
	d.answer(first, call.Result{WireID: "toolu_2", Failed: true, New: true})
	d.want("call_a toolu_1 ls 3 false", "call_b toolu_2 bash 3 true")
	first.New = false
	d.answer(first)
	d.restart()
	d.answer(first)
	d.want("call_a toolu_1 ls 3 false", "call_b toolu_2 bash 3 true")
}

// A call that was asked for before weir was started again is found.
func TestAnsweredAfterRestart(t *testing.T) {
	d := newDesk(t)
	d.ask("call_a", "toolu_1", "ls", `{}`)
	d.restart()
	d.answer(call.Result{WireID: "toolu_1"}) // it need not be new: weir was away
	d.want("call_a toolu_1 ls 3 false")
}

// A server that numbers its calls anew in every response means the last one.
func TestAnsweredSameID(t *testing.T) {
	d := newDesk(t)
	d.ask("call_a", "call_0", "ls", `{}`)
	d.answer(call.Result{WireID: "call_0", New: true})
	d.ask("call_b", "call_0", "cat", `{}`)
	d.answer(call.Result{WireID: "call_0", New: true})
	d.want("call_a call_0 ls 3 false", "call_b call_0 cat 3 false")
}

// What nobody asked for is recorded while it is new: it is of no call that weir has seen.
func TestAnsweredUnasked(t *testing.T) {
	d := newDesk(t)
	d.answer(call.Result{WireID: "toolu_old", Tool: "ls"}, call.Result{WireID: "toolu_new", Tool: "cat", New: true})
	d.want(" toolu_new cat 3 false")
}

// Where the wire gives no ids, a result answers the last call of that tool with those arguments that has no answer yet. If all
// have one, the request is one that is sent again.
func TestAnsweredWithoutIDs(t *testing.T) {
	d := newDesk(t)
	d.ask("call_a", "", "ls", `{"path":"a","n":1.0}`)
	d.ask("call_b", "", "ls", `{"path":"b"}`)
	d.ask("call_c", "", "ls", `{"n":1,"path":"a"}`)
	again := call.Result{Tool: "ls", Args: []byte(` {"n": 1, "path": "a"}`), New: true}
	d.answer(again)
	d.answer(again)
	d.answer(again)
	d.answer(call.Result{Tool: "ls", Args: []byte(`{"path":"b"}`)}) // of an earlier turn
	d.want("call_c  ls 3 false", "call_a  ls 3 false")
}

// Others' calls are not answered, whatever their ids.
func TestAnsweredByOthers(t *testing.T) {
	d := newDesk(t)
	d.ask("call_a", "toolu_1", "ls", `{}`)
	stranger := call.Results{
		Actor: call.Actor{Org: "other"}, Exchange: call.Exchange{Provider: "anthropic"},
		List: []call.Result{{WireID: "toolu_1", New: true, Measure: func() (int64, string) { return 1, "" }}},
	}
	d.judge.RecordResults(t.Context(), stranger)
	d.answer(call.Result{WireID: "toolu_1", New: true})
	d.want(" toolu_1  1 false", "call_a toolu_1 ls 3 false")
}

// Without a record to look into, results are recorded all the same.
func TestAnsweredWithoutRecord(t *testing.T) {
	r := &notebook{}
	made(t, r, nil).RecordResults(t.Context(), call.Results{
		List: []call.Result{{WireID: "a", New: true, Measure: func() (int64, string) { return 1, "d" }}},
	})
	if len(r.events) != 1 || r.events[0].Type != record.Types.ToolResult || r.events[0].PolicyVersion != version {
		t.Errorf("recorded %+v", r.events)
	}
}

// Where two conversations have calls with one id, the tool tells whose result it is.
func TestAnsweredSameIDElsewhere(t *testing.T) {
	for _, restart := range []bool{false, true} {
		d := newDesk(t)
		d.ask("call_a", "call_0", "ls", `{}`)
		d.ask("call_b", "call_0", "files.cat", `{}`)
		if restart {
			d.restart()
		}
		d.answer(call.Result{WireID: "call_0", Tool: "ls", New: true})
		d.want("call_a call_0 ls 3 false")
	}
}

// Many results without ids cost no look into the record each.
func TestAnsweredManyWithoutIDs(t *testing.T) {
	d := newDesk(t)
	var results []call.Result
	var want []string
	for i := range 200 {
		args := fmt.Sprintf(`{"n":%d}`, i)
		d.ask(call.ID(fmt.Sprint("call_", i)), "", "ls", args)
		results = append(results, call.Result{Tool: "ls", Args: []byte(args), New: true})
		want = append(want, fmt.Sprintf("call_%d  ls 3 false", i))
	}
	d.answer(results...)
	d.answer(results...)
	d.want(want...)
}
