package clients

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/weirtest/expect"
	"github.com/weir-gate/weir/internal/weirtest/program"
)

// patience is how long a client may take for a job. The first includes that it loads its SDK, which takes long on a machine that is busy.
const patience = program.Patience

// A job is what a client is to do: open a conversation, and go on with what comes of it.
type job struct {
	Kind    string            `json:"kind"`
	BaseURL string            `json:"base_url"` // up to the upstream's name
	APIKey  string            `json:"api_key"`
	Headers map[string]string `json:"headers"`
	Model   string            `json:"model"`
	Prompt  string            `json:"prompt"`
	Padding int               `json:"padding,omitzero"` // characters that the prompt is longer
	Retries *int              `json:"retries,omitzero"` // nil: as the SDK has it
	Tools   jsontext.Value    `json:"tools"`
	Options Options           `json:"options,omitempty"`
	State   jsontext.Value    `json:"state,omitzero"` // what another job left
}

// A result is what a client made of a job.
type result[T Turn] struct {
	Turns     []seen[T]        `json:"turns"`
	Executed  []Execution      `json:"executed"`
	Responses []response       `json:"responses"`
	Events    []jsontext.Value `json:"events"` // of those that read the stream themselves
	Error     *Raised          `json:"error"`
	State     jsontext.Value   `json:"state"` // from which another job can go on
	output    []byte           // everything that the client wrote
}

// seen is the model's turn as the client has it.
type seen[T Turn] struct {
	Turn  T `json:"turn"`
	Usage struct {
		Input  int `json:"input"`
		Output int `json:"output"`
	} `json:"usage"`
}

// A response is what came over the wire, whatever the SDK made of it.
type response struct {
	Status  int    `json:"status"`
	Request string `json:"request"` // weir's id of it
}

// An actor keeps a program running for the clients that it plays.
type actor struct {
	t       *testing.T // the program runs until this test ends
	start   Launch
	running *client
}

// client returns the running program, a new one if the last was lost.
func (a *actor) client() *client {
	if a.running == nil || a.running.lost {
		a.running = startClient(a.t, a.start(a.t))
	}
	return a.running
}

// A client is a running program that does jobs one after the other.
type client struct {
	cmd    *exec.Cmd
	jobs   io.WriteCloser
	lines  chan []byte // closed when the program has ended
	stderr bytes.Buffer
	lost   bool // it failed once, so that its answers may be out of step
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
	expect.OK(t, err)
	expect.OK(t, c.cmd.Start())
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
func do[T Turn](t *testing.T, c *client, j job, progress func(what string)) result[T] {
	t.Helper()
	line, err := json.Marshal(j)
	expect.OK(t, err)
	c.lost = true
	if _, err := c.jobs.Write(append(line, '\n')); err != nil {
		t.Fatalf("the client is gone: %v", err)
	}
	timeout := time.After(patience)
	var output []byte
	for {
		select {
		case line, ok := <-c.lines:
			if !ok {
				t.Fatal("the client ended in the middle of a job")
			}
			output = append(output, line...)
			said, err := readLine[T](line)
			expect.OK(t, err)
			if said.Result != nil {
				said.Result.output, c.lost = output, false
				return *said.Result
			}
			progress(said.Progress)
		case <-timeout:
			t.Fatalf("the client got stuck; it said:\n%s", output)
		}
	}
}

// said is one line of a client.
type said[T Turn] struct {
	Progress string     `json:"progress"`
	Result   *result[T] `json:"result"`
}

func readLine[T Turn](line []byte) (said[T], error) {
	var s said[T]
	if err := json.Unmarshal(line, &s, lenient); err != nil {
		return s, fmt.Errorf("the client says %q: %w", line, err)
	}
	return s, nil
}
