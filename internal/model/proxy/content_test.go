package proxy

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/gate"
	"github.com/weir-gate/weir/internal/model/dialect/openaichat"
	"github.com/weir-gate/weir/internal/model/formats"
)

// A fileJudge refuses the tool Denied, and remembers what it released: tool and arguments, in one spelling.
type fileJudge struct {
	nameJudge
	mu       sync.Mutex
	released map[string]bool
}

func (j *fileJudge) Ended(call.Outcome) {}

func (j *fileJudge) Judge(ctx context.Context, c call.Call, done func(call.Ruling)) {
	j.nameJudge.Judge(ctx, c, func(r call.Ruling) {
		if r.Released {
			j.mu.Lock()
			j.released[c.Tool+" "+canonical([]byte(c.Args))] = true
			j.mu.Unlock()
		}
		done(r)
	})
}

// canonical is a JSON text in one spelling.
func canonical(text []byte) string {
	var v any
	if json.Unmarshal(text, &v) != nil {
		return string(text)
	}
	out, _ := json.Marshal(v)
	return string(out)
}

// A roundTrip answers requests without a network.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A library is a door to an upstream that hands out one file.
type library struct {
	door        *Door
	judge       *fileJudge
	file        []byte
	contentType string
}

func newLibrary(t testing.TB, edits ...func(*Config)) *library {
	t.Helper()
	l := &library{judge: &fileJudge{nameJudge: nameJudge{ended: make(chan struct{}, 1)}}}
	address, _ := url.Parse("https://upstream.test")
	cfg := Config{
		Gate:      gate.New(gate.Config{Judge: l.judge}),
		Formats:   formats.ForDoor(),
		Upstreams: map[string]Upstream{"openai": {URL: address, Format: openaichat.Name}},
		Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			header := http.Header{}
			if l.contentType != "" {
				header.Set("Content-Type", l.contentType)
			}
			body := io.NopCloser(bytes.NewReader(l.file))
			return &http.Response{StatusCode: http.StatusOK, Header: header, Body: body, Request: r, ProtoMajor: 1, ProtoMinor: 1}, nil
		}),
	}
	l.door = newDoor(t, cfg, edits...)
	return l
}

// fetch has the door hand out a file, and returns what the client got of it and what the judge released.
func (l *library) fetch(file []byte, contentType string) (got []byte, status int, released map[string]bool) {
	l.file, l.contentType = file, contentType
	l.judge.mu.Lock()
	l.judge.released = map[string]bool{}
	l.judge.mu.Unlock()
	rec := httptest.NewRecorder()
	func() {
		defer func() { _ = recover() }() // a broken connection: the client has what came before
		req := httptest.NewRequest(http.MethodGet, "/openai/v1/files/file-1/content", http.NoBody)
		req.Host, req.Body = "localhost", http.NoBody
		l.door.ServeHTTP(rec, req)
	}()
	l.judge.mu.Lock()
	defer l.judge.mu.Unlock()
	return rec.Body.Bytes(), rec.Code, l.judge.released
}

// check fetches a file, and checks that every call that some reader finds in what the client got was released with these
// arguments.
func (l *library) check(t *testing.T, file []byte, contentType string) {
	t.Helper()
	got, _, released := l.fetch(file, contentType)
	for name, read := range readers {
		for _, v := range read(got) {
			for _, c := range callsIn(v) {
				if !released[c] {
					t.Errorf("as %q, reader %s finds a call that was not released: %s\nfile:   %q\nclient: %q", contentType, name, c, cutText(file), cutText(got))
				}
			}
		}
	}
}

func cutText(b []byte) []byte { return b[:min(len(b), 2000)] }

// contentTypes are what the files are called.
var contentTypes = []string{"", "application/octet-stream", "application/json", "application/jsonl", "application/x-ndjson", "text/plain", "text/plain; charset=utf-16", "text/event-stream"}

// TestNoReaderOfFilesFindsAnUnjudgedCall fetches files of all shapes as all types, and has them read by all readers.
func TestNoReaderOfFilesFindsAnUnjudgedCall(t *testing.T) {
	rows := map[string]func(string) string{"chat": chatAnswer, "openai": chatRow, "anthropic": messageRow, "gemini": geminiFileRow}
	l, seen := newLibrary(t), map[string]bool{}
	for api, row := range rows {
		types := contentTypes[:2]
		switch {
		case racing && api != "openai":
			continue
		case api == "openai" && !racing:
			types = contentTypes
		}
		for _, tools := range [][2]string{{"Denied", "Denied"}, {"Denied", "Fine"}, {"Fine", "Denied"}, {"Fine", "Fine"}} {
			for shape, file := range fileShapes(row(tools[0]), row(tools[1])) {
				seen[shape] = true
				for _, contentType := range types {
					l.check(t, []byte(file), contentType)
				}
				if t.Failed() {
					t.Fatalf("shape %q", shape)
				}
			}
		}
	}
	if len(seen) < 130 {
		t.Errorf("only %d shapes", len(seen))
	}
}

// TestReadersFind checks the readers of this test: each shape is one that some of them find a call in.
func TestReadersFind(t *testing.T) {
	for shape, file := range fileShapes(chatRow("Denied"), chatRow("Denied")) {
		if slices.Contains([]string{"cut", "deep", "invalid inside", "bracket first", "control character", "gzip in gzip", "gzip, wide", "zero width ahead"}, shape) {
			continue // read by others than these
		}
		found := 0
		for _, read := range readers {
			for _, v := range read([]byte(file)) {
				found += len(callsIn(v))
			}
		}
		if found == 0 {
			t.Errorf("shape %q: no reader finds a call in it", shape)
		}
	}
}

// TestFilesPass checks that what is no answer passes byte for byte, whatever it is called.
func TestFilesPass(t *testing.T) {
	l := newLibrary(t)
	input := `{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{"model":"m","messages":[{"role":"user","content":"Go on."}]}}`
	for name, file := range map[string]string{
		"text":               "Notes on tool_calls and functionCall.\nMore notes.\n",
		"markdown":           "# Calls\n\n```json\n{\n  \"role\": \"assistant\",\n  \"tool_calls\": [\n    {\"id\": \"call_01\", \"type\": \"function\"}\n  ]\n}\n```\n",
		"python":             "import json\n\nmessages = [\n    {\"role\": \"assistant\", \"tool_calls\": [\n        {\"id\": \"a\"}]},\n]\nx = {\"tool_calls\": calls}\n{\"tool_calls\": calls}\n",
		"csv":                "id,answer\n1,\"{\"\"tool_calls\"\":[]}\"\n2,x\n",
		"tsv":                "a\tb\n1\t2\n",
		"yaml":               "id: 1\nname: foo\ntool_calls: [a]\n",
		"ini":                "[section]\na = 1\n",
		"rtf":                `{\rtf1\ansi Notes on "tool_calls": [1]}`,
		"html":               "<!doctype html><p>\"tool_calls\": [1]</p>\n",
		"xml":                "\ufeff<?xml version=\"1.0\"?><a/>\n",
		"pdf":                "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>\nstream\nx\x9c\x00\x01[\"{\nendstream\n%%EOF\n",
		"png":                "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x01\xfftool_calls\x00{\"a\x00",
		"mp4":                "\x00\x00\x00\x20ftypisom\x00\x00\x02\x00" + strings.Repeat("\x00\x01[{\"", 50_000),
		"zip":                "PK\x03\x04\x14\x00\x00\x00\x08\x00{\"x\":1}",
		"gzip":               zipped("Notes on tool_calls.\n"),
		"utf-16":             wide("\ufeffNotes on tool_calls.\r\n", false),
		"lines of requests":  input + "\n" + input + "\n",
		"one request":        input + "\n",
		"rows of data":       "{\"a\":1}\n{\"a\":2}\n",
		"values in a row":    "{\"a\":1}{\"a\":2} [3]\n\n\"x\" 4",
		"pretty, twice":      pretty(`{"a":[1,2],"b":{"c":1}}`) + "\n" + pretty(`{"a":[3]}`) + "\n",
		"json-seq":           "\x1e{\"a\":1}\n\x1e{\"a\":2}\n",
		"json":               `{"rows":[1,2,3]}`,
		"pretty json":        pretty(`{"rows":[1,{"type":"function","name":"x"}],"tool_calls":3}`),
		"usage of calls":     "x\n{\"tool_calls\":3,\"function_call\":null}\n",
		"text with a braces": "{ this is no JSON }\n[x](y)\n{}\n",
		"one letter":         "x",
		"blanks":             " \n \n",
	} {
		for _, contentType := range []string{"", "application/octet-stream", "text/plain"} {
			if got, status, _ := l.fetch([]byte(file), contentType); string(got) != file || status != http.StatusOK {
				t.Errorf("%s as %q: status %d, got %q, want %q", name, contentType, status, cutText(got), cutText([]byte(file)))
			}
		}
	}
}

// TestLinesMustBeStrict checks that in a file that is called lines of JSON, every line is one value.
func TestLinesMustBeStrict(t *testing.T) {
	l := newLibrary(t)
	for _, contentType := range []string{"application/jsonl", "application/x-jsonlines", "application/x-ndjson"} {
		for _, file := range []string{
			"{\"a\":1} {\"a\":2}\n", "{\"a\":1}\n{\"a\":2} x\n", "{\"a\":1}x\n", pretty(`{"a":1}`), "\x1e{\"a\":1}\n", "x\n", "{\"a\":1}\f{\"a\":2}\n", "{\"a\":NaN}\n",
		} {
			got, status, _ := l.fetch([]byte(file), contentType)
			if status == http.StatusOK && string(got) == file {
				t.Errorf("%q passes as %s", file, contentType)
			}
		}
	}
}

// FuzzFile has any bytes fetched as a file: no reader may find a call in what the client gets that was not released with these arguments.
func FuzzFile(f *testing.F) {
	l := newLibrary(f)
	for _, file := range fileShapes(chatRow("Denied"), messageRow("Fine")) {
		if len(file) < 4<<10 {
			f.Add([]byte(file), "application/octet-stream")
		}
	}
	f.Fuzz(func(t *testing.T, file []byte, contentType string) {
		if strings.ContainsFunc(contentType, func(r rune) bool { return r < ' ' || r > '~' }) {
			contentType = ""
		}
		l.check(t, file, contentType)
	})
}
