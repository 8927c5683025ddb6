package reach

import (
	"context"
	"os"

	"github.com/weir-gate/weir/internal/mcp/child"
)

// A Process is a connection with a server process, for callers that also need the process itself.
type Process struct{ *stdioConn }

// Run starts a process and returns the connection with it.
func Run(cfg StdioConfig) (*Process, error) {
	c, err := startStdio(cfg)
	if err != nil {
		return nil, err
	}
	return &Process{c}, nil
}

// EndInput closes the input of the process, which tells a server to end. Its last messages are still received.
func (p *Process) EndInput() error {
	<-p.turn // wait for a write under way
	defer func() { p.turn <- struct{}{} }()
	return p.process.Stdin.Close()
}

// Signal sends a signal to the process and those that it started.
func (p *Process) Signal(s os.Signal) error { return p.process.Signal(s) }

// Stop ends the process, and returns how it ended.
func (p *Process) Stop(ctx context.Context) child.Exit { return p.process.Stop(ctx) }

// Wait waits until the process is gone, and returns how it ended.
func (p *Process) Wait() child.Exit { return p.process.Wait() }
