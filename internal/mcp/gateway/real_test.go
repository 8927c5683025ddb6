package gateway

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/weir-gate/weir/internal/mcp/child"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/outgoing"
	"github.com/weir-gate/weir/internal/mcp/reach"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// actAsServer makes the test program an MCP server on its standard streams.
const actAsServer = "MCPHTTP_TEST_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(actAsServer) != "" {
		serveEcho(os.Stdin, os.Stdout)
		return
	}
	os.Exit(m.Run())
}

// serveEcho answers every request with the name of the tool it asks for, and tells of its progress if it is asked to.
func serveEcho(in io.Reader, out io.Writer) {
	r, w := jsonrpc.NewReader(jsonrpc.ReaderConfig{Source: in}), jsonrpc.NewWriter(out)
	for {
		m, err := r.Next()
		if err != nil {
			return
		}
		if m.Kind != jsonrpc.Request {
			continue
		}
		if err := w.Write(echo(m)); err != nil {
			return
		}
	}
}

// echo is the response to a request.
func echo(m *jsonrpc.Message) *jsonrpc.Message {
	name, _ := m.ParamText("name")
	if name == "die" {
		os.Exit(3)
	}
	result := fmt.Appendf(nil, `{"protocolVersion":"2025-06-18","content":[{"type":"text","text":%q}]}`, name)
	return jsonrpc.NewResponse(m.ID, result)
}

// A real process behind the gateway: many clients with the same ids at once, and a death.
func TestRealProcess(t *testing.T) {
	open := func(context.Context, http.Header) (reach.Conn, error) {
		return reach.Stdio(reach.StdioConfig{Process: child.Config{Path: os.Args[0], Env: append(os.Environ(), actAsServer+"=1")}})
	}
	b := newBench(t, Config{}, Server{ID: "up", Type: typeStdio, Open: open}).serve()
	var clients sync.WaitGroup
	for c := range 4 {
		clients.Go(func() {
			session := b.whole(question{body: initialize}).header.Get(headerSession)
			in := map[string]string{headerSession: session}
			var calls sync.WaitGroup
			for i := range 20 {
				calls.Go(func() {
					tool := fmt.Sprintf("tool-%d-%d", c, i)
					b.whole(question{body: toolCall(i, tool, `{}`), header: in}).is(t, tool, 0, `"`+tool+`"`, fmt.Sprintf(`"id":%d,`, i))
				})
			}
			calls.Wait()
			b.whole(question{body: toolCall(1, "die", `{}`), header: in}).is(t, "death", 0, "-32603")
		})
	}
	clients.Wait()
}

// legacy is a real server with the old transport, for one client.
func legacy(messages chan string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /sse", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", mediaEvents)
		_, _ = io.WriteString(w, "event: endpoint\r\ndata: /post?s=1\r\n\r\n")
		for {
			_ = http.NewResponseController(w).Flush()
			select {
			case m := <-messages:
				_, _ = io.WriteString(w, "data: "+m+"\r\n\r\n") // without a name
			case <-r.Context().Done():
				return
			}
		}
	})
	mux.HandleFunc("POST /post", func(w http.ResponseWriter, r *http.Request) {
		parsed, err := jsonrpc.NewReader(jsonrpc.ReaderConfig{Source: r.Body}).Next()
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		if name, _ := parsed.ParamText("name"); name == "rejected" {
			w.WriteHeader(http.StatusTeapot)
			return
		}
		w.WriteHeader(http.StatusAccepted)
		if parsed.Kind == jsonrpc.Request {
			messages <- string(echo(parsed).Raw)
		}
	})
	return mux
}

// A real server with the old transport behind the gateway.
func TestRealLegacyServer(t *testing.T) {
	messages := make(chan string, 10)
	upstream := httptest.NewServer(legacy(messages))
	defer upstream.Close()
	u, err := url.Parse(upstream.URL + "/sse")
	expect.OK(t, err)
	sender, err := outgoing.New(outgoing.Config{URL: u})
	expect.OK(t, err)
	open := func(ctx context.Context, caller http.Header) (reach.Conn, error) {
		return reach.SSE(ctx, reach.SSEConfig{URL: u, Sender: sender, Caller: caller})
	}
	b := newBench(t, Config{}, Server{ID: "up", Type: typeSSE, Open: open}).serve()
	in := b.across()
	listening := bufio.NewReader(b.ask(question{method: http.MethodGet, header: in}).Body)
	if a := b.whole(question{body: toolCall(7, "one", `{}`), header: in}); !strings.Contains(a.body, `"text":"one"`) || a.header.Get("Content-Type") != mediaJSON {
		t.Errorf("%+v", a)
	}
	b.whole(question{body: toolCall(8, "rejected", `{}`), header: in}).is(t, "", 0, "-32603", "418")
	messages <- `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`
	expect.Text(t, nextEvent(t, listening), "event", "list_changed")
	// Its connections break, and are made again.
	upstream.CloseClientConnections()
	for {
		// The first call may still find the old connection, and is told that it broke.
		a := b.whole(question{body: toolCall(9, "two", `{}`), header: in})
		if strings.Contains(a.body, `"text":"two"`) {
			break
		}
		if !strings.Contains(a.body, "-32603") {
			t.Fatalf("%+v", a)
		}
	}
	b.whole(question{method: http.MethodDelete, header: in})
}
