package agents

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/weirtest/need"
	"github.com/weir-gate/weir/internal/weirtest/program"
	"github.com/weir-gate/weir/test/agents/model"
)

// A Run plays scenes with an agent as its user has it, that knows nothing of weir: weir run leads it.
type Run struct {
	Weir     string // path of the binary
	Name     string // of the agent, by weir's name for it
	Wire     model.Wire
	Upstream string // that the model is, by weir's name for it
	// Agent sets up an agent as its user has it. lead is the address of a model's API that it is to use; "": that of its provider.
	Agent func(t *testing.T, home, lead string) Agent
	// Starts has weir run start the weir, too, which has the policy. Else one without any rules runs already: it is joined, and the
	// policy is that of the run.
	Starts bool
	Tools  Tools
	// Slow leaves out what other agents show as well.
	Slow bool
	// Waits says that the agent waits for a network that is away, and does not end by itself.
	Waits bool
}

// PlayAll plays scenes, and those that every agent has.
func (r Run) PlayAll(t *testing.T, scenes []Scene) {
	NeedNamespaces(t, r.Weir, "agents under weir run")
	for i, s := range append(scenes, r.Tools.ServedOnes()) {
		// That a conversation goes on after each response, the stages show. Here it does after refused calls, and with a server.
		s.once = len(callsOf(s.Begin)) == 1 || r.Slow && i == len(scenes)
		played := r
		played.Starts = i%2 == 0
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			played.Play(t, s)
		})
	}
	plays := map[string]func(*testing.T){
		"without weir":         func(t *testing.T) { r.Control(t, r.Tools.DeniedByArguments()) },
		"commands to get free": r.Defend,
	}
	if !r.Slow && !r.Waits {
		plays["weir dies while the model is asked"] = r.Killed
	}
	if !r.Slow {
		plays["the agent ends with an error of its own"] = r.Ends
	}
	for name, play := range plays {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			play(t)
		})
	}
}

// NeedNamespaces ends a test of what weir run does with an agent on a machine that has no namespaces for it.
func NeedNamespaces(t *testing.T, weir, what string) {
	t.Helper()
	cmd := program.In(t.TempDir(), weir).Command("run", "--dry-run", "--watch", "namespace", "--", "sh")
	if out, err := cmd.CombinedOutput(); err != nil {
		need.Missing(t, what, fmt.Sprintf("%v: %s", err, out))
	}
}

// A user has a home with an agent and a weir.
type user struct {
	Run
	agent Agent
	model *model.Model
	weir  program.Install
	serve *program.Process // nil: weir run starts it
}

// A place is where a user has an agent.
type place struct{ home, work string }

// newPlace makes one. The paths are short enough for sockets, unlike those of t.TempDir.
func newPlace(t *testing.T) place {
	t.Helper()
	return place{shortDir(t), shortDir(t)}
}

// state is the folder in which weir keeps what it has to keep.
func (p place) state() string { return filepath.Join(p.home, ".local", "state", "weir") }

// user sets up all that the scene needs. more are settings of weir beyond those of the scene, as YAML.
func (r Run) user(t *testing.T, p place, s Scene, more string) *user {
	t.Helper()
	u := &user{Run: r, model: s.model(t, r.Wire, p.work)}
	dir := shortDir(t)
	flags := []string{"--config", filepath.Join(dir, "weir.yaml")}
	if !r.Starts {
		flags = nil
		if s.Policy != "" {
			flags = []string{"--policy", filepath.Join(dir, "policy.yaml")}
			Put(t, s.Policy, flags[1])
			s.Policy = ""
		}
	}
	u.weir = newWeir(r.Weir, dir, p.home)
	settings := s.settings(r.Upstream, u.model.URL()) + more
	u.agent = r.Agent(t, p.home, "")
	u.agent.Home, u.agent.Work, u.agent.except = p.home, p.work, p.state()
	u.agent.Command = u.through(flags, u.agent.Command)
	t.Cleanup(func() { u.endStarted(t) })
	if !r.Starts {
		u.serve = u.weir.Serve(t, settings)
	} else if err := u.weir.Configure(settings); err != nil {
		t.Fatal(err)
	}
	return u
}

// shortDir is a folder for the test.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "weir-agents-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// through is a command that weir run runs.
func (r Run) through(flags []string, command func(goOn bool, prompt string) []string) func(bool, string) []string {
	return func(goOn bool, prompt string) []string {
		return slices.Concat([]string{r.Weir, "run"}, flags, []string{"--"}, command(goOn, prompt))
	}
}

// stop ends the weir in order, and returns what is on record.
func (u *user) stop(t *testing.T) []Event {
	t.Helper()
	if u.Starts {
		u.endStarted(t)
	} else {
		u.serve.Stop(t)
	}
	return program.Record[Event](t, u.weir)
}

// Play is like that of a Stage. The agent's own configuration must be as before.
func (r Run) Play(t *testing.T, s Scene) {
	t.Helper()
	u := r.user(t, newPlace(t), s, "")
	before := u.agent.configuration(t)
	shown := s.perform(t, u.agent)
	u.model.Check(t)
	s.checkFiles(t, u.agent, shown)
	s.checkSummary(t, shown)
	if diff := cmp.Diff(before, u.agent.configuration(t)); diff != "" {
		t.Errorf("the agent's configuration (-before +after):\n%s", diff)
	}
	r.checkTranscript(t, u.agent, s.calls())
	events := u.stop(t)
	checkRecord(t, r.Wire, s.calls(), events)
	checkServed(t, s.calls(), events)
}

// Control plays the first turn of a scene without any weir. What it refuses happens.
func (r Run) Control(t *testing.T, s Scene) {
	t.Helper()
	s = s.unhindered()
	home, work := t.TempDir(), t.TempDir()
	m := s.model(t, r.Wire, work)
	a := r.Agent(t, home, m.URL())
	a.Home, a.Work = home, work
	s.checkFiles(t, a, s.perform(t, a))
	m.Check(t)
	r.checkTranscript(t, a, s.calls())
}

// checkSummary wants weir run to say what was called and refused.
func (s Scene) checkSummary(t *testing.T, shown string) {
	t.Helper()
	for _, calls := range [][]model.Call{callsOf(s.Begin), callsOf(s.next())} {
		refused := 0
		for _, c := range calls {
			if c.Fate == model.Released {
				continue
			}
			refused++
			if why := fmt.Sprintf("(%s, rule %s): %s", c.Code, c.Rule, c.Reason); c.Rule != "" && !strings.Contains(shown, why) {
				t.Errorf("the summary does not say %s", why)
			}
		}
		noun := "calls"
		if len(calls) == 1 {
			noun = "call"
		}
		count := fmt.Sprintf(": %d %s, %d released, %d refused; ", len(calls), noun, len(calls)-refused, refused)
		if !strings.Contains(shown, count) {
			t.Errorf("the summary does not say %q", count)
		}
		if s.once {
			return
		}
	}
}
