package gate_test

import (
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// recordedEarly checks that one call was refused, without its arguments, and that these followed with the fault.
func (p *passage) recordedEarly(tool, args, fault string) {
	p.t.Helper()
	synctest.Wait()
	p.judge.mu.Lock()
	defer p.judge.mu.Unlock()
	if len(p.judge.asked) != 0 || len(p.judge.refused) != 1 || len(p.judge.follows) != 1 {
		p.t.Fatalf("%d calls were asked about, %d refused, and the arguments of %d followed; want 0, 1 and 1",
			len(p.judge.asked), len(p.judge.refused), len(p.judge.follows))
	}
	refused, followed := p.judge.refused[0], p.judge.follows[0]
	if c := refused.call; c.Tool != tool || !c.ArgsFollow || c.Args != nil || refused.ruling.Code != call.CodeToolDenied {
		p.t.Errorf("refused: %+v as %+v; want %s without arguments", c, refused.ruling, tool)
	}
	if c := followed.call; c.ID != refused.call.ID || string(c.Args) != args || followed.ruling.Code != fault {
		p.t.Errorf("followed: %s of %s with fault %q; want %s of %s with %q", c.Args, c.ID, followed.ruling.Code, args, refused.call.ID, fault)
	}
}

// record answers what was refused: it is on record, or will be.
func (p *passage) record() {
	p.t.Helper()
	synctest.Wait()
	p.judge.mu.Lock()
	waiting := p.judge.refused
	p.judge.mu.Unlock()
	for _, q := range waiting {
		q.answer(q.ruling)
	}
	synctest.Wait()
}

func TestEarlyRefusal(t *testing.T) {
	refusing := func(t *testing.T, s setting) *passage {
		p := begin(t, s)
		p.judge.names, p.judge.slow = map[string]bool{"rm": true}, true
		return p
	}
	run(t, "the notice waits for the record, and the reader does not", func(t *testing.T) {
		p := refusing(t, setting{})
		p.send(start, tool(0, "rm"), args(0, `{"path":`))
		p.expect("no notice yet", start)
		p.send(args(0, `"/"}`), stop(0), text(1), says(1, "behind it"))
		p.expect("nothing is told before it is on record")
		p.recordedEarly("rm", `{"path":"/"}`, "")
		p.record()
		p.expect("all", list(notice(0, "rm", denied), stop(0), text(1), says(1, "behind it"))...)
		_ = p.end(io.EOF)
	})
	run(t, "in a body the notice waits for the record, too, and there is one event", func(t *testing.T) {
		p := refusing(t, setting{whole: true})
		p.upstream.data <- []byte(`{"type":"message","content":[{"type":"tool_use","id":"t","name":"rm","input":{"a":1}}],"stop_reason":"tool_use"}`)
		p.upstream.end(io.EOF)
		synctest.Wait()
		p.expect("nothing")
		if n := len(p.judge.refused); n != 1 || string(p.judge.refused[0].call.Args) != `{"a":1}` || p.judge.refused[0].call.ArgsFollow {
			t.Errorf("refused: %+v", p.judge.refused)
		}
		p.record()
		expect.Is(t, p.ended(), nil, "Pass")
		expect.Equal(t, len(p.judge.follows), 0, "arguments followed: %+v", p.judge.follows)
	})
	run(t, "the record never answers", func(t *testing.T) {
		p := refusing(t, setting{maxHold: time.Second})
		p.send(start, tool(0, "rm"))
		p.expect("no notice yet", start)
		time.Sleep(1100 * time.Millisecond)
		p.expect("the agent is told all the same", notice(0, "rm", denied)...)
		p.send(args(0, `{"a":1}`), stop(0))
		p.expect("the stop", stop(0))
		p.recordedEarly("rm", `{"a":1}`, "")
		p.record() // too late
		_ = p.end(io.EOF)
	})
	run(t, "the agent is gone after the notice", func(t *testing.T) {
		p := refusing(t, setting{})
		p.send(start, tool(0, "rm"), args(0, `{"path":`))
		p.record()
		p.agent.leave(errors.New("gone"))
		p.send(text(1))
		p.send(says(1, "x"))
		expect.Fails(t, p.ended(), "Pass says that all is well")
		p.recordedEarly("rm", `"{\"path\":"`, call.CodeCutShort)
	})
	run(t, "the request is over after the notice", func(t *testing.T) {
		p := refusing(t, setting{})
		p.send(start, tool(0, "rm"), args(0, `{"path":`))
		p.record()
		p.cancel()
		synctest.Wait()
		_ = p.end(io.ErrUnexpectedEOF)
		p.recordedEarly("rm", `"{\"path\":"`, call.CodeCutShort)
	})
	run(t, "the upstream breaks off after the notice", func(t *testing.T) {
		p := refusing(t, setting{})
		p.send(start, tool(0, "rm"), args(0, `{"path":`))
		p.record()
		_ = p.end(io.ErrUnexpectedEOF)
		p.recordedEarly("rm", `"{\"path\":"`, call.CodeCutShort)
	})
}

func TestAgentGone(t *testing.T) {
	for name, leave := range map[string]func(p *passage){
		"the agent's connection breaks": func(p *passage) { p.agent.leave(errors.New("gone")); time.Sleep(6 * time.Second) },
		"the request is over":           func(p *passage) { p.cancel(); p.upstream.end(io.ErrUnexpectedEOF) },
	} {
		play(t, name+" while calls are held", setting{}, func(t *testing.T, p *passage) {
			p.send(start, tool(0, "ls"), args(0, `{"a":`), tool(1, "cat"), args(1, `{"b":1}`), stop(1))
			leave(p)
			_ = p.ended()
			if n := p.questions(); n > 1 || n+len(p.judge.refused) != 2 {
				t.Fatalf("%d calls were asked about and %d refused, want both on record", n, len(p.judge.refused))
			}
			for _, q := range p.judge.refused {
				if q.ruling.Code != call.CodeCutShort || !q.ruling.Silent {
					t.Errorf("%s was recorded as %+v", q.call.Tool, q.ruling)
				}
			}
			first := p.judge.refused[0]
			expect.Equal(t, first.call.Tool, "ls", "recorded %s with %s", first.call.Tool, first.call.Args)
			expect.Equal(t, string(first.call.Args), `"{\"a\":"`, "recorded %s with %s", first.call.Tool, first.call.Args)
		})
	}
}

// TestHeldInOrder checks that a complete call behind one whose arguments never end is refused in time, and recorded once.
func TestHeldInOrder(t *testing.T) {
	play(t, "both are held too long", setting{maxHold: time.Second}, func(t *testing.T, p *passage) {
		p.judge.names = map[string]bool{}
		p.send(start, tool(0, "ls"), args(0, `{"a":`), tool(1, "cat"), args(1, `{"b":1}`), stop(1))
		time.Sleep(1100 * time.Millisecond)
		expired := call.Ruling{Code: call.CodeCutShort, Reason: "The call was held longer than weir's bound."}
		p.expect("both", list(start, notice(0, "ls", expired), notice(1, "cat", expired), stop(1))...)
		p.send(args(0, `1}`), stop(0))
		p.expect("the stop of the first", stop(0))
		_ = p.end(io.EOF)
		if len(p.judge.refused) != 2 || len(p.judge.follows) != 1 || p.questions() != 0 {
			t.Fatalf("%d refused, %d arguments followed, %d asked about", len(p.judge.refused), len(p.judge.follows), p.questions())
		}
		if c := p.judge.refused[1].call; string(c.Args) != `{"b":1}` || c.ArgsFollow {
			t.Errorf("recorded %+v", c)
		}
		if c := p.judge.follows[0].call; string(c.Args) != `{"a":1}` {
			t.Errorf("followed by %s", c.Args)
		}
	})
}
