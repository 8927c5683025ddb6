package frame

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var lineFramings = []struct {
	name string
	in   string
	want []Frame
	out  string
}{
	{"nothing", "", nil, ""},
	{"two lines", "{}\n{\"a\":1}\n", []Frame{plain("{}\n", "", "{}"), plain("{\"a\":1}\n", "", "{\"a\":1}")}, "{}\n{\"a\":1}\n"},
	{"crlf", "{}\r\n[]\r\n", []Frame{plain("{}\r\n", "", "{}"), plain("[]\r\n", "", "[]")}, "{}\r\n[]\r\n"},
	{"two cr are two line ends to some", "{}\r\r\n", []Frame{odd("{}\r\r\n", "", "{}")}, "{}\n"},
	{"cr ahead", "\r{}\n", []Frame{odd("\r{}\n", "", "{}")}, "{}\n"},
	{"cr inside is white space", "{\r}\n", []Frame{odd("{\r}\n", "", "{\r}")}, "{ }\n"},
	{"cr between two objects", "{}\r{}\n", []Frame{odd("{}\r{}\n", "", "{}\r{}")}, "{} {}\n"},
	{"crlf after a cr", "{\r}\r\n", []Frame{odd("{\r}\r\n", "", "{\r}")}, "{ }\n"},
	{"lone cr is no end", "{}\r{}\r", []Frame{cut(odd("{}\r{}\r", "", "{}\r{}"))}, "{} {}\n"},
	{"white space around", " \t{} \t\n", []Frame{plain(" \t{} \t\n", "", "{}")}, " \t{} \t\n"},
	{"two objects on a line", "{} {}\n", []Frame{plain("{} {}\n", "", "{} {}")}, "{} {}\n"},
	{"an object over two lines", "{\n}\n", []Frame{plain("{\n", "", "{"), plain("}\n", "", "}")}, "{\n}\n"},
	{
		"blank lines, which some clients cannot read", "\n\n{}\n\r\n \t\n[]\n\n",
		[]Frame{
			odd("\n", "", ""), odd("\n", "", ""), plain("{}\n", "", "{}"), odd("\r\n", "", ""), odd(" \t\n", "", ""),
			plain("[]\n", "", "[]"), odd("\n", "", ""),
		},
		"{}\n[]\n",
	},
	{"byte order mark", "\ufeff{}\n{}\n", []Frame{odd("\ufeff{}\n", "", "{}"), plain("{}\n", "", "{}")}, "{}\n{}\n"},
	{"mark on a later line", "{}\n\ufeff{}\n", []Frame{plain("{}\n", "", "{}"), odd("\ufeff{}\n", "", "{}")}, "{}\n{}\n"},
	{"only one mark is stripped", "\ufeff\ufeff{}\n", []Frame{odd("\ufeff\ufeff{}\n", "", "\ufeff{}")}, "\ufeff{}\n"},
	{"mark after white space", " \ufeff{}\n", []Frame{plain(" \ufeff{}\n", "", "\ufeff{}")}, " \ufeff{}\n"},
	{"line of a mark", "\ufeff\n{}\n", []Frame{odd("\ufeff\n", "", ""), plain("{}\n", "", "{}")}, "{}\n"},
	{
		"separators in text", "\"a\u2028b\u2029c\u0085d\"\n",
		[]Frame{odd("\"a\u2028b\u2029c\u0085d\"\n", "", "\"a\u2028b\u2029c\u0085d\"")},
		"\"a\\u2028b\\u2029c\\u0085d\"\n",
	},
	{"separator between objects", "{}\u2028{}\n", []Frame{odd("{}\u2028{}\n", "", "{}\u2028{}")}, "{}\\u2028{}\n"},
	{"vertical tab and form feed", "{\v}\f\n", []Frame{odd("{\v}\f\n", "", "{\v}\f")}, "{ } \n"},
	{"non-ascii text", "\"é😀\"\n", []Frame{plain("\"é😀\"\n", "", "\"é😀\"")}, "\"é😀\"\n"},
	{"not utf-8", "\"\xff\"\n", []Frame{odd("\"\xff\"\n", "", "\"\xff\"")}, "\"\xff\"\n"},
	{"nul", "\x00\n", []Frame{odd("\x00\n", "", "\x00")}, "\x00\n"},
	{"last line not ended", "{}\n[]", []Frame{plain("{}\n", "", "{}"), cut(odd("[]", "", "[]"))}, "{}\n[]\n"},
	{"last line ended by cr", "[]\r", []Frame{cut(odd("[]\r", "", "[]"))}, "[]\n"},
	{"white space at the end", "[]\n  ", []Frame{plain("[]\n", "", "[]"), cut(odd("  ", "", ""))}, "[]\n"},
	{"only a mark", "\ufeff", []Frame{cut(odd("\ufeff", "", ""))}, ""},
}

// newLines is NewLines for tables of streams.
func newLines(src io.Reader) Stream { return NewLines(src, 0) }

func TestLinesFraming(t *testing.T) {
	for _, tt := range lineFramings {
		t.Run(tt.name, func(t *testing.T) {
			got, out := passThrough(t, newLines(strings.NewReader(tt.in)))
			if diff := cmp.Diff(tt.want, got, sameFrame); diff != "" {
				t.Errorf("frames of %q (-want +got):\n%s", tt.in, diff)
			}
			if diff := cmp.Diff(tt.out, string(out)); diff != "" {
				t.Errorf("written again (-want +got):\n%s", diff)
			}
			checkAnyCut(t, newLines, []byte(tt.in))
		})
	}
}

// lineReaders are the ways in which clients cut text into lines. All of them hand over a last line that is not ended.
var lineReaders = map[string]func(string) []string{
	"at line feeds": func(s string) []string { return ended(strings.Split(s, "\n")) },
	"at any line end of files": func(s string) []string {
		return ended(strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s), "\n"))
	},
	"at any line end of Unicode": func(s string) []string {
		pairs := []string{"\r\n", "\n"}
		for _, end := range []string{"\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\u0085", "\u2028", "\u2029"} {
			pairs = append(pairs, end, "\n")
		}
		return ended(strings.Split(strings.NewReplacer(pairs...).Replace(s), "\n"))
	},
}

// ended is lines without the empty one behind the last line end.
func ended(lines []string) []string {
	if lines[len(lines)-1] == "" {
		return lines[:len(lines)-1]
	}
	return lines
}

// checkLines holds Lines against the simplest reader, and what they write against every client.
func checkLines(t *testing.T, in []byte) {
	t.Helper()
	frames, out := passThrough(t, newLines(bytes.NewReader(in)))
	if raw := joinRaw(frames); !bytes.Equal(raw, in) {
		t.Fatalf("join of Raw is %q, want %q", raw, in)
	}
	var got, want, readable []string
	for _, f := range frames {
		got = append(got, string(f.Data))
	}
	for _, line := range lineReaders["at line feeds"](string(in)) {
		line = strings.TrimPrefix(strings.TrimRight(line, "\r"), "\ufeff")
		want = append(want, strings.Trim(line, " \t\r"))
		if strings.HasPrefix(want[len(want)-1], "\ufeff") {
			return // no JSON begins so: whoever reads the data refuses it
		}
		if w := strings.Trim(written(event{Data: want[len(want)-1]}).Data, " \t"); w != "" {
			readable = append(readable, w)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("lines of %q (-want +got):\n%s", in, diff)
	}
	checkWrittenLines(t, out, readable)
}

func checkWrittenLines(t *testing.T, out []byte, want []string) {
	t.Helper()
	for how, read := range lineReaders {
		var got []string
		for _, line := range read(string(out)) {
			if line = strings.Trim(line, " \t\r"); line != "" {
				got = append(got, line)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q read %s (-want +got):\n%s", out, how, diff)
		}
		if slices.Contains(read(string(out)), "") {
			t.Fatalf("%q has a blank line, read %s", out, how)
		}
	}
	for _, f := range readAll(t, newLines(bytes.NewReader(out))) {
		// What makes text odd is not in the framing: it stays, and whoever reads the data refuses it.
		if !f.Plain && len(f.Data) > 0 && readAlike(f.Data) {
			t.Fatalf("%q goes out, where %q is not plain", out, f.Raw)
		}
	}
}

// lineParts are what lines are made of, and what they are abused with.
var lineParts = []string{
	"{\"a\":1}\n", "{\"a\":\"b\"}\r\n", "{}", "{", "}", "\"", "[", "]", ",", " ", "\t", "\n", "\n", "\r", "\r\n", "\ufeff", "\xef\xbb",
	"\u2028", "\u2029", "\u0085", "\v", "\f", "\x1c", "\x00", "\xff", "é", "😀",
}

func TestGeneratedLines(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 1500 {
		in := assemble(random, lineParts)
		checkLines(t, in)
		checkAnyCut(t, newLines, in)
	}
}

func FuzzLines(f *testing.F) {
	for _, tt := range lineFramings {
		f.Add([]byte(tt.in), uint64(1))
	}
	f.Fuzz(func(t *testing.T, in []byte, seed uint64) {
		checkLines(t, in)
		want := readingOf(newLines(bytes.NewReader(in)))
		checkSame(t, in, "byte by byte", want, readingOf(newLines(everyByte(in))))
		checkSame(t, in, "in pieces", want, readingOf(newLines(randomCuts(in, seed))))
	})
}

func TestLinesBound(t *testing.T) {
	exact := func(n int) string { return strings.Repeat("x", n-1) + "\n" }
	checkBounds(t, func(src io.Reader) Stream { return NewLines(src, testBound) }, []boundCase{
		{"at the bound", exact(testBound) + exact(testBound), 2, io.EOF},
		{"over the bound", exact(testBound) + exact(testBound+1), 1, ErrOversize},
		{"never ending", exact(10) + strings.Repeat("x", 100<<10), 1, ErrOversize},
		{"not ended, within the bound", strings.Repeat("x", testBound), 1, io.EOF},
		{"not ended, over the bound", strings.Repeat("x", testBound+1), 0, ErrOversize},
		{"endless white space", strings.Repeat(" ", 100<<10), 0, ErrOversize},
		{"many blank lines", strings.Repeat("\n", 40<<10), 40 << 10, io.EOF},
	})
}

func TestLinesGrowForLargeFrames(t *testing.T) {
	var in []byte
	for _, size := range []int{1, readSize - 1, readSize, readSize + 1, 5 * readSize, 100, 200 << 10} {
		in = fmt.Appendf(in, "%s\n", strings.Repeat("x", size))
	}
	checkChunks(t, newLines, in, 7)
}

func TestLinesBrokenSource(t *testing.T) {
	for _, in := range []string{"{}\n", "{}\n{\"a\"", "{}\n[]"} {
		checkBroken(t, newLines, in)
	}
}

func TestLinesReadOnlyWhenTheyMust(t *testing.T) {
	checkReads(t, newLines, chunks{[]byte("{}\n\n[]\r\n{"), []byte("}\n")}, []int{1, 1, 1, 2})
}

func TestLinesAppendMadeFrames(t *testing.T) {
	l := newLines(strings.NewReader(""))
	tests := []struct {
		name string
		f    Frame
		want string
	}{
		{"object", odd("", "", "{}"), "{}\n"},
		{"a name is nothing in lines", odd("", "e", "{}"), "{}\n"},
		{"over two lines", odd("", "", "{\r\n\"a\":\n1}"), "{  \"a\": 1}\n"},
		{"separators", odd("", "", "\"\u2028\""), "\"\\u2028\"\n"},
		{"no data", odd("", "e", ""), ""},
	}
	for _, tt := range tests {
		if got := string(l.Append([]byte("x"), tt.f)); got != "x"+tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, "x"+tt.want)
		}
	}
	if got := string(l.AppendEnd([]byte("x"))); got != "x" {
		t.Errorf("the end is written as %q", got)
	}
}
