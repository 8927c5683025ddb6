package index

import (
	"context"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

// randomFilter asks for something.
func (w *world) randomFilter() query.Filter {
	var f query.Filter
	yes, no := true, false
	begin := time.Date(2026, 2, 27, 21, 17, 3, 0, time.UTC)
	at := func() time.Time { return begin.Add(time.Duration(w.rng.Int64N(int64(w.now.Sub(begin) + time.Hour)))) }
	for range w.rng.IntN(4) {
		switch w.rng.IntN(26) {
		case 0:
			f.Session = w.pick("s1", "s2", "s9", "none")
		case 1:
			f.Server = w.pick("files", "FI*", "*", "none")
		case 2:
			f.Tool = w.pick("BASH", "mcp*", "*a*", "none", "read")
		case 3:
			f.CallID = fmt.Sprint("call_", w.rng.IntN(w.serial+1))
		case 4:
			f.WireID = fmt.Sprint("toolu_", w.rng.IntN(13))
		case 5:
			f.Verdict = w.pick("allow", "deny", "audit")
		case 6:
			f.Surface = w.pick("response", "inbound", "mcp")
		case 7:
			f.Type = w.pickType()
		case 8:
			f.Types = []record.Type{record.Types.ToolCall, w.pickType()}
		case 9:
			f.Rule = w.pick("r1", "r2", "watch")
		case 10:
			f.Code = w.pick("tool_denied", "args_denied")
		case 11:
			f.Since = at()
		case 12:
			f.Until = at()
		case 13:
			f.Since = at()
			f.Until = f.Since.Add(time.Duration(w.rng.Int64N(int64(20 * time.Hour))))
		case 14:
			f.Blocked = &yes
		case 15:
			f.Blocked = &no
		case 16:
			f.Team, f.Org = w.pick("core", "payments", "none"), w.pick("", "acme")
		case 17:
			f.Employee = w.pick("ann", "bob", "none")
		case 18:
			f.Key, f.Model = w.pick("", "ci"), w.pick("m1", "m2")
		case 19:
			f.Provider = w.pick("openai", "anthropic")
		case 20:
			f.RequestID = fmt.Sprint("req_", w.rng.IntN(w.serial+1))
		case 21:
			f.ResponseID = fmt.Sprint("msg_", w.rng.IntN(8))
		case 22, 23:
			f.NoCanaries = true
		default:
			f.Text = w.pick("go", "TEST cmd", "./b", "été", "漢", fmt.Sprint(w.rng.IntN(300)), "none", "build x 7", "--")
		}
	}
	switch w.rng.IntN(6) {
	case 0:
		f.Limit = 1 + w.rng.IntN(10)
	case 1, 2:
		f.Limit, f.Newest = 1+w.rng.IntN(10), true
	case 3:
		f.AfterRow = w.rng.Int64N(w.rows + 2)
	case 4:
		f.UpToRow, f.Newest, f.Limit = w.rng.Int64N(w.rows+2), w.rng.IntN(2) == 0, w.rng.IntN(5)
	}
	return f
}

var groupings = []query.Group{
	"", query.By.Tool, query.By.Server, query.By.Verdict, query.By.Rule, query.By.Code, query.By.Employee, query.By.Team, query.By.Org,
	query.By.Session, query.By.Model, query.By.Provider, query.By.Hour, query.By.Day,
}

// ask asks some questions and compares the answers.
func (w *world) ask(v *View, n int) {
	w.t.Helper()
	for range n {
		f := w.randomFilter()
		got, err := collect(w.t.Context(), v, f)
		if err != nil {
			w.t.Fatalf("%+v: %v", f, err)
		}
		// It is much faster than cmp, which says where they differ.
		if want := w.entries(f); !reflect.DeepEqual(want, got) {
			w.t.Fatalf("%+v (-want +got):\n%s", f, cmp.Diff(want, got))
		}
		q := query.StatsQuery{Filter: w.randomFilter(), By: groupings[w.rng.IntN(len(groupings))], Zone: time.FixedZone("", 5*3600+1800)}
		if w.rng.IntN(2) == 0 { // what sums answer
			q.Filter = query.Filter{Since: q.Filter.Since, Until: q.Filter.Until, NoCanaries: q.Filter.NoCanaries}
		}
		stats, err := v.Stats(w.t.Context(), q)
		if err != nil {
			w.t.Fatalf("%+v: %v", q, err)
		}
		if diff := cmp.Diff(w.stats(q), stats, cmpopts.EquateEmpty(), near); diff != "" {
			w.t.Fatalf("%+v (-want +got):\n%s", q, diff)
		}
	}
	last, err := v.LastRow(w.t.Context())
	if err != nil || last != w.rows {
		w.t.Fatalf("last row %d, %v; want %d", last, err, w.rows)
	}
}

// near lets percentiles of many times differ a little. Those of few must be exact.
var near = cmp.Comparer(func(a, b query.Times) bool {
	if a.Measured != b.Measured || a.Measured <= exact && a != b {
		return false
	}
	alike := func(a, b query.Percentiles) bool {
		for _, v := range [][2]int64{{a.P50, b.P50}, {a.P95, b.P95}, {a.P99, b.P99}} {
			if difference := max(v[0]-v[1], v[1]-v[0]); difference > v[0]/100 {
				return false
			}
		}
		return true
	}
	return alike(a.Total, b.Total) && alike(a.Upstream, b.Upstream) && alike(a.Held, b.Held) && alike(a.Judged, b.Judged) &&
		alike(a.Recorded, b.Recorded)
})

// TestModel lets random things happen and compares the answers to random questions with those of looking at every event.
func TestModel(t *testing.T) {
	seeds := uint64(20)
	if testing.Short() {
		seeds = 3
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, seed)
			other, err := openReadOnly(t.Context(), w.config)
			if err != nil {
				t.Fatal(err)
			}
			defer other.Close()
			for range 60 {
				l := w.logs[w.rng.IntN(len(w.logs))]
				switch n := w.rng.IntN(20); {
				case n == 0:
					w.restart()
				case n == 1:
					w.drop(l)
				case n < 5:
					w.ask(w.x.View, 5)
				case n < 8:
					w.ask(other, 5)
				default:
					for range w.rng.IntN(30) {
						w.happen(l)
					}
					w.apply(l, 1+w.rng.IntN(60))
				}
			}
			w.ask(w.x.View, 100)
			w.ask(other, 50)
		})
	}
}

// openReadOnly opens the index in a folder for reading. An index that does not exist has no events yet.
func openReadOnly(ctx context.Context, c Config) (*View, error) {
	c.complete()
	v := newView(c)
	s, err := v.snapshot(ctx)
	if err != nil {
		v.Close() // the first error is the one to report
		return nil, err
	}
	s.close()
	return v, nil
}
