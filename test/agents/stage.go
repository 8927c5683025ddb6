package agents

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/weir-gate/weir/internal/weirtest/program"
	"github.com/weir-gate/weir/internal/weirtest/scripted"
	"github.com/weir-gate/weir/test/agents/model"
)

// Key is what agents hold.
const Key = "sk-test-000"

// What a person tells an agent, in one conversation.
const (
	beginPrompt = "Please begin."
	thenPrompt  = "Please go on."
)

// A Stage has what every scene needs.
type Stage struct {
	Weir     string // path of the binary
	Wire     model.Wire
	Upstream string // that the model is, by weir's name for it
	// Agent sets up an agent that is led through the weir at an address.
	Agent func(t *testing.T, address string) Agent
}

// A Performance is what there is to see of a scene that was played.
type Performance struct {
	Asked    []model.Asked // of the model
	WeirLog  string
	AgentLog string // all that the agent printed
}

// Play lets an agent and the model have a conversation of two prompts, in a control of one, and looks at what became of it everywhere.
func (st Stage) Play(t *testing.T, s Scene) Performance {
	t.Helper()
	work := t.TempDir()
	m := s.model(t, st.Wire, work)
	home := t.TempDir()
	in := newWeir(st.Weir, home, home)
	weir := in.Serve(t, s.settings(st.Upstream, m.URL()))
	a := st.Agent(t, weir.Base)
	a.Work = work
	shown := s.perform(t, a)
	m.Check(t)
	s.checkFiles(t, a, shown)
	log := weir.Stop(t)
	checkRecord(t, st.Wire, s.calls(), program.Record[Event](t, in))
	return Performance{Asked: m.Asked(), WeirLog: log, AgentLog: shown}
}

// model starts the model of the scene, for an agent that works in the folder work.
func (s Scene) model(t *testing.T, wire model.Wire, work string) *model.Model {
	t.Helper()
	begin := s.Begin
	if s.Live {
		begin = slices.Clone(begin)
		begin[0].Pause = s.done(work)
	}
	script := map[string][]model.Answer{beginPrompt: begin, thenPrompt: s.next()}
	return model.Start(t, model.Config{Wire: wire, Key: Key, Script: script, Meanwhile: s.meanwhile})
}

// perform gives the agent the prompts of the scene, and returns all that it showed.
func (s Scene) perform(t *testing.T, a Agent) string {
	t.Helper()
	first := a.run(t, false, beginPrompt)
	s.checkFirst(t, first)
	if s.once {
		return first.shown
	}
	second := a.run(t, true, thenPrompt)
	s.checkSecond(t, second)
	return first.shown + second.shown
}

// done waits until all that is released of the first answer has been done in the folder work.
func (s Scene) done(work string) scripted.Step {
	return func(ctx context.Context, _ http.ResponseWriter) error {
		again := time.NewTicker(10 * time.Millisecond)
		defer again.Stop()
		a := Agent{Work: work}
		for slices.ContainsFunc(s.Begin[0].Calls, func(c model.Call) bool { return c.Fate == model.Released && !a.made(c.Makes) }) {
			select {
			case <-again.C:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		return nil
	}
}

// checkFirst wants the agent to run what is released, and to show why the rest is refused.
func (s Scene) checkFirst(t *testing.T, got Outcome) {
	t.Helper()
	want := Outcome{Retries: s.Retries}
	for _, a := range s.Begin {
		want.Say(a.Text)
		for _, c := range a.Calls {
			switch c.Fate {
			case model.Released:
				want.Acts = append(want.Acts, c.Act)
			case model.Refused:
				want.Say(c.Notice())
			}
		}
	}
	if len(want.Acts) > 0 {
		want.Say(model.AllDone)
	}
	compare(t, "the first turn", want, got)
}

// checkSecond wants the conversation to go on as if nothing had happened.
func (s Scene) checkSecond(t *testing.T, got Outcome) {
	t.Helper()
	want := Outcome{Says: []string{model.AllDone}}
	for _, c := range s.Then {
		want.Acts = append(want.Acts, c.Act)
	}
	compare(t, "the next turn", want, got)
}

func compare(t *testing.T, what string, want, got Outcome) {
	t.Helper()
	slices.Sort(want.Acts) // what runs at once may end in any order
	slices.Sort(got.Acts)
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Outcome{}), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// checkFiles wants the files of released calls, and none of the others; nor may the agent have written down or shown
// anything of those.
func (s Scene) checkFiles(t *testing.T, a Agent, shown string) {
	t.Helper()
	for _, c := range s.calls() {
		if made := a.made(c.Makes); made != (c.Fate == model.Released) {
			t.Errorf("%s was made: %v", c.Makes, made)
		}
		if c.Fate == model.Released {
			continue
		}
		if strings.Contains(shown, c.Makes) {
			t.Errorf("the agent shows something of what would make %s", c.Makes)
		}
		if file, found := a.keeps(t, c.Makes); found {
			t.Errorf("the agent has something of what would make %s in %s", c.Makes, file)
		}
	}
}
