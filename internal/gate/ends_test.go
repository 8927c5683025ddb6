package gate_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/gate"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

func TestEnds(t *testing.T) {
	play(t, "the agent is gone while a call is held", setting{}, func(t *testing.T, p *passage) {
		p.send(start, tool(0, "ls"), args(0, `{"a":1}`), stop(0))
		gone := errors.New("connection reset")
		p.agent.leave(gone)
		p.answer(0, allowed)
		// The reader is blocked in an upstream that sends nothing more: only the abort lets it return.
		expect.Is(t, p.ended(), gone, "Pass")
		select {
		case <-p.upstream.aborted:
		default:
			t.Error("the upstream was not aborted")
		}
	})
	play(t, "the agent is gone while text streams", setting{}, func(t *testing.T, p *passage) {
		p.send(start)
		gone := errors.New("connection reset")
		p.agent.leave(gone)
		p.send(text(0))
		p.send(says(0, "x"))
		expect.Is(t, p.ended(), gone, "Pass")
	})
	play(t, "the request is over while a call is held", setting{}, func(t *testing.T, p *passage) {
		p.send(start, tool(0, "ls"), args(0, `{"a":1}`), stop(0))
		p.cancel()
		synctest.Wait()
		expect.Fails(t, p.end(io.ErrUnexpectedEOF), "Pass says that all is well")
		p.expect("nothing of the call", start)
	})
	play(t, "the request is over at the end", setting{}, func(t *testing.T, p *passage) {
		p.send(start, tool(0, "ls"), args(0, `{"a":1}`), stop(0))
		p.upstream.end(io.EOF)
		synctest.Wait()
		p.cancel()
		expect.Fails(t, p.ended(), "Pass says that all is well")
		if o := p.judge.outcome; o.Released != 0 || o.Refused != 1 {
			t.Errorf("%d released, %d refused; nothing reached the agent", o.Released, o.Refused)
		}
	})
	play(t, "the agent hangs up when the wire has said that it is over", setting{}, func(t *testing.T, p *passage) {
		p.send(start, text(0), says(0, "x"), stop(0), because("end_turn"), done)
		p.cancel()
		_ = p.end(io.ErrUnexpectedEOF) // what the reader meets when its request is over
		if o := p.judge.outcome; !o.Clean || o.Code != "" {
			t.Errorf("outcome %+v, want a clean end", o)
		}
	})
	play(t, "the upstream breaks off inside a call", setting{}, func(t *testing.T, p *passage) {
		p.send(start, text(0), stop(0), tool(1, "ls"), args(1, `{"a":`))
		expect.Is(t, p.end(io.ErrUnexpectedEOF), gate.ErrBroken, "Pass")
		p.expect("no notice, and nothing of the call", start, text(0), stop(0))
		if o := p.judge.outcome; o.Clean || o.Refused != 1 {
			t.Errorf("outcome %+v", o)
		}
		if got := p.judge.refused; len(got) != 1 || got[0].ruling.Code != call.CodeCutShort || !got[0].ruling.Silent {
			t.Errorf("recorded %+v", got)
		}
	})
	play(t, "the upstream ends inside a call, as if all were well", setting{}, func(t *testing.T, p *passage) {
		p.send(start, text(0), stop(0), tool(1, "ls"), args(1, `{"a":`))
		expect.Is(t, p.end(io.EOF), gate.ErrBroken, "Pass")
		p.expect("no notice, and nothing of the call", start, text(0), stop(0))
		if o := p.judge.outcome; o.Clean || o.Refused != 1 {
			t.Errorf("outcome %+v", o)
		}
	})
	play(t, "the upstream breaks off behind a call", setting{}, func(t *testing.T, p *passage) {
		p.send(start, tool(0, "ls"), args(0, `{"a":1}`), stop(0))
		p.upstream.end(io.ErrUnexpectedEOF)
		p.answer(0, allowed)
		expect.Is(t, p.ended(), gate.ErrBroken, "Pass")
		p.expect("the call was complete", start, tool(0, "ls"), args(0, `{"a":1}`), stop(0))
	})
	play(t, "the upstream ends inside a frame", setting{}, func(t *testing.T, p *passage) {
		p.upstream.data <- []byte(wire(start) + `data: {"type":"content_block_st`)
		expect.Is(t, p.end(io.EOF), gate.ErrBroken, "Pass")
		p.expect("what was whole", start)
	})
	play(t, "the last frame lacks its blank line", setting{}, func(t *testing.T, p *passage) {
		p.upstream.data <- []byte(strings.TrimSuffix(wire(start, text(0), stop(0), because("end_turn"), done), "\n\n"))
		expect.Is(t, p.end(io.EOF), nil, "Pass")
		p.expect("everything", start, text(0), stop(0), because("end_turn"), done)
	})
	play(t, "a frame is too large", setting{maxFrame: 1000}, func(t *testing.T, p *passage) {
		p.send(start, text(0), says(0, strings.Repeat("x", 2000)))
		p.expect("the turn ends", list(start, text(0), stop(0),
			ending(1, dialect.Refused{Code: call.CodeMalformed, Reason: "a frame is larger than weir's bound"}, "end_turn"))...)
		expect.Is(t, p.ended(), nil, "Pass")
		expect.Equal(t, p.judge.outcome.Code, call.CodeMalformed, "outcome %+v", p.judge.outcome)
	})
	play(t, "a bad frame behind a call that is still being judged", setting{}, func(t *testing.T, p *passage) {
		p.send(start, tool(0, "ls"), args(0, `{"a":1}`), stop(0), `{"type":"content_block_stop","index":9}`)
		p.expect("the call is not forgotten", start)
		p.answer(0, allowed)
		p.expect("the call, and the end", list(tool(0, "ls"), args(0, `{"a":1}`), stop(0), ending(1,
			dialect.Refused{Code: call.CodeMalformed, Reason: "a content block is spoken of that is not open"}, "tool_use"))...)
		expect.Is(t, p.ended(), nil, "Pass")
	})
}

func TestStoreUnavailable(t *testing.T) {
	play(t, "for a call that the agent is to run", setting{}, func(_ *testing.T, p *passage) {
		p.send(start, tool(0, "ls"), args(0, `{"a":1}`), stop(0), because("tool_use"), done)
		p.answer(0, lost)
		p.expect("a notice", list(start, notice(0, "ls", lost), stop(0), because("end_turn"), done)...)
	})
	play(t, "for a call that the provider ran", setting{}, func(t *testing.T, p *passage) {
		search := []string{block(0, "server_tool_use", "search"), args(0, `{"a":1}`), stop(0)}
		p.send(append([]string{start}, search...)...)
		p.send(tool(1, "ls"), args(1, `{"a":1}`), stop(1), because("tool_use"), done)
		p.expect("held until it is recorded", start)
		p.answer(1, allowed)
		p.answer(0, lost)
		p.expect("a notice, and the turn goes on", list(notice(0, "search", lost), stop(0),
			tool(1, "ls"), args(1, `{"a":1}`), stop(1), because("tool_use"), done)...)
		expect.Is(t, p.end(io.EOF), nil, "Pass")
		if o := p.judge.outcome; o.Code != "" || o.Released != 1 || o.Refused != 1 {
			t.Errorf("outcome %+v", o)
		}
	})
}

func TestRefuse(t *testing.T) {
	why := dialect.Refused{Code: call.CodeUndecodable, Reason: "the encoding is unknown"}
	for name, whole := range map[string]bool{"stream": false, "body": true} {
		t.Run(name, func(t *testing.T) {
			j, out := &judge{}, &agent{}
			err := gate.New(gate.Config{Judge: j}).Refuse(t.Context(), refusal(whole, out), why)
			expect.Is(t, err, nil, "Refuse")
			got := out.take()
			if !strings.Contains(got, "[weir] The rest of this response was refused (undecodable): the encoding is unknown.") ||
				!strings.Contains(got, `"end_turn"`) || strings.Contains(got, "message_stop") == whole {
				t.Errorf("the agent got %s", got)
			}
			want := &call.Outcome{Code: why.Code, Reason: why.Reason}
			expect.NoDiff(t, cmp.Diff(want, j.outcome), "outcome")
		})
	}
}
