package control

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/text/inert"
)

// unreached says that nobody listens on the socket.
func unreached(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// errUnknown says that the client's key is not valid.
var errUnknown = errors.New("weir serve has clients, and no valid key was given; set WEIR_KEY to your key")

// errAway says that weir no longer responds.
var errAway = errors.New("weir serve is not running; start it again")

// Ensure returns when a weir responds. If none does, it starts one.
func (c *Client) Ensure(ctx context.Context) error {
	c.starting.Lock()
	defer c.starting.Unlock()
	h, err := c.Hello(ctx)
	if err != nil && c.cfg.Start != nil {
		h, err = c.start(ctx)
	}
	switch {
	case unreached(err):
		return errors.New("no weir serve runs on this machine; start it, or remove --no-start")
	case err != nil:
		return fmt.Errorf("reach weir serve: %w", err)
	case !h.Admitted:
		return errUnknown
	}
	return nil
}

// lastHope is how long another weir may take to respond after the started one has ended: several may be started at once, and only
// one stays.
const lastHope = 2 * time.Second

func (c *Client) start(ctx context.Context) (Hello, error) {
	ended, err := c.cfg.Start()
	if err != nil {
		return Hello{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.cfg.StartWithin)
	defer cancel()
	trouble := fmt.Errorf("weir serve was started, but does not respond within %s%s", c.cfg.StartWithin, c.seeLog())
	var over <-chan time.Time
	for {
		if h, err := c.Hello(ctx); err == nil {
			return h, nil
		}
		select {
		case <-ctx.Done():
			return Hello{}, trouble
		case <-ended:
			ended, over = nil, time.After(lastHope)
		case <-over:
			return Hello{}, fmt.Errorf("weir serve was started, but stopped at once%s", c.seeLog())
		case <-time.After(askAgain):
		}
	}
}

// askAgain is how long a client waits before it asks again.
const askAgain = 20 * time.Millisecond

func (c *Client) seeLog() string {
	if c.cfg.Log == "" {
		return ""
	}
	return "; see " + c.cfg.Log + c.lastLine()
}

// maxLastLine is how many bytes of a log are searched for its last line.
const maxLastLine = 4096

// lastLine returns the last line of the log, which usually says what is wrong; "": there is none.
func (c *Client) lastLine() string {
	f, err := os.Open(c.cfg.Log)
	if err != nil {
		return ""
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > maxLastLine {
		if _, err := f.Seek(-maxLastLine, io.SeekEnd); err != nil {
			return ""
		}
	}
	text, err := io.ReadAll(io.LimitReader(f, maxLastLine))
	if err != nil {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		return ", which ends: " + inert.Text(last, 400)
	}
	return ""
}

// await waits until a weir responds again.
func (c *Client) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, c.cfg.BackWithin)
	defer cancel()
	for {
		h, err := c.Hello(ctx)
		switch {
		case ctx.Err() != nil:
			return errAway
		case err == nil && h.Admitted:
			return nil
		case err == nil:
			return errUnknown
		case !unreached(err):
			return fmt.Errorf("reach weir serve: %w", err)
		}
		select {
		case <-ctx.Done():
			return errAway
		case <-time.After(5 * askAgain):
		}
	}
}

// A Command is the command of the MCP server of a shim.
type Command struct {
	ID   string   `json:"id"`
	Path string   `json:"path"`
	Args []string `json:"args,omitempty"`
}

// Enter asks whether a shim may serve for a server with this id. The error says why not.
func (c *Client) Enter(ctx context.Context, command Command) error {
	var a enterResponse
	if err := c.ask(ctx, pathEnter, command, &a); err != nil {
		return err
	}
	if a.Trouble != "" {
		return errors.New(a.Trouble)
	}
	return nil
}
