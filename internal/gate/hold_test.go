package gate_test

import (
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// TestHoldUntil says how long calls can be held for a person: a while less than the gate holds them, so that the ruling is recorded in
// time.
func TestHoldUntil(t *testing.T) {
	calling := []string{start, tool(0, "ls"), args(0, `{"a":1}`), stop(0)}
	held := func(p *passage) time.Duration { return time.Until(p.judge.asked[0].call.HoldUntil) }
	play(t, "as long as the agent bears", setting{}, func(t *testing.T, p *passage) {
		p.send(calling...)
		expect.Equal(t, held(p), 555*time.Second, "held for")
	})
	play(t, "as long as the bound", setting{maxHold: 2 * time.Minute}, func(t *testing.T, p *passage) {
		p.send(calling...)
		expect.Equal(t, held(p), 105*time.Second, "held for")
	})
	play(t, "as long as the client waits", setting{wait: 50 * time.Second}, func(t *testing.T, p *passage) {
		p.send(calling...)
		expect.Equal(t, held(p), 37500*time.Millisecond, "held for")
	})
	play(t, "after silence", setting{}, func(t *testing.T, p *passage) {
		p.send(start)
		time.Sleep(500 * time.Second)
		p.send(tool(0, "ls"), args(0, `{"a":1}`), stop(0))
		expect.Equal(t, held(p), 55*time.Second, "held for")
	})
}
