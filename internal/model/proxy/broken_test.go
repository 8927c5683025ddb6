package proxy

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/gate"
	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/anthropic"
	"github.com/weir-gate/weir/internal/weirtest/expect"
	"github.com/weir-gate/weir/internal/weirtest/port"
)

// breakingOff is an upstream that sends body and then cuts its connection.
func breakingOff(body, encoding string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if encoding != "" {
			w.Header().Set("Content-Encoding", encoding)
		}
		_, _ = io.WriteString(w, body)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}

func TestUpstreamDiesInAStream(t *testing.T) {
	sent := messageStart + textBlock + callOpen
	gzipped := compress(t, sent, "gzip")
	for name, answer := range map[string]http.HandlerFunc{
		"plain": breakingOff(sent, ""),
		"gzip":  breakingOff(gzipped[:len(gzipped)-12], "gzip"),
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, answer)
			r := b.ask(true)
			if r.err == nil {
				t.Errorf("the client takes this for a whole response:\n%s", r.body)
			}
			b.mustNotLeak(r)
			if name == "plain" && !strings.HasPrefix(r.body, messageStart+textBlock) {
				t.Errorf("the client got:\n%s", r.body)
			}
		})
	}
}

func TestUpstreamDiesBeforeAnythingWasSent(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"in the body":        breakingOff(deniedBody[:len(deniedBody)-5], ""),
		"in the first frame": breakingOff(messageStart[:20], ""),
		"before the header":  func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"in an error": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(500)
			breakingOff(`{"type":"err`, "")(w, nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, answer)
			r := b.ask(true)
			b.mustFail(r, 502, true)
			b.mustNotLeak(r)
		})
	}
}

func TestUpstreamIsNotThere(t *testing.T) {
	b := newBench(t, mustNotBeAsked(t), func(c *Config) {
		c.Upstreams["anthropic"] = Upstream{URL: &url.URL{Scheme: "http", Host: port.Reserve(t)}, Format: anthropic.Name}
	})
	b.mustFail(b.ask(true), 502, true)
	if !strings.Contains(b.log.String(), "refused") {
		t.Errorf("the log does not say why:\n%s", b.log)
	}
}

func TestUpstreamSpeaksNoHTTP(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	expect.OK(t, err)
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = http.ReadRequest(bufio.NewReader(c))
			_, _ = io.WriteString(c, secret+"\r\n\r\n")
			_ = c.Close()
		}
	}()
	b := newBench(t, mustNotBeAsked(t), func(c *Config) {
		c.Upstreams["anthropic"] = Upstream{URL: &url.URL{Scheme: "http", Host: l.Addr().String()}, Format: anthropic.Name}
	})
	r := b.ask(true)
	b.mustFail(r, 502, true)
	if strings.Contains(b.log.String()+r.body, secret) {
		t.Errorf("what the upstream sent is in the log or the error:\n%s", b.log)
	}
}

// A stream that cannot be decoded any further ends well-formed. What was delivered before stays delivered.
func TestStreamIsCorrupt(t *testing.T) {
	b := newBench(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := compressors["gzip"](w)
		_, _ = io.WriteString(z, messageStart+textBlock+callOpen)
		_ = z.Flush()
		_, _ = io.WriteString(w, strings.Repeat("\xff", 100))
	})
	r := b.ask(true)
	if !strings.HasPrefix(r.body, messageStart+textBlock) {
		t.Errorf("what came before is missing:\n%s", r.body)
	}
	r.Header.Set("Content-Type", "text/event-stream") // the upstream's own was another
	b.mustRefuseTurn(r, true, call.CodeUndecodable)
}

// A pipeTransport answers with a stream that stays silent after what it has.
type pipeTransport struct {
	header bool // send one
	body   string
}

func (p pipeTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if !p.header {
		<-req.Context().Done()
		return nil, req.Context().Err()
	}
	r, w := io.Pipe()
	go func() {
		_, _ = io.WriteString(w, p.body)
		<-req.Context().Done()
		_ = w.CloseWithError(req.Context().Err())
	}()
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: r, Request: req}, nil
}

func TestStalledUpstream(t *testing.T) {
	for name, c := range map[string]struct {
		transport pipeTransport
		status    int
		aborted   bool
	}{
		"no header":      {pipeTransport{}, 504, false},
		"no first frame": {pipeTransport{header: true}, 504, false},
		"half a body":    {pipeTransport{true, deniedBody[:60]}, 504, false},
		"half a stream":  {pipeTransport{true, messageStart + textBlock + callOpen}, 200, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				door := newDoor(t, Config{
					Gate: gate.New(gate.Config{Judge: newNameJudge()}), Formats: []dialect.Format{anthropic.Format()},
					Upstreams: map[string]Upstream{"a": {URL: &url.URL{Scheme: "http", Host: "h"}}},
					Transport: c.transport,
				})
				begin := time.Now()
				w := httptest.NewRecorder()
				aborted := serve(door, w, httptest.NewRequest("POST", "http://localhost/a/v1/messages", strings.NewReader("{}")))
				if w.Code != c.status || aborted != c.aborted || strings.Contains(w.Body.String(), secret) {
					t.Errorf("status %d, aborted %v: %s", w.Code, aborted, w.Body)
				}
				expect.Equal(t, time.Since(begin), 10*time.Minute, "waited")
			})
		})
	}
}

// serve says whether the handler broke the connection.
func serve(h http.Handler, w http.ResponseWriter, r *http.Request) (aborted bool) {
	defer func() {
		switch p := recover(); p {
		case nil:
		case http.ErrAbortHandler:
			aborted = true
		default:
			panic(p)
		}
	}()
	r.URL.Scheme, r.URL.Host = "", ""
	h.ServeHTTP(w, r)
	return false
}

func TestClientGoneCancelsTheUpstream(t *testing.T) {
	for _, observe := range []bool{false, true} {
		for name, sent := range map[string]string{"before the header": "", "in a stream": messageStart, "in a call": messageStart + textBlock + callOpen} {
			t.Run(name, func(t *testing.T) {
				cancelled := make(chan struct{})
				asked := make(chan struct{})
				b := newBench(t, func(w http.ResponseWriter, r *http.Request) {
					_, _ = io.Copy(io.Discard, r.Body)
					if sent != "" {
						_, _ = io.WriteString(w, sent)
						_ = http.NewResponseController(w).Flush()
					}
					close(asked)
					<-r.Context().Done()
					close(cancelled)
				}, func(c *Config) { c.Observe = observe })
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				req, err := http.NewRequestWithContext(ctx, "POST", b.weir.URL+"/anthropic/v1/messages", strings.NewReader("{}"))
				expect.OK(t, err)
				if sent == "" {
					go func() {
						<-asked
						cancel()
					}()
					if _, err = http.DefaultTransport.RoundTrip(req); !errors.Is(err, context.Canceled) {
						t.Fatal(err)
					}
				} else {
					resp, err := http.DefaultTransport.RoundTrip(req)
					expect.OK(t, err)
					if _, err := bufio.NewReader(resp.Body).ReadString('\n'); err != nil {
						t.Fatal(err)
					}
					cancel()
					_ = resp.Body.Close()
				}
				waitForSignal(t, cancelled, "the upstream's request was cancelled")
			})
		}
	}
}

// A client that takes nothing must not keep the upstream for ever.
func TestClientThatDoesNotRead(t *testing.T) {
	cancelled := make(chan struct{})
	b := newBench(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		defer close(cancelled)
		_, err := io.WriteString(w, messageStart)
		for err == nil {
			_, err = io.WriteString(w, "event: ping\ndata: {\"type\":\"ping\",\"x\":\""+strings.Repeat("x", 60000)+"\"}\n\n")
		}
	}, func(c *Config) { c.ClientTimeout = 50 * time.Millisecond })
	conn, err := net.Dial("tcp", b.weir.Listener.Addr().String())
	expect.OK(t, err)
	defer conn.Close()
	if _, err := io.WriteString(conn, "POST /anthropic/v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}"); err != nil {
		t.Fatal(err)
	}
	waitForSignal(t, cancelled, "the upstream was let go")
}

// shortly is how long clients may take where one does not send. It has the same time to read, so it must be enough for a busy
// machine to send a response.
const shortly = time.Second

// A client that does not send what it announced must not keep a request open for ever.
func TestClientThatDoesNotSend(t *testing.T) {
	b := newBench(t, mustNotBeAsked(t), func(c *Config) { c.ClientTimeout = shortly })
	resp := b.raw("POST /anthropic/v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n{}")
	expect.Equal(t, resp.StatusCode, http.StatusBadRequest, "status")
}

// The same for a client that was refused before its body was read.
func TestRefusedClientThatDoesNotSend(t *testing.T) {
	b := newBench(t, mustNotBeAsked(t), func(c *Config) { c.ClientTimeout = shortly })
	resp := b.raw("POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n{}")
	if _, err := io.Copy(io.Discard, resp.Body); resp.StatusCode != http.StatusNotFound || err != nil {
		t.Errorf("status %d, error %v", resp.StatusCode, err)
	}
}

// A client that listens for longer than it may take over a piece is not slow.
func TestClientThatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := httptest.NewRecorder()
		door := newDoor(t, Config{
			Gate: gate.New(gate.Config{Judge: newNameJudge()}), Formats: []dialect.Format{anthropic.Format()},
			Upstreams: map[string]Upstream{"a": {URL: &url.URL{Scheme: "http", Host: "h"}}},
			Transport: slowTransport{},
		})
		aborted := serve(door, w, httptest.NewRequest("POST", "http://localhost/a/v1/messages", strings.NewReader("{}")))
		if aborted || w.Body.String() != textStream {
			t.Errorf("aborted %v: %s", aborted, w.Body)
		}
	})
}

// slowTransport answers with one frame every nine minutes.
type slowTransport struct{}

func (slowTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	r, w := io.Pipe()
	go func() {
		for piece := range strings.SplitAfterSeq(textStream, "\n\n") {
			time.Sleep(9 * time.Minute)
			_, _ = io.WriteString(w, piece)
		}
		_ = w.Close()
	}()
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: r, Request: req}, nil
}

// panicGate is a gate with a mistake in it.
type panicGate struct{ Gate }

func (panicGate) Pass(_ context.Context, p gate.Passage) error {
	_, _ = io.WriteString(p.Out, "half")
	panic("mistake with " + secret)
}

// patientGate tells how long it may hold calls.
type patientGate struct {
	Gate
	patience chan time.Duration
}

func (g patientGate) Pass(ctx context.Context, p gate.Passage) error {
	g.patience <- p.Patience
	return g.Gate.Pass(ctx, p)
}

// The gate knows how long the clients of the format wait.
func TestPatienceIsThatOfTheFormat(t *testing.T) {
	told := make(chan time.Duration, 1)
	b := newBench(t, responding(200, textStream), func(c *Config) { c.Gate = patientGate{c.Gate, told} })
	b.ask(true)
	if got := <-told; got == 0 || got != anthropic.Format().Patience {
		t.Errorf("the gate may hold for %s", got)
	}
}

func TestPanicsStayInTheirRequest(t *testing.T) {
	b := newBench(t, responding(200, deniedStream), func(c *Config) { c.Gate = panicGate{} })
	if r := b.ask(true); r.err == nil {
		t.Errorf("the client takes this for a whole response: %d %q", r.StatusCode, r.body)
	}
	if r := b.do("GET", "/healthz", ""); r.StatusCode != 200 {
		t.Errorf("the door is gone: %d", r.StatusCode)
	}
	expect.Text(t, b.log.String(), "log", "panic", "!"+secret)
	b = newBench(t, responding(200, deniedStream), func(c *Config) { c.Gate, c.Observe = panicGate{}, true })
	if r := b.ask(true); r.err != nil || r.body != deniedStream {
		t.Errorf("observing changed the response: %v %q", r.err, r.body)
	}
	_ = b.door.observers.Wait(t.Context())
	expect.Text(t, b.log.String(), "log", "panic while observing", "!"+secret)
}

func TestLogHoldsNoSecrets(t *testing.T) {
	b := newBench(t, responding(200, deniedStream), func(c *Config) {
		c.Admission = admits(t, admission.Client{Key: "k-secret", Actor: call.Actor{Key: "ann"}})
	})
	b.do("POST", "/k/k-secret/anthropic/v1/messages?token=q-secret", `{"x":"b-secret"}`, "X-Api-Key", "h-secret", "User-Agent", "u-secret")
	b.do("POST", "/K/k-secret/anthropic/v1/messages?token=q-secret", `{"x":"b-secret"}`)
	log := b.log.String()
	expect.Text(t, log, "", "!secret", "!"+secret)
	for _, want := range []string{"method=POST", "status=200", "upstream=anthropic", "path=/v1/messages", "key=ann", "request=req_", "took="} {
		expect.Text(t, log, "log", want)
	}
}
