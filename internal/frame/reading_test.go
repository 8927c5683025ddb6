package frame

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// chunks is a source that hands out one chunk per read.
type chunks [][]byte

func (c *chunks) Read(p []byte) (int, error) {
	for len(*c) > 0 && len((*c)[0]) == 0 {
		*c = (*c)[1:]
	}
	if len(*c) == 0 {
		return 0, io.EOF
	}
	n := copy(p, (*c)[0])
	(*c)[0] = (*c)[0][n:]
	return n, nil
}

// everyByte is a source that hands out one byte per read.
func everyByte(b []byte) io.Reader {
	var c chunks
	for i := range b {
		c = append(c, b[i:i+1])
	}
	return &c
}

// cutAt is a source that hands out b in two pieces.
func cutAt(b []byte, i int) io.Reader { return &chunks{b[:i], b[i:]} }

// readAll returns clones of all frames of s.
func readAll(t testing.TB, s Stream) []Frame {
	t.Helper()
	frames, err := readUntilError(s)
	if err != io.EOF {
		t.Fatalf("read frames: %v", err)
	}
	if _, err := s.Next(); err != io.EOF {
		t.Fatalf("Next after the end: %v, want io.EOF again", err)
	}
	return frames
}

func readUntilError(s Stream) ([]Frame, error) {
	var frames []Frame
	for {
		f, err := s.Next()
		if err != nil {
			return frames, err
		}
		frames = append(frames, f.Clone())
	}
}

// readSSE reads all frames of src and writes them again.
func readSSE(t testing.TB, src io.Reader) (frames []Frame, out []byte) {
	t.Helper()
	s := NewSSE(src, 0)
	defer s.Release()
	frames = readAll(t, s)
	for _, f := range frames {
		out = s.Append(out, f)
	}
	return frames, out
}

func joinRaw(frames []Frame) []byte {
	var raw []byte
	for _, f := range frames {
		raw = append(raw, f.Raw...)
	}
	return raw
}

// An event is what a client sees of a frame.
type event struct {
	Type, Data string
	Cut        bool
}

var lineEnds = regexp.MustCompile(`\r\n|\n|\r`)

// events reads a whole stream at once, in the simplest way. Strict is the WHATWG reading; else U+FEFF is stripped from
// every line and an event without a blank line at the end counts, as Cut.
func events(in []byte, strict bool) []event {
	in = bytes.TrimPrefix(in, []byte("\ufeff"))
	lines := lineEnds.Split(string(in), -1)
	var (
		out  []event
		typ  string
		data []string
	)
	dispatch := func(cut bool) {
		if len(data) > 0 {
			out = append(out, event{typ, strings.Join(data, "\n"), cut})
		}
		typ, data = "", nil
	}
	for i, line := range lines {
		if !strict && i > 0 {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		// What follows the last line end is not a line yet, so it is never a blank one.
		if line == "" && i < len(lines)-1 {
			dispatch(false)
			continue
		}
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "event":
			typ = value
		case "data":
			data = append(data, value)
		}
	}
	if !strict {
		dispatch(true)
	}
	return out
}

// seen returns the events that frames with a data line carry, as events does.
func seen(frames []Frame) []event {
	var out []event
	for _, f := range frames {
		if f.Data != nil {
			out = append(out, event{string(f.Type), string(f.Data), f.Cut})
		}
	}
	return out
}

// written is what an event must look like once it was written: one line, a name only if it is beyond doubt.
func written(e event) event {
	e.Cut = false
	for _, r := range e.Type {
		if r <= ' ' || r > '~' {
			e.Type = ""
			break
		}
	}
	pairs := []string{"\u0085", `\u0085`, "\u2028", `\u2028`, "\u2029", `\u2029`}
	for _, end := range []string{"\n", "\r", "\v", "\f", "\x1c", "\x1d", "\x1e"} {
		pairs = append(pairs, end, " ")
	}
	e.Data = strings.NewReplacer(pairs...).Replace(e.Data)
	return e
}

// A brokenReader hands out its bytes and then fails.
type brokenReader struct {
	r   io.Reader
	err error
}

func (b *brokenReader) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if err == io.EOF {
		err = b.err
	}
	return n, err
}

var errReset = errors.New("connection reset")

func TestTextIsRuneWise(t *testing.T) {
	// firstOdd must agree with a plain reading rune by rune, wherever its eight-byte steps fall.
	simple := func(b []byte) int {
		for i := 0; i < len(b); {
			r, size := utf8.DecodeRune(b[i:])
			if r < ' ' && r != '\t' || r == utf8.RuneError && size == 1 || strings.ContainsRune("\u0085\u2028\u2029", r) {
				return i
			}
			i += size
		}
		return len(b)
	}
	pieces := []string{"\x00", "\x1f", " ", "\t", "\n", "\x7f", "\x80", "\xff", "é", "\u0085", "\u2027", "\u2028", "\u2029", "\u202a", "\ufeff", "\ufffd", "😀", "\xe2\x80"}
	for _, piece := range pieces {
		for before := range 20 {
			for after := range 10 {
				b := []byte(strings.Repeat("a", before) + piece + strings.Repeat("~", after))
				if got, want := firstOdd(b), simple(b); got != want {
					t.Errorf("firstOdd(%q) = %d, want %d", b, got, want)
				}
			}
		}
	}
}
