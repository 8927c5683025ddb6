package gate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/gate"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/gemini"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// beginArray starts a passage of a response that is an array which grows.
func beginArray(t *testing.T, maxHold time.Duration) *passage {
	ctx, cancel := context.WithCancel(context.Background())
	p := &passage{
		t: t, upstream: newUpstream(), judge: &judge{}, agent: &agent{}, cancel: cancel, result: make(chan error, 1),
	}
	src := &frame.Source{R: p.upstream}
	go func() {
		p.result <- gate.New(gate.Config{Judge: p.judge, MaxHold: maxHold}).Pass(ctx, gate.Passage{
			Exchange: call.Exchange{Dialect: gemini.Name},
			Dialect:  gemini.Format().New(dialect.Options{MaxArguments: 1 << 20}),
			Source:   src, In: frame.NewArray(src, 0), Out: p.agent, Abort: p.upstream.abort,
		})
	}()
	t.Cleanup(cancel)
	return p
}

// element is what comes of a response at once: some parts of the turn.
func element(parts ...string) string {
	return `{"candidates":[{"content":{"parts":[` + strings.Join(parts, ",") + `],"role":"model"},"index":0}]}`
}

func words(s string) string { return fmt.Sprintf(`{"text":%q}`, s) }

func function(name string) string { return `{"functionCall":{"name":"` + name + `","args":{"a":1}}}` }

// signed is a call that carries the signature of its set: those behind it are of no use without it.
func signed(name string) string {
	return strings.TrimSuffix(function(name), "}") + `,"thoughtSignature":"c2ln"}`
}

const finished = `{"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"STOP","index":0}]}`

// sendBytes puts bytes on the wire.
func (p *passage) sendBytes(s string) { p.upstream.data <- []byte(s) }

// got is what the agent has been sent since the last time.
func (p *passage) got() string {
	p.questions() // waits until nothing more happens
	return p.agent.take()
}

// called are the names of the calls in an array, which must be whole.
func called(t *testing.T, array string) []string {
	t.Helper()
	var elements []struct {
		Candidates []struct {
			Content struct {
				Parts []struct {
					FunctionCall struct{ Name string }
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(array), &elements); err != nil {
		t.Fatalf("%v: %s", err, array)
	}
	var names []string
	for _, e := range elements {
		for _, c := range e.Candidates {
			for _, part := range c.Content.Parts {
				if part.FunctionCall.Name != "" {
					names = append(names, part.FunctionCall.Name)
				}
			}
		}
	}
	return names
}

func TestEndOfArray(t *testing.T) {
	hello := element(words("hello"))
	whole := "[" + hello + "\n,\r\n" + finished + "\n]\n"
	tests := []struct {
		name, in, want string
		end            error // of the upstream
		broken         bool
	}{
		{"as it came", whole, whole, io.EOF, false},
		{"empty", "[\n]", "[\n]", io.EOF, false},
		{"not closed", "[" + hello + "\n,", "[" + hello, io.EOF, true},
		{"broken off", "[" + hello + "\n,", "[" + hello, io.ErrUnexpectedEOF, true},
		{"broken off in an element", "[" + hello + ",{", "[" + hello, io.ErrUnexpectedEOF, true},
		{"broken off behind the end", whole, strings.TrimSuffix(whole, "\n]\n"), io.ErrUnexpectedEOF, true},
	}
	for _, tt := range tests {
		run(t, tt.name, func(t *testing.T) {
			p := beginArray(t, 0)
			p.sendBytes(tt.in)
			if err := p.end(tt.end); errors.Is(err, gate.ErrBroken) != tt.broken || !tt.broken && err != nil {
				t.Errorf("Pass: %v", err)
			}
			expect.NoDiff(t, cmp.Diff(tt.want, p.got()), "the agent got")
		})
	}
}

// What weir ends is an array too, with all that was there before.
func TestEndOfRefusedArray(t *testing.T) {
	hello := element(words("hello"))
	tests := map[string]string{
		"at once":                "x",
		"an element is broken":   "[" + hello + ",{]",
		"an element is none":     "[" + hello + ",1",
		"garbage behind the end": "[" + hello + "]x",
		"an object":              hello,
	}
	for name, in := range tests {
		run(t, name, func(t *testing.T) {
			p := beginArray(t, 0)
			p.sendBytes(in)
			if err := p.ended(); err != nil || p.judge.outcome.Code != call.CodeMalformed {
				t.Errorf("Pass: %v, outcome %+v", err, p.judge.outcome)
			}
			got := p.got()
			if !json.Valid([]byte(got)) || got[0] != '[' || !strings.Contains(got, "[weir] The rest of this response was refused (malformed)") {
				t.Errorf("the agent got %s", got)
			}
			if strings.HasPrefix(in, "["+hello) && !strings.HasPrefix(got, "["+hello) {
				t.Errorf("what came before is not there: %s", got)
			}
		})
	}
	t.Run("without a response", func(t *testing.T) {
		out := &agent{}
		src := &frame.Source{R: strings.NewReader("")}
		err := gate.New(gate.Config{Judge: &judge{}}).Refuse(t.Context(), gate.Passage{
			Dialect: gemini.Format().New(dialect.Options{}), Source: src, In: frame.NewArray(src, 0), Out: out,
		}, dialect.Refused{Code: call.CodeUndecodable, Reason: "the encoding is unknown"})
		if got := out.take(); err != nil || !json.Valid([]byte(got)) || !strings.HasPrefix(got, "[{") || !strings.Contains(got, "(undecodable)") {
			t.Errorf("Refuse: %v, the agent got %s", err, got)
		}
	})
}

// The end is written when all before it is.
func TestEndOfArrayWaits(t *testing.T) {
	run(t, "for a call", func(t *testing.T) {
		p := beginArray(t, 0)
		in := "[" + element(function("ls")) + "," + finished + "]"
		p.sendBytes(in)
		p.upstream.end(io.EOF)
		expect.Equal(t, p.got(), "", "before the ruling the agent got")
		p.answer(0, allowed)
		expect.Is(t, p.ended(), nil, "Pass")
		expect.NoDiff(t, cmp.Diff(in, p.got()), "the agent got")
	})
	run(t, "in vain for an agent that is gone", func(t *testing.T) {
		p := beginArray(t, 0)
		p.sendBytes("[" + element(words("hello")))
		p.got()
		gone := errors.New("connection reset")
		p.agent.leave(gone)
		p.sendBytes("," + finished + "]")
		expect.Is(t, p.end(io.EOF), gone, "Pass")
	})
}

// A call that needs another one is ruled after it, and refused with it.
func TestSet(t *testing.T) {
	in := "[" + element(signed("lead"), function("second"), function("third")) + "," + finished + "]"
	run(t, "the leader is asked about first", func(t *testing.T) {
		p := beginArray(t, 0)
		p.sendBytes(in)
		if n := p.questions(); n != 1 || p.judge.asked[0].call.Tool != "lead" {
			t.Fatalf("the judge was asked about %d calls before the leader was ruled, want 1", n)
		}
		p.answer(0, allowed)
		if n := p.questions(); n != 3 {
			t.Fatalf("the judge was asked about %d calls after it, want 3", n)
		}
		p.answer(2, allowed)
		p.answer(1, denied)
		expect.Is(t, p.end(io.EOF), nil, "Pass")
		expect.NoDiff(t, cmp.Diff([]string{"lead", "third"}, called(t, p.got())), "calls")
	})
	run(t, "the leader is refused", func(t *testing.T) {
		p := beginArray(t, 0)
		p.sendBytes(in)
		p.answer(0, denied)
		expect.Is(t, p.end(io.EOF), nil, "Pass")
		checkSetRefused(t, p, denied, "second", "third")
		expect.Equal(t, p.questions(), 1, "the judge was asked about … calls")
	})
	run(t, "the leader is refused by name", func(t *testing.T) {
		p := beginArray(t, 0)
		p.judge.names = map[string]bool{"lead": true}
		p.sendBytes(in)
		expect.Is(t, p.end(io.EOF), nil, "Pass")
		expect.Equal(t, p.questions(), 0, "the judge was asked about … calls")
		checkSetRefused(t, p, denied, "lead", "second", "third")
	})
	run(t, "the leader came in an element before", func(t *testing.T) {
		p := beginArray(t, 0)
		p.sendBytes("[" + element(signed("lead")) + "," + element(words("and")))
		p.answer(0, denied)
		p.sendBytes("," + element(function("second")) + "," + finished + "]")
		expect.Is(t, p.end(io.EOF), nil, "Pass")
		checkSetRefused(t, p, denied, "second")
	})
	run(t, "the leader's arguments cannot be read", func(t *testing.T) {
		p := beginArray(t, 0)
		p.sendBytes(strings.Replace(in, `{"a":1}`, `{"a":1,"a":2}`, 1))
		expect.Is(t, p.end(io.EOF), nil, "Pass")
		expect.Equal(t, p.questions(), 0, "the judge was asked about … calls")
		if got := called(t, p.got()); len(got) != 0 {
			t.Errorf("calls %v", got)
		}
		if o := p.judge.outcome; o.Refused != 3 || o.Released != 0 {
			t.Errorf("outcome %+v", o)
		}
	})
	run(t, "nobody rules the leader", func(t *testing.T) {
		p := beginArray(t, time.Minute)
		p.sendBytes(in)
		p.upstream.end(io.EOF)
		expect.Is(t, p.ended(), nil, "Pass")
		if got := called(t, p.got()); len(got) != 0 {
			t.Errorf("calls %v", got)
		}
		if o := p.judge.outcome; o.Refused != 3 || o.Released != 0 {
			t.Errorf("outcome %+v", o)
		}
		for _, r := range append(p.judge.withdrawn, p.judge.refused...) {
			expect.Equal(t, r.ruling.Code, call.CodeCutShort, "%s was recorded as %+v", r.call.Tool, r.ruling)
		}
		if led, leader := len(p.judge.refused), len(p.judge.withdrawn); led != 2 || leader != 1 {
			t.Errorf("%d calls were recorded as refused and %d as withdrawn, want 2 and 1", led, leader)
		}
	})
	run(t, "the upstream breaks off while the leader is held", func(t *testing.T) {
		p := beginArray(t, 0)
		p.sendBytes("[" + element(signed("lead"), function("second")))
		p.questions()
		p.upstream.end(io.ErrUnexpectedEOF)
		p.answer(0, denied)
		expect.Is(t, p.ended(), gate.ErrBroken, "Pass")
		if got := p.got(); strings.Contains(got, "functionCall") {
			t.Errorf("the agent got %s", got)
		}
	})
}

// checkSetRefused checks that no call reached the agent, and that these were recorded as refused with the leader.
func checkSetRefused(t *testing.T, p *passage, leader call.Ruling, recorded ...string) {
	t.Helper()
	if got := called(t, p.got()); len(got) != 0 {
		t.Errorf("calls %v reached the agent", got)
	}
	var names []string
	for _, r := range p.judge.refused {
		names = append(names, r.call.Tool)
		if r.ruling.Code != leader.Code || r.ruling.Rule != leader.Rule || r.ruling.Released {
			t.Errorf("%s was recorded as %+v", r.call.Tool, r.ruling)
		}
		if r.call.Tool != "lead" && r.ruling.Reason == leader.Reason {
			t.Errorf("%s has the leader's reason", r.call.Tool)
		}
	}
	expect.NoDiff(t, cmp.Diff(recorded, names), "recorded as refused")
}
