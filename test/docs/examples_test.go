package docs

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/weir-gate/weir/internal/run/confine"
	"github.com/weir-gate/weir/internal/weirtest/need"
	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

const examplesDir = "../../examples"

// A sandbox is a folder in which examples are tried, with weir on the path and files of its own.
type sandbox struct {
	t   *testing.T
	dir string
	env []string
}

// tryOut copies an example, or nothing, to a new sandbox.
func tryOut(t *testing.T, example string) *sandbox {
	t.Helper()
	home := t.TempDir()
	s := &sandbox{t: t, dir: filepath.Join(home, "work")}
	if err := os.Symlink(weir, filepath.Join(home, "weir")); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if example != "" {
		if err := os.CopyFS(s.dir, os.DirFS(filepath.Join(examplesDir, example))); err != nil {
			t.Fatal(err)
		}
	}
	s.env = []string{
		"PATH=" + home + string(filepath.ListSeparator) + os.Getenv("PATH"), "HOME=" + home, "TZ=UTC", "NO_COLOR=1",
		"XDG_STATE_HOME=" + filepath.Join(home, "state"), "XDG_CONFIG_HOME=" + filepath.Join(home, "config"),
	}
	t.Cleanup(s.stopWeir)
	return s
}

// sh runs a command line, and returns what it prints and how it ended.
func (s *sandbox) sh(line string, env ...string) (output string, code int) {
	s.t.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir, cmd.Env = s.dir, append(s.env, env...)
	out, err := cmd.CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		s.t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// stopWeir ends the weir that weir run has started.
func (s *sandbox) stopWeir() {
	out, code := s.sh("weir status --json")
	var status struct{ Weir struct{ PID int } }
	if code != 0 || json.Unmarshal([]byte(out), &status) != nil || status.Weir.PID == 0 {
		return
	}
	if p, err := os.FindProcess(status.Weir.PID); err == nil {
		_ = p.Signal(os.Interrupt) // it may have ended
	}
}

// Each example does what its check.sh says.
func TestExamples(t *testing.T) {
	need.Long(t)
	checks, err := filepath.Glob(filepath.Join(examplesDir, "*", "check.sh"))
	if err != nil || len(checks) < 4 {
		t.Fatalf("%d examples: %v", len(checks), err)
	}
	for _, check := range checks {
		name := filepath.Base(filepath.Dir(check))
		t.Run(name, func(t *testing.T) {
			if name == "ci-guard" {
				canConfine(t)
			}
			if out, code := tryOut(t, name).sh("sh check.sh"); code != 0 || strings.Contains(out, "warning") {
				t.Errorf("it ended with %d:\n%s", code, out)
			}
			if !strings.Contains(read(t, filepath.Join(examplesDir, "README.md")), "("+name+"/README.md)") {
				t.Error("examples/README.md does not list it")
			}
		})
	}
}

// canConfine goes on only where weir run can use namespaces.
func canConfine(t *testing.T) {
	t.Helper()
	if err := confine.Check(); err != nil {
		need.Missing(t, "weir run in namespaces", err.Error())
	}
}

// An agent in CI that is refused something fails the job, unless that is not wanted.
func TestGuardOfCI(t *testing.T) {
	need.Long(t)
	canConfine(t)
	if _, err := exec.LookPath("curl"); err != nil {
		need.Missing(t, "the guard of CI with an agent", "curl is not installed")
	}
	upstream, err := scripted.New(scripted.Config{Answer: func(scripted.Request) scripted.Answer {
		return scripted.Answer{Header: map[string][]string{"Content-Type": {"application/json"}}, Steps: []scripted.Step{scripted.Write([]byte(
			`{"id":"msg_1","type":"message","role":"assistant","model":"m","stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1},` +
				`"content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"npm publish"}}]}`))}}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer upstream.Close() // the test is over
	s := tryOut(t, "ci-guard")
	write(t, filepath.Join(s.dir, "weir.yaml"), "listen: 127.0.0.1:0\nstore: {url: \"sqlite://"+s.dir+"/weir.db\"}\n"+
		"upstreams: {anthropic: {url: \""+upstream.URL()+"\"}}\n")
	const agent = `sh guard.sh policy.yaml sh -c 'curl -s -H content-type:application/json "$ANTHROPIC_BASE_URL/v1/messages" ` +
		`-d "{\"model\":\"m\",\"max_tokens\":9,\"messages\":[{\"role\":\"user\",\"content\":\"go\"}]}"'`
	for fails, want := range map[string]int{"true": 1, "false": 0} {
		out, code := s.sh(agent, "WEIR_CONFIG=weir.yaml", "FAIL_ON_REFUSAL="+fails, "GITHUB_STEP_SUMMARY=summary.md")
		if code != want || !strings.Contains(out, "refused by weir:") || !strings.Contains(out, "rule=no-publishing") {
			t.Errorf("FAIL_ON_REFUSAL=%s: it ended with %d:\n%s", fails, code, out)
		}
	}
	if summary := read(t, filepath.Join(s.dir, "summary.md")); !strings.Contains(summary, "npm publish") {
		t.Errorf("the summary is %q", summary)
	}
	if kept := read(t, filepath.Join(s.dir, "weir-record.jsonl")); !strings.Contains(kept, `"rule":"no-publishing"`) {
		t.Errorf("the record has:\n%s", kept)
	}
}

// The action and the workflow are YAML, and run what is there.
func TestWorkflowsOfExamples(t *testing.T) {
	var action struct {
		Inputs map[string]any
		Runs   struct {
			Using string
			Steps []struct{ Run, Uses string }
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(examplesDir, "ci-guard/action.yml"))), &action); err != nil {
		t.Fatal(err)
	}
	if action.Runs.Using != "composite" || len(action.Runs.Steps) != 3 || !strings.Contains(action.Runs.Steps[1].Run, "guard.sh") || len(action.Inputs) != 4 {
		t.Errorf("%+v", action)
	}
	var workflow struct {
		Jobs map[string]struct{ Steps []struct{ Run, Uses string } }
	}
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(examplesDir, "policy-repository/workflow.yml"))), &workflow); err != nil {
		t.Fatal(err)
	}
	s := tryOut(t, "policy-repository")
	for _, step := range workflow.Jobs["test"].Steps {
		if strings.HasPrefix(step.Run, "weir ") {
			if out, code := s.sh(step.Run); code != 0 {
				t.Errorf("%s ended with %d:\n%s", step.Run, code, out)
			}
		}
	}
}
