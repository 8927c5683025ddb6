package anthropic_test

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/gate"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/anthropic"
)

const (
	benchStart = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"msg_01\",\"type\":\"message\",\"role\":\"assistant\"," +
		"\"model\":\"m\",\"content\":[],\"stop_reason\":null,\"stop_sequence\":null,\"usage\":{\"input_tokens\":9,\"output_tokens\":1}}}\n\n"
	benchTextStart = "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n"
	benchText      = "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"and then it went\"}}\n\n"
	benchCallStart = "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"toolu_01\",\"name\":\"Bash\",\"input\":{}}}\n\n"
	benchCall      = "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"command\\\":\"}}\n\n" +
		"event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"\\\"go test \"}}\n\n" +
		"event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"./...\\\"}\"}}\n\n"
	benchStop = "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n"
	benchEnd  = "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\",\"stop_sequence\":null},\"usage\":{\"output_tokens\":7}}\n\n" +
		"event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"
)

// framesPerRead is what arrives at once when a stream is as fast as it can be.
const framesPerRead = 16

// A textStream is a response of so many text frames. It never holds more than one read of them.
type textStream struct {
	head, run, tail []byte // what is still to come of each
	left            int    // text frames after run
}

var textRun = bytes.Repeat([]byte(benchText), framesPerRead)

func newTextStream(frames int) *textStream {
	return &textStream{head: []byte(benchStart + benchTextStart), left: frames, tail: []byte(benchStop + benchEnd)}
}

func (s *textStream) Read(p []byte) (int, error) {
	if len(s.run) == 0 && s.left > 0 {
		n := min(s.left, framesPerRead)
		s.run, s.left = textRun[:n*len(benchText)], s.left-n
	}
	for _, part := range []*[]byte{&s.head, &s.run, &s.tail} {
		if len(*part) > 0 {
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
	stream := frame.NewSSE(source, 0)
	defer stream.Release()
	var out counter
	err := gate.New(gate.Config{Judge: releasing{}}).Pass(tb.Context(), gate.Passage{
		Dialect: anthropic.Format().New(o), Source: source, In: stream, Out: &out,
	})
	if err != nil {
		tb.Fatal(err)
	}
	return int64(out)
}

// BenchmarkTextFrame is what a text frame costs on its way through framing, dialect and gate, beside what copying its
// bytes costs.
func BenchmarkTextFrame(b *testing.B) {
	b.Run("memcpy", func(b *testing.B) {
		b.SetBytes(int64(len(benchText)))
		b.ReportAllocs()
		in, out := textRun, make([]byte, len(textRun))
		for i := 0; i < b.N; i += framesPerRead {
			copy(out, in)
		}
	})
	b.Run("gate", func(b *testing.B) {
		b.SetBytes(int64(len(benchText)))
		b.ReportAllocs()
		if n := passOnce(b, newTextStream(b.N)); n < int64(b.N*len(benchText)) {
			b.Fatalf("%d bytes came out", n)
		}
	})
	b.Run("texts", func(b *testing.B) {
		b.SetBytes(int64(len(benchText)))
		b.ReportAllocs()
		passWith(b, newTextStream(b.N), dialect.Options{Texts: true})
	})
}

// BenchmarkCall is what a whole response with one call costs, record and network apart.
func BenchmarkCall(b *testing.B) {
	const text = benchStart + benchCallStart + benchCall + benchStop + benchEnd
	b.Run("memcpy", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		in, out := []byte(text), make([]byte, len(text))
		for b.Loop() {
			copy(out, in)
		}
	})
	b.Run("gate", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		in := []byte(text)
		for b.Loop() {
			if n := passOnce(b, bytes.NewReader(in)); n != int64(len(text)) {
				b.Fatalf("%d bytes came out of %d", n, len(text))
			}
		}
	})
}

// TestTextFramesDoNotAllocate compares a long response with a short one: all that is allocated is allocated once, whether
// somebody asks where the text is or not.
func TestTextFramesDoNotAllocate(t *testing.T) {
	const short, long = 1_000, 11_000
	for _, asked := range []bool{false, true} {
		allocs := func(frames int) float64 {
			return testing.AllocsPerRun(5, func() { passWith(t, newTextStream(frames), dialect.Options{Texts: asked}) })
		}
		// A collection of garbage may empty the pool of buffers now and then: hence not quite zero.
		if perFrame := (allocs(long) - allocs(short)) / (long - short); perFrame > 0.001 {
			t.Errorf("%.4f allocations per passed text frame, want 0; texts asked for: %v", perFrame, asked)
		}
	}
}
