package gate_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/gate"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/anthropic"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// refusal is a passage of which nothing is read.
func refusal(whole bool, out gate.Writer) gate.Passage {
	src := &frame.Source{R: strings.NewReader("")}
	var in frame.Stream = frame.NewSSE(src, 0)
	if whole {
		in = frame.NewBody(src, 0)
	}
	return gate.Passage{
		Dialect: anthropic.Format().New(dialect.Options{Whole: whole, MaxArguments: 1 << 20}), Source: src, In: in, Out: out,
	}
}

// An endless response begins like any other and then says the same thing n times.
type endless struct {
	head, each []byte
	n          int
	rest       []byte
}

func (e *endless) Read(p []byte) (int, error) {
	if len(e.rest) == 0 {
		switch {
		case e.head != nil:
			e.rest, e.head = e.head, nil
		case e.n == 0:
			return 0, io.EOF
		default:
			many := min(e.n, 100)
			e.n -= many
			e.rest = bytes.Repeat(e.each, many)
		}
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

type discard struct{ io.Writer }

func (discard) Flush() error { return nil }

// passText puts a response of n text frames through the gate.
func passText(t testing.TB, n int, each []byte) {
	src := &frame.Source{R: &endless{head: []byte(wire(start, text(0))), each: each, n: n}}
	sse := frame.NewSSE(src, 0)
	defer sse.Release()
	err := gate.New(gate.Config{Judge: &judge{}}).Pass(t.Context(), gate.Passage{
		Dialect: anthropic.Format().New(dialect.Options{MaxArguments: 1 << 20}), Source: src, In: sse, Out: discard{io.Discard},
	})
	expect.OK(t, err)
}

// A response of many text frames may not cost more memory than one of few.
func TestTextAllocatesNothing(t *testing.T) {
	each := []byte(wire(says(0, "The lock is open, gate 3.")))
	reads := func(n int) float64 {
		return testing.AllocsPerRun(10, func() { passText(t, n, each) })
	}
	// What the source of the test allocates for every hundred frames counts too.
	const perHundred = 1
	if few, many := reads(1000), reads(11000); many-few > 100*perHundred+10 {
		t.Errorf("%v allocations for 1000 text frames and %v for 11000", few, many)
	}
}

func BenchmarkPassText(b *testing.B) {
	each := []byte(wire(says(0, "The lock is open, gate 3.")))
	b.ReportAllocs()
	b.SetBytes(int64(len(each)))
	passText(b, b.N, each)
}
