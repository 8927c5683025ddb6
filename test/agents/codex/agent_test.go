package codex

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/test/agents"
)

// apiKey is what Codex holds.
const apiKey = "sk-test-000"

// An agent is a Codex with a home and a folder to work in.
type agent struct {
	binary     string
	home, work string
	keyVar     string // names the variable that has its key
}

// configure gives Codex its configuration, as TOML.
func (a agent) configure(t *testing.T, config string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(a.home, "config.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
}

// An outcome is what Codex did with a prompt.
type outcome struct {
	Exit     int
	Acts     []string // what it ran, by the names that Codex gives it
	Messages []string // what it showed of the model
	Retries  int      // how often it had to ask again

	output, log string
}

// run gives Codex a prompt. It goes on with the conversation that it had before, if so asked.
func (a agent) run(t *testing.T, goOn bool, prompt string) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), agents.Patience)
	defer cancel()
	args := []string{"exec"}
	if goOn {
		args = append(args, "resume", "--last")
	}
	args = append(args, "--json", "--strict-config", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", prompt)
	cmd := exec.CommandContext(ctx, a.binary, args...)
	cmd.Dir = a.work
	cmd.Env = agents.CleanEnv(a.home, "CODEX_HOME="+a.home, a.keyVar+"="+apiKey)
	cmd.WaitDelay = time.Second // what it started may outlive it, and hold its output
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		t.Fatalf("run Codex: %v\n%s\n%s", err, stdout.String(), stderr.String())
	}
	o := outcome{Exit: cmd.ProcessState.ExitCode(), output: stdout.String(), log: stderr.String()}
	if err := o.read(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("Codex says to %q:\n%s\n%s", prompt, o.output, o.log)
		}
	})
	return o
}

// read reads the events that Codex prints, one in a line.
func (o *outcome) read() error {
	for line := range strings.Lines(o.output) {
		var event struct {
			Type string `json:"type"`
			Item struct {
				Type string `json:"type"`
				Text string `json:"text"`
			} `json:"item"`
		}
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			return fmt.Errorf("Codex says %q: %w", line, err)
		}
		switch {
		case event.Type == "error":
			o.Retries++
		case event.Type == "item.completed" && event.Item.Type == "agent_message":
			o.Messages = append(o.Messages, event.Item.Text)
		case event.Type == "item.started":
			o.Acts = append(o.Acts, event.Item.Type)
		}
	}
	return nil
}

// made says whether a file is in the folder that Codex works in.
func (a agent) made(name string) bool {
	_, err := os.Stat(filepath.Join(a.work, name))
	return err == nil
}

// keeps finds a text in what Codex wrote down, which is all that it received, and says in which file.
func (a agent) keeps(t *testing.T, text string) (file string, found bool) {
	t.Helper()
	err := filepath.WalkDir(a.home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if err == nil && bytes.Contains(data, []byte(text)) {
			file, found = path, true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return file, found
}
