package openairesponses_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/gate"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/openairesponses"
)

// benchText is a delta as the API sends it.
var benchText = at(7, event("response.output_text.delta", `"item_id":"msg_1","output_index":0,"content_index":0`,
	`"delta":"and then it went on to the next lock, where","logprobs":[],"obfuscation":"zz91Q"`))

var benchHead = flat(at(0, created), from(1, hi(0)[:2]...))

// opened is a dialect that has seen the first frames of a message, and a delta of its text.
func opened(tb testing.TB) (dialect.Dialect, frame.Frame) {
	tb.Helper()
	d := openairesponses.Format().New(dialect.Options{MaxArguments: 1 << 20})
	sse := frame.NewSSE(strings.NewReader(wire(append(benchHead, benchText)...)), 0)
	var f frame.Frame
	for range len(benchHead) + 1 {
		var err error
		if f, err = sse.Next(); err != nil {
			tb.Fatal(err)
		}
		r, err := d.Scan(f)
		if err != nil {
			tb.Fatal(err)
		}
		if _, err := d.Rewrite(f, r); err != nil {
			tb.Fatal(err)
		}
	}
	return d, f
}

// Deltas of text are what a stream is made of: looking at one must cost nothing that the collector sees.
func TestScanAllocatesNothing(t *testing.T) {
	d, f := opened(t)
	n := testing.AllocsPerRun(2000, func() {
		if r, err := d.Scan(f); err != nil || !r.Pass {
			t.Fatalf("Scan: %v %v", r, err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations for a delta of text, want 0", n)
	}
}

func BenchmarkScanText(b *testing.B) {
	d, f := opened(b)
	b.ReportAllocs()
	b.SetBytes(int64(len(f.Raw)))
	for b.Loop() {
		if _, err := d.Scan(f); err != nil {
			b.Fatal(err)
		}
	}
}

// framesPerRead is what arrives at once when a stream is as fast as it can be.
const framesPerRead = 16

var textRun = strings.Repeat(wire(benchText), framesPerRead)

// A textStream is a response of so many deltas. It never holds more than one read of them.
type textStream struct {
	head, run, tail string // what is still to come of each
	left            int    // reads of text after run
}

func (s *textStream) Read(p []byte) (int, error) {
	if s.run == "" && s.left > 0 {
		s.run = textRun
		s.left--
	}
	for _, part := range []*string{&s.head, &s.run, &s.tail} {
		if *part != "" {
			n := copy(p, *part)
			*part = (*part)[n:]
			return n, nil
		}
	}
	return 0, io.EOF
}

// releasing is a judge that releases every call at once.
type releasing struct{}

func (releasing) Arguments(call.Call, call.Ruling) {}

func (releasing) Withdraw(_ call.Call, r call.Ruling, done func(call.Ruling)) { done(r) }

func (releasing) RefusedByName(call.Call) (call.Ruling, bool) { return call.Ruling{}, false }
func (releasing) Judge(_ context.Context, _ call.Call, done func(call.Ruling)) {
	done(call.Ruling{Released: true})
}
func (releasing) Refuse(_ call.Call, r call.Ruling, done func(call.Ruling)) { done(r) }
func (releasing) Ended(call.Outcome)                                        {}

// counter counts what is written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }
func (c *counter) Flush() error                { return nil }

// passOnce leads one response through framing, dialect and gate, and returns how many bytes came out.
func passOnce(tb testing.TB, in io.Reader) int64 {
	return passWith(tb, in, dialect.Options{MaxArguments: 1 << 20})
}

func passWith(tb testing.TB, in io.Reader, o dialect.Options) int64 {
	source := &frame.Source{R: in}
	sse := frame.NewSSE(source, 0)
	defer sse.Release()
	var out counter
	err := gate.New(gate.Config{Judge: releasing{}}).Pass(tb.Context(), gate.Passage{
		Dialect: openairesponses.Format().New(o), Source: source, In: sse, Out: &out,
	})
	if err != nil {
		tb.Fatal(err)
	}
	return int64(out)
}

func newTextStream(reads int) *textStream {
	return &textStream{head: wire(benchHead...), left: reads, tail: wire(from(8, append(hi(0)[3:], ended(hiItem))...)...)}
}

// BenchmarkTextFrame is what a delta of text costs on its way through framing, dialect and gate.
func BenchmarkTextFrame(b *testing.B) {
	for name, asked := range map[string]bool{"plain": false, "texts": true} {
		b.Run(name, func(b *testing.B) {
			size := int64(len(textRun) / framesPerRead)
			b.SetBytes(size)
			b.ReportAllocs()
			if n := passWith(b, newTextStream(b.N/framesPerRead+1), dialect.Options{Texts: asked}); n < size*int64(b.N) {
				b.Fatalf("%d bytes came out", n)
			}
		})
	}
}

// BenchmarkCall is what a whole response with one call costs, record and network apart.
func BenchmarkCall(b *testing.B) {
	in := string(stream(flat(created, rmCall(0), ended(rmItem))...))
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		if n := passOnce(b, strings.NewReader(in)); n != int64(len(in)) {
			b.Fatalf("%d bytes came out of %d", n, len(in))
		}
	}
}

// TestTextFramesDoNotAllocate compares a long response with a short one: all that is allocated is allocated once, whether
// somebody asks where the text is or not.
func TestTextFramesDoNotAllocate(t *testing.T) {
	const short, long = 100, 1_100
	for _, asked := range []bool{false, true} {
		allocs := func(reads int) float64 {
			return testing.AllocsPerRun(5, func() { passWith(t, newTextStream(reads), dialect.Options{Texts: asked}) })
		}
		// A collection of garbage may empty the pool of buffers now and then: hence not quite zero.
		if perFrame := (allocs(long) - allocs(short)) / ((long - short) * framesPerRead); perFrame > 0.001 {
			t.Errorf("%.4f allocations per passed delta, want 0; texts asked for: %v", perFrame, asked)
		}
	}
}
