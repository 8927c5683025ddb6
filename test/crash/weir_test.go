package crash

import (
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/weirtest/need"
	"github.com/weir-gate/weir/internal/weirtest/program"
)

// binary is the real weir.
var binary string

func TestMain(m *testing.M) { os.Exit(need.Main(m, &binary)) }

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
	*program.Process
	moment moment
	count  atomic.Int64 // of the occasions that have come
	killed atomic.Bool
}

// start starts weir and returns when it listens or has been killed. Then it has no address.
func start(in program.Install, at moment) (*process, error) {
	running, err := in.Begin()
	if err != nil {
		return nil, err
	}
	p := &process{Process: running, moment: at}
	p.happened(begun)
	if err := p.Await(); err != nil {
		if p.killed.Load() {
			err = nil
		}
		return p, err
	}
	p.happened(listening)
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
