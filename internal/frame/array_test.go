package frame

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// newArray is NewArray for tables of streams.
func newArray(src io.Reader) Stream { return NewArray(src, 0) }

// Arrays that end well: they go out as they came.
var wholeArrays = []struct {
	name string
	in   string
	want []Frame
}{
	{"empty", "[]", nil},
	{"empty, with white space", " [\n]\r\n", nil},
	{"one", "[{}]", []Frame{plain("[{}", "", "{}")}},
	{"two", "[{},{}]", []Frame{plain("[{}", "", "{}"), plain(",{}", "", "{}")}},
	{
		"as Google's servers write it", "[{\n  \"a\": 1\n}\n,\r\n{\n  \"a\": 2\n}\n]\n",
		[]Frame{plain("[{\n  \"a\": 1\n}", "", "{\n  \"a\": 1\n}"), plain("\n,\r\n{\n  \"a\": 2\n}", "", "{\n  \"a\": 2\n}")},
	},
	{"white space everywhere", "\t [ {} \n,\r {} \n ] \n", []Frame{plain("\t [ {}", "", "{}"), plain(" \n,\r {}", "", "{}")}},
	{"nested", `[{"a":[{"b":[[]]},{}]},{"c":{}}]`, []Frame{
		plain(`[{"a":[{"b":[[]]},{}]}`, "", `{"a":[{"b":[[]]},{}]}`), plain(`,{"c":{}}`, "", `{"c":{}}`),
	}},
	{"brackets in strings", `[{"a":"]},{"},{"}]":"["}]`, []Frame{
		plain(`[{"a":"]},{"}`, "", `{"a":"]},{"}`), plain(`,{"}]":"["}`, "", `{"}]":"["}`),
	}},
	{"escapes", `[{"a":"\"}\\"},{"\\":"\\\"]"}]`, []Frame{
		plain(`[{"a":"\"}\\"}`, "", `{"a":"\"}\\"}`), plain(`,{"\\":"\\\"]"}`, "", `{"\\":"\\\"]"}`),
	}},
	{"an escaped quote by its number", `[{"a":"\u0022}"}]`, []Frame{plain(`[{"a":"\u0022}"}`, "", `{"a":"\u0022}"}`)}},
	{"separators in text", "[{\"a\":\"\u2028\ufeff😀\"}]", []Frame{plain("[{\"a\":\"\u2028\ufeff😀\"}", "", "{\"a\":\"\u2028\ufeff😀\"}")}},
}

func TestWholeArrays(t *testing.T) {
	for _, tt := range wholeArrays {
		t.Run(tt.name, func(t *testing.T) {
			got, out := passThrough(t, newArray(strings.NewReader(tt.in)))
			if diff := cmp.Diff(tt.want, got, sameFrame); diff != "" {
				t.Errorf("frames of %q (-want +got):\n%s", tt.in, diff)
			}
			if diff := cmp.Diff(tt.in, string(out)); diff != "" {
				t.Errorf("written again (-want +got):\n%s", diff)
			}
			checkAnyCut(t, newArray, []byte(tt.in))
		})
	}
}

const unclosed = "read source: unexpected EOF: the array is not closed"

// Sources that are no array of objects: what cannot be read is a frame that no dialect can read either.
var brokenArrays = []struct {
	name string
	in   string
	want []Frame
	err  string
}{
	{"nothing", "", nil, unclosed},
	{"white space", " \n", nil, unclosed},
	{"not closed", "[", nil, unclosed},
	{"not closed after an element", "[{}\n", []Frame{plain("[{}", "", "{}")}, unclosed},
	{"not closed after a comma", "[{},", []Frame{plain("[{}", "", "{}")}, unclosed},
	{"element not closed", `[{"a":{}`, nil, unclosed},
	{"string not closed", `[{"a":"}]`, nil, unclosed},
	{"ends in an escape", `[{"a":"\`, nil, unclosed},
	{"an object", "{}", []Frame{odd("{", "", "{"), odd("}", "", "}")}, unclosed},
	{"byte order mark", "\ufeff[{}]", []Frame{odd("\xef", "", "\xef"), odd("\xbb", "", "\xbb"), odd("\xbf", "", "\xbf"), plain("[{}", "", "{}")}, "EOF"},
	{"an array in it", "[[{}]]", []Frame{odd("[[", "", "["), plain("{}", "", "{}"), odd("]]", "", "]")}, "EOF"},
	{"numbers in it", "[ 1]", []Frame{odd("[ 1", "", "1")}, "EOF"},
	{"a string in it", `["{}"]`, []Frame{odd(`["`, "", `"`), plain(`{}`, "", "{}"), odd(`"`, "", `"`)}, "EOF"},
	{"comma first", "[,{}]", []Frame{odd("[,", "", ","), plain("{}", "", "{}")}, "EOF"},
	{"comma last", "[{},]", []Frame{plain("[{}", "", "{}"), odd(",]", "", "]")}, unclosed},
	{"two commas", "[{},,{}]", []Frame{plain("[{}", "", "{}"), odd(",,", "", ","), plain("{}", "", "{}")}, "EOF"},
	{"no comma", "[{} {}]", []Frame{plain("[{}", "", "{}"), odd(" {", "", "{"), odd("}", "", "}")}, "EOF"},
	{"wrong bracket in an element", "[{]]", []Frame{plain("[{]", "", "{]")}, "EOF"},
	{"garbage behind it", "[{}] x", []Frame{plain("[{}", "", "{}"), odd("] x", "", "x")}, "EOF"},
	{"another array behind it", "[] [{}]", []Frame{
		odd("[] [", "", "["), odd("{", "", "{"), odd("}", "", "}"), odd("]", "", "]"),
	}, "EOF"},
	{"nul", "[\x00{}]", []Frame{odd("[\x00", "", "\x00"), plain("{}", "", "{}")}, "EOF"},
	{"vertical tab", "[\v{}]", []Frame{odd("[\v", "", "\v"), plain("{}", "", "{}")}, "EOF"},
}

func TestBrokenArrays(t *testing.T) {
	for _, tt := range brokenArrays {
		t.Run(tt.name, func(t *testing.T) {
			got := readingOf(newArray(strings.NewReader(tt.in)))
			if diff := cmp.Diff(reading{tt.want, tt.err}, got, sameFrame); diff != "" {
				t.Errorf("reading of %q (-want +got):\n%s", tt.in, diff)
			}
			checkAnyCut(t, newArray, []byte(tt.in))
		})
	}
}

func TestArrayBound(t *testing.T) {
	exact := func(ahead string, n int) string {
		return ahead + `{"a":"` + strings.Repeat("x", n-len(ahead)-len(`{"a":""}`)) + `"}`
	}
	spaces := strings.Repeat(" ", testBound)
	checkBounds(t, func(src io.Reader) Stream { return NewArray(src, testBound) }, []boundCase{
		{"at the bound", exact("[", testBound) + exact(",", testBound) + "]", 2, io.EOF},
		{"over the bound", exact("[", testBound) + exact(",", testBound+1) + "]", 1, ErrOversize},
		{"never ending element", exact("[", 20) + `,{"` + strings.Repeat("x", 100<<10), 1, ErrOversize},
		{"not closed, within the bound", exact("[", testBound) + exact(",", testBound)[:testBound-1], 1, io.ErrUnexpectedEOF},
		{"endless white space first", strings.Repeat(" ", 100<<10), 0, ErrOversize},
		{"endless white space between", "[{}" + strings.Repeat("\n", 100<<10), 1, ErrOversize},
		{"endless white space behind", "[{}]" + strings.Repeat("\n", 100<<10), 1, ErrOversize},
		{"white space behind, at the bound", "[{}]" + spaces[1:], 1, io.EOF},
		{"white space ahead, over the bound", spaces + "[{}]", 0, ErrOversize},
		{"garbage at the bound", spaces[1:] + "x", 1, io.ErrUnexpectedEOF},
		{"garbage over the bound", spaces + "x", 0, ErrOversize},
	})
}

func TestArrayGrowsForLargeElements(t *testing.T) {
	in := []byte("[")
	sizes := []int{1, readSize - 8, readSize, readSize + 1, 5 * readSize, 100, 200 << 10}
	for i, size := range sizes {
		if i > 0 {
			in = append(in, ",\r\n"...)
		}
		in = fmt.Appendf(in, `{"a":%q}`, strings.Repeat("x", size))
	}
	checkChunks(t, newArray, append(in, "\n]\n"...), len(sizes))
}

func TestArrayBrokenSource(t *testing.T) {
	for _, in := range []string{"[{}", "[{},{\"a\"", "[{}]"} {
		checkBroken(t, newArray, in)
	}
}

func TestArrayReadsOnlyWhenItMust(t *testing.T) {
	checkReads(t, newArray, chunks{[]byte("[{}"), []byte("\n,{}\n,{"), []byte("}\n]")}, []int{1, 2, 3})
}

// TestArrayAppend writes frames of a stream and frames of our own in every order: the result is one array of them.
func TestArrayAppend(t *testing.T) {
	own := Frame{Data: []byte(`{"own":1}`)}
	tests := []struct {
		name string
		in   string
		// plan says what goes out: a digit is a frame that was read, o one of our own, - one without data.
		plan string
		want string
	}{
		{"as it came", "[{\"a\":1}\n,\r\n{\"a\":2}\n]\n", "01", "[{\"a\":1}\n,\r\n{\"a\":2}\n]\n"},
		{"own first", "[{\"a\":1}\n,{\"a\":2}\n]\n", "o01", "[{\"own\":1},\r\n{\"a\":1}\n,{\"a\":2}\n]\n"},
		{"own between", "[{\"a\":1}\n,{\"a\":2}]", "0o1", "[{\"a\":1},\r\n{\"own\":1}\n,{\"a\":2}]"},
		{"own last", "[{\"a\":1} ]", "0o", "[{\"a\":1},\r\n{\"own\":1} ]"},
		{"own only", "[{\"a\":1}]", "o", "[{\"own\":1}]"},
		{"own in an empty array", "[ ]\n", "o", "[{\"own\":1}]"},
		{"without the first", "[{\"a\":1}\n,{\"a\":2}\n]\n", "1", "[{\"a\":2}\n]\n"},
		{"without the last", "[{\"a\":1}\n,{\"a\":2}\n]\n", "0", "[{\"a\":1}\n]\n"},
		{"without any", "[{\"a\":1}\n]\n", "", "[]"},
		{"without any of none", " [ ]\n", "", " [ ]\n"},
		{"own, without the first", "[{\"a\":1},{\"a\":2}]", "o1", "[{\"own\":1},{\"a\":2}]"},
		{"a frame that says nothing", "[{\"a\":1}]", "-0-", "[{\"a\":1}]"},
	}
	for _, tt := range tests {
		a := NewArray(strings.NewReader(tt.in), 0)
		frames := readAll(t, a)
		out := []byte("x")
		for _, c := range tt.plan {
			switch c {
			case 'o':
				out = a.Append(out, own)
			case '-':
				out = a.Append(out, Frame{Type: []byte("e")})
			default:
				out = a.Append(out, frames[c-'0'])
			}
		}
		if got := string(a.AppendEnd(out)); got != "x"+tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, "x"+tt.want)
		}
	}
}

// TestArrayAppendEnd closes arrays that were not read to their end.
func TestArrayAppendEnd(t *testing.T) {
	tests := []struct {
		name, in string
		written  int
		want     string
	}{
		{"nothing was read", "[{},{}]", 0, "[]"},
		{"one of two was read", "[{},{}]", 1, "[{}]"},
		{"the source broke off", "[{},{}", 2, "[{},{}]"},
		{"an element that is none", "[{},1]", 1, "[{}]"},
		{"garbage behind", "[{}]x", 1, "[{}]"},
	}
	for _, tt := range tests {
		a := NewArray(strings.NewReader(tt.in), 0)
		var out []byte
		for range tt.written {
			f, err := a.Next()
			if err != nil {
				t.Fatal(err)
			}
			out = a.Append(out, f)
		}
		if tt.written > 0 {
			_, _ = a.Next() // what comes next is not written
		}
		if got := string(a.AppendEnd(out)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// checkArray holds an Array against a parser of whole texts: it comes to a clean end with elements that are objects if
// and only if the text is an array of objects. It returns the elements, and whether there was such an end.
func checkArray(t *testing.T, in []byte) (elements []Frame, clean bool) {
	t.Helper()
	a := NewArray(bytes.NewReader(in), 0)
	defer a.Release()
	frames, err := readUntilError(a)
	raw := joinRaw(frames)
	if err == io.EOF {
		raw = append(raw, a.tail...)
	}
	if !bytes.HasPrefix(in, raw) || err == io.EOF && len(raw) != len(in) {
		t.Fatalf("join of Raw is %q, want %q", raw, in)
	}
	clean = err == io.EOF
	var got []string
	for _, f := range frames {
		clean = clean && f.Plain && json.Valid(f.Data)
		got = append(got, string(f.Data))
	}
	want, isArray := objects(in)
	if clean != isArray {
		t.Fatalf("%q: read to a clean end: %t, array of objects: %t", in, clean, isArray)
	}
	if diff := cmp.Diff(want, got); clean && diff != "" {
		t.Fatalf("elements of %q (-want +got):\n%s", in, diff)
	}
	return frames, clean
}

// objects are the elements of a text that is an array of objects.
func objects(in []byte) (elements []string, ok bool) {
	var raws []json.RawMessage
	if json.Unmarshal(in, &raws) != nil || raws == nil {
		return nil, false
	}
	for _, raw := range raws {
		if raw[0] != '{' {
			return nil, false
		}
		elements = append(elements, string(raw))
	}
	return elements, true
}

// checkEdited writes some frames of an array and some of our own: what comes out is an array of just these.
func checkEdited(t *testing.T, in []byte, random *rand.Rand) {
	t.Helper()
	a := NewArray(bytes.NewReader(in), 0)
	defer a.Release()
	var out []byte
	var want []string
	write := func(f Frame) {
		out, want = a.Append(out, f), append(want, string(f.Data))
	}
	stop := random.IntN(20) // the rest is refused
	for i := 0; i < stop; i++ {
		f, err := a.Next()
		if err != nil {
			break
		}
		if random.IntN(4) == 0 {
			write(Frame{Data: []byte(`{"own":1}`)})
		}
		if random.IntN(4) > 0 {
			write(f)
		}
	}
	out = a.AppendEnd(out)
	if got, ok := objects(out); !ok || !cmp.Equal(got, want) {
		t.Fatalf("%q is written as %q, want an array of %q", in, out, want)
	}
}

// arrayParts are what arrays are made of, and what they are abused with.
var arrayParts = []string{
	"[", "]", "{", "}", ",", "[{}", ",{}", ",\r\n{\"a\":\"b\"}", `{"a":[{}]}`, `"`, `\`, `\"`, `"a":`, "1", "null", " ", "\n", "\r",
	"\t", "\ufeff", "\u2028", "\v", "\x00", "\xff", "é",
}

func TestGeneratedArrays(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 1500 {
		in := assemble(random, arrayParts)
		if _, clean := checkArray(t, in); clean {
			checkEdited(t, in, random)
		}
		checkAnyCut(t, newArray, in)
	}
	for range 1500 {
		in := generatedArray(random)
		if _, clean := checkArray(t, in); !clean {
			t.Fatalf("%q does not come to a clean end", in)
		}
		checkEdited(t, in, random)
	}
}

// generatedArray is an array of objects with white space anywhere.
func generatedArray(random *rand.Rand) []byte {
	elements := []string{`{}`, `{"a":"}\"]"}`, `{"a":[{"b":[]}]}`, "{\n \"a\" : 1\r\n}", `{"a\\":"\\"}`}
	space := func() string { return []string{"", "", " ", "\r\n", "\t\n "}[random.IntN(5)] }
	in := space() + "[" + space()
	for i := range random.IntN(6) {
		if i > 0 {
			in += "," + space()
		}
		in += elements[random.IntN(len(elements))] + space()
	}
	return []byte(in + "]" + space())
}

func FuzzArray(f *testing.F) {
	for _, tt := range wholeArrays {
		f.Add([]byte(tt.in), uint64(1))
	}
	for _, tt := range brokenArrays {
		f.Add([]byte(tt.in), uint64(2))
	}
	f.Fuzz(func(t *testing.T, in []byte, seed uint64) {
		if _, clean := checkArray(t, in); clean {
			checkEdited(t, in, rand.New(rand.NewPCG(seed, 1)))
		}
		want := readingOf(newArray(bytes.NewReader(in)))
		checkSame(t, in, "byte by byte", want, readingOf(newArray(everyByte(in))))
		checkSame(t, in, "in pieces", want, readingOf(newArray(randomCuts(in, seed))))
	})
}
