package gate_test

import (
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// TestHeld: a call is among those that are held from its first frame to its ruling, and no longer than its response.
func TestHeld(t *testing.T) {
	play(t, "until it is ruled", setting{}, func(t *testing.T, p *passage) {
		p.send(start, text(0), says(0, "a"), stop(0))
		expect.Equal(t, len(p.gate.Held(10)), 0, "held while there is text")
		began := time.Now()
		p.send(tool(1, "ls"), args(1, `{"a":`))
		time.Sleep(3 * time.Second)
		p.send(args(1, `1}`), stop(1), tool(2, "rm"))
		synctest.Wait()
		held := p.gate.Held(10)
		expect.Equal(t, len(held), 2, "held")
		expect.Equal(t, held[0].Tool, "ls", "the oldest")
		expect.Equal(t, held[0].Since, began, "since")
		expect.Equal(t, held[1].Tool, "rm", "the next")
		expect.Equal(t, len(p.gate.Held(1)), 1, "at most one")
		p.answer(0, allowed)
		synctest.Wait()
		held = p.gate.Held(10)
		expect.Equal(t, len(held), 1, "held after a ruling")
		expect.Equal(t, held[0].Tool, "rm", "the one without")
	})
	play(t, "until the response has ended", setting{}, func(t *testing.T, p *passage) {
		p.send(start, tool(0, "ls"), args(0, `{"a":`))
		synctest.Wait()
		expect.Equal(t, len(p.gate.Held(10)), 1, "held")
		_ = p.end(io.ErrUnexpectedEOF)
		synctest.Wait()
		expect.Equal(t, len(p.gate.Held(10)), 0, "held afterwards")
	})
}
