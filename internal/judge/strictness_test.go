package judge_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record/recorder"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/record/store/sqlitetest"
	"github.com/weir-gate/weir/internal/record/verify"
)

// A world is a judge over a real record, whose policy and mode change.
type world struct {
	t        *testing.T
	store    *store.Store
	recorder *recorder.Recorder
	policies []*policy.Policy
	policy   *policy.Policy
	mode     judge.Mode
	rnd      *rand.Rand
}

func newWorld(t *testing.T, seed uint64) *world {
	path := filepath.Join(t.TempDir(), "weir.db")
	sqlitetest.Create(t, path)
	s, err := store.Open(t.Context(), "sqlite://"+path)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, store: s, recorder: recorder.New(recorder.Config{Store: s}), rnd: rand.New(rand.NewPCG(seed, 0))}
	for _, source := range []string{
		rules,
		"version: 1\ndefault: allow\nrules: []\n",
		"version: 1\ndefault: deny\nrules: [{id: some, tool: [ls, rm, parallel], verdict: allow}]\n",
		"version: 1\ndefault: allow\nrules: [{id: no-ls, tool: ls, verdict: deny, reason: No.}]\n",
	} {
		w.policies = append(w.policies, parse(t, source))
	}
	return w
}

func (w *world) close() {
	if err := w.recorder.Close(w.t.Context()); err != nil {
		w.t.Error(err)
	}
	if err := w.store.Close(); err != nil {
		w.t.Error(err)
	}
}

// change puts another policy and another mode in force.
func (w *world) change() {
	w.policy = w.policies[w.rnd.IntN(len(w.policies))]
	w.mode = []judge.Mode{judge.Enforce, judge.Enforce, judge.Shadow}[w.rnd.IntN(3)]
}

// ask has a call ruled, or refused for a fault.
func (w *world) ask(c call.Call, fault bool) call.Ruling {
	j := judge.New(judge.Config{
		Policy: func() *policy.Policy { return w.policy }, Recorder: w.recorder, Memory: judge.NewRulings(w.store, func() bool { return true }), Mode: w.mode,
	})
	rulings := make(chan call.Ruling, 1)
	done := func(r call.Ruling) { rulings <- r }
	if fault {
		j.Refuse(c, cut, done)
	} else {
		j.Judge(w.t.Context(), c, done)
	}
	return <-rulings
}

// newCall makes one of the calls that the policies speak of.
func (w *world) newCall(n int) call.Call {
	tools := []string{"ls", "rm", "bash", "parallel"}
	c := storedCall(tools[w.rnd.IntN(len(tools))], `{"command":"sudo"}`)
	c.ID, c.WireID = call.ID(fmt.Sprint("call_", n)), fmt.Sprint("wire_", n)
	c.Exchange.ResponseID = fmt.Sprint("resp_", n/3)
	c.Exchange.Conversation = []string{"", "conv_1", "conv_2"}[w.rnd.IntN(3)]
	if c.Tool == "parallel" {
		for range w.rnd.IntN(3) {
			c.Inner = append(c.Inner, inner(tools[w.rnd.IntN(3)], `{"command":"sudo"}`))
		}
	}
	return c
}

// again is a call as another request may show it: by its response, in its conversation, or in a list that names neither.
func (w *world) again(c call.Call) call.Call {
	c = readAgain(c)
	switch w.rnd.IntN(3) {
	case 0:
		c.Exchange.ResponseID = ""
	case 1:
		c.Exchange.ResponseID, c.Exchange.Conversation = "", ""
	}
	return c
}

// denies says whether the policy in force, if it is enforced, denies a call or one in it.
func (w *world) denies(c call.Call) bool {
	asked := append([]call.Inner{{Tool: c.Tool, Args: c.Args}}, c.Inner...)
	for _, a := range asked {
		if w.policy.Decide(policy.Query{Surface: c.Surface, Actor: c.Actor, Tools: []string{a.Tool}, Args: a.Args}).Refused() {
			return w.mode == judge.Enforce
		}
	}
	return false
}

// TestRereadsAreNeverLaxer says that a call that was refused once is refused whenever it is read again, with the same
// words, and that what the policy in force denies is refused too. The rest is released.
func TestRereadsAreNeverLaxer(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			w := newWorld(t, seed)
			defer w.close()
			var calls []call.Call
			refused := map[string]call.Ruling{} // by wire id: the first refusal
			for step := range 150 {
				w.change()
				fault := w.rnd.IntN(10) == 0
				var c call.Call
				fresh := len(calls) == 0 || w.rnd.IntN(3) == 0
				if fresh {
					c = w.newCall(step)
					calls = append(calls, c)
				} else {
					c = w.again(calls[w.rnd.IntN(len(calls))])
				}
				got := w.ask(c, fault)
				first, before := refused[c.WireID]
				switch {
				case before && !cmp.Equal(got, first):
					t.Errorf("step %d: refused before as %+v, ruled %+v", step, first, got)
				case !before && got.Released == (fault || w.denies(c)):
					t.Errorf("step %d: a fault: %v, denied: %v, ruled %+v", step, fault, w.denies(c), got)
				}
				if !got.Released && !before {
					refused[c.WireID] = got
				}
			}
			if len(refused) < 10 || len(refused) == len(calls) {
				t.Errorf("%d of %d calls were refused: that proves little", len(refused), len(calls))
			}
			report, err := verify.Check{Record: w.store}.Run(t.Context())
			if err != nil || report.Found != 0 {
				t.Errorf("the record: %v, %v", report.Problems, err)
			}
		})
	}
}
