package gate_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// run is a test in a bubble with its own clock.
func run(t *testing.T, name string, test func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
}

// play is a test of one passage. If it does not end the response, that ends well afterwards.
func play(t *testing.T, name string, s setting, test func(t *testing.T, p *passage)) {
	t.Helper()
	run(t, name, func(t *testing.T) {
		p := begin(t, s)
		test(t, p)
		if !p.upstream.over {
			_ = p.end(io.EOF)
		}
	})
}

func TestOrder(t *testing.T) {
	play(t, "text is live", setting{}, func(t *testing.T, p *passage) {
		for _, f := range []string{start, text(0), says(0, "a"), says(0, "b"), stop(0), because("end_turn"), done} {
			p.send(f)
			p.expect("the frame at once", f)
		}
		expect.Is(t, p.end(io.EOF), nil, "Pass")
	})
	play(t, "a call is held until it is ruled", setting{}, func(t *testing.T, p *passage) {
		p.send(start, tool(0, "ls"), args(0, `{"a":`), args(0, `1}`))
		p.expect("what comes before the call", start)
		expect.Equal(t, p.questions(), 0, "the judge was asked about … calls before the arguments were complete")
		p.send(stop(0))
		p.expect("while the judge thinks")
		p.answer(0, allowed)
		p.expect("the call", tool(0, "ls"), args(0, `{"a":`), args(0, `1}`), stop(0))
		p.send(because("tool_use"), done)
		p.expect("the rest", because("tool_use"), done)
		expect.Is(t, p.end(io.EOF), nil, "Pass")
	})
	play(t, "text behind a call waits for that call only", setting{}, func(_ *testing.T, p *passage) {
		p.send(start, tool(0, "ls"), args(0, `{"a":1}`), stop(0), text(1), says(1, "between"), stop(1),
			tool(2, "ls"), args(2, `{"b":1}`), stop(2), text(3), says(3, "after"))
		p.expect("before the first ruling", start)
		p.answer(0, allowed)
		p.expect("after the first ruling", tool(0, "ls"), args(0, `{"a":1}`), stop(0), text(1), says(1, "between"), stop(1))
		p.answer(1, denied)
		p.expect("after the second ruling", list(notice(2, "ls", denied), stop(2), text(3), says(3, "after"))...)
		p.send(says(3, "live again"))
		p.expect("nothing is held", says(3, "live again"))
	})
	play(t, "text that was streaming waits for a call that came between", setting{}, func(_ *testing.T, p *passage) {
		p.send(start, text(0), says(0, "before"), tool(1, "ls"), args(1, `{"a":1}`), stop(1), says(0, "after"))
		p.expect("what comes before the call", start, text(0), says(0, "before"))
		p.answer(0, allowed)
		p.expect("in the order in which it came", tool(1, "ls"), args(1, `{"a":1}`), stop(1), says(0, "after"))
		p.send(says(0, "live"))
		p.expect("live again", says(0, "live"))
	})
	play(t, "calls that finish together are asked about together, and released in order", setting{}, func(t *testing.T, p *passage) {
		p.send(start, tool(0, "a"), args(0, `{"a":1}`), stop(0), tool(1, "b"), args(1, `{"a":1}`), stop(1),
			tool(2, "c"), args(2, `{"a":1}`), stop(2))
		expect.Equal(t, p.questions(), 3, "the judge was asked about … calls before the first ruling")
		p.answer(2, allowed)
		p.answer(1, denied)
		p.expect("the first is not ruled yet", start)
		p.answer(0, allowed)
		p.expect("all", list(tool(0, "a"), args(0, `{"a":1}`), stop(0), notice(1, "b", denied), stop(1),
			tool(2, "c"), args(2, `{"a":1}`), stop(2))...)
	})
	play(t, "a call refused by name has its notice at once, and its arguments recorded later", setting{}, func(_ *testing.T, p *passage) {
		p.judge.names = map[string]bool{"rm": true}
		p.send(start, tool(0, "rm"))
		p.expect("the notice", list(start, notice(0, "rm", denied))...)
		p.send(args(0, `{"path":`), args(0, `"/"}`))
		p.expect("nothing of the arguments")
		p.send(stop(0), text(1), says(1, "live"))
		p.expect("the stop, and text behind it", stop(0), text(1), says(1, "live"))
		p.recordedEarly("rm", `{"path":"/"}`, "")
		p.upstream.end(io.EOF)
	})
	play(t, "signs of life while a refused call goes on", setting{}, func(_ *testing.T, p *passage) {
		p.judge.names = map[string]bool{"rm": true}
		p.send(start, tool(0, "rm"))
		p.expect("the notice", list(start, notice(0, "rm", denied))...)
		for range 3 {
			time.Sleep(5 * time.Second)
			p.send(args(0, " "))
			p.expect("a sign of life", ping)
		}
	})
	play(t, "comments and pings overtake", setting{}, func(_ *testing.T, p *passage) {
		p.send(start, tool(0, "ls"), args(0, `{"a":1}`), stop(0), `{"type":"ping"}`, ": still here")
		p.expect("ahead of the call", start, `{"type":"ping"}`, ": still here")
		p.answer(0, allowed)
		p.expect("the call", tool(0, "ls"), args(0, `{"a":1}`), stop(0))
	})
}

func TestKeepAlive(t *testing.T) {
	play(t, "every five seconds while something is held", setting{}, func(_ *testing.T, p *passage) {
		p.send(start, text(0), says(0, "thinking"))
		p.expect("text", start, text(0), says(0, "thinking"))
		time.Sleep(time.Minute)
		p.expect("no sign of life is needed where nothing is held")
		p.send(stop(0), tool(1, "ls"), args(1, `{"a":1}`), stop(1))
		p.expect("the end of the text", stop(0))
		time.Sleep(4900 * time.Millisecond)
		p.expect("not yet")
		time.Sleep(200 * time.Millisecond)
		p.expect("after five seconds", ping)
		time.Sleep(10 * time.Second)
		p.expect("and two more", ping, ping)
		p.answer(0, allowed)
		p.expect("the call", tool(1, "ls"), args(1, `{"a":1}`), stop(1))
		time.Sleep(time.Minute)
		p.expect("nothing is held any more")
	})
	play(t, "five seconds after the last byte, whenever something came to be held", setting{}, func(_ *testing.T, p *passage) {
		p.send(start)
		time.Sleep(3 * time.Second)
		p.send(tool(0, "ls"), args(0, `{"a":1}`), stop(0))
		p.expect("the start", start)
		time.Sleep(2100 * time.Millisecond)
		p.expect("a sign of life", ping)
		p.answer(0, allowed)
		p.expect("the call", tool(0, "ls"), args(0, `{"a":1}`), stop(0))
		time.Sleep(8 * time.Second)
		p.send(tool(1, "ls"), args(1, `{"a":1}`), stop(1))
		p.expect("at once, after a long silence", ping)
		p.answer(1, allowed)
	})
	play(t, "also after the upstream's end", setting{}, func(t *testing.T, p *passage) {
		p.send(start, tool(0, "ls"), args(0, `{"a":1}`), stop(0), because("tool_use"), done)
		p.upstream.end(io.EOF)
		p.expect("before the call", start)
		time.Sleep(5100 * time.Millisecond)
		p.expect("a sign of life", ping)
		p.answer(0, allowed)
		p.expect("the call and the end", tool(0, "ls"), args(0, `{"a":1}`), stop(0), because("tool_use"), done)
		expect.Is(t, p.ended(), nil, "Pass")
	})
	play(t, "white space before a body", setting{whole: true}, func(t *testing.T, p *passage) {
		body := `{"type":"message","content":[{"type":"tool_use","id":"t","name":"ls","input":{"a":1}}],"stop_reason":"tool_use"}`
		p.upstream.data <- []byte(body)
		p.upstream.end(io.EOF)
		synctest.Wait()
		time.Sleep(121 * time.Second)
		synctest.Wait()
		expect.Equal(t, p.agent.take(), strings.Repeat("\n", 24), "the agent got")
		p.answer(0, allowed)
		synctest.Wait()
		expect.Equal(t, p.agent.take(), body, "the agent got")
		_ = p.ended()
	})
}

func TestHoldExpires(t *testing.T) {
	expired := call.Ruling{Code: call.CodeCutShort, Reason: "The call was held longer than weir's bound."}
	play(t, "a call without a ruling", setting{}, func(t *testing.T, p *passage) {
		p.send(start, tool(0, "ls"), args(0, `{"a":1}`), stop(0), text(1), says(1, "more"))
		time.Sleep(570*time.Second - time.Second)
		synctest.Wait()
		if got := p.agent.take(); strings.Contains(got, "refused") {
			t.Errorf("refused too early: %s", got)
		}
		time.Sleep(2 * time.Second)
		p.expect("the turn goes on", list(notice(0, "ls", expired), stop(0), text(1), says(1, "more"))...)
		p.answer(0, allowed) // too late
		p.send(stop(1), because("tool_use"), done)
		p.expect("the end", stop(1), because("end_turn"), done)
		_ = p.end(io.EOF)
		if o := p.judge.outcome; o.Released != 0 || o.Refused != 1 {
			t.Errorf("%d released, %d refused", o.Released, o.Refused)
		}
		if len(p.judge.withdrawn) != 1 || p.judge.withdrawn[0].ruling.Code != call.CodeCutShort || len(p.judge.refused) != 0 {
			t.Errorf("withdrawn: %v, refused: %v; want the call among the former", p.judge.withdrawn, p.judge.refused)
		}
	})
	play(t, "a call whose arguments never end", setting{}, func(t *testing.T, p *passage) {
		p.send(start, tool(0, "ls"), args(0, `{"a":`))
		time.Sleep(570*time.Second + time.Second)
		synctest.Wait()
		if got := p.agent.take(); !strings.HasSuffix(got, wire(notice(0, "ls", expired)...)) {
			t.Errorf("the agent got %s", got)
		}
		p.send(args(0, `1}`), stop(0), because("tool_use"), done)
		p.expect("the end", stop(0), because("end_turn"), done)
		_ = p.end(io.EOF)
		expect.Equal(t, len(p.judge.refused), 1, "%d refusals recorded, %d calls asked about", len(p.judge.refused), p.questions())
		expect.Equal(t, p.questions(), 0, "%d refusals recorded, %d calls asked about", len(p.judge.refused), p.questions())
	})
	play(t, "by the last event that is no ping", setting{}, func(t *testing.T, p *passage) {
		p.send(start, text(0), says(0, "Let me"))
		time.Sleep(200 * time.Second)
		p.send(says(0, " see."), stop(0), tool(1, "ls"), args(1, `{"a":1}`))
		p.expect("what is said", start, text(0), says(0, "Let me"), says(0, " see."), stop(0))
		for range 56 {
			time.Sleep(10 * time.Second)
			p.send(ping)
		}
		p.agent.take()
		p.send(args(1, ``), stop(1), tool(2, "ls"), args(2, `{"a":1}`), stop(2))
		time.Sleep(9 * time.Second)
		synctest.Wait()
		if got := p.agent.take(); strings.Contains(got, "refused") {
			t.Errorf("refused too early: %s", got)
		}
		time.Sleep(time.Second)
		// What is said of the first call is an event: the second one may wait.
		p.expect("refused", list(notice(1, "ls", expired), stop(1))...)
		p.answer(1, allowed)
		p.expect("the second", tool(2, "ls"), args(2, `{"a":1}`), stop(2))
	})
	play(t, "not at once, when the model was silent for as long", setting{}, func(_ *testing.T, p *passage) {
		p.send(start)
		time.Sleep(590 * time.Second)
		p.send(tool(0, "ls"), args(0, `{"a":1}`), stop(0))
		p.expect("the start, and life", start, ping)
		time.Sleep(4 * time.Second)
		p.answer(0, allowed)
		p.expect("the call", tool(0, "ls"), args(0, `{"a":1}`), stop(0))
	})
	const body = `{"type":"message","content":[{"type":"tool_use","id":"t","name":"ls","input":{"a":1}}],"stop_reason":"tool_use"}`
	play(t, "a body waits no longer than the bound", setting{whole: true, maxHold: time.Minute}, func(t *testing.T, p *passage) {
		p.upstream.data <- []byte(body)
		p.upstream.end(io.EOF)
		time.Sleep(time.Minute + time.Second)
		synctest.Wait()
		expect.Text(t, p.agent.take(), "the agent got", "held longer", "!input")
		_ = p.ended()
	})
	play(t, "a bound that is set", setting{maxHold: 2 * time.Second}, func(_ *testing.T, p *passage) {
		p.send(start, tool(0, "ls"), args(0, `{"a":1}`), stop(0))
		p.expect("before", start)
		time.Sleep(2100 * time.Millisecond)
		p.expect("after", list(notice(0, "ls", expired), stop(0))...)
	})
}

func TestBudget(t *testing.T) {
	tooMuch := dialect.Refused{Code: call.CodeOverBudget, Reason: "it takes more memory than weir has for it (bounds.held_client)"}
	small := func() *budget.Budget { return budget.New(budget.Config{Total: 128 << 10}) }
	calling := []string{start, tool(0, "ls"), args(0, `{"a":1}`), stop(0)}
	play(t, "exceeded inside a call", setting{budget: small()}, func(t *testing.T, p *passage) {
		p.send(start, tool(0, "ls"), args(0, `{"a":"`), args(0, strings.Repeat("x", 40_000)))
		p.expect("the turn ends", list(start, ending(0, tooMuch, "end_turn"))...)
		expect.Is(t, p.ended(), nil, "Pass")
		checkEmpty(t, p.budget)
	})
	play(t, "exceeded behind a call", setting{budget: small()}, func(t *testing.T, p *passage) {
		p.send(append(calling, text(1), says(1, strings.Repeat("x", 40_000)))...)
		p.expect("before the ruling", start)
		p.answer(0, allowed)
		p.expect("the call, and the end", list(calling[1:], text(1), stop(1), ending(2, tooMuch, "tool_use"))...)
		_ = p.ended()
		checkEmpty(t, p.budget)
	})
	play(t, "returned when calls are released", setting{budget: small()}, func(t *testing.T, p *passage) {
		p.send(calling...)
		p.answer(0, allowed)
		_ = p.end(io.EOF)
		checkEmpty(t, p.budget)
	})
	play(t, "exceeded by what is kept of a refused call", setting{budget: small()}, func(t *testing.T, p *passage) {
		p.send(start, tool(0, "rm"))
		for range 3 {
			p.send(args(0, strings.Repeat("x", 15_000)))
		}
		unreadable := call.Ruling{Code: call.CodeArgsUnreadable, Reason: "Its arguments are not one strict JSON object."}
		p.expect("the turn ends", list(start, notice(0, "rm", unreadable), stop(0), ending(1, tooMuch, "end_turn"))...)
		_ = p.ended()
		checkEmpty(t, p.budget)
	})
	for name, leave := range map[string]func(p *passage){
		"returned when the upstream breaks off": func(p *passage) { p.upstream.end(io.ErrUnexpectedEOF) },
		"returned when the agent is gone":       func(p *passage) { p.agent.leave(errors.New("gone")); time.Sleep(6 * time.Second) },
		"returned when the request is over":     func(p *passage) { p.cancel(); p.upstream.end(io.ErrUnexpectedEOF) },
	} {
		play(t, name, setting{budget: small()}, func(t *testing.T, p *passage) {
			p.send(start, tool(0, "ls"), args(0, `{"a":1}`), tool(1, "ls"), args(1, `{`))
			leave(p)
			_ = p.ended()
			checkEmpty(t, p.budget)
		})
	}
}

// checkEmpty checks that all of a budget is there again.
func checkEmpty(t *testing.T, b *budget.Budget) {
	t.Helper()
	for kind, n := range b.Held() {
		expect.Equal(t, n, 0, "%d bytes of the budget are still taken for %s", n, kind)
	}
}
