package frame

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Frames in short: what the table below needs of them.
func plain(raw, typ, data string) Frame { return made(raw, typ, data, true) }
func odd(raw, typ, data string) Frame   { return made(raw, typ, data, false) }

func made(raw, typ, data string, plain bool) Frame {
	f := Frame{Raw: []byte(raw), Plain: plain}
	if typ != "" {
		f.Type = []byte(typ)
	}
	if data != "" {
		f.Data = []byte(data)
	}
	return f
}

func cut(f Frame) Frame {
	f.Cut = true
	return f
}

// sameFrame takes nil and empty for the same.
var sameFrame = cmp.Comparer(func(a, b Frame) bool {
	return bytes.Equal(a.Raw, b.Raw) && bytes.Equal(a.Type, b.Type) && bytes.Equal(a.Data, b.Data) &&
		a.Plain == b.Plain && a.Cut == b.Cut
})

var framings = []struct {
	name string
	in   string
	want []Frame
	out  string
}{
	{"nothing", "", nil, ""},
	{"data", "data: a\n\n", []Frame{plain("data: a\n\n", "", "a")}, "data: a\n\n"},
	{"event and data", "event: e\ndata: a\n\n", []Frame{plain("event: e\ndata: a\n\n", "e", "a")}, "event: e\ndata: a\n\n"},
	{
		"crlf", "event: e\r\ndata: a\r\n\r\ndata: b\r\n\r\n",
		[]Frame{plain("event: e\r\ndata: a\r\n\r\n", "e", "a"), plain("data: b\r\n\r\n", "", "b")},
		"event: e\r\ndata: a\r\n\r\ndata: b\r\n\r\n",
	},
	{
		"crlf, then lf", "data: a\r\n\r\ndata: b\n\n",
		[]Frame{plain("data: a\r\n\r\n", "", "a"), odd("data: b\n\n", "", "b")},
		"data: a\r\n\r\ndata: b\r\n\r\n",
	},
	{
		"lf, then crlf", "data: a\n\ndata: b\r\n\r\n",
		[]Frame{plain("data: a\n\n", "", "a"), odd("data: b\r\n\r\n", "", "b")},
		"data: a\n\ndata: b\n\n",
	},
	{
		"lone cr", "data: a\r\rdata: b\r\r",
		[]Frame{odd("data: a\r\r", "", "a"), odd("data: b\r\r", "", "b")},
		"data: a\n\ndata: b\n\n",
	},
	{
		"lone cr, then crlf: the lf begins the next frame", "data: a\r\r\ndata: b\r\n\r\n",
		[]Frame{odd("data: a\r\r", "", "a"), odd("\ndata: b\r\n\r", "", "b"), odd("\n", "", "")},
		"data: a\n\ndata: b\n\n",
	},
	{
		"lone cr, then lf", "data: a\r\rdata: b\n\ndata: c\n\n",
		[]Frame{odd("data: a\r\r", "", "a"), odd("data: b\n\n", "", "b"), odd("data: c\n\n", "", "c")},
		"data: a\n\ndata: b\n\ndata: c\n\n",
	},
	{
		"lone cr in an lf stream", "data: a\n\ndata: b\r\rdata: c\n\n",
		[]Frame{plain("data: a\n\n", "", "a"), odd("data: b\r\r", "", "b"), plain("data: c\n\n", "", "c")},
		"data: a\n\ndata: b\n\ndata: c\n\n",
	},
	{
		"blank line of crlf after lf", "data: a\n\r\ndata: b\n\n",
		[]Frame{odd("data: a\n\r\n", "", "a"), plain("data: b\n\n", "", "b")},
		"data: a\n\ndata: b\n\n",
	},
	{
		"byte order mark", "\ufeffdata: a\n\ndata: b\n\n",
		[]Frame{odd("\ufeffdata: a\n\n", "", "a"), plain("data: b\n\n", "", "b")},
		"data: a\n\ndata: b\n\n",
	},
	{"marks before lines", "\ufeffevent: e\n\ufeffdata: a\n\n", []Frame{odd("\ufeffevent: e\n\ufeffdata: a\n\n", "e", "a")}, "event: e\ndata: a\n\n"},
	{"only one mark is stripped", "\ufeff\ufeffdata: a\n\n", []Frame{odd("\ufeff\ufeffdata: a\n\n", "", "")}, ""},
	{
		"blank line of a mark", "data: a\n\ufeff\ndata: b\n\n",
		[]Frame{odd("data: a\n\ufeff\n", "", "a"), plain("data: b\n\n", "", "b")},
		"data: a\n\ndata: b\n\n",
	},
	{"mark before the value", "data: \ufeffa\n\n", []Frame{odd("data: \ufeffa\n\n", "", "\ufeffa")}, "data: \ufeffa\n\n"},
	{"mark inside the value", "data: a\ufeff\n\n", []Frame{plain("data: a\ufeff\n\n", "", "a\ufeff")}, "data: a\ufeff\n\n"},
	{"no space", "data:a\n\n", []Frame{odd("data:a\n\n", "", "a")}, "data: a\n\n"},
	{"event without space", "event:e\ndata: a\n\n", []Frame{odd("event:e\ndata: a\n\n", "e", "a")}, "event: e\ndata: a\n\n"},
	{"two spaces", "data:  a\n\n", []Frame{plain("data:  a\n\n", "", " a")}, "data:  a\n\n"},
	{"event with two spaces", "event:  e\ndata: a\n\n", []Frame{odd("event:  e\ndata: a\n\n", " e", "a")}, "data: a\n\n"},
	{"data without colon", "data\n\n", []Frame{odd("data\n\n", "", "")}, ""},
	{"empty data", "data: \n\n", []Frame{odd("data: \n\n", "", "")}, ""},
	{"two data lines", "data: a\ndata: b\n\n", []Frame{odd("data: a\ndata: b\n\n", "", "a\nb")}, "data: a b\n\n"},
	{"three data lines, one bare", "data: a\ndata\ndata:b\n\n", []Frame{odd("data: a\ndata\ndata:b\n\n", "", "a\n\nb")}, "data: a  b\n\n"},
	{"event after data", "data: a\nevent: e\n\n", []Frame{odd("data: a\nevent: e\n\n", "e", "a")}, "event: e\ndata: a\n\n"},
	{"two events, the last wins", "event: d\nevent: e\ndata: a\n\n", []Frame{odd("event: d\nevent: e\ndata: a\n\n", "e", "a")}, "event: e\ndata: a\n\n"},
	{"empty event", "event:\ndata: a\n\n", []Frame{odd("event:\ndata: a\n\n", "", "a")}, "data: a\n\n"},
	{"event without data", "event: e\n\ndata: a\n\n", []Frame{odd("event: e\n\n", "e", ""), plain("data: a\n\n", "", "a")}, "data: a\n\n"},
	{"id and retry", "id: 1\nretry: 5\ndata: a\n\n", []Frame{odd("id: 1\nretry: 5\ndata: a\n\n", "", "a")}, "data: a\n\n"},
	{"id alone", "id: 1\n\n", []Frame{odd("id: 1\n\n", "", "")}, ""},
	{"unknown fields", "Data: a\n data: b\ndata : c\n\n", []Frame{odd("Data: a\n data: b\ndata : c\n\n", "", "")}, ""},
	{"comment", ": x\n:\n\n", []Frame{plain(": x\n:\n\n", "", "")}, ": x\n:\n\n"},
	{"comment in crlf", ": x\r\n\r\n", []Frame{plain(": x\r\n\r\n", "", "")}, ": x\r\n\r\n"},
	{"comment in lone cr", ": x\r\r", []Frame{odd(": x\r\r", "", "")}, ""},
	{"comment before data", ": x\ndata: a\n\n", []Frame{odd(": x\ndata: a\n\n", "", "a")}, "data: a\n\n"},
	{"comment after data", "data: a\n: x\n\n", []Frame{odd("data: a\n: x\n\n", "", "a")}, "data: a\n\n"},
	{"comment that hides a line", ": x\u2028data: a\n\n", []Frame{odd(": x\u2028data: a\n\n", "", "")}, ""},
	{"comment with a line of its own for some", ": x\x0bdata: a\n\n", []Frame{odd(": x\x0bdata: a\n\n", "", "")}, ""},
	{
		"blank lines", "\n\ndata: a\n\n\n\n",
		[]Frame{plain("\n", "", ""), plain("\n", "", ""), plain("data: a\n\n", "", "a"), plain("\n", "", ""), plain("\n", "", "")},
		"\n\ndata: a\n\n\n\n",
	},
	{"not utf-8", "data: \xff\n\n", []Frame{odd("data: \xff\n\n", "", "\xff")}, "data: \xff\n\n"},
	{"nul", "data: \x00\n\n", []Frame{odd("data: \x00\n\n", "", "\x00")}, "data: \x00\n\n"},
	{"event not ascii", "event: é\ndata: a\n\n", []Frame{odd("event: é\ndata: a\n\n", "é", "a")}, "data: a\n\n"},
	{"non-ascii text", "data: é😀\n\n", []Frame{plain("data: é😀\n\n", "", "é😀")}, "data: é😀\n\n"},
	{
		"separators in text", "data: \"a\u2028b\u2029c\u0085d\"\n\n",
		[]Frame{odd("data: \"a\u2028b\u2029c\u0085d\"\n\n", "", "\"a\u2028b\u2029c\u0085d\"")},
		"data: \"a\\u2028b\\u2029c\\u0085d\"\n\n",
	},
	{"vertical tab and form feed", "data: a\x0bb\x0cc\n\n", []Frame{odd("data: a\x0bb\x0cc\n\n", "", "a\x0bb\x0cc")}, "data: a b c\n\n"},
	{"end in a line", "data: a", []Frame{cut(odd("data: a", "", "a"))}, "data: a\n\n"},
	{"end after a line", "data: a\n", []Frame{cut(odd("data: a\n", "", "a"))}, "data: a\n\n"},
	{"end after cr", "data: a\r", []Frame{cut(odd("data: a\r", "", "a"))}, "data: a\n\n"},
	{"end after lf cr", "data: a\n\r", []Frame{odd("data: a\n\r", "", "a")}, "data: a\n\n"},
	{"end in crlf", "data: a\r\n\r", []Frame{odd("data: a\r\n\r", "", "a")}, "data: a\r\n\r\n"},
	{"end in a comment", "data: a\n\n: x\n", []Frame{plain("data: a\n\n", "", "a"), cut(odd(": x\n", "", ""))}, "data: a\n\n"},
	{"end in a mark", "data: a\n\ufeff", []Frame{cut(odd("data: a\n\ufeff", "", "a"))}, "data: a\n\n"},
	{"end in half a mark", "data: a\n\xef\xbb", []Frame{cut(odd("data: a\n\xef\xbb", "", "a"))}, "data: a\n\n"},
	{"only a mark", "\ufeff", []Frame{cut(odd("\ufeff", "", ""))}, ""},
}

func TestSSEFraming(t *testing.T) {
	for _, tt := range framings {
		t.Run(tt.name, func(t *testing.T) {
			got, out := readSSE(t, strings.NewReader(tt.in))
			if diff := cmp.Diff(tt.want, got, sameFrame); diff != "" {
				t.Errorf("frames of %q (-want +got):\n%s", tt.in, diff)
			}
			if diff := cmp.Diff(tt.out, string(out)); diff != "" {
				t.Errorf("written again (-want +got):\n%s", diff)
			}
			checkEveryCut(t, []byte(tt.in))
		})
	}
}

// checkEveryCut demands the same frames of in, however it is cut.
func checkEveryCut(t *testing.T, in []byte) {
	t.Helper()
	want, _ := readSSE(t, bytes.NewReader(in))
	if got := joinRaw(want); !bytes.Equal(got, in) {
		t.Fatalf("join of Raw is %q, want %q", got, in)
	}
	got, _ := readSSE(t, everyByte(in))
	if diff := cmp.Diff(want, got, sameFrame); diff != "" {
		t.Fatalf("read byte by byte (-whole +bytes):\n%s", diff)
	}
	for i := range in {
		got, _ := readSSE(t, cutAt(in, i))
		if diff := cmp.Diff(want, got, sameFrame); diff != "" {
			t.Fatalf("cut at %d (-whole +cut):\n%s", i, diff)
		}
	}
}

func TestSSEBound(t *testing.T) {
	const bound = 64
	exact := func(n int) string { return "data: " + strings.Repeat("x", n-len("data: \n\n")) + "\n\n" }
	tests := []struct {
		name, in string
		frames   int
		want     error
	}{
		{"at the bound", exact(bound) + exact(bound), 2, io.EOF},
		{"over the bound", exact(bound) + exact(bound+1), 1, ErrOversize},
		{"never ending", exact(10) + strings.Repeat("x", 100<<10), 1, ErrOversize},
		{"cut within the bound", "data: " + strings.Repeat("x", bound-6), 1, io.EOF},
		{"cut over the bound", "data: " + strings.Repeat("x", bound-5), 0, ErrOversize},
		{"lone cr at the bound", strings.Replace(exact(bound), "\n\n", "\n\r", 1), 1, io.EOF},
		{"lone cr over the bound", strings.Replace(exact(bound+1), "\n\n", "\n\r", 1), 0, ErrOversize},
		{"many lines", strings.Repeat("data\n", 20), 0, ErrOversize},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for how, src := range map[string]io.Reader{"whole": strings.NewReader(tt.in), "byte by byte": everyByte([]byte(tt.in))} {
				s := NewSSE(src, bound)
				frames, err := readUntilError(s)
				if len(frames) != tt.frames || !errors.Is(err, tt.want) {
					t.Errorf("%s: %d frames and %v, want %d and %v", how, len(frames), err, tt.frames, tt.want)
				}
				if _, again := s.Next(); again != err {
					t.Errorf("%s: next error is %v, want %v again", how, again, err)
				}
			}
		})
	}
}

func TestSSEGrowsForLargeFrames(t *testing.T) {
	var in []byte
	for _, size := range []int{1, readSize - 8, readSize, readSize + 1, 5 * readSize, 100, 200 << 10} {
		in = fmt.Appendf(in, "data: %s\n\n", strings.Repeat("x", size))
	}
	for _, chunk := range []int{1, 1000, readSize, len(in)} {
		var src chunks
		for rest := in; len(rest) > 0; {
			n := min(chunk, len(rest))
			src, rest = append(src, rest[:n]), rest[n:]
		}
		frames, out := readSSE(t, &src)
		if len(frames) != 7 || !bytes.Equal(out, in) {
			t.Errorf("chunks of %d: %d frames, same bytes: %t", chunk, len(frames), bytes.Equal(out, in))
		}
	}
}

func TestSSEBrokenSource(t *testing.T) {
	tests := []struct {
		name  string
		cause error
	}{
		{"reset", errReset},
		{"unexpected end", io.ErrUnexpectedEOF},
		{"wrapped end is no clean end", fmt.Errorf("decode: %w", io.EOF)},
	}
	for _, tt := range tests {
		for _, in := range []string{"data: a\n\n", "data: a\n\ndata: b\n", "data: a\n\ndata: b\n\r"} {
			frames, err := readUntilError(NewSSE(&brokenReader{strings.NewReader(in), tt.cause}, 0))
			if len(frames) != 1 || string(frames[0].Data) != "a" {
				t.Errorf("%s after %q: frames %v, want only the complete one", tt.name, in, frames)
			}
			if !errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || !strings.Contains(err.Error(), tt.cause.Error()) {
				t.Errorf("%s after %q: error %v", tt.name, in, err)
			}
			if tt.cause == errReset && !errors.Is(err, errReset) {
				t.Errorf("%s after %q: %v does not wrap its cause", tt.name, in, err)
			}
		}
	}
}

type emptyReader struct{}

func (emptyReader) Read([]byte) (int, error) { return 0, nil }

func TestSSESourceWithoutProgress(t *testing.T) {
	if _, err := NewSSE(emptyReader{}, 0).Next(); !errors.Is(err, io.ErrNoProgress) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error %v, want no progress", err)
	}
}

func TestSSEReadsOnlyWhenItMust(t *testing.T) {
	tests := []struct {
		name   string
		chunks chunks
		want   []int // reads made before each frame came
	}{
		{"lf", chunks{[]byte("data: a\n\n: x\n\n\ndata: b\n\nda"), []byte("ta: c\n\n")}, []int{1, 1, 1, 1, 2}},
		{"crlf", chunks{[]byte("data: a\r\n\r\ndata: b\r\n\r"), []byte("\n")}, []int{1, 2}},
		{"lone cr", chunks{[]byte("data: a\r\r"), []byte("data: b\r\r"), []byte("data: c\r\r")}, []int{1, 2, 3}},
		{"lone cr once", chunks{[]byte("data: a\n\n"), []byte("data: b\r\r"), []byte("data: c\n\n")}, []int{1, 3, 3}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			reads := 0
			s := NewSSE(&Source{R: &tt.chunks, BeforeRead: func() { reads++ }}, 0)
			var got []int
			for range tt.want {
				if _, err := s.Next(); err != nil {
					t.Fatal(err)
				}
				got = append(got, reads)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("reads before each frame (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSSEAppendMadeFrames(t *testing.T) {
	crlf := NewSSE(strings.NewReader("data: a\r\n\r\n"), 0)
	readAll(t, crlf)
	fresh := NewSSE(strings.NewReader(""), 0)
	tests := []struct {
		name string
		s    *SSE
		f    Frame
		want string
	}{
		{"as the stream has it", crlf, odd("", "e", "{}"), "event: e\r\ndata: {}\r\n\r\n"},
		{"before anything was read", fresh, odd("", "e", "{}"), "event: e\ndata: {}\n\n"},
		{"no name", fresh, odd("", "", "{}"), "data: {}\n\n"},
		{"name over two lines", fresh, odd("", "e\ndata: x", "{}"), "data: {}\n\n"},
		{"name with nul", fresh, odd("", "e\x00", "{}"), "data: {}\n\n"},
		{"data over two lines", fresh, odd("", "", "{\r\n\"a\":\n1}"), "data: {  \"a\": 1}\n\n"},
		{"no data", fresh, odd("", "e", ""), ""},
	}
	for _, tt := range tests {
		if got := string(tt.s.Append([]byte("x"), tt.f)); got != "x"+tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, "x"+tt.want)
		}
	}
}

func TestSSEReleased(t *testing.T) {
	s := NewSSE(strings.NewReader("data: a\n\ndata: b\n\n"), 0)
	if _, err := s.Next(); err != nil {
		t.Fatal(err)
	}
	s.Release()
	s.Release()
	if f, err := s.Next(); err == nil || errors.Is(err, io.EOF) {
		t.Errorf("Next after Release: %v, %v; want an error that is no end", f, err)
	}
}

func TestSSEAllocatesNothingPerFrame(t *testing.T) {
	const frames = 1000
	in := []byte(strings.Repeat("event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"delta\":{\"text\":\"é\"}}\n\n: x\n\n", frames))
	s := NewSSE(bytes.NewReader(in), 0)
	out := make([]byte, 0, 1<<10)
	allocs := testing.AllocsPerRun(frames, func() {
		f, err := s.Next()
		if err != nil || !f.Plain {
			t.Fatalf("frame %q: %v", f.Raw, err)
		}
		out = s.Append(out[:0], f)
	})
	if allocs != 0 {
		t.Errorf("%v allocations per frame, want none", allocs)
	}
}
