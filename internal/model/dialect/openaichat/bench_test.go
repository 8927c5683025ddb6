package openaichat_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/gate"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/openaichat"
)

const (
	benchHead = `{"id":"chatcmpl-Authored01","object":"chat.completion.chunk","created":1762300000,"model":"gpt-4.1-2025-04-14",` +
		`"service_tier":"default","system_fingerprint":"fp_authored01","choices":[{"index":0,"delta":`
	benchTail = `,"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"zz91Q"}`
	benchRole = benchHead + `{"role":"assistant","content":"","refusal":null}` + benchTail
	benchText = benchHead + `{"content":"and then it went on to the next lock, where"}` + benchTail
)

// opened is a dialect that has seen the first chunk of a stream, and its second, of text.
func opened(tb testing.TB, o dialect.Options) (dialect.Dialect, frame.Frame) {
	tb.Helper()
	d := openaichat.Format().New(o)
	sse := frame.NewSSE(strings.NewReader(string(stream(benchRole, benchText))), 0)
	var f frame.Frame
	for range 2 {
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

// Text chunks are what a stream is made of: looking at one must cost nothing that the collector sees, whether somebody asks where
// the text is or not.
func TestScanAllocatesNothing(t *testing.T) {
	for _, asked := range []bool{false, true} {
		d, f := opened(t, dialect.Options{Texts: asked})
		n := testing.AllocsPerRun(200, func() {
			if r, err := d.Scan(f); err != nil || !r.Pass || len(r.Texts) > 0 != asked {
				t.Fatalf("Scan: %v %v", r, err)
			}
		})
		if n != 0 {
			t.Errorf("%v allocations for a text chunk, want 0; texts asked for: %v", n, asked)
		}
	}
}

func BenchmarkScanText(b *testing.B) {
	d, f := opened(b, dialect.Options{})
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

var textRun = strings.Repeat(string(stream(benchText)), framesPerRead)

// A textStream is a response of so many text chunks. It never holds more than one read of them.
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
	source := &frame.Source{R: in}
	sse := frame.NewSSE(source, 0)
	defer sse.Release()
	var out counter
	err := gate.New(gate.Config{Judge: releasing{}}).Pass(tb.Context(), gate.Passage{
		Dialect: openaichat.Format().New(dialect.Options{MaxArguments: 1 << 20}), Source: source, In: sse, Out: &out,
	})
	if err != nil {
		tb.Fatal(err)
	}
	return int64(out)
}

func newTextStream(reads int) *textStream {
	return &textStream{head: string(stream(benchRole)), left: reads, tail: string(stream(finish("stop"), "[DONE]"))}
}

// BenchmarkTextFrame is what a text chunk costs on its way through framing, dialect and gate.
func BenchmarkTextFrame(b *testing.B) {
	size := int64(len(textRun) / framesPerRead)
	b.SetBytes(size)
	b.ReportAllocs()
	if n := passOnce(b, newTextStream(b.N/framesPerRead+1)); n < size*int64(b.N) {
		b.Fatalf("%d bytes came out", n)
	}
}

// BenchmarkCall is what a whole response with one call costs, record and network apart.
func BenchmarkCall(b *testing.B) {
	in := string(stream(benchRole, tool(open(0, "call_1", "bash", "")), tool(more(0, `{\"command\":`)), tool(more(0, `\"go test \"}`)),
		finish("tool_calls"), "[DONE]"))
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		if n := passOnce(b, strings.NewReader(in)); n != int64(len(in)) {
			b.Fatalf("%d bytes came out of %d", n, len(in))
		}
	}
}

// TestTextFramesDoNotAllocate compares a long response with a short one: all that is allocated is allocated once.
func TestTextFramesDoNotAllocate(t *testing.T) {
	const short, long = 100, 1_100
	allocs := func(reads int) float64 {
		return testing.AllocsPerRun(5, func() { passOnce(t, newTextStream(reads)) })
	}
	// A collection of garbage may empty the pool of buffers now and then: hence not quite zero.
	if perFrame := (allocs(long) - allocs(short)) / ((long - short) * framesPerRead); perFrame > 0.001 {
		t.Errorf("%.4f allocations per passed text chunk, want 0", perFrame)
	}
}
