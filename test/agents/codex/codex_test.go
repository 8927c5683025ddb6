package codex

import (
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/need"
	"github.com/weir-gate/weir/test/agents"
	"github.com/weir-gate/weir/test/agents/model"
)

func TestCodex(t *testing.T) {
	binary := need.Codex(t, ".", "the Codex CLI")
	weir := need.Weir(t)
	for _, s := range scenes(t) {
		stage := agents.Stage{
			Weir: weir, Wire: model.Responses{}, Upstream: "openai",
			Agent: func(t *testing.T, address string) agents.Agent { return s.agent(t, binary, address) },
		}
		for _, played := range agents.WithControls([]agents.Scene{s.Scene}) {
			t.Run(played.Name, func(t *testing.T) {
				t.Parallel()
				p := stage.Play(t, played)
				s.checkTools(t, p.Asked)
				s.checkUpgrades(t, p.WeirLog, p.AgentLog)
			})
		}
	}
}

// checkTools wants Codex to offer its tools as the model's name makes it, since that is what the scene is about, and to
// ask for a stream.
func (s scene) checkTools(t *testing.T, asked []model.Asked) {
	t.Helper()
	for i, a := range asked {
		if h := a.History; h.Apart != (s.model == codeModel) || !h.Stream {
			t.Errorf("request %d has its tools apart: %v, and wants a stream: %v", i+1, h.Apart, h.Stream)
		}
	}
}

// checkUpgrades wants Codex to have tried a WebSocket once for each prompt, where its provider is one that does, and
// weir to say why there is none.
func (s scene) checkUpgrades(t *testing.T, weirLog, codexLog string) {
	t.Helper()
	want := 0
	if s.setup == builtInProvider {
		want = 2
	}
	if got := strings.Count(weirLog, "status=426"); got != want {
		t.Errorf("weir answered %d upgrades with 426, want %d", got, want)
	}
	if got := strings.Count(codexLog, "failed to connect to Responses WebSocket"); got != want {
		t.Errorf("Codex failed to connect a WebSocket %d times, want %d", got, want)
	}
	const why = "weir does not take this protocol upgrade, because it could not judge the calls in it"
	if got := strings.Count(weirLog, why); got != want {
		t.Errorf("weir's log says %d times why, want %d", got, want)
	}
}
