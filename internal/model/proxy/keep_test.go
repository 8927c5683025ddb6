package proxy

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/record/bodies"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// A shelf keeps bodies in memory.
type shelf struct {
	mu  sync.Mutex
	all []bodies.Body
}

func (s *shelf) PutBodies(_ context.Context, all []bodies.Body) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, all...)
	return nil
}

// keeping is a bench whose door keeps bodies.
func keeping(t *testing.T, upstream http.HandlerFunc, edits ...func(*Config)) (*bench, *shelf, *bodies.Archive) {
	t.Helper()
	s := &shelf{}
	a, err := bodies.New(bodies.Config{Store: s, MaxBody: 10_000})
	expect.OK(t, err)
	b := newBench(t, upstream, append(edits, func(c *Config) { c.Bodies = a })...)
	return b, s, a
}

// kept are the texts that are kept once all exchanges are over, by side.
func (s *shelf) kept(b *bench, a *bodies.Archive) map[string]string {
	b.Helper()
	b.weir.Close() // it waits for the handlers
	b.door.observers.Wait(b.Context())
	expect.OK(b, a.Close(b.Context()))
	texts := map[string]string{}
	for _, body := range s.all {
		text, err := body.Text()
		expect.OK(b, err)
		texts[body.Side] += string(text)
	}
	return texts
}

const askStream, askBody = `{"model":"m","stream":true}`, `{"model":"m","stream":false}`

// What the agent got is what is kept of a response, whatever becomes of it on its way; what was sent is what is kept of a request.
func TestBodiesAreKept(t *testing.T) {
	for name, c := range map[string]struct {
		upstream http.HandlerFunc
		stream   bool
		edit     func(*Config)
	}{
		"a stream":           {responding(200, textStream, "Content-Type", "text/event-stream"), true, nil},
		"a refused call":     {responding(200, deniedStream, "Content-Type", "text/event-stream"), true, nil},
		"a body":             {responding(200, deniedBody, "Content-Type", "application/json"), false, nil},
		"an error":           {responding(429, `{"type":"error","error":{"type":"rate_limit_error","message":"slow"}}`), true, nil},
		"no format":          {responding(200, `{"x":1}`), false, nil},
		"broken off":         {breakingOff(messageStart+textBlock, ""), true, nil},
		"observed":           {responding(200, deniedStream, "Content-Type", "text/event-stream"), true, observing},
		"observed, an error": {responding(500, `oops`), true, observing},
	} {
		t.Run(name, func(t *testing.T) {
			edit := c.edit
			if edit == nil {
				edit = func(*Config) {}
			}
			b, s, a := keeping(t, c.upstream, edit)
			r := b.ask(c.stream)
			want := map[string]string{"request": askBody, "response": r.body}
			if c.stream {
				want["request"] = askStream
			}
			expect.Same(t, want, s.kept(b, a))
			for _, body := range s.all {
				if body.RequestID != r.Header.Get(requestIDHeader) || body.Time.IsZero() {
					t.Errorf("kept as %q of %v", body.RequestID, body.Time)
				}
			}
		})
	}
}

// Bodies that are compressed, or in binary messages, are kept as the text that they are.
func TestBodiesAreKeptAsText(t *testing.T) {
	for name, code := range map[string]string{"gzip": "gzip", "br": "br", "zstd": "zstd"} {
		t.Run(name, func(t *testing.T) {
			upstream := func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body) // the client's matter
				w.Header().Set("Content-Encoding", code)
				io.WriteString(w, compress(t, textStream, code)) // likewise
			}
			b, s, a := keeping(t, upstream, observing)
			b.do("POST", "/anthropic/v1/messages", compress(t, askStream, code), "Content-Encoding", code)
			expect.Same(t, map[string]string{"request": askStream, "response": textStream}, s.kept(b, a))
		})
	}
	t.Run("unknown", func(t *testing.T) {
		b, s, a := keeping(t, responding(200, textStream, "Content-Encoding", "lzma"), observing)
		b.ask(true)
		expect.Same(t, map[string]string{"request": askStream}, s.kept(b, a))
	})
	t.Run("messages", func(t *testing.T) {
		var stream []byte
		in := frame.NewMessages(strings.NewReader(""), frame.Binary, 0)
		for _, data := range []string{`{"a":1}`, `{"b":2}`} {
			stream = in.Append(stream, frame.Frame{Type: []byte("contentBlockDelta"), Data: []byte(data)})
		}
		b, s, a := keeping(t, responding(200, string(stream), "Content-Type", frame.Binary.ContentType()), observing)
		b.ask(true)
		expect.Same(t, "{\"a\":1}\n{\"b\":2}\n", s.kept(b, a)["response"])
	})
}

// What is no exchange with a model is not kept.
func TestBodiesThatAreNotKept(t *testing.T) {
	for name, ask := range map[string]func(*bench) reply{
		"a web page":      func(b *bench) reply { return b.ask(true, "Origin", "https://evil.example") },
		"a stranger":      func(b *bench) reply { return b.ask(true, keyHeaderName, "wrong") },
		"nowhere":         func(b *bench) reply { return b.do("POST", "/nowhere", "{}") },
		"weir's own page": func(b *bench) reply { return b.do("GET", "/healthz", "") },
		"a list":          func(b *bench) reply { return b.do("GET", "/anthropic/v1/models", "", keyHeaderName, clientKey) },
	} {
		t.Run(name, func(t *testing.T) {
			b, s, a := keeping(t, responding(200, `{"data":[]}`, "Content-Type", "application/json"), func(c *Config) {
				c.Admission = admits(t, admission.Client{Key: clientKey})
			})
			ask(b)
			if kept := s.kept(b, a); len(kept) > 0 {
				t.Errorf("kept %q", kept)
			}
		})
	}
}

const keyHeaderName, clientKey = "X-Weir-Key", "0123456789abcdef"

// A request that weir refuses was never sent: only the answer is kept.
func TestRefusedRequestIsNotKept(t *testing.T) {
	b, s, a := keeping(t, mustNotBeAsked(t), func(c *Config) { c.Bounds.Request = 10 })
	r := b.ask(true)
	b.mustFail(r, 413, true)
	expect.Same(t, map[string]string{"response": r.body}, s.kept(b, a))
}

// A long body is cut, and the client gets all of it.
func TestLongBodies(t *testing.T) {
	long := strings.Repeat(textBlock, 1000)
	b, s, a := keeping(t, responding(200, messageStart+long), observing, func(c *Config) { c.Bounds.Request = 50_000 })
	body := strings.Repeat("z", 60_000)
	r := b.do("POST", "/anthropic/v1/messages", body)
	expect.Equal(t, r.body, messageStart+long, "the client did not get the body")
	s.kept(b, a)
	full := map[string]int64{}
	for _, body := range s.all {
		full[body.Side] = body.FullSize
		expect.Equal(t, body.Size, 10_000, "%s: %d bytes are kept", body.Side, body.Size)
	}
	expect.Same(t, map[string]int64{"request": 60_000, "response": int64(len(r.body))}, full)
}

// The record of a response hears what became of its bodies, whichever is ready first, and once.
func TestRecordHearsOfBodies(t *testing.T) {
	for name, edit := range map[string]func(*Config){"gated": func(*Config) {}, "observed": observing} {
		t.Run(name, func(t *testing.T) {
			b, s, a := keeping(t, responding(200, textStream, "Content-Type", "text/event-stream"), edit)
			b.ask(true)
			waitForSignal(t, b.judge.ended, "the response ended")
			heard := make(chan call.Bodies, 3)
			b.judge.lastEnd(t).Bodies(func(became call.Bodies) { heard <- became })
			s.kept(b, a)
			first := <-heard
			expect.Equal(t, first.Request.Size, int64(len(askStream)), "heard %+v", first)
			expect.Equal(t, first.Response.Size, int64(len(textStream)), "heard %+v", first)
			b.judge.lastEnd(t).Bodies(func(became call.Bodies) { heard <- became })
			if diff := cmp.Diff(first, <-heard); diff != "" || len(heard) > 0 {
				t.Errorf("heard again %d times, %s", len(heard), diff)
			}
		})
	}
}

func TestSwitchedOff(t *testing.T) {
	b := newBench(t, mustNotBeAsked(t), func(c *Config) { c.Off = true })
	r := b.ask(true)
	b.mustFail(r, 404, true)
	expect.Text(t, r.body, "", "proxy.mode is disabled in weir.yaml")
	if r := b.do("GET", "/healthz", ""); r.StatusCode != 200 {
		t.Errorf("healthz says %d", r.StatusCode)
	}
	b = newBench(t, mustNotBeAsked(t), func(c *Config) { c.Off, c.Admission = true, admits(t, admission.Client{Key: clientKey}) })
	if r := b.ask(true); r.StatusCode != 401 {
		t.Errorf("a stranger got %d", r.StatusCode)
	}
}
