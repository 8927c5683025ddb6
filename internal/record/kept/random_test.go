package kept

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
	"github.com/weir-gate/weir/internal/record/index"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/recordlog"
	"github.com/weir-gate/weir/internal/record/store/storetest"
	"github.com/weir-gate/weir/internal/record/verify"
)

var (
	seeds = flag.Int("seeds", 6, "how many random histories TestRandom lives through")
	seed  = flag.Uint64("seed", 0, "the first of them")
)

// TestRandom: processes record, index, die and cut, and the index is deleted and damaged. Whoever asks gets what was recorded, each event
// once and in the order of its chain, and the record verifies.
func TestRandom(t *testing.T) {
	for n := range *seeds {
		t.Run(fmt.Sprint(*seed+uint64(n)), func(t *testing.T) {
			w := newWorld(t, *seed+uint64(n))
			for range 60 {
				w.step()
			}
			w.quiesce()
			w.check()
			w.verify()
		})
	}
}

// A world is a record, the processes that use it, and what they recorded.
type world struct {
	t       *testing.T
	rng     *rand.Rand
	url     string
	key     checkpoint.Signer
	running []*worker
	chains  map[string][]record.Entry // that are durable
	cut     map[string]int64          // the first event that is kept, by chain
	now     time.Time
	serial  int
}

// A worker is a process. It does nothing in the background.
type worker struct {
	*Record
	log     *recordlog.Log
	head    record.Head
	untaken []record.Entry
}

func newWorld(t *testing.T, seed uint64) *world {
	t.Helper()
	dir := t.TempDir()
	key, err := checkpoint.OpenKey(filepath.Join(dir, "audit.key"))
	if err != nil {
		t.Fatal(err)
	}
	w := &world{
		t: t, rng: rand.New(rand.NewPCG(seed, 22)), url: "sqlite://" + filepath.Join(dir, "weir.db"), key: key.Signer(nil),
		chains: map[string][]record.Entry{}, cut: map[string]int64{}, now: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC),
	}
	t.Cleanup(func() {
		for _, p := range w.running {
			p.log.Close(false) // what it has is durable
			p.Close()
		}
	})
	w.start()
	return w
}

// must ends the test if something failed.
func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) start() {
	w.t.Helper()
	r, err := Open(w.t.Context(), Config{URL: w.url, OnError: func(err error) { w.t.Log(err) }})
	w.must(err)
	r.stop()
	<-r.done
	log, err := recordlog.Create(recordlog.Config{Folder: r.folder, Segment: 8 << 10, Largest: 16 << 10})
	w.must(err)
	p := &worker{Record: r, log: log, head: record.NewChain()}
	_, err = r.Vouch(w.t.Context(), w.key, checkpoint.Statement{Head: p.head})
	w.must(err)
	w.running = append(w.running, p)
}

func (w *world) anyone() *worker { return w.running[w.rng.IntN(len(w.running))] }

// step does something at random.
func (w *world) step() {
	w.t.Helper()
	p := w.anyone()
	switch n := w.rng.IntN(100); {
	case n < 45:
		w.record(p)
	case n < 60:
		w.take(p)
	case n < 68:
		w.index(p)
	case n < 76:
		w.end(p, w.rng.IntN(2) == 0)
	case n < 82:
		if len(w.running) < 4 {
			w.start()
		}
	case n < 86:
		w.must(os.RemoveAll(p.indexFolder))
	case n < 89:
		w.damage(p)
	case n < 94:
		w.removeOld(p)
	default:
		w.check()
	}
}

// record makes some events durable.
func (w *world) record(p *worker) {
	w.t.Helper()
	batch := make([]record.Entry, 1+w.rng.IntN(6))
	for i := range batch {
		w.serial++
		w.now = w.now.Add(time.Duration(w.rng.IntN(3000)) * time.Millisecond)
		e := record.Event{
			ID: fmt.Sprint("evt_", w.serial), Type: record.Types.ToolCall, Time: w.now, Tool: fmt.Sprint("tool", w.rng.IntN(4)),
			CallID: call.ID(fmt.Sprint("call_", w.serial)), Actor: call.Actor{Session: fmt.Sprint("s", w.rng.IntN(3))},
			Ruling: record.Ruling{Verdict: "allow"}, Args: fmt.Appendf(nil, `{"n":%d,"pad":"%0*d"}`, w.serial, w.rng.IntN(800), 7),
		}
		u, err := e.Encode()
		w.must(err)
		batch[i], p.head = p.head.Next(u)
		batch[i].With.Spend = []call.Spend{{Scope: "all", Micro: 1}}
	}
	w.must(p.log.Append(w.t.Context(), batch))
	w.chains[p.head.Chain] = append(w.chains[p.head.Chain], batch...)
	p.untaken = append(p.untaken, batch...)
}

// index has everybody look for something to index; one of them does it.
func (w *world) index(first *worker) {
	w.t.Helper()
	for _, p := range append([]*worker{first}, w.running...) {
		w.must(p.IndexAll(w.t.Context()))
	}
}

// take does what a follower does, some time later.
func (w *world) take(p *worker) {
	w.t.Helper()
	if len(p.untaken) == 0 {
		return
	}
	w.index(p)
	err := p.Take(w.t.Context(), p.untaken)
	if errors.Is(err, index.ErrDamaged) { // it was deleted
		w.index(p)
		err = p.Take(w.t.Context(), p.untaken)
	}
	w.must(err)
	p.untaken = nil
}

// end ends a process: in order, or as if it was killed while it wrote.
func (w *world) end(p *worker, killed bool) {
	w.t.Helper()
	folder := p.log.Folder()
	w.must(errors.Join(p.log.Close(false), p.Close()))
	w.running = slices.DeleteFunc(w.running, func(other *worker) bool { return other == p })
	files, err := filepath.Glob(filepath.Join(folder, "*.wlog"))
	w.must(err)
	if killed && len(files) > 1 {
		w.must(os.Remove(files[len(files)-1])) // the end of the log
		f, err := os.OpenFile(files[len(files)-2], os.O_WRONLY|os.O_APPEND, 0)
		w.must(err)
		_, err = f.WriteString("part of a batch")
		w.must(errors.Join(err, f.Close()))
	}
	if len(w.running) == 0 {
		w.start()
	}
}

// damage writes over a part of the index.
func (w *world) damage(p *worker) {
	w.t.Helper()
	files, err := filepath.Glob(filepath.Join(p.indexFolder, "*.part"))
	w.must(err)
	if len(files) == 0 {
		return
	}
	f, err := os.OpenFile(files[w.rng.IntN(len(files))], os.O_WRONLY, 0)
	w.must(err)
	_, err = f.WriteAt(make([]byte, 300), w.rng.Int64N(16<<10))
	w.must(errors.Join(err, f.Close()))
}

// removeOld removes the oldest events of a chain, and the segments that are not needed any more.
func (w *world) removeOld(p *worker) {
	w.t.Helper()
	chains, err := p.Chains(w.t.Context())
	w.must(err)
	if len(chains) == 0 {
		return
	}
	c := chains[w.rng.IntN(len(chains))]
	if c.First > c.Seq {
		return
	}
	keep := c.First + w.rng.Int64N(c.Seq-c.First+2)
	_, err = storetest.CutBefore(w.t, p, c.Chain, keep)
	w.must(err)
	w.cut[c.Chain] = max(w.cut[c.Chain], keep)
	if _, err = p.Tidy(w.t.Context(), time.Time{}, 0); errors.Is(err, index.ErrDamaged) {
		err = nil // it is made anew
	}
	w.must(err)
}

// quiesce has everything taken and indexed.
func (w *world) quiesce() {
	w.t.Helper()
	w.index(w.anyone())
	for _, p := range w.running {
		w.take(p)
	}
	w.index(w.anyone())
}

// kept are the events that are not cut and that a filter selects, by chain.
func (w *world) kept(f query.Filter) map[string][]int64 {
	all, matches := map[string][]int64{}, f.Matcher()
	for chain, entries := range w.chains {
		for _, e := range entries {
			if e.Seq >= w.cut[chain] && matches(&e) {
				all[chain] = append(all[chain], e.Seq)
			}
		}
	}
	return all
}

// check asks a process, and a reader.
func (w *world) check() {
	w.t.Helper()
	v, err := OpenReadOnly(w.t.Context(), Config{URL: w.url})
	w.must(err)
	defer v.Close() // nothing was written
	for _, f := range []query.Filter{
		{},
		{Tool: "tool1"},
		{Session: "s2", Tool: "tool*"},
		{CallID: fmt.Sprint("call_", 1+w.rng.IntN(w.serial+1))},
		{Since: w.now.Add(-time.Minute)},
		{Text: fmt.Sprint(1 + w.rng.IntN(w.serial+1))},
	} {
		for name, r := range map[string]query.Source{"process": w.anyone(), "reader": v} {
			got := map[string][]int64{}
			for e, err := range r.Entries(w.t.Context(), f) {
				w.must(err)
				if want := w.chains[e.Chain][e.Seq-1]; e.Hash != want.Hash {
					w.t.Fatalf("another event: %s", e.Text)
				}
				got[e.Chain] = append(got[e.Chain], e.Seq)
			}
			if want := w.kept(f); fmt.Sprint(want) != fmt.Sprint(got) {
				w.t.Fatalf("%s: %+v\nwant %v\ngot  %v", name, f, want, got)
			}
		}
	}
	w.newest(v)
}

// newest asks for the newest events: no other can be newer.
func (w *world) newest(r query.Source) {
	w.t.Helper()
	const most = 7
	var all []int64
	cut := cuts(w.cut)
	for _, entries := range w.chains {
		for _, e := range entries {
			if !cut.hides(&e) {
				all = append(all, e.Micros)
			}
		}
	}
	slices.Sort(all)
	n := 0
	for e, err := range r.Entries(w.t.Context(), query.Filter{Newest: true, Limit: most}) {
		w.must(err)
		if n++; cut.hides(&e) {
			w.t.Fatalf("event %d of %s was cut", e.Seq, e.Chain)
		}
	}
	if want := min(most, len(all)); n != want {
		w.t.Fatalf("%d of %d events", n, want)
	}
}

// verify verifies the record, and compares what was counted.
func (w *world) verify() {
	w.t.Helper()
	p := w.anyone()
	behind, err := p.Behind(w.t.Context())
	w.must(err)
	if behind != 0 {
		w.t.Errorf("%d events are behind", behind)
	}
	report := verifiedBy(w.t, p, verify.Check{})
	want := 0
	for _, seqs := range w.kept(query.Filter{}) {
		want += len(seqs)
	}
	if report.Found > 0 || report.Events != int64(want) {
		w.t.Errorf("verified: %d of %d events, %v", report.Events, want, report.Problems)
	}
	spent, err := p.Spends(w.t.Context(), time.Time{})
	w.must(err)
	sum := int64(0)
	for _, s := range spent {
		sum += s.Micro
	}
	if sum != int64(w.serial) {
		w.t.Errorf("%d of %d are spent", sum, w.serial)
	}
}
