package gate_test

import (
	"io"
	"sync"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// A meter notes what it is told.
type meter struct {
	mu             sync.Mutex
	held, released []time.Duration
}

func (*meter) StreamOpened() {}
func (*meter) StreamClosed() {}

func (m *meter) CallHeld(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.held = append(m.held, d)
}

func (m *meter) CallReleased(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.released = append(m.released, d)
}

// Every call is measured once, also if it is refused before the judge has seen its arguments, or instead of the judge.
func TestEveryCallIsMeasured(t *testing.T) {
	const second = time.Second
	for name, c := range map[string]struct {
		setting        setting
		steps          func(p *passage)
		held, released time.Duration
	}{
		"released": {setting{}, func(p *passage) {
			p.send(start, tool(0, "ls"))
			time.Sleep(second)
			p.send(args(0, `{"a":1}`), stop(0))
			time.Sleep(2 * second)
			p.answer(0, allowed)
		}, 3 * second, 2 * second},
		"refused by name": {setting{}, func(p *passage) {
			p.judge.names = map[string]bool{"rm": true}
			p.send(start, tool(0, "rm"))
			time.Sleep(second)
			p.send(args(0, `{"a":1}`), stop(0))
		}, 0, 0},
		"refused for its size": {setting{}, func(p *passage) {
			p.send(start, tool(0, "ls"))
			time.Sleep(second)
			p.send(args(0, `{"a":"`+string(make([]byte, 2<<20))))
		}, second, 0},
		"held too long": {setting{maxHold: 10 * second}, func(p *passage) {
			p.send(start, tool(0, "ls"))
			time.Sleep(second)
			p.send(args(0, `{"a":1}`), stop(0))
			time.Sleep(20 * second)
			p.answer(0, allowed)
		}, 10 * second, 9 * second},
	} {
		run(t, name, func(t *testing.T) {
			m := &meter{}
			c.setting.meter = m
			p := begin(t, c.setting)
			c.steps(p)
			_ = p.end(io.EOF)
			want := [2][]time.Duration{{c.held}, {c.released}}
			expect.Same(t, want, [2][]time.Duration{m.held, m.released})
		})
	}
}
