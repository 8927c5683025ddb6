package reach_test

import (
	"errors"
	"io"
	"os"
	"testing"

	"github.com/weir-gate/weir/internal/mcp/child"
	"github.com/weir-gate/weir/internal/mcp/reach"
)

// run starts the test binary as a server, for who stands in for it.
func run(t *testing.T, name string, args ...string) *reach.Process {
	t.Helper()
	p, err := reach.Run(reach.StdioConfig{Process: helper(name, args...)})
	if err != nil {
		t.Fatal(err)
	}
	open(t, p)
	return p
}

// After its input has ended, what a server still says is received, and how it ended is known.
func TestProcessEndInput(t *testing.T) {
	p := run(t, "peer", "ordinary")
	send(t, p, request(1, "echo", `{}`))
	if err := p.EndInput(); err != nil {
		t.Error(err)
	}
	if got := receive(t, p); got != `{"jsonrpc":"2.0","id":1,"result":{"echo":true}}` {
		t.Errorf("got %s", got)
	}
	if _, err := p.Receive(soon(t)); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	if got := p.Wait(); got != (child.Exit{}) {
		t.Errorf("it %s", got)
	}
}

func TestProcessSignal(t *testing.T) {
	p := run(t, "deaf")
	if err := p.Signal(os.Kill); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Receive(soon(t)); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	if got := p.Stop(t.Context()); got.Status() == 0 {
		t.Errorf("it %s", got)
	}
}
