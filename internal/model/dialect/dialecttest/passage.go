package dialecttest

import (
	"bytes"
	"context"
	"io"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/gate"
	"github.com/weir-gate/weir/internal/model/dialect"
)

// bounds under which tests read; generous, so that only tests of bounds meet them.
const (
	maxFrame     = 4 << 20
	maxArguments = 1 << 20
)

// A Passage is one response to put through the gate.
type Passage struct {
	Format dialect.Format
	Whole  bool // the response is one body
	// Framing is that of a stream; the zero value is that of server-sent events.
	Framing frame.Framing
	In      io.Reader
	Judge   *Judge
	// Texts says that the gate's dialect is asked where frames have text.
	Texts bool
	// Leaves is the write at which the agent turns out to be gone; 0: it stays.
	Leaves int
}

// A Result is the result of a Passage.
type Result struct {
	Out    []byte // what the agent got
	Err    error  // the error of Pass
	Events []Event
	Heard  []Heard // the frames that the dialect read, if it was asked for their texts

	stale error // says that the gate mixed up the texts of frames
}

// Outcome is how the response ended, for the record.
func (r Result) Outcome() call.Outcome { return r.Events[len(r.Events)-1].Outcome }

// Pass puts a response through a gate.
func Pass(p Passage) Result {
	src := &frame.Source{R: p.In}
	in, release := frame.Open(src, framingOf(p.Whole, p.Framing), maxFrame)
	defer release()
	out := sink{leaves: p.Leaves}
	listening := &listener{asked: p.Texts, Dialect: p.Format.New(dialect.Options{
		Whole: p.Whole, Drop: p.Judge.Policy.Drop, Texts: p.Texts, MaxArguments: maxArguments,
	})}
	err := gate.New(gate.Config{Judge: p.Judge}).Pass(context.Background(), gate.Passage{
		Exchange: call.Exchange{Dialect: p.Format.Name},
		Dialect:  listening,
		Source:   src, In: in, Out: &out,
	})
	return Result{Out: out.Bytes(), Err: err, Events: p.Judge.Events(), Heard: listening.heard, stale: listening.err}
}

// Put puts all of a response through a gate, and asks for its texts.
func Put(format dialect.Format, framing frame.Framing, in []byte, p Policy) Result {
	return Pass(Passage{
		Format: format, Whole: framing == frame.Whole, Framing: framing, In: bytes.NewReader(in), Judge: &Judge{Policy: p}, Texts: true,
	})
}

// A sink stores what is written to it.
type sink struct {
	bytes.Buffer
	leaves, writes int
}

// Write implements io.Writer.
func (s *sink) Write(b []byte) (int, error) {
	if s.writes++; s.leaves > 0 && s.writes >= s.leaves {
		return 0, io.ErrClosedPipe
	}
	return s.Buffer.Write(b)
}

// Flush implements gate.Writer.
func (*sink) Flush() error { return nil }

// Chunks is a reader that returns one chunk for each read, then err.
type Chunks struct {
	chunks [][]byte
	err    error
}

// CutAt returns Chunks of data, cut at these places, that end well.
func CutAt(data []byte, places ...int) *Chunks {
	c := &Chunks{err: io.EOF}
	from := 0
	for _, to := range append(places, len(data)) {
		if to > from {
			c.chunks = append(c.chunks, data[from:to])
			from = to
		}
	}
	return c
}

// ByteByByte returns Chunks of one byte each.
func ByteByByte(data []byte) *Chunks {
	places := make([]int, len(data))
	for i := range places {
		places[i] = i
	}
	return CutAt(data, places...)
}

// BrokenAfter returns Chunks of data that break off after n bytes.
func BrokenAfter(data []byte, n int) *Chunks {
	c := CutAt(data[:n])
	c.err = io.ErrUnexpectedEOF
	return c
}

// Read implements io.Reader.
func (c *Chunks) Read(p []byte) (int, error) {
	if len(c.chunks) == 0 {
		return 0, c.err
	}
	n := copy(p, c.chunks[0])
	if c.chunks[0] = c.chunks[0][n:]; len(c.chunks[0]) == 0 {
		c.chunks = c.chunks[1:]
	}
	return n, nil
}
