package crash

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/weir-gate/weir/test/loadtest"
)

// binary is the real weir.
var binary string

func TestMain(m *testing.M) { os.Exit(loadtest.Main(m, &binary)) }

// An occasion is something after which weir may be killed.
type occasion int

const (
	begun     occasion = iota // its process is there
	listening                 // it has said so
	sent                      // the model has sent a call
	arrived                   // a call has reached a client
)

// A moment is when weir is killed: at the count-th occasion, or so long after.
type moment struct {
	after occasion
	count int64
	delay time.Duration
}

// A process is one run of weir, from its start until it is killed.
type process struct {
	*loadtest.Process
	base   string // its address; "": it was killed before it had one
	moment moment
	count  atomic.Int64 // of the occasions that have come
	killed atomic.Bool
}

// start starts weir and returns when it listens or has been killed.
func start(ctx context.Context, in loadtest.Install, at moment) (*process, error) {
	running, err := in.Begin(ctx)
	if err != nil {
		return nil, err
	}
	p := &process{Process: running, moment: at}
	p.happened(begun)
	p.base = p.Listening()
	switch {
	case p.base != "":
		p.happened(listening)
	case !p.killed.Load():
		return nil, fmt.Errorf("weir did not start:\n%s", p.Log())
	}
	return p, nil
}

// happened kills the process if this is its moment.
func (p *process) happened(o occasion) {
	if o != p.moment.after || p.count.Add(1) != p.moment.count {
		return
	}
	if p.moment.delay == 0 {
		p.kill()
		return
	}
	time.AfterFunc(p.moment.delay, p.kill)
}

func (p *process) kill() {
	p.killed.Store(true)
	p.Kill()
}
