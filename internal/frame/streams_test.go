package frame

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// passThrough returns all frames of s, and what they are once written with the end behind them.
func passThrough(t testing.TB, s Stream) (frames []Frame, out []byte) {
	t.Helper()
	defer release(s)
	frames = readAll(t, s)
	for _, f := range frames {
		out = s.Append(out, f)
	}
	return frames, s.AppendEnd(out)
}

// release gives back what a stream has borrowed: tests open many.
func release(s Stream) {
	if r, ok := s.(interface{ Release() }); ok {
		r.Release()
	}
}

// reading is all that a stream says of a source.
type reading struct {
	Frames []Frame
	Err    string
}

func readingOf(s Stream) reading {
	defer release(s)
	frames, err := readUntilError(s)
	return reading{frames, err.Error()}
}

// checkSame demands that two readings of in are the same.
func checkSame(t *testing.T, in []byte, how string, want, got reading) {
	t.Helper()
	same := func(a, b Frame) bool {
		return bytes.Equal(a.Raw, b.Raw) && bytes.Equal(a.Type, b.Type) && bytes.Equal(a.Data, b.Data) &&
			a.Plain == b.Plain && a.Cut == b.Cut && a.Failure == b.Failure
	}
	if want.Err != got.Err || !slices.EqualFunc(want.Frames, got.Frames, same) {
		t.Fatalf("%q read %s (-whole +pieces):\n%s", in, how, cmp.Diff(want, got, sameFrame))
	}
}

// checkAnyCut demands the same frames and the same end of in, however it is cut.
func checkAnyCut(t *testing.T, open func(io.Reader) Stream, in []byte) {
	t.Helper()
	want := readingOf(open(bytes.NewReader(in)))
	checkSame(t, in, "byte by byte", want, readingOf(open(everyByte(in))))
	for i := range in {
		checkSame(t, in, fmt.Sprint("cut at ", i), want, readingOf(open(cutAt(in, i))))
	}
}

// A boundCase is a source that a stream with a bound of 64 bytes reads.
type boundCase struct {
	name, in string
	frames   int
	want     error
}

const testBound = 64

// checkBounds demands the frames and the error of each case, however the bytes arrive, and that the error stays.
func checkBounds(t *testing.T, open func(io.Reader) Stream, tests []boundCase) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for how, src := range map[string]io.Reader{"whole": strings.NewReader(tt.in), "byte by byte": everyByte([]byte(tt.in))} {
				s := open(src)
				frames, err := readUntilError(s)
				if len(frames) != tt.frames || !errors.Is(err, tt.want) {
					t.Errorf("%s: %d frames and %v, want %d and %v", how, len(frames), err, tt.frames, tt.want)
				}
				for _, f := range frames {
					if len(f.Raw) > testBound {
						t.Errorf("%s: a frame of %d bytes", how, len(f.Raw))
					}
				}
				if _, again := s.Next(); again != err {
					t.Errorf("%s: next error is %v, want %v again", how, again, err)
				}
			}
		})
	}
}

// checkChunks demands that so many frames are read and written as they were, in chunks of several sizes.
func checkChunks(t *testing.T, open func(io.Reader) Stream, in []byte, frames int) {
	t.Helper()
	for _, chunk := range []int{1, 1000, readSize, len(in)} {
		src := chunks(slices.Collect(slices.Chunk(in, chunk)))
		got, out := passThrough(t, open(&src))
		if len(got) != frames || !bytes.Equal(out, in) {
			t.Errorf("chunks of %d: %d frames, same bytes: %t", chunk, len(got), bytes.Equal(out, in))
		}
	}
}

// checkBroken demands that a source that breaks off after one whole frame gives that frame and the cause.
func checkBroken(t *testing.T, open func(io.Reader) Stream, in string) {
	t.Helper()
	for _, cause := range []error{errReset, io.ErrUnexpectedEOF, fmt.Errorf("decode: %w", io.EOF)} {
		frames, err := readUntilError(open(&brokenReader{strings.NewReader(in), cause}))
		if len(frames) != 1 || string(frames[0].Data) != "{}" {
			t.Errorf("%v after %q: frames %v, want only the complete one", cause, in, frames)
		}
		if !errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || !strings.Contains(err.Error(), cause.Error()) {
			t.Errorf("%v after %q: error %v", cause, in, err)
		}
	}
}

// checkReads demands how many reads were made before each frame came.
func checkReads(t *testing.T, open func(io.Reader) Stream, src chunks, want []int) {
	t.Helper()
	reads := 0
	s := open(&Source{R: &src, BeforeRead: func() { reads++ }})
	var got []int
	for range want {
		if _, err := s.Next(); err != nil {
			t.Fatal(err)
		}
		got = append(got, reads)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("reads before each frame (-want +got):\n%s", diff)
	}
}

func TestWindowReleased(t *testing.T) {
	lines, array := NewLines(strings.NewReader("{}\n{}\n"), 0), NewArray(strings.NewReader("[{},{}]"), 0)
	for _, s := range []interface {
		Stream
		Release()
	}{lines, array} {
		if _, err := s.Next(); err != nil {
			t.Fatal(err)
		}
		s.Release()
		s.Release()
		if f, err := s.Next(); err == nil || errors.Is(err, io.EOF) {
			t.Errorf("Next of %T after Release: %v, %v; want an error that is no end", s, f, err)
		}
	}
}

func TestSourceWithoutProgress(t *testing.T) {
	for _, s := range []Stream{NewLines(emptyReader{}, 0), NewArray(emptyReader{}, 0)} {
		if _, err := s.Next(); !errors.Is(err, io.ErrNoProgress) || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%T: error %v, want no progress", s, err)
		}
	}
}

func TestStreamsAllocateNothingPerFrame(t *testing.T) {
	const frames = 1000
	streams := map[string]Stream{
		"lines": newLines(strings.NewReader(strings.Repeat("{\"message\":{\"content\":\"é\"}}\n", frames+1))),
		"array": newArray(strings.NewReader("[" + strings.Repeat("{\"candidates\":[]}\r\n,", frames+1))),
	}
	for name, s := range streams {
		out := make([]byte, 0, 1<<10)
		allocs := testing.AllocsPerRun(frames, func() {
			f, err := s.Next()
			if err != nil || !f.Plain {
				t.Fatalf("frame %q: %v", f.Raw, err)
			}
			out = s.Append(out[:0], f)
		})
		if allocs != 0 {
			t.Errorf("%s: %v allocations per frame, want none", name, allocs)
		}
	}
}

// assemble puts some parts together.
func assemble(random *rand.Rand, parts []string) []byte {
	var in []byte
	for range random.IntN(14) {
		in = append(in, parts[random.IntN(len(parts))]...)
	}
	return in
}
