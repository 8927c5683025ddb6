package reach_test

import (
	"errors"
	"io"
	"os"
	"testing"

	"github.com/weir-gate/weir/internal/mcp/child"
	"github.com/weir-gate/weir/internal/mcp/reach"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// run starts the test binary as a server, for who stands in for it.
func run(t *testing.T, name string, args ...string) *reach.Process {
	t.Helper()
	p, err := reach.Run(reach.StdioConfig{Process: helper(name, args...)})
	expect.OK(t, err)
	open(t, p)
	return p
}

// After its input has ended, what a server still says is received, and how it ended is known.
func TestProcessEndInput(t *testing.T) {
	p := run(t, "peer", "ordinary")
	send(t, p, request(1, "echo", `{}`))
	expect.Is(t, p.EndInput(), nil)
	expect.Equal(t, receive(t, p), `{"jsonrpc":"2.0","id":1,"result":{"echo":true}}`)
	if _, err := p.Receive(soon(t)); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	expect.Equal(t, p.Wait(), child.Exit{}, "it")
}

func TestProcessSignal(t *testing.T) {
	p := run(t, "deaf")
	expect.OK(t, p.Signal(os.Kill))
	if _, err := p.Receive(soon(t)); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	if got := p.Stop(t.Context()); got.Status() == 0 {
		t.Errorf("it %s", got)
	}
}
