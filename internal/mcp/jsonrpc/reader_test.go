package jsonrpc_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// readAll reads a stream to its end, and says in one line each what came: a message as its bytes, what was refused as its code,
// kind, id and reason, and noise. Messages of the n-th array begin with n.
func readAll(t testing.TB, src io.Reader, limit int) []string {
	t.Helper()
	var got []string
	r := jsonrpc.NewReader(jsonrpc.ReaderConfig{Source: src, MaxMessage: limit, Noise: func(n jsonrpc.Noise) {
		got = append(got, fmt.Sprintf("noise %d %q", n.Size, n.Text))
	}})
	batches := map[*jsonrpc.Batch]string{nil: ""}
	mark := func(b *jsonrpc.Batch) string {
		if _, is := batches[b]; !is {
			batches[b] = fmt.Sprintf("%d: ", len(batches))
		}
		return batches[b]
	}
	for {
		m, err := r.Next()
		var refused *jsonrpc.Refused
		switch {
		case err == nil:
			got = append(got, mark(m.Batch)+string(m.Raw))
		case errors.As(err, &refused):
			got = append(got, fmt.Sprintf("%srefused %d %d %s %s", mark(refused.Batch), refused.Code, refused.Kind, refused.ID, refused.Reason))
		case errors.Is(err, io.EOF):
			if _, again := r.Next(); !errors.Is(again, io.EOF) {
				t.Errorf("after the end: %v", again)
			}
			return got
		default:
			return append(got, "error "+err.Error())
		}
	}
}

const (
	ping  = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	ping2 = `{"jsonrpc":"2.0","id":2,"method":"ping"}`
	note  = `{"jsonrpc":"2.0","method":"n"}`
)

// Each row is an input on which readers are known to differ, or which is none of theirs; the package's documentation says
// why it is read so.
func TestReader(t *testing.T) {
	const (
		several  = "{\n  \"jsonrpc\": \"2.0\",\r\n  \"id\": 1,\n\n  \"method\": \"ping\"\n}"
		oneLine  = "more than one value is on its line"
		tooLarge = "it is too large to be read: json exceeds a bound: more than 200 bytes"
	)
	long := strings.Repeat("x", 300)
	noiseOf := func(text string) string { return fmt.Sprintf("noise %d %q", len(text), text) }
	tests := map[string]struct {
		in   string
		want []string
	}{
		"nothing":                {"", nil},
		"blank lines":            {"\n \t\r\n\n", nil},
		"line":                   {ping + "\n", []string{ping}},
		"lines":                  {ping + "\n" + note + "\n" + ping2 + "\n", []string{ping, note, ping2}},
		"trailing CR":            {ping + "\r\n" + ping2 + "\r\n", []string{ping, ping2}},
		"white space around":     {" \t" + ping + " \t\r\n", []string{ping}},
		"over several lines":     {several + "\n" + ping2 + "\n", []string{several, ping2}},
		"several, no LF":         {several, []string{several}},
		"last without LF":        {ping + "\n" + ping2, []string{ping, ping2}},
		"two on one line":        {ping + ping2 + "\n" + note + "\n", []string{"refused -32600 1 1 " + oneLine, note}},
		"two with space":         {ping + " " + ping2 + "\n" + note, []string{"refused -32600 1 1 " + oneLine, note}},
		"two, last line":         {ping + ping2, []string{"refused -32600 1 1 " + oneLine}},
		"two, second over lines": {ping + "{\n" + note + "\n}\n", []string{"refused -32600 1 1 " + oneLine, note, noiseOf("}")}},
		"text after":             {ping + " ok\n" + note, []string{"refused -32600 1 1 " + oneLine, note}},
		"text after several":     {several + " ok\n" + note, []string{"refused -32600 1 1 " + oneLine, note}},
		"array":                  {"[" + ping + "," + note + "]\n" + ping2, []string{"1: " + ping, "1: " + note, ping2}},
		"arrays":                 {"[" + ping + "]\n[" + ping2 + "]", []string{"1: " + ping, "2: " + ping2}},
		"array over lines":       {"[\n" + ping + ",\n" + note + "\n]\n", []string{"1: " + ping, "1: " + note}},
		"array, one bad": {
			"[" + ping + `,{"jsonrpc":"2.0","id":2,"method":1},3]` + "\n",
			[]string{
				"1: " + ping, "1: refused -32600 1 2 its method is not a text, or empty",
				"1: refused -32600 0 null it is not an object",
			},
		},
		"array, id twice": {
			"[" + ping + "," + ping + "]\n",
			[]string{"1: " + ping, "1: refused -32600 1 null its id is that of another request in the same array"},
		},
		"array, bad with an id of another": {
			"[" + ping + `,{"jsonrpc":"2.0","id":1,"method":1}]` + "\n",
			[]string{"1: " + ping, "1: refused -32600 1 null its method is not a text, or empty"},
		},
		"empty array":         {"[]\n" + note, []string{noiseOf("[]"), note}},
		"array of texts":      {`["a"]` + "\n" + note, []string{noiseOf(`["a"]`), note}},
		"duplicate method":    {`{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}` + "\n", []string{"refused -32600 1 1 a member is there twice, or in another case"}},
		"unknown member":      {`{"jsonrpc":"2.0","x":1,"method":"n"}` + "\n", []string{`{"jsonrpc":"2.0","method":"n"}`}},
		"null id":             {`{"jsonrpc":"2.0","id":null,"method":"n"}` + "\n", []string{"refused -32600 1 null its id is null, which is a notification to some readers and an error to others"}},
		"BOM":                 {"\ufeff" + ping + "\n" + note, []string{noiseOf("\ufeff" + ping), note}},
		"invalid UTF-8":       {`{"jsonrpc":"2.0","id":1,"result":{"a":"` + "\xff" + `"}}` + "\n" + note, []string{"refused -32700 3 1 it is not strict JSON: byte 38: not strict json: invalid utf-8", note}},
		"control character":   {`{"jsonrpc":"2.0","id":1,"result":{"a":"` + "\t" + `"}}` + "\n" + note, []string{"refused -32700 3 1 it is not strict JSON: byte 38: not strict json: control character in a string", note}},
		"log":                 {"starting up\n" + ping + "\nbye\n", []string{noiseOf("starting up"), ping, noiseOf("bye")}},
		"log without LF":      {"bye", []string{noiseOf("bye")}},
		"log with a message":  {"got " + ping + "\n" + note, []string{noiseOf("got " + ping), note}},
		"log in brackets":     {"[INFO] up {\n" + ping + "\n", []string{noiseOf("[INFO] up {"), ping}},
		"log with brackets":   {"[INFO]\n" + ping + "\n", []string{noiseOf("[INFO]"), ping}},
		"log with a time":     {"[2026-11-15 17:00:00] up\n" + ping + "\n", []string{noiseOf("[2026-11-15 17:00:00] up"), ping}},
		"log in braces":       {"{server} up\n" + ping + "\n", []string{noiseOf("{server} up"), ping}},
		"log in JSON":         {`{"level":30,"msg":"up","id":1}` + "\n" + ping + "\n", []string{noiseOf(`{"level":30,"msg":"up","id":1}`), ping}},
		"log in JSON, twice":  {`{"a":1} {"b":1}` + "\n" + ping + "\n", []string{noiseOf(`{"a":1} {"b":1}`), ping}},
		"other values":        {"1\n\"a\"\nnull\n" + ping, []string{noiseOf("1"), noiseOf(`"a"`), noiseOf("null"), ping}},
		"open brace":          {"{\n" + ping + "\n", []string{noiseOf("{"), ping}},
		"open bracket":        {"[\n" + ping + "\n" + ping2 + "\n", []string{noiseOf("["), ping, ping2}},
		"open bracket at end": {"[\n" + ping + "\n", []string{noiseOf("["), ping}},
		"open string":         {`{"a` + "\n" + ping + "\n", []string{noiseOf(`{"a`), ping}},
		"half a message":      {ping[:20] + "\n" + ping2 + "\n", []string{noiseOf(ping[:20]), ping2}},
		"half at the end":     {ping + "\n" + ping2[:30], []string{ping, noiseOf(ping2[:30])}},
		"many lines that are none": {
			"[" + strings.Repeat("\n1,", 17) + "\n" + "x y\n" + ping,
			[]string{noiseOf("[" + strings.Repeat("\n1,", 17) + "\n" + "x y"), ping},
		},
		"not quite JSON":   {`{"jsonrpc":"2.0","id":1,"method":nil}` + "\n" + note, []string{"refused -32700 1 1 it is not strict JSON: byte 33: not strict json: unexpected byte", note}},
		"oversize request": {`{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":"` + long + `"}}` + "\n" + note, []string{"refused -32600 1 7 " + tooLarge, note}},
		"oversize answer, id last": {
			`{"result":{"id":1,"a":["` + long + `"],"id":2},"jsonrpc":"2.0","id":"\u0061"}` + "\n" + note,
			[]string{`refused -32600 3 "a" ` + tooLarge, note},
		},
		"oversize over lines": {
			"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"a\":\"" + long + "\",\"b\":\n" + ping + "\n}}\n" + note,
			[]string{"refused -32600 3 7 " + tooLarge, note},
		},
		"oversize and deep": {
			`{"jsonrpc":"2.0","result":{"a":` + strings.Repeat("[\n", 500) + `"]"` + strings.Repeat("\n]", 500) + `},"id":7}` + "\n" + note,
			[]string{"refused -32600 3 7 " + tooLarge, note},
		},
		"oversize, two on one line": {ping + `{"a":"` + long + `"}` + "\n" + note, []string{"refused -32600 1 1 " + oneLine, note}},
		"oversize, broken":          {`{"jsonrpc":"2.0","id":7,"a":"` + long + "\n" + note, []string{"refused -32600 0 7 " + tooLarge, note}},
		"oversize, cut off":         {`{"jsonrpc":"2.0","id":7,"method":"` + long, []string{"refused -32600 0 7 " + tooLarge}},
		"oversize, id begun again":  {`{"jsonrpc":"2.0","id":7,"a":"` + long + `","id` + `":` + "\"\n" + note, []string{"refused -32600 0 null " + tooLarge, note}},
		"oversize array":            {"[" + strings.Repeat(ping+",", 9) + ping2 + "]\n" + note, []string{"refused -32600 0 null " + tooLarge, note}},
		"spaces after are no size":  {ping + strings.Repeat(" ", 500) + "\n" + note, []string{ping, note}},
		"spaces ahead are no size":  {strings.Repeat(" ", 500) + ping + "\n" + note, []string{ping, note}},
		"longest":                   {longest(200) + "\n" + note, []string{longest(200), note}},
		"longest, last":             {longest(200), []string{longest(200)}},
		"one longer":                {longest(201) + "\n" + note, []string{"refused -32600 2 null " + tooLarge, note}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for how, src := range map[string]io.Reader{
				"at once":           strings.NewReader(tt.in),
				"byte by byte":      iotest.OneByteReader(strings.NewReader(tt.in)),
				"end with the data": iotest.DataErrReader(strings.NewReader(tt.in)),
			} {
				expect.NoDiff(t, cmp.Diff(tt.want, readAll(t, src, 200)), "%s", how)
			}
		})
	}
}

// longest is a notification of n bytes.
func longest(n int) string {
	const ends = `{"jsonrpc":"2.0","method":""}`
	return ends[:len(ends)-2] + strings.Repeat("m", n-len(ends)) + ends[len(ends)-2:]
}

// An array of too many messages is not taken for a log.
func TestReaderBoundsArrays(t *testing.T) {
	in := "[" + strings.Repeat(note+",", 1000) + note + "]\n" + ping
	want := []string{"refused -32600 0 null it is an array of more than 1000 messages", ping}
	expect.Same(t, want, readAll(t, strings.NewReader(in), 0))
}

func TestReaderBoundsNoise(t *testing.T) {
	in := strings.Repeat("log ", 100_000)
	want := []string{fmt.Sprintf("noise %d %q", len(in), in[:1024]), ping}
	expect.Same(t, want, readAll(t, strings.NewReader(in+"\n"+ping+"\n"), 200))
}

// A message is delivered when its line ends, and not only when more comes.
func TestReaderDoesNotWaitForMore(t *testing.T) {
	for _, text := range []string{ping, "{\n" + ping[1:], "[" + ping + "]"} {
		in, out := io.Pipe()
		go func() { _, _ = io.WriteString(out, text+"\n") }()
		m, err := jsonrpc.NewReader(jsonrpc.ReaderConfig{Source: in}).Next()
		if err != nil || m.Method != "ping" {
			t.Errorf("%q: %v, %v", text, m, err)
		}
	}
}

// What was read stays as it is when more is read.
func TestMessagesAreTheCallers(t *testing.T) {
	r := jsonrpc.NewReader(jsonrpc.ReaderConfig{Source: strings.NewReader(ping + "\n" + ping2 + "\n" + strings.Repeat(" ", 100_000) + note)})
	var kept []*jsonrpc.Message
	for m, err := r.Next(); err == nil; m, err = r.Next() {
		kept = append(kept, m)
	}
	for i, want := range []string{ping, ping2, note} {
		expect.Equal(t, string(kept[i].Raw), want, "message %d became %s", i, kept[i].Raw)
	}
}

func TestReaderFails(t *testing.T) {
	broken := errors.New("broken pipe")
	src := io.MultiReader(strings.NewReader(ping+"\n"+ping2[:9]), iotest.ErrReader(broken))
	r := jsonrpc.NewReader(jsonrpc.ReaderConfig{Source: src})
	if m, err := r.Next(); err != nil || string(m.Raw) != ping {
		t.Fatalf("%v, %v", m, err)
	}
	for range 2 {
		if m, err := r.Next(); m != nil || !errors.Is(err, broken) {
			t.Errorf("%v, %v", m, err)
		}
	}
	stuck := jsonrpc.NewReader(jsonrpc.ReaderConfig{Source: emptyReader{}})
	if _, err := stuck.Next(); !errors.Is(err, io.ErrNoProgress) {
		t.Error(err)
	}
}

// emptyReader returns neither bytes nor an error.
type emptyReader struct{}

func (emptyReader) Read([]byte) (int, error) { return 0, nil }
