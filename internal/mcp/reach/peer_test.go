package reach_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/mcp/child"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/reach"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// A peer is a server that follows a script: what it says to each message, line by line.
type peer func(m message) []string

// A message is what a peer reads, more lenient than weir.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Cursor          string         `json:"cursor"`
		ProtocolVersion string         `json:"protocolVersion"`
		Meta            map[string]any `json:"_meta"`
	} `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code int `json:"code"`
	} `json:"error"`
}

// result is a response to a message.
func result(m message, text string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, text)
}

// failure is a response to a message that is an error.
func failure(m message, code int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"SECRET-OF-THE-SERVER"}}`, m.ID, code)
}

const welcome = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"peer","version":"1.2"},"instructions":"be kind"}`

// peers are the scripts that more than one way of reaching a server is tried with.
var peers = map[string]peer{
	// ordinary has two pages of tools.
	"ordinary": func(m message) []string {
		switch {
		case m.Method == "initialize":
			return []string{result(m, welcome)}
		case m.Method == "tools/list" && m.Params.Cursor == "":
			return []string{result(m, `{"tools":[{"name":"a"},{"name":"b", "x":[1]}],"nextCursor":"2"}`)}
		case m.Method == "tools/list" && m.Params.Cursor == "2":
			return []string{result(m, `{"tools":[{"name":"c"}],"nextCursor":null}`)}
		case m.Method == "echo":
			return []string{result(m, `{"echo":true}`)}
		}
		return nil
	},
	// curious asks things itself before it answers, and wants to be answered.
	"curious": func() peer {
		var held message
		return func(m message) []string {
			switch {
			case m.Method == "initialize":
				return []string{result(m, welcome)}
			case m.Method == "tools/list":
				held = m
				return []string{
					`{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"x"}}`,
					`{"jsonrpc":"2.0","id":"nobody","result":{}}`,
					`{"jsonrpc":"2.0","id":"p","method":"ping"}`,
				}
			case string(m.ID) == `"p"` && string(m.Result) == "{}":
				return []string{`{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{}}`}
			case string(m.ID) == "7" && m.Error != nil && m.Error.Code == -32601:
				return []string{`{"jsonrpc":"2.0","id":8,"method":"x","params":[]}`}
			case string(m.ID) == "8" && m.Error != nil && m.Error.Code == -32600:
				return []string{result(held, `{"tools":[]}`)}
			}
			return nil
		}
	}(),
	// stateless has no sessions.
	"stateless": func(m message) []string {
		version, _ := m.Params.Meta["io.modelcontextprotocol/protocolVersion"].(string)
		_, hasCapabilities := m.Params.Meta["io.modelcontextprotocol/clientCapabilities"]
		switch {
		case version != "2026-07-28", !hasCapabilities:
			return []string{failure(m, -32022)}
		case m.Method == "server/discover":
			return []string{result(m, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{},"instructions":"i","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"new","version":"3"}}}`)}
		case m.Method == "tools/list":
			return []string{result(m, `{"resultType":"complete","tools":[{"name":"s"}],"ttlMs":1}`)}
		}
		return []string{failure(m, -32601)}
	},
}

// parse reads what a peer is sent.
func parse(text []byte) (m message) {
	if err := json.Unmarshal(text, &m); err != nil {
		panic(err)
	}
	return m
}

// connect reaches a peer in one of the ways.
func connect(t *testing.T, way, name string) reach.Conn {
	t.Helper()
	switch way {
	case "stdio":
		return startHelper(t, "peer", name)
	case "json", "events":
		server := serve(t, streamable(peers[name], way == "events"))
		return open(t, reach.HTTP(reach.HTTPConfig{URL: address(t, server.URL), Sender: client}))
	default:
		server := serve(t, newLegacy(peers[name]))
		conn, err := reach.SSE(t.Context(), reach.SSEConfig{URL: address(t, server.URL+"/sse"), Sender: client})
		expect.OK(t, err)
		return open(t, conn)
	}
}

// open has a connection closed when the test ends.
func open(t *testing.T, conn reach.Conn) reach.Conn {
	t.Helper()
	t.Cleanup(func() {
		expect.Is(t, conn.Close(), nil)
	})
	return conn
}

// startHelper starts the test binary as a server.
func startHelper(t *testing.T, name string, args ...string) reach.Conn {
	t.Helper()
	conn, err := reach.Stdio(reach.StdioConfig{Process: helper(name, args...)})
	expect.OK(t, err)
	return open(t, conn)
}

// helper returns how to run the test binary as a server.
func helper(name string, args ...string) child.Config {
	return child.Config{
		Path: os.Args[0], Args: args, Grace: 300 * time.Millisecond,
		Env: append(os.Environ(), helperVariable+"="+name, "GORACE=atexit_sleep_ms=0"),
	}
}

// client follows no redirect.
var client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// serve starts an HTTP server. It is stopped after the connections of the test are.
func serve(t *testing.T, h http.Handler) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server
}

// address parses a URL.
func address(t testing.TB, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	expect.OK(t, err)
	return u
}

// streamable serves a peer over Streamable HTTP. It answers in events or JSON; what cannot be said in JSON waits for the stream of
// the session.
func streamable(p peer, inEvents bool) http.Handler {
	own := make(chan string, 100)
	var mu sync.Mutex
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodGet:
			w.Header().Set("Content-Type", "text/event-stream")
			w.WriteHeader(http.StatusOK)
			for {
				_ = http.NewResponseController(w).Flush()
				select {
				case line := <-own:
					_, _ = fmt.Fprintf(w, "event: message\ndata: %s\n\n", line)
				case <-r.Context().Done():
					return
				}
			}
		case http.MethodPost:
			m := parse(body(r))
			mu.Lock()
			lines := p(m)
			mu.Unlock()
			isAnswered := len(lines) > 0 && strings.Contains(lines[len(lines)-1], `"id":`+string(m.ID)+`,`) && m.Method != ""
			if !isAnswered || !inEvents {
				for _, line := range lines[:max(0, len(lines)-1)] {
					own <- line
				}
			}
			switch {
			case m.Method == "" || len(m.ID) == 0:
				for _, line := range lines[max(0, len(lines)-1):] {
					own <- line
				}
				w.WriteHeader(http.StatusAccepted)
			case isAnswered && !inEvents:
				w.Header().Set("Content-Type", "application/json; charset=utf-8")
				_, _ = w.Write([]byte(lines[len(lines)-1]))
			default:
				if !isAnswered {
					own <- lines[len(lines)-1]
					lines = nil
				}
				w.Header().Set("Content-Type", "text/event-stream")
				for _, line := range lines {
					_, _ = fmt.Fprintf(w, "data: %s\n\n", line)
				}
				_ = http.NewResponseController(w).Flush()
				if !isAnswered {
					<-r.Context().Done()
				}
			}
		case http.MethodDelete:
			w.WriteHeader(http.StatusNoContent)
		}
	})
}

// body reads the body of a request.
func body(r *http.Request) []byte {
	var b strings.Builder
	buf := make([]byte, 4096)
	for {
		n, err := r.Body.Read(buf)
		b.Write(buf[:n])
		if err != nil {
			return []byte(b.String())
		}
	}
}

// newLegacy serves a peer over HTTP with SSE.
func newLegacy(p peer) http.Handler {
	lines := make(chan string, 100)
	var mu sync.Mutex
	mux := http.NewServeMux()
	mux.HandleFunc("GET /sse", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprint(w, ": hello\n\nevent: endpoint\ndata: messages?session=1\n\n")
		for {
			_ = http.NewResponseController(w).Flush()
			select {
			case line := <-lines:
				_, _ = fmt.Fprintf(w, "data: %s\r\n\r\n", line)
			case <-r.Context().Done():
				return
			}
		}
	})
	mux.HandleFunc("POST /messages", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("session") != "1" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		mu.Lock()
		for _, line := range p(parse(body(r))) {
			lines <- line
		}
		mu.Unlock()
		w.WriteHeader(http.StatusAccepted)
	})
	return mux
}

// request returns a request.
func request(id int64, method, params string) *jsonrpc.Message {
	return jsonrpc.NewRequest(jsonrpc.IntID(id), method, []byte(params))
}

// soon is a context that ends a test which would hang.
func soon(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// receive returns what comes next: a message as its bytes, or what is wrong.
func receive(t testing.TB, conn reach.Conn) string {
	t.Helper()
	m, err := conn.Receive(soon(t))
	if err != nil {
		return "error: " + err.Error()
	}
	return string(m.Raw)
}

// send sends a message that the server takes.
func send(t testing.TB, conn reach.Conn, m *jsonrpc.Message) {
	t.Helper()
	expect.OK(t, conn.Send(soon(t), m))
}
