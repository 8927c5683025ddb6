package gemini_test

import (
	"bytes"
	"testing"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/gemini"
)

const benchText = `{"candidates":[{"content":{"role":"model","parts":[{"text":"and then it went on to the next lock, where"}]},"index":0}],` +
	`"usageMetadata":{"promptTokenCount":30,"candidatesTokenCount":4,"totalTokenCount":34,"promptTokensDetails":[{"modality":"TEXT","tokenCount":30}]},` +
	`"modelVersion":"gemini-2.5-flash","responseId":"authoredRespId01"}`

// opened is a dialect that has seen the first element of a stream, and its second, of text.
func opened(tb testing.TB, in frame.Framing, element string, texts bool) (dialect.Dialect, frame.Frame) {
	tb.Helper()
	d := gemini.Format().New(dialect.Options{MaxArguments: 1 << 20, Texts: texts})
	var s frame.Stream = frame.NewSSE(bytes.NewReader(stream(element, element)), 0)
	if in == frame.Elements {
		s = frame.NewArray(bytes.NewReader(array(element, element)), 0)
	}
	var f frame.Frame
	for range 2 {
		var err error
		if f, err = s.Next(); err != nil {
			tb.Fatal(err)
		}
		if _, err := d.Scan(f); err != nil {
			tb.Fatal(err)
		}
	}
	return d, f
}

// Text elements are what a stream is made of: looking at one must cost nothing that the collector sees, whether somebody asks where
// the text is or not.
func TestScanAllocatesNothing(t *testing.T) {
	for name, element := range map[string]string{"plain": benchText, "wrapped": wrap(benchText)} {
		for how, framing := range streamed {
			for _, asked := range []bool{false, true} {
				d, f := opened(t, framing, element, asked)
				n := testing.AllocsPerRun(200, func() {
					if r, err := d.Scan(f); err != nil || !r.Pass {
						t.Fatalf("Scan: %v %v", r, err)
					}
				})
				if n != 0 {
					t.Errorf("%s, %s: %v allocations for a text element, want 0; texts asked for: %v", name, how, n, asked)
				}
			}
		}
	}
}

func BenchmarkScanText(b *testing.B) {
	for how, framing := range streamed {
		b.Run(how, func(b *testing.B) {
			d, f := opened(b, framing, benchText, false)
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
