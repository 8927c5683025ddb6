package ollama_test

import (
	"testing"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/ollama"
)

// opened is a dialect that has seen a line of text, and that line.
func opened(tb testing.TB, o dialect.Options) (dialect.Dialect, frame.Frame) {
	tb.Helper()
	d := ollama.Format().New(o)
	line := text("and then it went on to the next lock, where")
	f := frame.Frame{Raw: lines(line), Data: []byte(line), Plain: true}
	if _, err := d.Scan(f); err != nil {
		tb.Fatal(err)
	}
	return d, f
}

// Lines of text are what a stream is made of: looking at one must cost nothing that the collector sees, whether somebody asks
// where the text is or not.
func TestScanAllocatesNothing(t *testing.T) {
	for _, asked := range []bool{false, true} {
		d, f := opened(t, dialect.Options{Texts: asked})
		n := testing.AllocsPerRun(200, func() {
			if r, err := d.Scan(f); err != nil || !r.Pass || len(r.Texts) > 0 != asked {
				t.Fatalf("Scan: %v %v", r, err)
			}
		})
		if n != 0 {
			t.Errorf("%v allocations for a line of text, want 0; texts asked for: %v", n, asked)
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
