package reach_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/mcp/reach"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// legacy connects to a server that sends a stream, and then ends it or, if it is to stay, waits.
func legacy(t *testing.T, text string, stay bool) (reach.Conn, error) {
	t.Helper()
	return legacyHandler(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		events(w, text)
		if stay {
			<-r.Context().Done()
		}
	})
}

// legacyHandler connects to a server.
func legacyHandler(t *testing.T, h http.HandlerFunc) (reach.Conn, error) {
	t.Helper()
	server := serve(t, h)
	conn, err := reach.SSE(soon(t), reach.SSEConfig{
		URL: address(t, server.URL+"/old/sse?k=SECRET"), Sender: client,
		MaxMessage: 200,
	})
	if err == nil {
		open(t, conn)
	}
	return conn, err
}

const endpoint = "event: endpoint\ndata: /post\n\n"

// However a server writes its events, the messages are the same.
func TestSSEReads(t *testing.T) {
	const n, two = `{"jsonrpc":"2.0","method":"n"}`, `{"jsonrpc":"2.0","method":"two"}`
	tests := map[string]struct {
		text string
		want []string
	}{
		"named":           {endpoint + "event: message\ndata: " + n + "\n\n", []string{n}},
		"unnamed":         {endpoint + "data: " + n + "\n\ndata:" + two + "\n\n", []string{n, two}},
		"empty name":      {endpoint + "event\ndata: " + n + "\n\nevent:\ndata: " + two + "\n\n", []string{n, two}},
		"other names":     {endpoint + "event: ping\ndata: " + two + "\n\ndata: " + n + "\n\nevent: endpoint\ndata: http://elsewhere/\n\n", []string{n}},
		"CRLF":            {strings.ReplaceAll(endpoint+"event: message\ndata: "+n+"\n\n", "\n", "\r\n"), []string{n}},
		"CR":              {strings.ReplaceAll(endpoint+"event: message\ndata: "+n+"\n\n", "\n", "\r"), []string{n}},
		"mixed":           {endpoint + "event: message\r\ndata: " + n + "\r\n\n", []string{n}},
		"byte order mark": {"\ufeff" + endpoint + "data: " + n + "\n\n", []string{n}},
		"comments":        {": hi\n\n: hi\n" + endpoint + ":\ndata: " + n + "\n: x\n\n", []string{n}},
		"several lines":   {endpoint + "data: {\"jsonrpc\":\"2.0\",\ndata: \"method\":\ndata:\"n\"}\n\n", []string{"{\"jsonrpc\":\"2.0\",\n\"method\":\n\"n\"}"}},
		"no data":         {endpoint + "data:\n\nid: 1\n\nretry: 5\n\ndata: " + n + "\n\n", []string{n}},
		"batch":           {endpoint + "data: [" + n + "," + two + "]\n\n", []string{n, two}},
		"not JSON":        {endpoint + "data: hello\n\ndata: " + n + "\n\n", []string{"error: message refused: it is not strict JSON: byte 0: not strict json: unexpected byte", n}},
		"cut off":         {endpoint + "data: " + n + "\n", nil},
		"too large":       {endpoint + "data: " + n + strings.Repeat(" ", 300) + "\n\ndata: " + n + "\n\n", []string{"error: message refused: an event is larger than the bound"}},
	}
	ends := map[string]string{
		"cut off":   "error: the server is gone: it broke off its stream",
		"too large": "error: the server is gone: it sent an event that is larger than the bound, and its stream was ended",
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			conn, err := legacy(t, test.text, false)
			expect.OK(t, err)
			for _, want := range test.want {
				expect.Same(t, want, receive(t, conn))
			}
			end := "error: the server is gone: it ended its stream"
			if odd := ends[name]; odd != "" {
				end = odd
			}
			expect.Same(t, end, receive(t, conn))
			if _, err := conn.Receive(soon(t)); !errors.Is(err, io.EOF) {
				t.Error(err)
			}
		})
	}
}

func TestSSECannotOpen(t *testing.T) {
	stream := func(text string, stay bool) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			events(w, text)
			if stay {
				<-r.Context().Done()
			}
		}
	}
	answer := func(status int, contentType string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			w.Header().Set("Location", "/other")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, endpoint)
		}
	}
	tests := map[string]struct {
		handle http.HandlerFunc
		want   string
	}{
		"not found":     {answer(404, "text/plain"), "the server responded with HTTP status 404 (Not Found); check its type and the path of its URL"},
		"redirect":      {answer(302, "text/plain"), "the server responded with HTTP status 302 (Found)"},
		"no content":    {answer(204, "text/event-stream"), "the server responded with HTTP status 204 (No Content)"},
		"JSON":          {answer(200, "application/json"), "the server's response is not text/event-stream; check its type and the path of its URL"},
		"no type":       {answer(200, ""), "the server's response is not text/event-stream; check its type and the path of its URL"},
		"ends":          {stream(": hi\n\n", false), "the stream ended before the server named its endpoint"},
		"half":          {stream("event: endpoint\ndata: /post", false), "the stream broke off"},
		"large":         {stream("event: endpoint\ndata: /"+strings.Repeat("x", 300)+"\n\n", true), "an event is larger than the bound"},
		"message first": {stream("data: {}\n\n"+endpoint, true), "the server sent a message before it named its endpoint"},
		"elsewhere":     {stream("event: endpoint\ndata: http://127.0.0.1:1/SECRET\n\n", true), "the server named an endpoint that is not on the server itself"},
		"no address":    {stream("event: endpoint\ndata: http://[SECRET\n\n", true), "the server named an endpoint that is no address"},
		"no endpoint":   {stream("event: endpoint\ndata\n\n", true), "the server named an endpoint that is no address"},
		"several lines": {stream("event: endpoint\ndata: /a\ndata: b\n\n", true), "the server named an endpoint that is no address"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := legacyHandler(t, test.handle)
			if err == nil {
				t.Fatal("it opened")
			}
			expect.Same(t, "open stream: "+test.want, err.Error())
		})
	}
}

// An endpoint that comes late, but in time, is waited for.
func TestSSESlowEndpoint(t *testing.T) {
	var seen log
	conn, err := legacyHandler(t, func(w http.ResponseWriter, r *http.Request) {
		seen.add(describe(r))
		if r.Method == http.MethodPost {
			return
		}
		for _, piece := range []string{": wait\n\n", "event: end", "point\ndata", ": ../p?s=1\n", "\n"} {
			events(w, piece)
		}
		<-r.Context().Done()
	})
	expect.OK(t, err)
	send(t, conn, request(1, "m", `{}`))
	want := []string{
		`GET /old/sse?k=SECRET Accept="text/event-stream"`,
		`POST /p?s=1 Accept="application/json, text/event-stream" Content-Type="application/json"`,
	}
	expect.Same(t, want, seen.all())
}

func TestSSESend(t *testing.T) {
	for status, want := range map[int]string{
		200: "", 202: "", 204: "",
		302: "send message: the server responded with HTTP status 302 (Found)",
		400: "send message: the server responded with HTTP status 400 (Bad Request)",
		503: "send message: the server responded with HTTP status 503 (Service Unavailable)",
	} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			conn, err := legacyHandler(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodPost {
					_ = body(r)
					w.WriteHeader(status)
					_, _ = io.WriteString(w, "SECRET")
					return
				}
				events(w, endpoint)
				<-r.Context().Done()
			})
			expect.OK(t, err)
			got := ""
			if err := conn.Send(soon(t), request(1, "m", `{}`)); err != nil {
				got = err.Error()
			}
			expect.Same(t, want, got)
		})
	}
}

// When the stream is gone, so is the connection: nobody waits for a response that cannot come.
func TestSSEDiesMidway(t *testing.T) {
	posted := make(chan struct{})
	conn, err := legacyHandler(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			_ = body(r)
			close(posted)
			<-r.Context().Done()
			return
		}
		events(w, endpoint+"data: {\"jsonrpc\":")
		<-posted
		panic(http.ErrAbortHandler)
	})
	expect.OK(t, err)
	sent := make(chan error)
	go func() { sent <- conn.Send(t.Context(), request(1, "m", `{}`)) }()
	expect.Equal(t, receive(t, conn), "error: the server is gone: it broke off its stream")
	if err := <-sent; !errors.Is(err, io.EOF) || err.Error() != "send message: the server is gone: it broke off its stream" {
		t.Errorf("it was sent: %v", err)
	}
}

func TestSSEEndsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		events(w, ": hi\n\n")
		cancel()
		<-r.Context().Done()
	}))
	_, err := reach.SSE(ctx, reach.SSEConfig{URL: address(t, server.URL), Sender: client})
	expect.Is(t, err, context.Canceled)
	// Once open, it stays open.
	ctx, cancel = context.WithCancel(t.Context())
	server = serve(t, newLegacy(peers["ordinary"]))
	conn, err := reach.SSE(ctx, reach.SSEConfig{URL: address(t, server.URL+"/sse"), Sender: client})
	expect.OK(t, err)
	open(t, conn)
	cancel()
	send(t, conn, request(1, "echo", `{}`))
	expect.Equal(t, receive(t, conn), `{"jsonrpc":"2.0","id":1,"result":{"echo":true}}`)
}
