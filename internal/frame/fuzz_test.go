package frame

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// checkReading holds a stream against a simple reader of whole streams: the frames are what the most lenient client
// sees, and what is written is what a strict one sees.
func checkReading(t *testing.T, in []byte) {
	t.Helper()
	frames, out := readSSE(t, bytes.NewReader(in))
	if raw := joinRaw(frames); !bytes.Equal(raw, in) {
		t.Fatalf("join of Raw is %q, want %q", raw, in)
	}
	want := events(in, false)
	if diff := cmp.Diff(want, seen(frames)); diff != "" {
		t.Fatalf("frames of %q (-want +got):\n%s", in, diff)
	}
	var wantOut []event
	for _, e := range want {
		if e.Data != "" {
			wantOut = append(wantOut, written(e))
		}
	}
	if diff := cmp.Diff(wantOut, events(out, true)); diff != "" {
		t.Fatalf("strict reading of what was written, %q (-want +got):\n%s", out, diff)
	}
	checkWritten(t, in, out)
	checkPlain(t, in)
}

// checkWritten demands that what was written is in the one form that is read alike, so that it stays as it is.
func checkWritten(t *testing.T, in, out []byte) {
	t.Helper()
	again, outAgain := readSSE(t, bytes.NewReader(out))
	if !bytes.Equal(out, outAgain) {
		t.Fatalf("%q is written as %q and then as %q", in, out, outAgain)
	}
	for _, f := range again {
		// What makes text odd is not in the framing: it stays, and whoever reads the data refuses it.
		if !f.Plain && readAlike(f.Data) {
			t.Fatalf("%q is written as %q, where %q is not plain", in, out, f.Raw)
		}
	}
}

// checkPlain demands that a plain frame is what Append would have made of it.
func checkPlain(t *testing.T, in []byte) {
	t.Helper()
	s := NewSSE(bytes.NewReader(in), 0)
	defer s.Release()
	for _, f := range readAll(t, s) {
		if !f.Plain || len(f.Data) == 0 {
			continue
		}
		reframed := s.Append(nil, Frame{Type: f.Type, Data: f.Data})
		if !bytes.Equal(reframed, f.Raw) {
			t.Fatalf("%q passes as plain, but would be framed as %q", f.Raw, reframed)
		}
	}
}

// streamParts are what streams are made of, and what they are abused with.
var streamParts = []string{
	"data: {\"type\":\"ping\"}\n\n", "event: ping\ndata: {}\n\n", "event: x\r\ndata: {}\r\n\r\n", "data: 1\r\r",
	"data", "data:", "data: ", "event", "event: ", "event: e", "id: 1", "retry: 5", ":", ": c", "x: y", " ", "\t",
	"\n", "\n", "\r", "\r\n", "\ufeff", "\xef\xbb", "\xbf", "\u2028", "\u0085", "\x00", "\x0b", "\xff", "é", "{\"a\":", "}", "[DONE]",
}

func TestGeneratedStreams(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 1500 {
		var in []byte
		for range random.IntN(14) {
			in = append(in, streamParts[random.IntN(len(streamParts))]...)
		}
		checkReading(t, in)
		checkEveryCut(t, in)
	}
}

func FuzzSSE(f *testing.F) {
	for name := range hostile {
		f.Add(readFixture(f, name), uint64(1))
	}
	for _, tt := range framings {
		f.Add([]byte(tt.in), uint64(2))
	}
	f.Fuzz(func(t *testing.T, in []byte, seed uint64) {
		checkReading(t, in)
		want, _ := readSSE(t, bytes.NewReader(in))
		got, _ := readSSE(t, everyByte(in))
		if diff := cmp.Diff(want, got, sameFrame); diff != "" {
			t.Fatalf("%q read byte by byte (-whole +bytes):\n%s", in, diff)
		}
		got, _ = readSSE(t, randomCuts(in, seed))
		if diff := cmp.Diff(want, got, sameFrame); diff != "" {
			t.Fatalf("%q read in pieces (-whole +pieces):\n%s", in, diff)
		}
	})
}

// randomCuts is a source that hands out b in pieces of up to 16 bytes.
func randomCuts(b []byte, seed uint64) *chunks {
	random := rand.New(rand.NewPCG(seed, 0))
	var c chunks
	for len(b) > 0 {
		n := min(len(b), 1+random.IntN(16))
		c, b = append(c, b[:n]), b[n:]
	}
	return &c
}
