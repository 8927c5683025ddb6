package agents

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/program"
	"github.com/weir-gate/weir/internal/weirtest/scripted"
	"github.com/weir-gate/weir/test/agents/model"
)

// A fatal wire has something happen between a request and the first byte of its answer.
type fatal struct {
	model.Wire
	happens func()
}

// Play is the answer as the wire has it, after what happens.
func (w fatal) Play(a model.Answer, h model.History, id string) scripted.Answer {
	answer := w.Wire.Play(a, h, id)
	step := func(context.Context, http.ResponseWriter) error {
		w.happens()
		return nil
	}
	answer.Steps = append([]scripted.Step{step}, answer.Steps...)
	return answer
}

// Killed has weir die while the agent waits for the model. Nothing that the model asks for reaches the agent any more, which ends with
// an error.
func (r Run) Killed(t *testing.T) {
	t.Helper()
	asked, dead := make(chan struct{}), make(chan struct{})
	ask := sync.OnceFunc(func() { close(asked) })
	r.Starts, r.Wire = false, fatal{r.Wire, func() { ask(); <-dead }}
	c := r.Tools.Shell("call_1", "made.txt")
	u := r.user(t, newPlace(t), Scene{Begin: Asks(c), once: true}, "")
	go func() {
		<-asked
		u.serve.Kill()
		close(dead)
	}()
	got := u.agent.run(t, false, beginPrompt)
	ask() // it may have ended before
	<-dead
	if got.Exit == 0 || u.agent.made(c.Makes) {
		t.Errorf("the agent ended with %d; %s was made: %v", got.Exit, c.Makes, u.agent.made(c.Makes))
	}
	if len(u.model.Asked()) == 0 || !strings.Contains(got.shown, "weir serve stopped during the run") {
		t.Errorf("the model was asked %d times, and weir run does not say that weir is gone", len(u.model.Asked()))
	}
	for _, e := range program.Record[Event](t, u.weir) {
		if e.Type == "tool_call" && !e.Blocked {
			t.Errorf("the call %s is on record as released", e.WireID)
		}
	}
}

// Ends has the agent end with an error of its own. weir run ends with the same.
func (r Run) Ends(t *testing.T) {
	t.Helper()
	u := r.user(t, newPlace(t), Scene{once: true}, "")
	wrong := func(goOn bool, prompt string) []string {
		return append(r.Agent(t, u.agent.Home, "").Command(goOn, prompt), "--no-such-option")
	}
	alone, led := u.agent, u.agent
	alone.Command, led.Command = wrong, u.through(nil, wrong)
	want, got := alone.run(t, false, beginPrompt).Exit, led.run(t, false, beginPrompt).Exit
	if want == 0 || got != want {
		t.Errorf("the agent ends with %d, and with %d under weir run", want, got)
	}
	ended := slices.DeleteFunc(u.stop(t), func(e Event) bool { return e.Type != "session_ended" })
	if len(ended) != 1 || ended[0].Detail.Exit != want {
		t.Errorf("on record are these ends of sessions: %+v", ended)
	}
}
