package gateway

import (
	"bufio"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/weir-gate/weir/internal/call"
)

// denying has servers denied while on is set; to ann alone if only is.
func denying(on *atomic.Bool, only string) func(call.Actor, string) (call.Ruling, bool) {
	return func(a call.Actor, _ string) (call.Ruling, bool) {
		if !on.Load() || only != "" && a.Employee != only {
			return call.Ruling{}, false
		}
		return call.Ruling{Code: call.CodeServerDenied, Reason: "Not here.", Rule: "mcp.denied_servers"}, true
	}
}

// Nothing is sent to a denied server, whatever the request, and every client is told.
func TestDeniedServer(t *testing.T) {
	var on atomic.Bool
	on.Store(true)
	up := &script{answer: says(200, mediaJSON, `{"resource":"x"}`)}
	h := newHost()
	web := remoteServer(t, "web", up)
	web.Passthrough = true
	b := newBench(t, Config{Denied: denying(&on, "")}, web, h.server("run", typeStdio), h.server("old", typeSSE)).serve()
	for _, id := range []string{"web", "run", "old"} {
		for name, tt := range map[string]struct {
			q      question
			status int
			want   string
		}{
			"initialize": {question{body: initialize}, 200, `"code":-32603`},
			"list":       {question{body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`}, 200, "Not here."},
			"ping":       {question{body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`}, 200, "Not here."},
			"call":       {question{body: toolCall(1, "echo", `{}`)}, 200, "Not here."},
			"note":       {question{body: `{"jsonrpc":"2.0","method":"notifications/initialized"}`}, 202, ""},
			"answer":     {question{body: `{"jsonrpc":"2.0","id":1,"result":{}}`}, 202, ""},
			"batch":      {question{body: `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]`}, 200, "Not here."},
			"stateless": {question{
				body:   `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
				header: map[string]string{headerVersion: versionStateless, headerMethod: "server/discover"},
			}, 200, "Not here."},
			"stream":   {question{method: http.MethodGet}, 403, "Not here."},
			"resume":   {question{method: http.MethodGet, header: map[string]string{headerSession: "s", "Last-Event-ID": "1"}}, 403, "Not here."},
			"delete":   {question{method: http.MethodDelete, header: map[string]string{headerSession: "s"}}, 403, "Not here."},
			"metadata": {question{method: http.MethodGet, path: wellKnown + "/mcp/" + id}, 403, "Not here."},
		} {
			if tt.q.path == "" {
				tt.q.path = "/mcp/" + id
			}
			before := len(b.judge.refusals()) + len(b.judge.calls)
			if a := b.whole(tt.q); a.status != tt.status || !strings.Contains(a.body, tt.want) || a.header.Get(headerSession) != "" {
				t.Errorf("%s of %s: %+v", name, id, a)
			}
			if tt.want != "" && len(b.judge.refusals())+len(b.judge.calls) == before {
				t.Errorf("%s of %s is not on record", name, id)
			}
		}
	}
	if requests, _ := up.seen(); len(requests) > 0 || len(h.opened) > 0 {
		t.Errorf("%d requests and %d connections were made", len(requests), len(h.opened))
	}
}

// A server that is denied to one client is there for others.
func TestDeniedToOne(t *testing.T) {
	var on atomic.Bool
	on.Store(true)
	up := &script{answer: usual(says(200, mediaJSON, `{}`))}
	b := newBench(t, Config{Admission: keyed(t), Denied: denying(&on, "ann")}, remoteServer(t, "up", up)).serve()
	b.whole(question{body: initialize, header: map[string]string{"x-weir-key": "key-of-ann-0123456789"}}).is(t, "ann", 0, "Not here.")
	if a := b.whole(question{body: initialize, header: map[string]string{"x-weir-key": "key-of-bob-0123456789"}}); a.header.Get(headerSession) == "" {
		t.Errorf("bob: %+v", a)
	}
	if requests, _ := up.seen(); len(requests) != 1 {
		t.Errorf("%d requests were made", len(requests))
	}
}

// When a server becomes denied, sessions end, and streams and requests under way are broken off.
func TestDeniedMeanwhile(t *testing.T) {
	var on atomic.Bool
	reached, ended := make(chan struct{}, 10), make(chan struct{}, 10)
	up := &script{answer: usual(func(w http.ResponseWriter, r *http.Request, _ string) {
		w.Header().Set("Content-Type", mediaEvents)
		_, _ = w.Write([]byte(": begun\n\n"))
		w.(http.Flusher).Flush()
		reached <- struct{}{}
		<-r.Context().Done()
		ended <- struct{}{}
	})}
	h := newHost()
	b := newBench(t, Config{Denied: denying(&on, "")}, remoteServer(t, "web", up), h.server("up", typeStdio)).serve()
	_, p := b.begin(h)
	if a := b.whole(question{path: "/mcp/web", body: initialize}); a.header.Get(headerSession) != "sess-1" {
		t.Fatalf("%+v", a)
	}
	stream := b.ask(question{path: "/mcp/web", method: http.MethodGet, header: inSession})
	answers := make(chan answer, 3)
	for _, header := range []map[string]string{inSession, nil} { // in the session, and without one
		go func() {
			answers <- b.whole(question{path: "/mcp/web", body: toolCall(1, "echo", `{}`), header: header})
		}()
	}
	for range 3 {
		<-reached
	}
	on.Store(true)
	b.gw.EndDenied()
	for range 3 {
		<-ended
	}
	<-p.done
	for range 2 {
		if a := <-answers; a.status == 200 && !strings.Contains(a.body, `"error"`) {
			t.Errorf("%+v", a)
		}
	}
	if line, err := bufio.NewReader(stream.Body).ReadString('\n'); err == nil && !strings.HasPrefix(line, ":") {
		t.Errorf("the stream goes on with %q", line)
	}
	before, _ := up.seen()
	for _, q := range []question{{method: http.MethodGet}, {method: http.MethodDelete}, {body: toolCall(2, "echo", `{}`)}} {
		q.path, q.header = "/mcp/web", inSession
		b.whole(q)
	}
	if after, _ := up.seen(); len(after) != len(before) {
		t.Error("the server was asked again")
	}
}
