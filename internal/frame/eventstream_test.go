package frame

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A testHeader is a header of a message as a test has it: the value with whatever length it carries.
type testHeader struct {
	name  string
	typ   byte
	value string
}

// text is a header that is a string.
func text(name, value string) testHeader {
	return testHeader{name, 7, string(binary.BigEndian.AppendUint16(nil, uint16(len(value)))) + value}
}

// ordinary are the headers of an event as the service sends them.
func ordinary(event string) []testHeader {
	return []testHeader{text(":event-type", event), text(":content-type", "application/json"), text(":message-type", "event")}
}

func exception(typ string) []testHeader {
	return []testHeader{text(":exception-type", typ), text(":content-type", "application/json"), text(":message-type", "exception")}
}

// message puts a message together, from the description of the wire.
func message(headers []testHeader, payload string) string {
	var h strings.Builder
	for _, header := range headers {
		h.WriteByte(byte(len(header.name)))
		h.WriteString(header.name)
		h.WriteByte(header.typ)
		h.WriteString(header.value)
	}
	return messageOf(h.String(), payload, 0)
}

// messageOf is a message whose length is off by so much.
func messageOf(headers, payload string, off int) string {
	b := binary.BigEndian.AppendUint32(nil, uint32(16+len(headers)+len(payload)+off))
	b = binary.BigEndian.AppendUint32(b, uint32(len(headers)))
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	b = append(append(b, headers...), payload...)
	return string(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b)))
}

// chunkOf is a chunk with this JSON in it.
func chunkOf(data string) string {
	return message(ordinary("chunk"), `{"bytes":"`+base64.StdEncoding.EncodeToString([]byte(data))+`"}`)
}

// A told is what a frame says.
type told struct {
	Type, Data     string
	Plain, Failure bool
}

func tell(frames []Frame) []told {
	var all []told
	for _, f := range frames {
		all = append(all, told{string(f.Type), string(f.Data), f.Plain, f.Failure})
	}
	return all
}

func newMessages(framing Framing) func(io.Reader) Stream {
	return func(src io.Reader) Stream { return NewMessages(src, framing, 0) }
}

func TestMessages(t *testing.T) {
	with := func(more ...testHeader) []testHeader { return slices.Concat(ordinary("e"), more) }
	tests := map[string]struct {
		in      string
		want    told
		reframe string // "": as it came
	}{
		"event":           {in: message(ordinary("messageStart"), `{"role":"assistant","p":"abc"}`), want: told{Type: "messageStart", Data: `{"role":"assistant","p":"abc"}`, Plain: true}},
		"another order":   {in: message([]testHeader{text(":message-type", "event"), text(":event-type", "e"), text(":content-type", "application/json")}, `{}`), want: told{Type: "e", Data: "{}", Plain: true}},
		"exception":       {in: message(exception("throttlingException"), `{"message":"m"}`), want: told{Type: "throttlingException", Data: `{"message":"m"}`, Plain: true, Failure: true}},
		"error":           {in: message([]testHeader{text(":error-code", "Internal"), text(":error-message", `a "b"`), text(":message-type", "error")}, ""), want: told{Type: "Internal", Data: `{"message":"a \"b\""}`, Plain: true, Failure: true}},
		"error, payload":  {in: message([]testHeader{text(":error-code", "Internal"), text(":error-message", "m"), text(":message-type", "error")}, "{}"), want: told{Type: "Internal", Data: `{"message":"m"}`, Failure: true}, reframe: message(exception("Internal"), `{"message":"m"}`)},
		"error, no text":  {in: message([]testHeader{text(":error-code", "Internal"), text(":message-type", "error")}, ""), want: told{Type: "Internal", Data: `{"message":""}`, Failure: true}, reframe: message(exception("Internal"), `{"message":""}`)},
		"no payload":      {in: message(ordinary("messageStop"), ""), want: told{Type: "messageStop", Data: "{}"}, reframe: message(ordinary("messageStop"), "{}")},
		"no content type": {in: message([]testHeader{text(":event-type", "e"), text(":message-type", "event")}, "{}"), want: told{Type: "e", Data: "{}"}, reframe: message(ordinary("e"), "{}")},
		"a parameter":     {in: message([]testHeader{text(":event-type", "e"), text(":content-type", "Application/JSON; charset=utf-8"), text(":message-type", "event")}, "{}"), want: told{Type: "e", Data: "{}"}, reframe: message(ordinary("e"), "{}")},
		"two types":       {in: message(with(text(":exception-type", "x")), "{}"), want: told{Type: "e", Data: "{}"}, reframe: message(ordinary("e"), "{}")},
		"true":            {in: message(with(testHeader{"x", 0, ""}), "{}"), want: told{Type: "e", Data: "{}"}, reframe: message(ordinary("e"), "{}")},
		"false":           {in: message(with(testHeader{"x", 1, ""}), "{}"), want: told{Type: "e", Data: "{}"}, reframe: message(ordinary("e"), "{}")},
		"byte":            {in: message(with(testHeader{"x", 2, "1"}), "{}"), want: told{Type: "e", Data: "{}"}, reframe: message(ordinary("e"), "{}")},
		"short":           {in: message(with(testHeader{"x", 3, "12"}), "{}"), want: told{Type: "e", Data: "{}"}, reframe: message(ordinary("e"), "{}")},
		"int":             {in: message(with(testHeader{"x", 4, "1234"}), "{}"), want: told{Type: "e", Data: "{}"}, reframe: message(ordinary("e"), "{}")},
		"long":            {in: message(with(testHeader{"x", 5, "12345678"}), "{}"), want: told{Type: "e", Data: "{}"}, reframe: message(ordinary("e"), "{}")},
		"bytes":           {in: message(with(testHeader{"x", 6, "\x00\x03abc"}), "{}"), want: told{Type: "e", Data: "{}"}, reframe: message(ordinary("e"), "{}")},
		"string":          {in: message(with(text("x", "y"), text("x", "z")), "{}"), want: told{Type: "e", Data: "{}"}, reframe: message(ordinary("e"), "{}")},
		"timestamp":       {in: message(with(testHeader{":date", 8, "12345678"}), "{}"), want: told{Type: "e", Data: "{}"}, reframe: message(ordinary("e"), "{}")},
		"uuid":            {in: message(with(testHeader{"x", 9, "1234567890123456"}), "{}"), want: told{Type: "e", Data: "{}"}, reframe: message(ordinary("e"), "{}")},
		"not JSON at all": {in: message(ordinary("e"), "\x00\xff"), want: told{Type: "e", Data: "\x00\xff", Plain: true}}, // for the dialect to refuse
		"chunk":           {in: chunkOf(`{"a":1}`), want: told{Type: "chunk", Data: `{"bytes":"eyJhIjoxfQ=="}`, Plain: true}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			frames, out := passThrough(t, NewMessages(strings.NewReader(tt.in), Binary, 0))
			if diff := cmp.Diff([]told{tt.want}, tell(frames)); diff != "" {
				t.Errorf("frames (-want +got):\n%s", diff)
			}
			if tt.reframe == "" {
				tt.reframe = tt.in
			}
			if diff := cmp.Diff(tt.reframe, string(out)); diff != "" {
				t.Errorf("written (-want +got):\n%s", diff)
			}
			checkAnyCut(t, newMessages(Binary), []byte(tt.in))
		})
	}
}

func TestChunks(t *testing.T) {
	chunk := func(payload string) string { return message(ordinary("chunk"), payload) }
	fine := told{Data: `{"a":"???"}`, Plain: true} // base64 eyJhIjoiPz8/In0= has a slash
	odd := told{Data: fine.Data}
	tests := map[string]struct {
		in   string
		want told
		out  string // "": as it came
	}{
		"plain":              {in: chunk(`{"bytes":"eyJhIjoiPz8/In0="}`), want: fine},
		"padded":             {in: chunk(`{"bytes":"eyJhIjoiPz8/In0=","p":"abcd"}`), want: fine},
		"padded ahead":       {in: chunk(` { "p" : "ab", "bytes" : "eyJhIjoiPz8/In0=" } `), want: fine},
		"another member":     {in: chunk(`{"bytes":"eyJhIjoiPz8/In0=","x":{"toolUse":{}}}`), want: odd, out: chunkOf(fine.Data)},
		"escaped slash":      {in: chunk(`{"bytes":"eyJhIjoiPz8\/In0="}`), want: odd, out: chunkOf(fine.Data)},
		"escaped name":       {in: chunk(`{"\u0062ytes":"eyJhIjoiPz8/In0="}`), want: fine},
		"odd headers":        {in: message(append(ordinary("chunk"), text("x", "y")), `{"bytes":"eyJhIjoiPz8/In0="}`), want: odd, out: chunkOf(fine.Data)},
		"no bytes":           {in: chunk(`{"p":"abcd"}`), want: told{}, out: "nothing"},
		"null":               {in: chunk(`{"bytes":null}`), want: told{}, out: "nothing"},
		"empty":              {in: chunk(`{"bytes":""}`), want: told{}, out: "nothing"},
		"no payload":         {in: chunk(``), want: told{}, out: "nothing"},
		"another event":      {in: message(ordinary("e"), `{"a":1}`), want: told{Type: "e", Data: `{"a":1}`}, out: chunkOf(`{"a":1}`)},
		"exception":          {in: message(exception("x"), `{"message":"m"}`), want: told{Type: "x", Data: `{"message":"m"}`, Plain: true, Failure: true}},
		"an odd exception":   {in: message(append(exception("x"), text("y", "z")), `{}`), want: told{Type: "x", Data: `{}`, Failure: true}, out: message(exception("x"), "{}")},
		"exception of bytes": {in: message(exception("chunk"), `{"bytes":"e30="}`), want: told{Type: "chunk", Data: `{"bytes":"e30="}`, Plain: true, Failure: true}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			frames, out := passThrough(t, NewMessages(strings.NewReader(tt.in), Chunks, 0))
			if diff := cmp.Diff([]told{tt.want}, tell(frames)); diff != "" {
				t.Errorf("frames (-want +got):\n%s", diff)
			}
			switch tt.out {
			case "":
				tt.out = tt.in
			case "nothing":
				tt.out = ""
			}
			if diff := cmp.Diff(tt.out, string(out)); diff != "" {
				t.Errorf("written (-want +got):\n%s", diff)
			}
			checkAnyCut(t, newMessages(Chunks), []byte(tt.in))
		})
	}
}

// corruptions are messages that cannot be read, or not in one way only.
func corruptions() map[string]string {
	good := message(ordinary("e"), "{}")
	flip := func(i int) string {
		b := []byte(good)
		b[(i+len(b))%len(b)] ^= 1
		return string(b)
	}
	longHeaders := binary.BigEndian.AppendUint32([]byte{0, 0, 0, 16}, 1)
	longHeaders = binary.BigEndian.AppendUint32(longHeaders, crc32.ChecksumIEEE(longHeaders))
	hugeHeaders := binary.BigEndian.AppendUint32([]byte{0, 0, 0, 16}, 0xFFFFFFF0)
	hugeHeaders = binary.BigEndian.AppendUint32(hugeHeaders, crc32.ChecksumIEEE(hugeHeaders))
	with := func(more ...testHeader) string { return message(slices.Concat(ordinary("e"), more), "{}") }
	return map[string]string{
		"length":              flip(3),
		"length of headers":   flip(7),
		"prelude checksum":    flip(11),
		"a header":            flip(14),
		"payload":             flip(-6),
		"checksum":            flip(-1),
		"too short":           messageOf("", "", -1),
		"headers too long":    string(longHeaders) + "\x00\x00\x00\x00",
		"headers huge":        string(hugeHeaders) + "\x00\x00\x00\x00",
		"text":                "data: {\"type\":\"ping\"}\n\n",
		"JSON":                `{"message":"not a message"}`,
		"no headers":          message(nil, "{}"),
		"nothing":             message(nil, ""),
		"no message type":     message(ordinary("e")[:2], "{}"),
		"no event type":       message(ordinary("e")[1:], "{}"),
		"empty event type":    message(ordinary(""), "{}"),
		"odd event type":      message(ordinary("a b"), "{}"),
		"long event type":     message(ordinary(strings.Repeat("e", 256)), "{}"),
		"unknown type":        message([]testHeader{text(":event-type", "e"), text(":message-type", "ping")}, "{}"),
		"type, another case":  message([]testHeader{text(":event-type", "e"), text(":message-type", "Event")}, "{}"),
		"exception, no type":  message([]testHeader{text(":event-type", "e"), text(":message-type", "exception")}, "{}"),
		"error, no code":      message([]testHeader{text(":event-type", "e"), text(":message-type", "error")}, "{}"),
		"event type twice":    with(text(":event-type", "e")),
		"message type twice":  with(text(":message-type", "event")),
		"content type twice":  with(text(":content-type", "application/json")),
		"header, other case":  with(text(":Event-Type", "f")),
		"header, only case":   message([]testHeader{text(":event-type", "e"), text(":Message-Type", "event")}, "{}"),
		"type is bytes":       message([]testHeader{{":event-type", 6, "\x00\x01e"}, text(":message-type", "event")}, "{}"),
		"type is a number":    message([]testHeader{text(":event-type", "e"), {":message-type", 2, "1"}}, "{}"),
		"type is no UTF-8":    message([]testHeader{text(":event-type", "\xff"), text(":message-type", "event")}, "{}"),
		"content is text":     message([]testHeader{text(":event-type", "e"), text(":content-type", "text/plain"), text(":message-type", "event")}, "{}"),
		"content is binary":   message([]testHeader{text(":event-type", "e"), text(":content-type", "application/octet-stream"), text(":message-type", "event")}, "{}"),
		"content is nothing":  message([]testHeader{text(":event-type", "e"), text(":content-type", ""), text(":message-type", "event")}, "{}"),
		"nameless header":     with(text("", "x")),
		"unknown value type":  with(testHeader{"x", 10, ""}),
		"value cut":           with(testHeader{"x", 9, "123"}),
		"string cut":          with(testHeader{"x", 7, "\x00\x05abc"}),
		"string length cut":   with(testHeader{"x", 7, "\x00"}),
		"name cut":            messageOf("\x05abc", "{}", 0),
		"name and no type":    messageOf("\x03abc", "{}", 0),
		"after a good one":    good + flip(-1),
		"two, one length off": messageOf("", good, -8),
	}
}

// chunkCorruptions are chunks that cannot be unwrapped in one way only.
var chunkCorruptions = map[string]string{
	"not JSON":          `{"bytes":"e30="`,
	"not an object":     `["e30="]`,
	"bytes twice":       `{"bytes":"e30=","bytes":"e30="}`,
	"bytes in two ways": `{"bytes":"e30=","Bytes":"e30="}`,
	"another case":      `{"BYTES":"e30="}`,
	"escaped twice":     `{"bytes":"e30=","b\u0079tes":"e30="}`,
	"not a string":      `{"bytes":["e30="]}`,
	"no padding":        `{"bytes":"e30"}`,
	"too much padding":  `{"bytes":"e30=="}`,
	"padding alone":     `{"bytes":"===="}`,
	"loose bits":        `{"bytes":"e31="}`,
	"URL alphabet":      `{"bytes":"eyJhIjoiPz8_In0="}`,
	"a space":           `{"bytes":"e3 0="}`,
	"a space behind":    `{"bytes":"e30= "}`,
	"a line end":        `{"bytes":"e3\n0="}`,
	"a line end behind": `{"bytes":"e30=\r\n"}`,
	"two texts":         `{"bytes":"e30=e30="}`,
	"half a character":  `{"bytes":"\ud83d"}`,
	"not UTF-8":         "{\"bytes\":\"e30=\",\"p\":\"\xff\"}",
}

func TestCorruptMessages(t *testing.T) {
	check := func(name, in string, framing Framing) {
		t.Run(name, func(t *testing.T) {
			_, err := readUntilError(NewMessages(strings.NewReader(in), framing, 0))
			if !errors.Is(err, ErrCorrupt) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("error %v, want ErrCorrupt", err)
			}
			checkAnyCut(t, newMessages(framing), []byte(in))
		})
	}
	for name, in := range corruptions() {
		check(name, in, Binary)
		check(name, in, Chunks)
	}
	for name, payload := range chunkCorruptions {
		check(name, message(ordinary("chunk"), payload), Chunks)
	}
}

func TestMessageBounds(t *testing.T) {
	fits := message([]testHeader{text(":event-type", "e"), text(":message-type", "event")}, "{}")
	if len(fits) > testBound {
		t.Fatalf("the message has %d bytes", len(fits))
	}
	long := message([]testHeader{text(":event-type", "e"), text(":message-type", "event")}, strings.Repeat("1", testBound))
	checkBounds(t, func(src io.Reader) Stream { return NewMessages(src, Binary, testBound) }, []boundCase{
		{"none", "", 0, io.EOF},
		{"fits", fits, 1, io.EOF},
		{"two fit", fits + fits, 2, io.EOF},
		{"too long", fits + long, 1, ErrOversize},
		{"too long, by the prelude alone", long[:preludeSize], 0, ErrOversize},
		{"too long and wrong", "\xff" + long[1:], 0, ErrCorrupt},
		{"cut", fits + fits[:len(fits)-1], 1, io.ErrUnexpectedEOF},
		{"cut in the prelude", fits + fits[:3], 1, io.ErrUnexpectedEOF},
	})
}

func TestMessagesBrokenOff(t *testing.T) {
	good := message(ordinary("e"), "{}")
	checkBroken(t, newMessages(Binary), good)
	checkBroken(t, newMessages(Binary), good+good[:len(good)-1])
	for _, name := range []string{"01-converse-text-and-calls", "02-converse-exception-mid-call", "03-invoke-claude"} {
		in := readMessages(t, name)
		for n := range in {
			m := NewMessages(bytes.NewReader(in[:n]), Chunks, 0)
			frames, err := readUntilError(m)
			m.Release()
			want := io.ErrUnexpectedEOF
			if len(joinRaw(frames)) == n {
				want = io.EOF
			}
			if !errors.Is(err, want) || !bytes.HasPrefix(in, joinRaw(frames)) {
				t.Fatalf("%s cut at %d: %v", name, n, err)
			}
		}
	}
}

func TestMessagesReadAtOnce(t *testing.T) {
	one := message(ordinary("e"), `{"a":1}`)
	checkReads(t, newMessages(Binary), chunks{[]byte(one + one), []byte(one)}, []int{1, 1, 2})
	checkChunks(t, newMessages(Binary), []byte(strings.Repeat(one, 2000)), 2000)
	large := message(ordinary("e"), `"`+strings.Repeat("x", 3*readSize)+`"`)
	checkChunks(t, newMessages(Binary), []byte(large+one+large), 3)
	chunk := chunkOf(`"` + strings.Repeat("x", 3*readSize) + `"`)
	checkChunks(t, newMessages(Chunks), []byte(chunk+chunkOf("{}")+chunk), 3)
}

func TestMessagesReleased(t *testing.T) {
	one := message(ordinary("e"), `{"a":1}`)
	m := NewMessages(strings.NewReader(one+one), Binary, 0)
	if _, err := m.Next(); err != nil {
		t.Fatal(err)
	}
	m.Release()
	if f, err := m.Next(); err == nil || errors.Is(err, io.EOF) {
		t.Errorf("Next after Release: %v, %v; want an error that is no end", f, err)
	}
}

func TestMessagesAllocateNothingPerFrame(t *testing.T) {
	const frames = 1000
	for framing, one := range map[Framing]string{
		Binary: message(ordinary("contentBlockDelta"), `{"contentBlockIndex":0,"delta":{"text":"é"},"p":"ab"}`),
		Chunks: chunkOf(`{"type":"content_block_delta"}`),
	} {
		m := NewMessages(strings.NewReader(strings.Repeat(one, frames+1)), framing, 0)
		out := make([]byte, 0, 1<<10)
		allocs := testing.AllocsPerRun(frames, func() {
			f, err := m.Next()
			if err != nil || !f.Plain {
				t.Fatalf("frame %q: %v", f.Raw, err)
			}
			out = m.Append(out[:0], f)
		})
		if allocs != 0 {
			t.Errorf("framing %d: %v allocations per frame, want none", framing, allocs)
		}
	}
}

func readMessages(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata/eventstream", name+".bin"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestMessageFixtures(t *testing.T) {
	for _, name := range []string{"01-converse-text-and-calls", "02-converse-exception-mid-call"} {
		in := readMessages(t, name)
		frames, out := passThrough(t, NewMessages(bytes.NewReader(in), Binary, 0))
		if !bytes.Equal(in, out) || !bytes.Equal(in, joinRaw(frames)) {
			t.Errorf("%s is not written as it came", name)
		}
		checkAnyCut(t, newMessages(Binary), in)
	}
	// The chunks hold the events that the provider's own API sends.
	native, err := os.ReadFile("../model/dialect/anthropic/testdata/03-text-then-call.sse")
	if err != nil {
		t.Fatal(err)
	}
	in := readMessages(t, "03-invoke-claude")
	frames, out := passThrough(t, NewMessages(bytes.NewReader(in), Chunks, 0))
	var want, got []string
	for _, e := range events(native, true) {
		if !strings.Contains(e.Data, `"ping"`) {
			want = append(want, e.Data)
		}
	}
	for _, f := range frames {
		got = append(got, string(f.Data))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("chunks (-native +got):\n%s", diff)
	}
	if !bytes.Equal(in, out) {
		t.Error("the chunks are not written as they came")
	}
	checkAnyCut(t, newMessages(Chunks), in)
}

// What is written anew reads back as what it was.
func TestMadeMessages(t *testing.T) {
	for _, framing := range []Framing{Binary, Chunks} {
		m := NewMessages(strings.NewReader(""), framing, 0)
		var out []byte
		var want []told
		for i := range 40 {
			f := Frame{Type: fmt.Append(nil, "t", i), Data: bytes.Repeat([]byte{'x'}, 1+i*i), Failure: i%3 == 0}
			w := told{Type: string(f.Type), Data: string(f.Data), Plain: true, Failure: f.Failure}
			if framing == Chunks && !f.Failure {
				w.Type = ""
			}
			out, want = m.Append(out, f), append(want, w)
		}
		frames, again := passThrough(t, NewMessages(bytes.NewReader(out), framing, 0))
		if diff := cmp.Diff(want, tell(frames)); diff != "" {
			t.Errorf("framing %d (-want +got):\n%s", framing, diff)
		}
		if !bytes.Equal(out, again) {
			t.Errorf("framing %d: written twice is not as written once", framing)
		}
	}
}

func FuzzEventStream(f *testing.F) {
	for _, name := range []string{"01-converse-text-and-calls", "02-converse-exception-mid-call", "03-invoke-claude"} {
		f.Add(readMessages(f, name), uint64(1), false)
	}
	for _, in := range corruptions() {
		f.Add([]byte(in), uint64(2), false)
	}
	for _, payload := range chunkCorruptions {
		f.Add([]byte(payload), uint64(3), true)
	}
	f.Fuzz(func(t *testing.T, in []byte, seed uint64, wrap bool) {
		if wrap {
			// Bytes alone rarely have the right checksums.
			half := len(in) / 2
			in = []byte(messageOf(string(in[:half]), string(in[half:]), 0) + message(ordinary("chunk"), string(in)))
		}
		for _, framing := range []Framing{Binary, Chunks} {
			checkMessages(t, in, framing, seed)
		}
	})
}

// checkMessages holds what is read of in against the promises.
func checkMessages(t *testing.T, in []byte, framing Framing, seed uint64) {
	t.Helper()
	open := newMessages(framing)
	want := readingOf(open(bytes.NewReader(in)))
	checkSame(t, in, "byte by byte", want, readingOf(open(everyByte(in))))
	checkSame(t, in, "in pieces", want, readingOf(open(randomCuts(in, seed))))
	raw := joinRaw(want.Frames)
	if !bytes.HasPrefix(in, raw) || want.Err == io.EOF.Error() && len(raw) != len(in) {
		t.Fatalf("join of Raw is %q of %q", raw, in)
	}
	for _, f := range want.Frames {
		// A plain frame says the same when it is made anew, and any frame is plain then.
		f.Plain = false
		out := open(nil).Append(nil, f)
		if len(f.Data) == 0 && len(out) == 0 {
			continue
		}
		again := readAll(t, open(bytes.NewReader(out)))
		name := string(f.Type)
		if framing == Chunks && !f.Failure {
			name = ""
		}
		if diff := cmp.Diff([]told{{name, string(f.Data), true, f.Failure}}, tell(again)); diff != "" {
			t.Fatalf("%q made anew (-want +got):\n%s", f.Raw, diff)
		}
	}
}
