package gateway

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// What goes wrong with a server becomes a clear error, with nothing of the server's text, and the request is closed.
func TestRemoteTrouble(t *testing.T) {
	large := `{"jsonrpc":"2.0","id":1,"result":{"content":"` + strings.Repeat("SECRET", 1000) + `"}}`
	for name, tt := range map[string]struct {
		answer func(http.ResponseWriter, *http.Request, string)
		status int
		want   string
	}{
		"broken":             {says(500, "text/plain", "SECRET"), 200, "HTTP status is 500"},
		"wrong content type": {says(200, "text/html", "SECRET"), 200, "neither JSON"},
		"no content type":    {says(200, "", "SECRET"), 200, "neither JSON"},
		"not JSON":           {says(200, mediaJSON, "SECRET"), 200, "cannot be read"},
		"another's id":       {says(200, mediaJSON, `{"jsonrpc":"2.0","id":"1","result":{"SECRET":1}}`), 200, "belongs to another request"},
		"too large":          {says(200, mediaJSON, large), 200, "too large"},
		"too large event":    {says(200, mediaEvents, "data: "+large+"\n\n"), 200, "too large"},
		"taken, no response": {says(202, "", ""), 200, "neither JSON"},
		"redirect":           {says(302, mediaJSON, "SECRET"), 200, "HTTP status is 302"},
		"own credential":     {says(401, mediaJSON, "SECRET"), 200, "credential that weir has"},
		"bad request":        {says(400, "text/plain", "SECRET"), 400, "HTTP status is 400"},
		"error of nobody":    {says(400, mediaJSON, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"SECRET"}}`), 400, "HTTP status is 400"},
		"result under error": {says(400, mediaJSON, `{"jsonrpc":"2.0","id":1,"result":{"SECRET":1}}`), 400, "HTTP status is 400"},
		"too many requests":  {says(429, "text/plain", "SECRET"), 429, "HTTP status is 429"},
		"stream without end": {says(200, mediaEvents, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}\n\n"), 200, "ended before"},
		"cut event":          {says(200, mediaEvents, `data: {"jsonrpc":"2.0","id":1,"result":{"SECRET":1}}`), 200, "ended before"},
		"broken event":       {says(200, mediaEvents, `data: {"jsonrpc":"2.0","id":1,"result":{"SECRET"`+"\n\n"), 200, "ended before"},
		"two results":        {says(200, mediaEvents, `data: {"jsonrpc":"2.0","id":1,"result":{},"result":{"SECRET":1}}`+"\n\n"), 200, "-32603"},
	} {
		t.Run(name, func(t *testing.T) {
			b, _ := scripted(t, tt.answer)
			for range 2 { // the same id again: the first is not open any more
				a := b.whole(question{body: toolCall(1, "echo", `{}`), header: inSession})
				if a.status != tt.status || !strings.Contains(a.body, tt.want) || !strings.Contains(a.body, `"id":1`) ||
					!strings.Contains(a.body, "-32603") || strings.Contains(a.body, "SECRET") {
					t.Errorf("%+v", a)
				}
			}
			if len(b.judge.refusals()) == 0 {
				t.Error("nothing is on record")
			}
		})
	}
}

// Errors of JSON-RPC pass under the status that the server gives them: clients find out about versions by them.
func TestRemoteErrorPasses(t *testing.T) {
	const text = `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":{"supported":["2025-11-25"]}}}`
	for _, status := range []int{400, 404} {
		s := &script{answer: says(status, mediaJSON, text)}
		b := newBench(t, Config{}, remoteServer(t, "up", s)).serve()
		a := b.whole(question{
			header: map[string]string{headerVersion: versionStateless, headerMethod: "server/discover"},
			body:   `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
		})
		expect.Equal(t, a.status, status, "%+v", a)
		expect.Equal(t, a.body, text, "%+v", a)
	}
}

// The server knows the session no more: the client is told so, and it is forgotten.
func TestRemoteSessionLost(t *testing.T) {
	b, s := scripted(t, says(404, mediaJSON, `{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"SECRET"}}`))
	for range 2 {
		b.whole(question{body: toolCall(1, "echo", `{}`), header: inSession}).is(t, "", 404, "!SECRET")
	}
	if _, bodies := s.seen(); len(bodies) != 2 {
		t.Errorf("the server was asked %d times", len(bodies))
	}
}

// The client's own credential goes on where that is declared, and so does what the server says of it.
func TestRemotePassthrough(t *testing.T) {
	s := &script{answer: func(w http.ResponseWriter, _ *http.Request, _ string) {
		w.Header().Add("WWW-Authenticate", `Bearer realm="x", resource_metadata="https://up.example/.well-known/oauth-protected-resource"`)
		w.Header().Add("WWW-Authenticate", "Bearer \x80")
		says(401, "text/plain", "SECRET")(w, nil, "")
	}}
	server := remoteServer(t, "up", s)
	server.Passthrough = true
	b := newBench(t, Config{}, server).serve()
	a := b.whole(question{body: initialize, header: map[string]string{"Authorization": "Bearer mine"}})
	want := []string{`Bearer realm="x", resource_metadata="` + b.url + `/.well-known/oauth-protected-resource/mcp/up"`}
	if diff := cmp.Diff(want, a.header["Www-Authenticate"]); diff != "" || a.status != 401 || strings.Contains(a.body, "SECRET") {
		t.Errorf("%+v %s", a, diff)
	}
	requests, _ := s.seen()
	expect.Equal(t, requests[0].Header.Get("Authorization"), "Bearer mine", "the server got")
}

// A client that goes away takes its request to the server with it, and a call that waits is not passed on.
func TestRemoteClientGone(t *testing.T) {
	asked, gone := make(chan struct{}, 1), make(chan struct{})
	b, s := scripted(t, func(_ http.ResponseWriter, r *http.Request, _ string) {
		asked <- struct{}{}
		<-r.Context().Done()
		close(gone)
	})
	b.judge.waiting = make(chan string, 1)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{}, 2)
	for _, tool := range []string{"echo", "held"} {
		q := question{body: toolCall(fmt.Sprintf("%q", tool), tool, `{}`), header: inSession}
		req := q.request(t, b.url).WithContext(ctx)
		go func() {
			if resp, err := http.DefaultClient.Do(req); err == nil {
				resp.Body.Close()
			}
			done <- struct{}{}
		}()
	}
	<-asked
	<-b.judge.waiting
	cancel()
	<-gone
	<-done
	<-done
	close(b.judge.held)
	expect.OK(t, b.gw.table.sessions[sessionKey{"up", "sess-1"}].side.(*remote).governed.Wait(t.Context()))
	if _, bodies := s.seen(); len(bodies) != 2 {
		t.Errorf("the server got %q", bodies)
	}
	if got := b.judge.refusals(); len(got) != 0 {
		t.Errorf("the server is blamed: %q", got)
	}
}

// A server that is silent for too long is given up.
func TestRemoteSilence(t *testing.T) {
	release := make(chan struct{})
	s := &script{answer: func(http.ResponseWriter, *http.Request, string) { <-release }}
	server := remoteServer(t, "up", s)
	t.Cleanup(func() { close(release) })
	server.Timeout = time.Millisecond
	b := newBench(t, Config{}, server).serve()
	b.whole(question{body: toolCall(1, "echo", `{}`)}).is(t, "", http.StatusOK, "took too long")
}

// Servers that are declared anew keep their sessions only if nothing has changed.
func TestReplace(t *testing.T) {
	slow := make(chan struct{}, 1)
	s := &script{answer: usual(func(w http.ResponseWriter, r *http.Request, body string) {
		if r.Method == http.MethodGet {
			w.Header().Set("Content-Type", mediaEvents)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
			return
		}
		if strings.Contains(body, "slow") {
			slow <- struct{}{}
			<-r.Context().Done()
		}
		says(200, mediaJSON, `{"jsonrpc":"2.0","id":1,"result":{}}`)(w, r, body)
	})}
	server := remoteServer(t, "up", s)
	b := newBench(t, Config{}, server).serve()
	b.whole(question{body: initialize})
	listening := b.ask(question{method: http.MethodGet, header: inSession})
	call := question{body: toolCall(1, "echo", `{}`), header: inSession}
	expect.OK(t, b.gw.Replace([]Server{server, {ID: "new", Type: typeStdio, Open: newHost().open}}))
	b.whole(call).is(t, "unchanged", 200)
	// What is under way when a session ends is told so.
	under := make(chan answer, 1)
	go func() { under <- b.whole(question{body: toolCall(2, "slow", `{}`), header: inSession}) }()
	<-slow
	for _, bad := range [][]Server{{server, server}, {{ID: "x", Type: "ftp"}}, {{ID: "x", Type: typeHTTP}}, {{Type: typeStdio}}, {{ID: "x", Type: typeSSE}}} {
		if err := b.gw.Replace(bad); err == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
	server.Declared = "otherwise"
	expect.OK(t, b.gw.Replace([]Server{server}))
	if a := <-under; !strings.Contains(a.body, `"id":2`) || !strings.Contains(a.body, `"error"`) {
		t.Errorf("under way: %+v", a)
	}
	if _, err := io.ReadAll(listening.Body); err != nil {
		t.Errorf("the stream of a session that ended: %v", err)
	}
	b.whole(call).is(t, "changed", 404)
	expect.OK(t, b.gw.Replace(nil))
	b.whole(question{body: initialize}).is(t, "gone", 404)
}

// Some servers have no GET and say 404. That is not the end of the session. Other successes than 200 are successes.
func TestRemoteLenience(t *testing.T) {
	b, _ := scripted(t, func(w http.ResponseWriter, r *http.Request, body string) {
		if r.Method == http.MethodGet {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		says(201, mediaJSON, `{"jsonrpc":"2.0","id":1,"result":{}}`)(w, r, body)
	})
	b.whole(question{method: http.MethodGet, header: inSession}).is(t, "", 404)
	b.whole(question{body: toolCall(1, "echo", `{}`), header: inSession}).is(t, "", 200, `"result"`)
}
