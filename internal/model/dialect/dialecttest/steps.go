package dialecttest

import (
	"io"
	"testing"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/gate"
	"github.com/weir-gate/weir/internal/model/dialect"
)

// A Step is what an upstream sends, and what is sent on at once because of it; "": nothing.
type Step struct{ In, Want string }

// CheckSteps sends a stream of server-sent events through the gate step by step, and checks which frames wait.
func CheckSteps(t *testing.T, format dialect.Format, p Policy, steps []Step) {
	t.Helper()
	in, out, done := make(reading), make(sent, 8), make(chan error)
	src := &frame.Source{R: in}
	go func() {
		done <- gate.New(gate.Config{Judge: &Judge{Policy: p}}).Pass(t.Context(), gate.Passage{
			Dialect: format.New(dialect.Options{MaxArguments: maxArguments}), Source: src, In: frame.NewSSE(src, 0), Out: out,
		})
	}()
	for _, s := range steps {
		in <- s.In
		if s.Want == "" {
			continue
		}
		if got := <-out; got != s.Want {
			t.Errorf("after %s\ncame %s", s.In, got)
		}
	}
	close(in)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// reading is a reader of what is sent on a channel.
type reading chan string

// Read implements io.Reader.
func (r reading) Read(p []byte) (int, error) {
	s, ok := <-r
	if !ok {
		return 0, io.EOF
	}
	return copy(p, s), nil
}

// sent hands on what is written to it.
type sent chan string

// Write implements io.Writer.
func (s sent) Write(p []byte) (int, error) { s <- string(p); return len(p), nil }

// Flush implements gate.Writer.
func (s sent) Flush() error { return nil }
