package formats_test

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/gate"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/formats"
	"github.com/weir-gate/weir/internal/model/wire"
)

// framesPerRead is what arrives at once when a stream is as fast as it can be.
const framesPerRead = 16

// A course is a stream of text in a format: its frames up to the first text, one of text, and those after the last.
type course struct {
	name             string
	format           dialect.Format
	framing          frame.Framing
	head, text, tail []byte
}

// courses are one of each format, and those in which Gemini differs: an array, and the wrapper of Code Assist.
func courses() (list []course) {
	for _, f := range formats.All() {
		c := course{name: f.Name, format: f, framing: f.Kit.Framing}
		var data string
		said := []wire.Block{wire.Text("and then it went on to the next lock, where")}
		for _, s := range f.Kit.Stream(wire.Turn{Model: "m", ID: "r1", Blocks: said}) {
			switch {
			case s.Text != "":
				c.text, data = f.Kit.Encode(s), s.Data
			case c.text == nil:
				c.head = append(c.head, f.Kit.Encode(s)...)
			default:
				c.tail = append(c.tail, f.Kit.Encode(s)...)
			}
		}
		list = append(list, c)
		if f.Kit == &wire.Gemini {
			wrapped := `{"response":` + data + `}`
			list = append(list,
				course{name: "wrapped", format: f, framing: frame.Events, text: f.Kit.Encode(wire.Step{Data: wrapped})},
				course{name: "array", format: f, framing: frame.Elements, head: []byte("[" + data), text: []byte("," + data)},
				course{name: "wrapped in an array", format: f, framing: frame.Elements, head: []byte("[" + wrapped), text: []byte("," + wrapped)})
		}
	}
	return list
}

// opened is a dialect that has seen some text, and a frame of text.
func (c course) opened(tb testing.TB, texts bool) (dialect.Dialect, frame.Frame) {
	tb.Helper()
	d := c.format.New(dialect.Options{MaxArguments: 1 << 20, Texts: texts})
	in, _ := frame.Open(bytes.NewReader(append(bytes.Clone(c.head), bytes.Repeat(c.text, 3)...)), c.framing, 0)
	var last frame.Frame
	for passed := 0; passed < 2; {
		f, err := in.Next()
		if err != nil {
			tb.Fatal(err)
		}
		r, err := d.Scan(f)
		if err == nil && !r.Pass {
			_, err = d.Rewrite(f, r)
		}
		if err != nil {
			tb.Fatal(err)
		}
		if bytes.Contains(f.Data, []byte("next lock")) {
			passed, last = passed+1, f
		}
	}
	return d, last
}

// Text is what a stream is made of: looking at a frame of it must cost nothing that the collector sees, whether somebody asks where
// the text is or not.
func TestScanAllocatesNothing(t *testing.T) {
	for _, c := range courses() {
		for _, asked := range []bool{false, true} {
			d, f := c.opened(t, asked)
			n := testing.AllocsPerRun(200, func() {
				if r, err := d.Scan(f); err != nil || !r.Pass || len(r.Texts) > 0 != asked {
					t.Fatalf("%s: Scan: %v %v", c.name, r, err)
				}
			})
			if n != 0 {
				t.Errorf("%s: %v allocations for a frame of text, want 0; texts asked for: %v", c.name, n, asked)
			}
		}
	}
}

func BenchmarkScanText(b *testing.B) {
	for _, c := range courses() {
		b.Run(c.name, func(b *testing.B) {
			d, f := c.opened(b, false)
			b.ReportAllocs()
			b.SetBytes(int64(len(f.Raw)))
			for b.Loop() {
				if _, err := d.Scan(f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A textStream is a response of many frames of text. It never holds more than one read of them.
type textStream struct {
	all             []byte // one read of text
	head, run, tail []byte // what is still to come of each
	left            int    // reads of text after run
}

// stream is a response of so many reads of text.
func (c course) stream(reads int) *textStream {
	return &textStream{all: bytes.Repeat(c.text, framesPerRead), head: c.head, left: reads, tail: c.tail}
}

func (s *textStream) Read(p []byte) (int, error) {
	if len(s.run) == 0 && s.left > 0 {
		s.run = s.all
		s.left--
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

func (releasing) Arguments(call.Call, call.Ruling)                            {}
func (releasing) Withdraw(_ call.Call, r call.Ruling, done func(call.Ruling)) { done(r) }
func (releasing) RefusedByName(call.Call) (call.Ruling, bool)                 { return call.Ruling{}, false }

func (releasing) Judge(_ context.Context, _ call.Call, done func(call.Ruling)) {
	done(call.Ruling{Released: true})
}
func (releasing) Refuse(_ call.Call, r call.Ruling, done func(call.Ruling)) { done(r) }
func (releasing) Ended(call.Outcome)                                        {}

// counter counts what is written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }
func (c *counter) Flush() error                { return nil }

// pass leads one response through framing, dialect and gate, and returns how many bytes came out.
func (c course) pass(tb testing.TB, in io.Reader, texts bool) int64 {
	source := &frame.Source{R: in}
	stream, release := frame.Open(source, c.framing, 0)
	defer release()
	var out counter
	err := gate.New(gate.Config{Judge: releasing{}}).Pass(tb.Context(), gate.Passage{
		Dialect: c.format.New(dialect.Options{MaxArguments: 1 << 20, Texts: texts}), Source: source, In: stream, Out: &out,
	})
	if err != nil {
		tb.Fatal(err)
	}
	return int64(out)
}

// whole says whether the course can be passed to its end.
func (c course) whole() bool { return c.tail != nil }

// TestTextFramesDoNotAllocate compares a long response with a short one: all that is allocated is allocated once, whether
// somebody asks where the text is or not.
func TestTextFramesDoNotAllocate(t *testing.T) {
	const short, long = 100, 600
	for _, c := range courses() {
		for _, asked := range []bool{false, true} {
			if !c.whole() {
				continue
			}
			allocs := func(reads int) float64 {
				return testing.AllocsPerRun(5, func() { c.pass(t, c.stream(reads), asked) })
			}
			// A collection of garbage may empty the pool of buffers now and then: hence not quite zero.
			if perFrame := (allocs(long) - allocs(short)) / ((long - short) * framesPerRead); perFrame > 0.001 {
				t.Errorf("%s: %.4f allocations per passed frame of text, want 0; texts asked for: %v", c.name, perFrame, asked)
			}
		}
	}
}

// BenchmarkTextFrame is what a frame of text costs on its way through framing, dialect and gate, beside what copying its bytes costs.
func BenchmarkTextFrame(b *testing.B) {
	for _, c := range courses() {
		if !c.whole() {
			continue
		}
		measure := func(how string, pass func(b *testing.B)) {
			b.Run(c.name+"/"+how, func(b *testing.B) {
				b.SetBytes(int64(len(c.text)))
				b.ReportAllocs()
				pass(b)
			})
		}
		measure("memcpy", func(b *testing.B) {
			in := bytes.Repeat(c.text, framesPerRead)
			out := make([]byte, len(in))
			for i := 0; i < b.N; i += framesPerRead {
				copy(out, in)
			}
		})
		for how, texts := range map[string]bool{"gate": false, "texts": true} {
			measure(how, func(b *testing.B) {
				if n := c.pass(b, c.stream(b.N/framesPerRead+1), texts); n < int64(b.N*len(c.text)) {
					b.Fatalf("%d bytes came out", n)
				}
			})
		}
	}
}

// BenchmarkCall is what a whole response with one call costs, record and network apart.
func BenchmarkCall(b *testing.B) {
	for _, c := range courses() {
		if !c.whole() {
			continue
		}
		b.Run(c.name, func(b *testing.B) {
			call := wire.Call("Bash", `{"command":`, `"go test `, `./..."}`)
			call.ID = "call_1"
			in := c.format.Kit.Bytes(wire.Turn{Model: "m", ID: "r1", Blocks: []wire.Block{call}})
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				if n := c.pass(b, bytes.NewReader(in), false); n != int64(len(in)) {
					b.Fatalf("%d bytes came out of %d", n, len(in))
				}
			}
		})
	}
}
