package gateway

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/reach"
	"github.com/weir-gate/weir/internal/mcp/streamable"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// Short names, for tables.
const (
	headerVersion    = streamable.HeaderVersion
	headerSession    = streamable.HeaderSession
	headerLastEvent  = streamable.HeaderLastEvent
	headerMethod     = streamable.HeaderMethod
	headerName       = streamable.HeaderName
	mediaJSON        = streamable.MediaJSON
	mediaEvents      = streamable.MediaEvents
	versionStateless = streamable.VersionStateless
)

// A referee is a judge that rules by name: "denied…" is refused, "rewritten…" gets other arguments, "held…" waits until it is
// let go. Texts with POISON in them are kept back.
type referee struct {
	mu      sync.Mutex
	calls   []call.Call
	given   []call.Given
	refused []call.Ruling
	held    chan struct{} // closed to let go of what is held
	review  chan struct{} // closed to let go of what servers gave; nil: that is not held
	waiting chan string   // gets the name of what is held; nil: nobody is told
}

func (j *referee) Call(ctx context.Context, c call.Call) call.Ruling {
	j.mu.Lock()
	j.calls = append(j.calls, c)
	j.mu.Unlock()
	switch {
	case strings.HasPrefix(c.Tool, "denied"):
		return call.Ruling{Code: call.CodeToolDenied, Reason: "No."}
	case strings.HasPrefix(c.Tool, "rewritten"):
		return call.Ruling{Released: true, Args: []byte(`{"region":"[redacted]","note":"plain"}`)}
	case strings.HasPrefix(c.Tool, "held"):
		if j.waiting != nil {
			j.waiting <- c.Tool
		}
		select {
		case <-j.held:
		case <-ctx.Done():
			return call.Ruling{Code: call.CodeToolDenied, Reason: "Nobody waits."}
		}
	}
	return call.Ruling{Released: true}
}

func (j *referee) Tools(_ context.Context, l call.Listing) (call.Offer, error) {
	shown := make([]bool, len(l.Tools))
	for i, tool := range l.Tools {
		shown[i] = !bytes.Contains(tool, []byte("denied"))
	}
	return call.Offer{Shown: shown}, nil
}

func (j *referee) Given(ctx context.Context, g call.Given) call.Ruling {
	if j.review != nil {
		select {
		case <-j.review:
		case <-ctx.Done():
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.given = append(j.given, g)
	if bytes.Contains(g.Result, []byte("POISON")) || bytes.Contains(g.Error, []byte("POISON")) {
		return call.Ruling{Code: call.CodeContentDenied, Reason: "It is poisoned."}
	}
	return call.Ruling{Released: true}
}

func (j *referee) Refused(_ call.Call, r call.Ruling) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.refused = append(j.refused, r)
}

// refusals are the reasons on record.
func (j *referee) refusals() (reasons []string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, r := range j.refused {
		reasons = append(reasons, r.Reason)
	}
	return reasons
}

func (j *referee) givens() []call.Given {
	j.mu.Lock()
	defer j.mu.Unlock()
	return append([]call.Given(nil), j.given...)
}

// A bench is a gateway and what stands around it.
type bench struct {
	t     *testing.T
	judge *referee
	gw    *Gateway
	url   string // of the gateway's root; "" until served
}

// newBench returns a gateway for some servers.
func newBench(t *testing.T, cfg Config, servers ...Server) *bench {
	t.Helper()
	b := &bench{t: t, judge: &referee{held: make(chan struct{})}}
	var err error
	if cfg.Admission == nil {
		if cfg.Admission, err = admission.New(admission.Config{Hosts: []string{"example.com"}}); err != nil {
			t.Fatal(err)
		}
	}
	cfg.Judge, cfg.Servers = b.judge, servers
	if b.gw, err = New(cfg); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		expect.Is(t, b.gw.Close(ctx), nil)
	})
	return b
}

// serve makes the gateway reachable by real connections.
func (b *bench) serve() *bench {
	server := httptest.NewServer(b.gw)
	b.t.Cleanup(server.Close)
	b.url = server.URL
	return b
}

// remoteServer is a server of type http that answers as the handler does.
func remoteServer(t *testing.T, id string, h http.Handler) Server {
	t.Helper()
	upstream := httptest.NewServer(h)
	t.Cleanup(upstream.Close)
	u, err := url.Parse(upstream.URL + "/upstream")
	expect.OK(t, err)
	return Server{ID: id, Type: typeHTTP, Addr: u.String(), HTTP: upstream.Client(), URL: u}
}

// A question is one request to the gateway.
type question struct {
	method, path, body string // defaults: POST, /mcp/up
	header             map[string]string
}

func (q question) request(t *testing.T, base string) *http.Request {
	t.Helper()
	if q.method == "" {
		q.method = http.MethodPost
	}
	if q.path == "" {
		q.path = "/mcp/up"
	}
	req, err := http.NewRequestWithContext(t.Context(), q.method, base+q.path, strings.NewReader(q.body))
	expect.OK(t, err)
	req.Header.Set("Accept", "application/json, text/event-stream")
	if q.method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range q.header {
		if value == "" {
			req.Header.Del(name)
			continue
		}
		req.Header.Set(name, value)
	}
	return req
}

// ask sends a question over a real connection.
func (b *bench) ask(q question) *http.Response {
	b.t.Helper()
	resp, err := http.DefaultClient.Do(q.request(b.t, b.url))
	expect.OK(b.t, err)
	b.t.Cleanup(func() { resp.Body.Close() })
	return resp
}

// A response is what came back.
type answer struct {
	status int
	header http.Header
	body   string
}

// is wants a response to have a status, if one is given, and parts in its body, but not those after an exclamation mark.
func (a answer) is(t *testing.T, what string, status int, parts ...string) {
	t.Helper()
	if status != 0 {
		expect.Equal(t, a.status, status, "%s: %+v", what, a)
	}
	expect.Text(t, a.body, what, parts...)
}

// whole sends a question and reads all of the response.
func (b *bench) whole(q question) answer {
	b.t.Helper()
	resp := b.ask(q)
	body, err := io.ReadAll(resp.Body)
	expect.OK(b.t, err)
	return answer{resp.StatusCode, resp.Header, string(body)}
}

// call is the body of a tools/call.
func toolCall(id any, name, args string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, name, args)
}

const initialize = `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`

// nextEvent reads the lines of a stream up to the next event, comments aside.
func nextEvent(t *testing.T, r *bufio.Reader) string {
	t.Helper()
	var b strings.Builder
	for {
		line, err := r.ReadString('\n')
		expect.OK(t, err, "the stream ended after %q", b.String())
		if line == "\n" && b.Len() > 0 {
			return b.String()
		}
		if line != "\n" && !strings.HasPrefix(line, ":") {
			b.WriteString(line)
		}
	}
}

// A pipe is a connection with a server that the test plays.
type pipe struct {
	toServer chan *jsonrpc.Message
	toClient chan any // *jsonrpc.Message or error
	done     chan struct{}
	once     sync.Once
	caller   http.Header
}

func newPipe() *pipe {
	return &pipe{toServer: make(chan *jsonrpc.Message, 100), toClient: make(chan any, 100), done: make(chan struct{})}
}

func (p *pipe) Send(ctx context.Context, m *jsonrpc.Message) error {
	select {
	case p.toServer <- m:
		return nil
	case <-p.done:
		return reach.ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *pipe) Receive(ctx context.Context) (*jsonrpc.Message, error) {
	select {
	case it := <-p.toClient:
		if err, ok := it.(error); ok {
			return nil, err
		}
		return it.(*jsonrpc.Message), nil
	case <-p.done:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *pipe) Close() error {
	p.once.Do(func() { close(p.done) })
	return nil
}

// say has the server send a message.
func (p *pipe) say(t *testing.T, text string) {
	t.Helper()
	messages, _, err := jsonrpc.ParseBody([]byte(text))
	expect.OK(t, err)
	p.toClient <- messages[0]
}

// hear returns the next message that the server gets.
func (p *pipe) hear(t *testing.T) *jsonrpc.Message {
	t.Helper()
	select {
	case m := <-p.toServer:
		return m
	case <-p.done:
		t.Fatal("the connection was closed")
	case <-time.After(10 * time.Second):
		t.Fatal("the server was sent nothing")
	}
	return nil
}

// A host opens pipes.
type host struct{ opened chan *pipe }

func newHost() *host { return &host{make(chan *pipe, 100)} }

func (h *host) open(_ context.Context, caller http.Header) (reach.Conn, error) {
	p := newPipe()
	p.caller = caller
	h.opened <- p
	return p, nil
}

func (h *host) server(id, kind string) Server {
	return Server{ID: id, Type: kind, Addr: "program", Open: h.open}
}

// begin begins a session with a process, whose response to initialize is the usual one.
func (b *bench) begin(h *host) (session string, p *pipe) {
	b.t.Helper()
	answered := make(chan answer, 1)
	go func() { answered <- b.whole(question{body: initialize}) }()
	p = <-h.opened
	if m := p.hear(b.t); m.Method != "initialize" {
		b.t.Fatalf("the server got %s", m.Raw)
	}
	p.say(b.t, `{"jsonrpc":"2.0","id":"init","result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}`)
	a := <-answered
	session = a.header.Get(headerSession)
	if a.status != http.StatusOK || session == "" || a.header.Get("Content-Type") != mediaJSON {
		b.t.Fatalf("initialize: %+v", a)
	}
	return session, p
}
