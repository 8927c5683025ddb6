package clients

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/weirtest/need"
)

// A kind is a way to use an SDK.
type kind struct {
	name     string
	streamed bool
}

// A platform runs clients of some kinds.
type platform struct {
	name  string
	kinds []kind
	// prepare gets what the clients need and returns how one is started.
	prepare func(t *testing.T) launch
}

// A launch makes the command that starts a client.
type launch func(t *testing.T, kind string) *exec.Cmd

var platforms = []platform{
	{"javascript", []kind{
		{"js-raw", true}, {"js-helper", true}, {"js-whole", false}, {"ai-stream", true}, {"ai-whole", false},
	}, javascript},
	{"python", []kind{{"python-raw", true}, {"python-helper", true}, {"python-whole", false}}, python},
}

func javascript(t *testing.T) launch {
	node := need.NodePackages(t, "js", "the JavaScript SDKs")
	return func(t *testing.T, kind string) *exec.Cmd {
		dir := copied(t, "js/client.mjs", "js/anthropic.mjs", "js/ai.mjs")
		// Modules are found beside the program that imports them.
		if err := os.Symlink(node.Modules, filepath.Join(dir, "node_modules")); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(node.Program, filepath.Join(dir, "client.mjs"), kind)
		cmd.Env = cleanEnv(dir)
		return cmd
	}
}

func python(t *testing.T) launch {
	python := need.PythonPackages(t, "python/requirements.txt", "the Python SDK")
	return func(t *testing.T, kind string) *exec.Cmd {
		dir := copied(t, "python/client.py")
		cmd := exec.Command(python.Program, filepath.Join(dir, "client.py"), kind)
		cmd.Env = cleanEnv(dir, "PYTHONPATH="+python.Modules, "PYTHONNOUSERSITE=1", "PYTHONDONTWRITEBYTECODE=1")
		return cmd
	}
}

// copied returns a folder of its own with a client's program in it.
func copied(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A job is what a client is to do: open a conversation, and go on with what comes of it.
type job struct {
	BaseURL string            `json:"base_url"`
	APIKey  string            `json:"api_key"`
	Headers map[string]string `json:"headers"`
	Model   string            `json:"model"`
	Prompt  string            `json:"prompt"`
	Padding int               `json:"padding,omitzero"` // characters that the prompt is longer
	Retries *int              `json:"retries,omitzero"` // nil: as the SDK has it
	Tools   jsontext.Value    `json:"tools"`
}

// A result is what a client made of a job.
type result struct {
	Turns     []turnSeen       `json:"turns"`
	Executed  []execution      `json:"executed"`
	Responses []response       `json:"responses"`
	Events    []jsontext.Value `json:"events"` // of those that read the stream themselves
	Error     *raised          `json:"error"`
	output    []byte           // everything that the client wrote
}

// A turnSeen is the model's turn as the client has it.
type turnSeen struct {
	Content    []seenBlock `json:"content"`
	StopReason string      `json:"stop_reason"`
	Usage      struct {
		Input  int `json:"input_tokens"`
		Output int `json:"output_tokens"`
	} `json:"usage"`
}

// An execution is a call that the client would have run.
type execution struct {
	Name  string `json:"name"`
	Input any    `json:"input"`
}

// A response is what came over the wire, whatever the SDK made of it.
type response struct {
	Status  int    `json:"status"`
	Request string `json:"request"` // weir's id of it
}

// raised is the error that the SDK raised.
type raised struct {
	Name    string `json:"name"`
	Status  int    `json:"status"`
	Type    string `json:"type"`
	Message string `json:"message"`
}

// A client is a running program that does jobs one after the other.
type client struct {
	cmd    *exec.Cmd
	jobs   io.WriteCloser
	lines  chan []byte // closed when the program has ended
	stderr bytes.Buffer
}

func startClient(t *testing.T, cmd *exec.Cmd) *client {
	t.Helper()
	c := &client{cmd: cmd, lines: make(chan []byte)}
	c.cmd.Stderr = &c.stderr
	var err error
	if c.jobs, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stopped := make(chan struct{})
	go c.read(out, stopped)
	t.Cleanup(func() {
		close(stopped)
		_ = c.cmd.Process.Kill() // it has nothing left to do
		_ = c.cmd.Wait()         // it was killed
		if t.Failed() && c.stderr.Len() > 0 {
			t.Logf("the client says:\n%s", c.stderr.String())
		}
	})
	return c
}

func (c *client) read(out io.Reader, stopped <-chan struct{}) {
	defer close(c.lines)
	for r := bufio.NewReader(out); ; {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return
		}
		select {
		case c.lines <- line:
		case <-stopped:
			return
		}
	}
}

// do has a job done. progress is called with what the client says of it meanwhile.
func (c *client) do(t *testing.T, j job, progress func(what string)) result {
	t.Helper()
	line, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.jobs.Write(append(line, '\n')); err != nil {
		t.Fatalf("the client is gone: %v", err)
	}
	// A client that failed once must not take the next job: its answers would be out of step.
	done := false
	defer func() {
		if !done {
			_ = c.cmd.Process.Kill() // it may be gone
		}
	}()
	timeout := time.After(patience)
	var output []byte
	for {
		select {
		case line, ok := <-c.lines:
			if !ok {
				t.Fatal("the client ended in the middle of a job")
			}
			output = append(output, line...)
			said, err := readLine(line)
			if err != nil {
				t.Fatal(err)
			}
			if said.Result != nil {
				said.Result.output, done = output, true
				return *said.Result
			}
			progress(said.Progress)
		case <-timeout:
			t.Fatalf("the client got stuck; it said:\n%s", output)
		}
	}
}

// said is one line of a client.
type said struct {
	Progress string  `json:"progress"`
	Result   *result `json:"result"`
}

func readLine(line []byte) (said, error) {
	var s said
	if err := json.Unmarshal(line, &s); err != nil {
		return s, fmt.Errorf("the client says %q: %w", line, err)
	}
	return s, nil
}
