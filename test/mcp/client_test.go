package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/program"
)

// A job is what a client is to do; see the programs in the folders js and go.
type job struct {
	Transport    string            `json:"transport"`
	Command      []string          `json:"command,omitempty"`
	URL          string            `json:"url,omitempty"`
	Headers      map[string]string `json:"headers,omitempty"`
	Version      string            `json:"version,omitempty"` // only Go's heeds it
	Capabilities []string          `json:"capabilities,omitempty"`
	Elicited     map[string]any    `json:"elicited,omitempty"`
	Steps        []step            `json:"steps"`
}

// A step is one thing that a client does.
type step struct {
	Do        string         `json:"do"`
	Name      string         `json:"name,omitempty"`
	URI       string         `json:"uri,omitempty"`
	Arguments map[string]any `json:"arguments,omitzero"`
	Progress  bool           `json:"progress,omitempty"`
	Ref       map[string]any `json:"ref,omitempty"`
	Argument  map[string]any `json:"argument,omitempty"`
	Notes     int            `json:"notes,omitempty"` // notifications that must arrive
	Asks      int            `json:"asks,omitempty"`  // requests of the server that must arrive
}

// reaching is the job with how the server is reached.
func (j job) reaching(s server) job {
	j.Transport, j.Command, j.URL = s.kind, nil, ""
	if s.kind == "stdio" {
		j.Command = s.command
	} else {
		j.URL = s.url()
	}
	return j
}

// A client is a program with an official SDK.
type client struct {
	name string
	// words are how it is started, but for the job.
	words func(t *testing.T) []string
}

// clients are all of them.
func (k kit) clients() []client {
	return []client{
		{"typescript", func(t *testing.T) []string {
			dir := t.TempDir()
			text, err := os.ReadFile("js/client.mjs")
			if err != nil {
				t.Fatal(err)
			}
			script := filepath.Join(dir, "client.mjs")
			if err := os.WriteFile(script, text, 0o600); err != nil {
				t.Fatal(err)
			}
			// Modules are found beside the program that imports them.
			if err := os.Symlink(k.node.Modules, filepath.Join(dir, "node_modules")); err != nil {
				t.Fatal(err)
			}
			return []string{k.node.Program, script}
		}},
		{"go", func(*testing.T) []string { return []string{k.goClient} }},
	}
}

// do has a client do a job and returns what it printed, a line for each step, ahead of them one for the connection.
func (c client) do(t *testing.T, at place, home string, j job) []string {
	t.Helper()
	text, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	out := run(t, at, home, append(c.words(t), string(text))...)
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) != 1+len(j.Steps) {
		t.Fatalf("the client printed %d lines for %d steps:\n%s", len(lines), len(j.Steps), out)
	}
	return lines
}

// run runs a program to its end and returns what it printed.
func run(t *testing.T, at place, home string, words ...string) []byte {
	t.Helper()
	out, err := finish(t, at, home, words...)
	if err != nil {
		t.Fatalf("%s: %v\nit printed:\n%s", filepath.Base(words[0]), err, out)
	}
	return out
}

// finish is like run for a program that may fail. What it complains of is in the error.
func finish(t *testing.T, at place, home string, words ...string) ([]byte, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	plain := at.command(words[0], words[1:]...)
	cmd := exec.CommandContext(ctx, plain.Path, plain.Args[1:]...)
	cmd.Env = program.Environment(home)
	cmd.WaitDelay = patience / 10 // a server that it started may hold its output
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return stdout.Bytes(), fmt.Errorf("%w\n%s", err, stderr.Bytes())
	}
	return stdout.Bytes(), nil
}
