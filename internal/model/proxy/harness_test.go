package proxy

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/gate"
	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/intake/httpdoor"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/anthropic"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

const requestIDHeader = httpdoor.RequestIDHeader

// secret is in the arguments of every call to the denied tool. It must never reach a client.
const secret = "s3cr3t-argument"

const (
	messageStart = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\",\"type\":\"message\"," +
		"\"role\":\"assistant\",\"model\":\"m\",\"content\":[],\"stop_reason\":null,\"stop_sequence\":null,\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}\n\n"
	textBlock = "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n" +
		"event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"hello\"}}\n\n" +
		"event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n"
	callOpen = "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"tool_use\"," +
		"\"id\":\"toolu_1\",\"name\":\"Denied\",\"input\":{}}}\n\n" +
		"event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"input_json_delta\"," +
		"\"partial_json\":\"{\\\"a\\\":\\\"" + secret + "\\\"}\"}}\n\n"
	callClose  = "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":1}\n\n"
	messageEnd = "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\",\"stop_sequence\":null}," +
		"\"usage\":{\"output_tokens\":9}}\n\n" +
		"event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"

	deniedStream = messageStart + textBlock + callOpen + callClose + messageEnd
	deniedBody   = `{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"hello"},` +
		`{"type":"tool_use","id":"toolu_1","name":"Denied","input":{"a":"` + secret + `"}}],` +
		`"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":9}}`
	textStream = messageStart + textBlock + "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"," +
		"\"stop_sequence\":null},\"usage\":{\"output_tokens\":9}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"
)

// A nameJudge refuses the tool Denied and releases every other.
type nameJudge struct {
	mu    sync.Mutex
	calls []call.Call
	ends  []call.Outcome
	ended chan struct{} // gets one value for every response that ended
}

func newNameJudge() *nameJudge { return &nameJudge{ended: make(chan struct{}, 1000)} }

func (j *nameJudge) rule(c call.Call) call.Ruling {
	if c.Tool == "Denied" {
		return call.Ruling{Code: call.CodeToolDenied, Rule: "r", Reason: "No."}
	}
	return call.Ruling{Released: true}
}

func (j *nameJudge) RefusedByName(c call.Call) (call.Ruling, bool) {
	r := j.rule(c)
	return r, !r.Released
}

func (j *nameJudge) Judge(_ context.Context, c call.Call, done func(call.Ruling)) {
	j.Refuse(c, j.rule(c), done)
}

func (j *nameJudge) Refuse(c call.Call, r call.Ruling, done func(call.Ruling)) {
	j.mu.Lock()
	j.calls = append(j.calls, c)
	j.mu.Unlock()
	done(r)
}

func (j *nameJudge) Arguments(call.Call, call.Ruling) {}

func (j *nameJudge) Withdraw(_ call.Call, r call.Ruling, done func(call.Ruling)) { done(r) }

func (j *nameJudge) Ended(e call.Outcome) {
	j.mu.Lock()
	j.ends = append(j.ends, e)
	j.mu.Unlock()
	j.ended <- struct{}{}
}

func (j *nameJudge) lastEnd(t *testing.T) call.Outcome {
	t.Helper()
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.ends) == 0 {
		t.Fatal("the gate recorded no end of a response")
	}
	return j.ends[len(j.ends)-1]
}

// A bench is a door between a client and a scripted upstream, all on loopback.
type bench struct {
	*testing.T
	door     *Door
	judge    *nameJudge
	weir     served
	upstream *httptest.Server
	log      *syncBuffer
}

type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func newBench(t *testing.T, upstream http.HandlerFunc, edits ...func(*Config)) *bench {
	t.Helper()
	b := &bench{T: t, judge: newNameJudge(), log: &syncBuffer{}}
	b.upstream = httptest.NewServer(upstream)
	t.Cleanup(b.upstream.Close)
	address, err := url.Parse(b.upstream.URL)
	expect.OK(t, err)
	transport := NewTransport()
	t.Cleanup(transport.CloseIdleConnections)
	cfg := Config{
		Gate:      gate.New(gate.Config{Judge: b.judge}),
		Formats:   []dialect.Format{anthropic.Format()},
		Upstreams: map[string]Upstream{"anthropic": {URL: address, Format: anthropic.Name}, "bare": {URL: address}},
		Transport: transport,
		Log:       slog.New(slog.NewTextHandler(b.log, nil)),
	}
	b.door = newDoor(t, cfg, edits...)
	b.serve()
	return b
}

func newDoor(t testing.TB, cfg Config, edits ...func(*Config)) *Door {
	t.Helper()
	for _, edit := range edits {
		edit(&cfg)
	}
	door, err := New(cfg)
	expect.OK(t, err)
	return door
}

// served is where a door is served.
type served struct {
	URL      string
	Listener net.Listener
	Close    func() // waits for the handlers
}

// serve serves the door as weir does.
func (b *bench) serve() {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	expect.OK(b, err)
	ctx, stop := context.WithCancel(context.Background())
	server := httpdoor.NewServer(httpdoor.ServerConfig{Handler: b.door, Admission: b.door.admission, Underway: b.door.Underway(), Log: b.door.cfg.Log})
	done := make(chan error, 1)
	go func() { done <- server.Serve(ctx, l) }()
	b.weir = served{"http://" + l.Addr().String(), l, sync.OnceFunc(func() {
		stop()
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		expect.Is(b, <-done, nil)
	})}
	b.Cleanup(b.weir.Close)
}

// admits returns an admission for clients.
func admits(t *testing.T, clients ...admission.Client) *admission.Admission {
	t.Helper()
	return mustAdmit(t, admission.Config{Clients: clients})
}

func mustAdmit(t *testing.T, cfg admission.Config) *admission.Admission {
	t.Helper()
	a, err := admission.New(cfg)
	expect.OK(t, err)
	return a
}

// responding is an upstream that says the same to everyone.
func responding(status int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = nil
		for i := 0; i < len(header); i += 2 {
			w.Header().Add(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// A reply is a response, read to its end.
type reply struct {
	*http.Response
	body string
	err  error // of reading the body
}

func (b *bench) do(method, path, body string, header ...string) reply {
	b.Helper()
	req, err := http.NewRequest(method, b.weir.URL+path, strings.NewReader(body))
	expect.OK(b, err)
	req.Header.Set("Accept-Encoding", "gzip, br")
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			req.Host = header[i+1]
		} else {
			req.Header.Add(header[i], header[i+1])
		}
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return reply{err: err, Response: &http.Response{Header: http.Header{}}}
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if resp.Header.Get(requestIDHeader) == "" {
		b.Error("the response has no request id of weir's")
	}
	return reply{Response: resp, body: string(got), err: err}
}

// ask posts a request for a message.
func (b *bench) ask(stream bool, header ...string) reply {
	b.Helper()
	body := `{"model":"m","stream":false}`
	if stream {
		body = `{"model":"m","stream":true}`
	}
	return b.do(http.MethodPost, "/anthropic/v1/messages", body, header...)
}

// raw sends bytes as they are and returns the response.
func (b *bench) raw(request string) *http.Response {
	b.Helper()
	conn, err := net.Dial("tcp", b.weir.Listener.Addr().String())
	expect.OK(b, err)
	b.Cleanup(func() { conn.Close() })
	if _, err := io.WriteString(conn, request); err != nil {
		b.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	expect.OK(b, err)
	b.Cleanup(func() { resp.Body.Close() })
	return resp
}

// mustRefuseTurn checks that r is a well-formed turn with a notice and no call.
func (b *bench) mustRefuseTurn(r reply, stream bool, code string) {
	b.Helper()
	end := `"stop_reason":"end_turn"`
	kind := "application/json"
	if stream {
		end, kind = "event: message_stop", "text/event-stream"
	}
	if r.err != nil || r.StatusCode != http.StatusOK {
		b.Fatalf("status %d, error %v, want a turn", r.StatusCode, r.err)
	}
	expect.Equal(b, r.Header.Get("Content-Type"), kind, "content type")
	for _, want := range []string{"[weir]", "(" + code + ")", end} {
		expect.Text(b, r.body, "turn", want)
	}
	b.mustNotLeak(r)
	expect.Equal(b, b.judge.lastEnd(b.T).Code, code, "recorded code")
}

func (b *bench) mustNotLeak(r reply) {
	b.Helper()
	for _, leak := range []string{secret, "toolu_1", "tool_use\",\"id"} {
		if strings.Contains(r.body, leak) {
			b.Errorf("the client got %q:\n%s", leak, r.body)
		}
	}
}

// mustFail checks that r is an error of weir's own.
func (b *bench) mustFail(r reply, status int, native bool) {
	b.Helper()
	if r.StatusCode != status {
		b.Fatalf("status %d, want %d: %s", r.StatusCode, status, r.body)
	}
	if r.Request != nil && r.Request.Method != http.MethodHead && native != strings.HasPrefix(r.body, `{"type":"error"`) {
		b.Errorf("native shape is %v, want %v: %s", !native, native, r.body)
	}
	if retry := r.Header.Get("X-Should-Retry"); (retry == "false") != (status < 500) {
		b.Errorf("x-should-retry is %q for status %d", retry, status)
	}
	expect.Equal(b, r.Header.Get("Request-Id"), r.Header.Get(requestIDHeader), "request-id is not weir's")
}

// waitForSignal fails the test if c stays silent: the limit is only there to end a test that would hang.
func waitForSignal(t *testing.T, c <-chan struct{}, what string) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(30 * time.Second):
		t.Fatalf("waited in vain until %s", what)
	}
}
