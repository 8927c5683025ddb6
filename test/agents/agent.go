package agents

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/weirtest/program"
)

// An Agent is a program with a home and a folder to work in, both empty but for its configuration.
type Agent struct {
	Home, Work string
	// Command is the program and its arguments for a prompt. It goes on with the conversation that it had before, if so
	// asked.
	Command func(goOn bool, prompt string) []string
	// Env is what its environment has beyond that of all programs.
	Env []string
	// Read reads what the program printed.
	Read func(printed string) (Outcome, error)
	// Config are the files of its configuration that it does not change by itself. Of one that it does, FILE#MEMBER is the part of the
	// JSON object that it leaves as it is.
	Config []string

	except string // a folder in its home that is not its own; "": there is none
}

// An Outcome is what an agent did with a prompt.
type Outcome struct {
	Exit    int
	Acts    []string // what it ran, by the names that the agent gives it
	Says    []string // what it showed of the model, by lines
	Retries int      // how often it says that it had to ask again

	shown string // all that it printed
}

// Say adds a text that the agent showed.
func (o *Outcome) Say(text string) {
	o.Says = append(o.Says, Lines(text)...)
}

// Lines are the lines of a text that are not empty.
func Lines(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
}

// Put writes a file below the agent's home or work folder.
func Put(t testing.TB, text string, path ...string) {
	t.Helper()
	file := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// run gives the agent a prompt.
func (a Agent) run(t *testing.T, goOn bool, prompt string) Outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), Patience)
	defer cancel()
	args := a.Command(goOn, prompt)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Env = a.Work, program.Environment(a.Home, slices.Concat(onlyLoopback, a.Env, []string{"TMPDIR=" + a.Home})...)
	cmd.WaitDelay = time.Second // what it started may outlive it, and hold its output
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		t.Fatalf("run the agent: %v\n%s\n%s", err, stdout.String(), stderr.String())
	}
	o, err := a.Read(stdout.String())
	if err != nil {
		t.Fatalf("read what the agent printed: %v\n%s\n%s", err, stdout.String(), stderr.String())
	}
	o.Exit, o.shown = cmd.ProcessState.ExitCode(), stdout.String()+"\n"+stderr.String()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the agent says to %q:\n%s", prompt, o.shown)
		}
	})
	return o
}

// made says whether a file is in the folder that the agent works in.
func (a Agent) made(name string) bool {
	_, err := os.Stat(filepath.Join(a.Work, name))
	return err == nil
}

// keeps finds a text in what the agent wrote down, which is all that it received, and says in which file.
func (a Agent) keeps(t *testing.T, text string) (file string, found bool) {
	t.Helper()
	err := filepath.WalkDir(a.Home, func(path string, d fs.DirEntry, err error) error {
		if path == a.except {
			return fs.SkipDir
		}
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

// configuration is what its user has configured, by the entries of Config.
func (a Agent) configuration(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, entry := range a.Config {
		file, member, isMember := strings.Cut(entry, "#")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if isMember {
			var object map[string]jsontext.Value
			decode(t, text, &object)
			text = object[member]
			if err := (*jsontext.Value)(&text).Canonicalize(); err != nil {
				t.Fatalf("%s: %v", entry, err)
			}
		}
		texts[entry] = string(text)
	}
	return texts
}
