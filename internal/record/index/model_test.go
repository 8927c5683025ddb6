package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

// A world is some logs, an index of them, and what the index has to answer.
type world struct {
	t      *testing.T
	rng    *rand.Rand
	config Config
	x      *Index

	now     time.Time
	serial  int
	logs    []*testLog
	applied []applied // by rows, without those that are gone
	rows    int64
}

// applied is an event that is in the index.
type applied struct {
	log *testLog
	at  int64
	record.Entry
}

// A testLog is a log in memory.
type testLog struct {
	name    string
	head    record.Head
	events  []Placed
	indexed int // of them
	end     int64
	cut     int64
	gone    bool
	pending []pending
}

// pending is a request whose response has not ended.
type pending struct {
	actor          call.Actor
	exchange       call.Exchange
	calls, refused int
}

func newWorld(t *testing.T, seed uint64) *world {
	t.Helper()
	w := &world{t: t, rng: rand.New(rand.NewPCG(seed, 22)), now: time.Date(2026, 2, 27, 21, 17, 3, 0, time.UTC)}
	w.config = Config{
		Folder: filepath.Join(t.TempDir(), "index"), Texts: w,
		PartitionRows: 30 + w.rng.IntN(200), blockRows: 1 + w.rng.IntN(20), runBlocks: 1 + w.rng.IntN(4),
	}
	w.open()
	t.Cleanup(func() { w.x.Close() })
	for range 3 {
		w.newLog()
	}
	return w
}

func (w *world) newLog() {
	w.logs = append(w.logs, &testLog{name: fmt.Sprint("log", len(w.logs)), head: record.NewChain()})
}

// Text implements Texts.
func (w *world) Text(log string, at int64) ([]byte, error) {
	for _, l := range w.logs {
		if l.name == log && !l.gone && at >= l.cut {
			if i, found := slices.BinarySearchFunc(l.events, at, func(p Placed, at int64) int { return int(p.At - at) }); found {
				return slices.Clone(l.events[i].Text), nil
			}
		}
	}
	return nil, fs.ErrNotExist
}

func (w *world) open() {
	w.t.Helper()
	var err error
	if w.x, err = Open(w.t.Context(), w.config); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) restart() {
	w.t.Helper()
	if err := w.x.Close(); err != nil {
		w.t.Fatal(err)
	}
	w.open()
}

func (w *world) pick(of ...string) string { return of[w.rng.IntN(len(of))] }

// write puts an event into a log.
func (w *world) write(l *testLog, e record.Event) {
	w.t.Helper()
	u, err := e.Encode()
	if err != nil {
		w.t.Fatal(err)
	}
	var entry record.Entry
	entry, l.head = l.head.Next(u)
	after := l.end + int64(len(entry.Text)) + 24
	l.events = append(l.events, Placed{At: l.end, After: after, Entry: entry})
	l.end = after
}

// tick lets time pass. Sometimes the clock is set back.
func (w *world) tick() time.Time {
	w.now = w.now.Add(time.Duration(w.rng.Int64N(int64(5 * time.Minute))))
	if w.rng.IntN(40) == 0 {
		return w.now.Add(-3 * time.Hour)
	}
	return w.now
}

// happen lets something happen that a log records.
func (w *world) happen(l *testLog) {
	switch n := w.rng.IntN(10); {
	case n < 3 || len(l.pending) == 0:
		w.serial++
		l.pending = append(l.pending, pending{
			actor: call.Actor{
				Employee: w.pick("", "ann", "bob", "cleo"), Team: w.pick("payments", "core"), Org: "acme", Key: w.pick("", "ci"), Session: w.pick("", "s1", "s2", "s3", "s4"),
			},
			exchange: call.Exchange{
				RequestID: fmt.Sprint("req_", w.serial), ResponseID: fmt.Sprint("msg_", w.serial%7),
				Provider: w.pick("anthropic", "openai", "anthropic", "openai", call.CanaryProvider), Model: w.pick("m1", "m2", "m3"),
			},
		})
	case n < 7:
		w.call(l, &l.pending[w.rng.IntN(len(l.pending))])
	case n < 8:
		w.other(l)
	default:
		i := w.rng.IntN(len(l.pending))
		w.finish(l, l.pending[i])
		l.pending = slices.Delete(l.pending, i, i+1)
	}
}

func (w *world) call(l *testLog, p *pending) {
	w.serial++
	e := record.Event{
		Type: record.Types.ToolCall, Time: w.tick(), Actor: p.actor, Exchange: p.exchange, Surface: call.Response,
		CallID: call.ID(fmt.Sprint("call_", w.serial)), WireID: fmt.Sprint("toolu_", w.serial%11), Tool: w.pick("Bash", "Read", "bash", "mcp__files__read", ""),
		Server: w.pick("", "", "files"), Ruling: record.Ruling{Verdict: "allow"},
		Args: jsontext.Value(fmt.Sprintf(`{"command":"go %s ./%s","n":%d,"é":"\u00c9t\u00e9 %s"}`, w.pick("test", "build", "vet"), w.pick("a", "b", "Cmd"), w.rng.IntN(300), w.pick("x", "Y", "漢字"))),
	}
	switch w.rng.IntN(10) {
	case 0:
		e.Verdict, e.Blocked, e.Code, e.Rule = "deny", true, w.pick("tool_denied", "args_denied"), w.pick("r1", "r2", "r1", call.CanaryRule)
		p.refused++
	case 1:
		e.Verdict, e.Rule = "audit", "watch"
	case 2:
		e.Verdict, e.WouldBe, e.Code = "audit", "deny", "tool_denied"
	case 3:
		e.Surface, e.Tool = call.Inbound, "web" // an offer
	case 4:
		e.Within = "call_0"
	case 5:
		e.Type = record.Types.MCPIntercepted
	case 6:
		e.Type = record.Types.Reread
	}
	if e.Surface == call.Response && e.Within == "" {
		p.calls++
	}
	w.write(l, e)
	if w.rng.IntN(2) == 0 {
		w.write(l, record.Event{
			Type: record.Types.ToolResult, Time: w.tick(), Actor: p.actor, Exchange: p.exchange, Surface: call.Inbound, CallID: e.CallID, WireID: e.WireID,
			Tool: e.Tool, Detail: record.ToolResult{SizeBytes: 12, Failed: true},
		})
	}
}

// other is an event that belongs to no request.
func (w *world) other(l *testLog) {
	w.serial++
	e := record.Event{Time: w.tick(), Type: w.pickType(), Actor: call.Actor{Session: w.pick("", "s1", "s9")}}
	if e.Type == record.Types.MCPCalled {
		e.Surface, e.Server, e.Tool, e.CallID, e.Verdict = call.MCP, "files", w.pick("read", "write"), call.ID(fmt.Sprint("made_", w.serial)), w.pick("allow", "audit")
	}
	w.write(l, e)
}

func (w *world) pickType() record.Type {
	all := []record.Type{record.Types.MCPCalled, record.Types.PolicyLoaded, record.Types.SessionStarted, record.Types.ResponseDone}
	return all[w.rng.IntN(len(all))]
}

func (w *world) finish(l *testLog, p pending) {
	w.write(l, record.Event{
		Type: record.Types.ResponseDone, Time: w.tick(), Actor: p.actor, Exchange: p.exchange,
		Detail: record.ResponseDone{
			Usage:    call.Usage{Input: w.rng.Int64N(1000), Output: w.rng.Int64N(100), CacheRead: w.rng.Int64N(5000), CacheCreation: w.rng.Int64N(10)},
			Released: max(0, p.calls-p.refused), Refused: p.refused, CostMicros: w.rng.Int64N(20_000),
			Timings: record.Timings{
				Started: w.now, TotalMicros: w.rng.Int64N(9_000_000), UpstreamMicros: w.rng.Int64N(8_000_000), HeldMicros: w.rng.Int64N(9000),
				JudgedMicros: w.rng.Int64N(900), RecordedMicros: w.rng.Int64N(8000),
			},
		},
	})
}

// apply has the index take some of what a log has.
func (w *world) apply(l *testLog, most int) {
	w.t.Helper()
	n := min(most, len(l.events)-l.indexed)
	if l.gone || n == 0 {
		return
	}
	batch := l.events[l.indexed : l.indexed+n]
	if err := w.x.Apply(w.t.Context(), l.name, batch[0].At, batch[n-1].After, batch); err != nil {
		w.t.Fatal(err)
	}
	w.note(l, n)
}

// note notes that the next events of a log are in the index.
func (w *world) note(l *testLog, n int) {
	for _, p := range l.events[l.indexed : l.indexed+n] {
		w.rows++
		p.Row = w.rows
		w.applied = append(w.applied, applied{l, p.At, p.Entry})
	}
	l.indexed += n
}

// drop removes the beginning of a log.
func (w *world) drop(l *testLog) {
	w.t.Helper()
	if l.gone || l.indexed == 0 {
		return
	}
	first, _ := slices.BinarySearchFunc(l.events, l.cut, func(p Placed, at int64) int { return int(p.At - at) })
	cut := l.events[min(first+w.rng.IntN(40), l.indexed-1)].After
	if w.rng.IntN(10) == 0 {
		l.gone = true
		if err := w.x.Forget(w.t.Context(), l.name); err != nil {
			w.t.Fatal(err)
		}
		w.newLog()
	} else if err := w.x.Drop(w.t.Context(), l.name, cut); err != nil {
		w.t.Fatal(err)
	} else {
		l.cut = max(l.cut, cut)
	}
	w.applied = slices.DeleteFunc(w.applied, func(a applied) bool { return a.log.gone || a.at < a.log.cut })
}

// entries is what a filter selects.
func (w *world) entries(f query.Filter) (all []record.Entry) {
	matches := f.Matcher()
	for _, a := range w.applied {
		if a.Row > f.AfterRow && (f.UpToRow <= 0 || a.Row <= f.UpToRow) && matches(&a.Entry) {
			all = append(all, a.Entry)
		}
	}
	if f.Limit > 0 && len(all) > f.Limit {
		if f.Newest {
			return all[len(all)-f.Limit:]
		}
		return all[:f.Limit]
	}
	return all
}

// stats is what a question has to be answered with.
func (w *world) stats(q query.StatsQuery) query.Stats {
	f := q.Filter
	f.Type, f.Types, f.AfterRow, f.UpToRow, f.Limit, f.Newest = "", nil, 0, 0, 0, false
	s := newStatistics(q)
	samples := map[*counts]*[timings][]int64{}
	matches := f.Matcher()
	for i, a := range w.applied {
		isCall := a.Type.IsCall() && (a.Surface != string(call.Inbound) || f.Surface != "")
		if !isCall && (a.Type != record.Types.ResponseDone || q.OfCalls()) || !matches(&a.Entry) {
			continue
		}
		g := s.groupOf(&a.Columns)
		if samples[g] == nil {
			samples[g] = &[timings][]int64{}
		}
		if isCall {
			g.calls++
			if a.Blocked {
				g.refused++
			}
			if a.WouldBe != "" {
				g.wouldBe++
			} else if a.Verdict == "audit" {
				g.flagged++
			}
		} else {
			g.responses++
		}
		if isCall != q.OfCalls() {
			continue
		}
		done, among := &a, int64(1)
		if isCall {
			if done = w.response(i); done == nil {
				continue
			}
			if among = done.Calls; !(a.Type.IsAsked() && a.Within == "" && a.Surface == string(call.Response)) {
				among = 0
			}
		}
		if among > 0 {
			g.input += done.InputTokens / among
			g.cache += done.CacheTokens / among
			g.output += done.OutputTokens / among
			g.cost += done.CostMicros / among
		}
		if done.TotalMicros > 0 {
			for i, t := range []int64{done.TotalMicros, done.UpstreamMicros, done.HeldMicros, done.JudgedMicros, done.RecordedMicros} {
				samples[g][i] = append(samples[g][i], t)
			}
		}
	}
	for g, all := range samples {
		for i := range all {
			g.times[i] = tally{few: all[i], n: int64(len(all[i]))} // exact, however many there are
		}
	}
	return s.result()
}

// response is the end of the response of a call.
func (w *world) response(i int) *applied {
	for j := i; j < len(w.applied) && w.applied[i].RequestID != ""; j++ {
		if a := &w.applied[j]; a.Type == record.Types.ResponseDone && a.RequestID == w.applied[i].RequestID {
			return a
		}
	}
	return nil
}

// collect collects what is yielded.
func collect(ctx context.Context, from query.Source, f query.Filter) (all []record.Entry, err error) {
	for e, failed := range from.Entries(ctx, f) {
		if failed != nil {
			return all, errors.Join(err, failed)
		}
		all = append(all, e)
	}
	return all, nil
}
