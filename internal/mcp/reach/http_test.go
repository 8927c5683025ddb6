package reach_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/reach"
	"github.com/weir-gate/weir/internal/weirtest/expect"
	"github.com/weir-gate/weir/internal/weirtest/port"
)

// A log takes note of what a server was sent.
type log struct {
	mu    sync.Mutex
	lines []string
}

func (l *log) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line)
}

func (l *log) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.lines...)
}

// httpConn connects to a handler.
func httpConn(t *testing.T, h http.HandlerFunc, cfg reach.HTTPConfig) reach.Conn {
	t.Helper()
	cfg.URL, cfg.Sender = address(t, serve(t, h).URL+"/mcp?q=1"), client
	return open(t, reach.HTTP(cfg))
}

// describe says what MCP says in the headers of a request.
func describe(r *http.Request) string {
	line := r.Method + " " + r.URL.String()
	for _, name := range []string{"Accept", "Content-Type", "Mcp-Session-Id", "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name", "Last-Event-Id", "X-Caller"} {
		if value := r.Header.Get(name); value != "" {
			line += fmt.Sprintf(" %s=%q", name, value)
		}
	}
	return line
}

// events answers with a stream.
func events(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, text)
	_ = http.NewResponseController(w).Flush()
}

// A whole session, as the server sees it.
func TestHTTPSession(t *testing.T) {
	var seen log
	listening := make(chan struct{})
	handle := func(w http.ResponseWriter, r *http.Request) {
		seen.add(describe(r))
		switch r.Method {
		case http.MethodGet:
			events(w, "event: message\nid: 1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"own\"}\n\n")
			close(listening)
			<-r.Context().Done()
		case http.MethodPost:
			m := parse(body(r))
			switch m.Method {
			case "initialize":
				w.Header().Set("Mcp-Session-Id", "s-1")
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, result(m, welcome))
			case "notifications/initialized":
				w.WriteHeader(http.StatusAccepted)
			default:
				events(w, "id: 7\ndata:\n\n: comment\n\ndata: "+result(m, "{}")+"\n\n")
			}
		}
	}
	caller := http.Header{"X-Caller": {"ann"}, "Mcp-Session-Id": {"of weir"}, "Last-Event-Id": {"of weir"}, "Accept": {"x/y"}}
	conn := httpConn(t, handle, reach.HTTPConfig{Caller: caller})
	send(t, conn, request(1, "initialize", `{"protocolVersion":"2025-11-25"}`))
	receive(t, conn)
	send(t, conn, jsonrpc.NewNotification("notifications/initialized", nil))
	expect.Equal(t, receive(t, conn), `{"jsonrpc":"2.0","method":"own"}`)
	<-listening
	send(t, conn, request(2, "tools/list", `{}`))
	expect.Equal(t, receive(t, conn), `{"jsonrpc":"2.0","id":2,"result":{}}`)
	expect.Is(t, conn.Close(), nil)
	const post = `POST /mcp?q=1 Accept="application/json, text/event-stream" Content-Type="application/json"`
	const session = ` Mcp-Session-Id="s-1" Mcp-Protocol-Version="2025-06-18"`
	want := []string{
		post + ` X-Caller="ann"`,
		post + session + ` X-Caller="ann"`,
		`GET /mcp?q=1 Accept="text/event-stream"` + session + ` X-Caller="ann"`,
		post + session + ` X-Caller="ann"`,
		`DELETE /mcp?q=1` + session + ` X-Caller="ann"`,
	}
	expect.Same(t, want, seen.all())
}

// A message of the stateless version says in headers what its body says.
func TestHTTPMirrors(t *testing.T) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`
	tests := map[string]struct{ method, params, want string }{
		"list":      {"tools/list", `{` + meta + `}`, ` Mcp-Protocol-Version="2026-07-28" Mcp-Method="tools/list"`},
		"tool":      {"tools/call", `{"name":"get it",` + meta + `}`, ` Mcp-Protocol-Version="2026-07-28" Mcp-Method="tools/call" Mcp-Name="get it"`},
		"prompt":    {"prompts/get", `{"name":"p",` + meta + `}`, ` Mcp-Protocol-Version="2026-07-28" Mcp-Method="prompts/get" Mcp-Name="p"`},
		"resource":  {"resources/read", `{"uri":"file:///a",` + meta + `}`, ` Mcp-Protocol-Version="2026-07-28" Mcp-Method="resources/read" Mcp-Name="file:///a"`},
		"not ASCII": {"tools/call", `{"name":"ü",` + meta + `}`, ` Mcp-Protocol-Version="2026-07-28" Mcp-Method="tools/call" Mcp-Name="=?base64?w7w=?="`},
		"line end":  {"tools/call", `{"name":"a\r\nX: y",` + meta + `}`, ` Mcp-Protocol-Version="2026-07-28" Mcp-Method="tools/call" Mcp-Name="=?base64?YQ0KWDogeQ==?="`},
		"blank":     {"tools/call", `{"name":" a",` + meta + `}`, ` Mcp-Protocol-Version="2026-07-28" Mcp-Method="tools/call" Mcp-Name="=?base64?IGE=?="`},
		"encoded":   {"tools/call", `{"name":"=?base64?YQ==?=",` + meta + `}`, ` Mcp-Protocol-Version="2026-07-28" Mcp-Method="tools/call" Mcp-Name="=?base64?PT9iYXNlNjQ/WVE9PT89?="`},
		"no name":   {"tools/call", `{` + meta + `}`, ` Mcp-Protocol-Version="2026-07-28" Mcp-Method="tools/call"`},
		"stateful":  {"tools/call", `{"name":"a"}`, ``},
		"no date":   {"tools/call", `{"_meta":{"io.modelcontextprotocol/protocolVersion":"x\r\ny"}}`, ``},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var seen log
			conn := httpConn(t, func(w http.ResponseWriter, r *http.Request) {
				seen.add(describe(r))
				events(w, "data: "+result(parse(body(r)), "{}")+"\n\n")
			}, reach.HTTPConfig{})
			send(t, conn, request(1, test.method, test.params))
			receive(t, conn)
			want := []string{`POST /mcp?q=1 Accept="application/json, text/event-stream" Content-Type="application/json"` + test.want}
			expect.Same(t, want, seen.all())
		})
	}
}

// A stream that breaks off goes on after the last event that came.
func TestHTTPResumes(t *testing.T) {
	answer := `data: {"jsonrpc":"2.0","id":1,"result":{}}` + "\n\n"
	note := `data: {"jsonrpc":"2.0","method":"n"}` + "\n\n"
	const (
		gotNote   = `{"jsonrpc":"2.0","method":"n"}`
		gotAnswer = `{"jsonrpc":"2.0","id":1,"result":{}}`
	)
	tests := map[string]struct {
		parts []string // what each request gets; "": HTTP status 500
		ids   []string // that the stream was asked to go on from
		want  []string
	}{
		"primed":       {[]string{"id: p\nretry: 1\ndata:\n\n", answer}, []string{"p"}, []string{gotAnswer}},
		"after events": {[]string{"id: 1\n" + note + "id: 2\r\n" + note, "id: 3\n" + note, answer}, []string{"2", "3"}, []string{gotNote, gotNote, gotNote, gotAnswer}},
		"cut":          {[]string{"id: 1\n" + note + "id: 2\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n", answer}, []string{"1"}, []string{gotNote, gotAnswer}},
		"server away":  {[]string{"id: 1\ndata:\n\n", "", "", answer}, []string{"1", "1", "1"}, []string{gotAnswer}},
		"no ids":       {[]string{note}, nil, []string{gotNote, "error: message refused: the server ended the stream before the response came"}},
		"id taken back": {
			[]string{"id: 1\n" + note + "id\n" + note},
			nil,
			[]string{gotNote, gotNote, "error: message refused: the server ended the stream before the response came"},
		},
		"odd id": {
			[]string{"id: \x01\n" + note},
			nil,
			[]string{gotNote, "error: message refused: the server ended the stream before the response came"},
		},
		"in vain": {
			[]string{"id: 1\ndata:\n\n", ": 1\n", ": 2\n", "", "", "data"},
			[]string{"1", "1", "1", "1", "1"},
			[]string{"error: message refused: the stream broke off before the response came"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var ids log
			parts := make(chan string, len(test.parts))
			for _, part := range test.parts {
				parts <- part
			}
			conn := httpConn(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet {
					ids.add(r.Header.Get("Last-Event-Id"))
				}
				if part := <-parts; part == "" {
					w.WriteHeader(http.StatusInternalServerError)
				} else {
					events(w, part)
				}
			}, reach.HTTPConfig{Retry: time.Millisecond})
			send(t, conn, request(1, "m", `{}`))
			for _, want := range test.want {
				expect.Same(t, want, receive(t, conn))
			}
			expect.Same(t, test.ids, ids.all())
		})
	}
}

// Whatever the server answers, who asked learns that there is no response, and nothing that the server says.
func TestHTTPBadAnswers(t *testing.T) {
	const marker = "SECRET-OF-THE-SERVER"
	status := func(code int, contentType, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			w.Header().Set("Location", "http://"+marker)
			w.WriteHeader(code)
			_, _ = io.WriteString(w, text)
		}
	}
	const refused = "error: message refused: "
	tests := map[string]struct {
		handle http.HandlerFunc
		sent   string   // the error of Send
		want   []string // what is received
	}{
		"error":           {handle: status(500, "text/html", marker), sent: "send message: the server responded with HTTP status 500 (Internal Server Error)"},
		"odd status":      {handle: status(799, "text/html", marker), sent: "send message: the server responded with HTTP status 799"},
		"redirect":        {handle: status(307, "text/html", marker), sent: "send message: the server responded with HTTP status 307 (Temporary Redirect)"},
		"unauthorized":    {handle: status(401, "text/html", marker), sent: "send message: the server responded with HTTP status 401 (Unauthorized); check the credentials that are declared for it"},
		"not found":       {handle: status(404, "text/html", marker), sent: "send message: the server responded with HTTP status 404 (Not Found); check its type and the path of its URL"},
		"with JSON error": {handle: status(400, "application/json", `{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"`+marker+`"}}`), sent: "send message: the server responded with HTTP status 400 (Bad Request) and error -32020"},
		"with odd JSON":   {handle: status(400, "application/json", `{"`+marker+`"`), sent: "send message: the server responded with HTTP status 400 (Bad Request)"},
		"nothing":         {handle: status(202, "", ""), sent: "send message: the server responded with HTTP status 202 and neither JSON nor events"},
		"a page":          {handle: status(200, "text/html", marker), sent: "send message: the server responded with HTTP status 200 and neither JSON nor events"},
		"another charset": {handle: status(200, "application/json; charset=utf-16", marker), sent: "send message: the server responded with HTTP status 200 and neither JSON nor events"},
		"no JSON":         {handle: status(200, "application/json", marker), want: []string{refused + "it is not strict JSON: byte 0: not strict json: unexpected byte", refused + "the server's response is none to the request"}},
		"empty":           {handle: status(200, "application/json", ""), want: []string{refused + "the server's response is none to the request"}},
		"for another":     {handle: status(200, "application/json", `{"jsonrpc":"2.0","id":"1","result":{}}`), want: []string{`{"jsonrpc":"2.0","id":"1","result":{}}`, refused + "the server's response is none to the request"}},
		"refused answer":  {handle: status(200, "application/json", `{"jsonrpc":"2.0","id":1,"result":1}`), want: []string{refused + "its result is not an object"}},
		"too large":       {handle: status(200, "application/json", `{"jsonrpc":"2.0","id":1,"result":{"x":"`+strings.Repeat("x", 200)+`"}}`), want: []string{refused + "the server's response is larger than the bound"}},
		"large event":     {handle: status(200, "text/event-stream", `data: {"jsonrpc":"2.0","id":1,"result":{"x":"`+strings.Repeat("x", 200)+`"}}`+"\n\n"), want: []string{refused + "an event on the stream is larger than the bound"}},
		"broken off": {handle: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, `{"jsonrpc"`)
		}, want: []string{refused + "the server's response broke off"}},
		"stream broken off": {handle: func(w http.ResponseWriter, _ *http.Request) {
			events(w, "data: x")
			panic(http.ErrAbortHandler)
		}, want: []string{refused + "the stream broke off before the response came"}},
		"odd event": {handle: status(200, "text/event-stream", "data: x\n\nevent: other\ndata: "+marker+"\n\ndata: {\"jsonrpc\":\"2.0\",\ndata: \"id\":1,\"result\":{}}\n\n"), want: []string{refused + "it is not strict JSON: byte 0: not strict json: unexpected byte", "{\"jsonrpc\":\"2.0\",\n\"id\":1,\"result\":{}}"}},
		"batch":     {handle: status(200, "application/json", `[{"jsonrpc":"2.0","method":"n"},{"jsonrpc":"2.0","id":1,"result":{}}]`), want: []string{`{"jsonrpc":"2.0","method":"n"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			conn := httpConn(t, test.handle, reach.HTTPConfig{MaxMessage: 150, Retry: time.Millisecond})
			sent := ""
			if err := conn.Send(soon(t), request(1, "m", `{}`)); err != nil {
				sent = err.Error()
			}
			expect.Same(t, test.sent, sent)
			for _, want := range test.want {
				got := receive(t, conn)
				expect.Same(t, want, got)
				if strings.Contains(got, marker) {
					t.Errorf("the server's text is shown: %s", got)
				}
			}
			expect.Is(t, conn.Close(), nil)
			expect.Equal(t, receive(t, conn), "error: the connection was closed: EOF", "more came")
		})
	}
}

// A server that forgets a session is told apart from one that is gone.
func TestHTTPSessionLost(t *testing.T) {
	handle := func(inGET bool) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet {
				w.WriteHeader(map[bool]int{true: http.StatusNotFound, false: http.StatusMethodNotAllowed}[inGET])
				return
			}
			switch m := parse(body(r)); m.Method {
			case "initialize":
				w.Header().Set("Mcp-Session-Id", "s")
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, result(m, welcome))
			case "notifications/initialized":
				w.WriteHeader(http.StatusAccepted)
			default:
				w.WriteHeader(http.StatusNotFound)
			}
		}
	}
	for _, inGET := range []bool{true, false} {
		t.Run(fmt.Sprint(inGET), func(t *testing.T) {
			conn := httpConn(t, handle(inGET), reach.HTTPConfig{})
			send(t, conn, request(1, "initialize", `{}`))
			receive(t, conn)
			send(t, conn, jsonrpc.NewNotification("notifications/initialized", nil))
			if !inGET {
				expect.Is(t, conn.Send(soon(t), request(2, "m", `{}`)), reach.ErrSessionLost)
			}
			if _, err := conn.Receive(soon(t)); !errors.Is(err, reach.ErrSessionLost) {
				t.Error(err)
			}
			expect.Is(t, conn.Send(soon(t), request(3, "m", `{}`)), reach.ErrSessionLost)
		})
	}
}

func TestHTTPOddSession(t *testing.T) {
	for name, id := range map[string]string{"not ASCII": "\u00fc", "long": strings.Repeat("x", 2000)} {
		t.Run(name, func(t *testing.T) {
			conn := httpConn(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Mcp-Session-Id", id)
				events(w, "data: "+result(parse(body(r)), welcome)+"\n\n")
			}, reach.HTTPConfig{})
			err := conn.Send(soon(t), request(1, "initialize", `{}`))
			if err == nil || !strings.Contains(err.Error(), "the session an id") || strings.Contains(err.Error(), id) {
				t.Error(err)
			}
		})
	}
}

// The stream for what the server says by itself is opened again when it ends, and given up when it is not offered.
func TestHTTPListensAgain(t *testing.T) {
	var gets log
	parts := make(chan string, 3)
	parts <- "id: 1\nretry: 1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"one\"}\n\n"
	parts <- "data: {\"jsonrpc\":\"2.0\",\"method\":\"two\"}\n\n"
	parts <- ""
	given := make(chan struct{})
	conn := httpConn(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		gets.add(r.Header.Get("Last-Event-Id"))
		if part := <-parts; part != "" {
			events(w, part)
			return
		}
		w.WriteHeader(http.StatusMethodNotAllowed)
		close(given)
	}, reach.HTTPConfig{Retry: time.Millisecond})
	send(t, conn, jsonrpc.NewNotification("notifications/initialized", nil))
	send(t, conn, jsonrpc.NewNotification("notifications/initialized", nil))
	for _, method := range []string{"one", "two"} {
		expect.Equal(t, receive(t, conn), `{"jsonrpc":"2.0","method":"`+method+`"}`)
	}
	<-given
	expect.Same(t, []string{"", "1", "1"}, gets.all())
}

func TestHTTPSendEndsWithContext(t *testing.T) {
	asked := make(chan struct{})
	conn := httpConn(t, func(_ http.ResponseWriter, r *http.Request) {
		_ = body(r)
		close(asked)
		<-r.Context().Done()
	}, reach.HTTPConfig{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-asked
		cancel()
	}()
	expect.Is(t, conn.Send(ctx, request(1, "m", `{}`)), context.Canceled)
}

// No error shows the address: its query may hold a key.
func TestHTTPUnreachable(t *testing.T) {
	conn := open(t, reach.HTTP(reach.HTTPConfig{URL: address(t, "http://"+port.Reserve(t)+"/?key=SECRET"), Sender: client}))
	err := conn.Send(soon(t), request(1, "m", `{}`))
	if err == nil || strings.Contains(err.Error(), "SECRET") {
		t.Error(err)
	}
}

// Many requests at once, each with its own response.
func TestHTTPConcurrent(t *testing.T) {
	conn := httpConn(t, streamable(peers["ordinary"], true).ServeHTTP, reach.HTTPConfig{})
	const n = 20
	var senders sync.WaitGroup
	for i := range n {
		senders.Go(func() {
			expect.Is(t, conn.Send(soon(t), request(int64(i), "echo", `{}`)), nil)
		})
	}
	answered := map[jsonrpc.ID]bool{}
	for range n {
		m, err := conn.Receive(soon(t))
		expect.OK(t, err)
		answered[m.ID] = true
	}
	senders.Wait()
	expect.Equal(t, len(answered), n, "%d answers", len(answered))
}
