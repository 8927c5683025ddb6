package gateway

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/intake/httpdoor"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// A script is an upstream that keeps what it was sent and answers as it is told.
type script struct {
	mu       sync.Mutex
	requests []*http.Request
	bodies   []string
	answer   func(w http.ResponseWriter, r *http.Request, body string)
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.requests = append(s.requests, r)
	s.bodies = append(s.bodies, string(body))
	s.mu.Unlock()
	s.answer(w, r, string(body))
}

// seen returns what the upstream was sent.
func (s *script) seen() (requests []*http.Request, bodies []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append(requests, s.requests...), append(bodies, s.bodies...)
}

// says answers with a status, a content type and a body.
func says(status int, media, body string) func(http.ResponseWriter, *http.Request, string) {
	return func(w http.ResponseWriter, _ *http.Request, _ string) {
		w.Header().Set("Content-Type", media)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// usual answers as a server with sessions does.
func usual(next func(http.ResponseWriter, *http.Request, string)) func(http.ResponseWriter, *http.Request, string) {
	return func(w http.ResponseWriter, r *http.Request, body string) {
		if strings.Contains(body, `"initialize"`) {
			w.Header().Set("Mcp-Session-Id", "sess-1")
			says(200, mediaJSON, `{"jsonrpc":"2.0","id":"init","result":{"protocolVersion":"2025-11-25","capabilities":{}}}`)(w, r, body)
			return
		}
		next(w, r, body)
	}
}

var inSession = map[string]string{headerSession: "sess-1", headerVersion: "2025-11-25"}

// scripted returns a bench with one scripted upstream, of which a session is open.
func scripted(t *testing.T, answer func(http.ResponseWriter, *http.Request, string)) (*bench, *script) {
	t.Helper()
	s := &script{answer: usual(answer)}
	b := newBench(t, Config{Bounds: Bounds{Message: 4096}}, remoteServer(t, "up", s)).serve()
	if a := b.whole(question{body: initialize}); a.status != http.StatusOK || a.header.Get(headerSession) != "sess-1" {
		t.Fatalf("initialize: %+v", a)
	}
	return b, s
}

// Each request of the client is one to the server, and what is not changed keeps its bytes.
func TestRemoteJSON(t *testing.T) {
	const result = `{ "jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"h\u00e9"}]} }`
	b, s := scripted(t, says(200, "application/json; charset=utf-8", result))
	sent := "  " + toolCall(1, "echo", `{"a" : 1}`) + "\n"
	a := b.whole(question{body: sent, header: map[string]string{
		headerSession: "sess-1", headerVersion: "2025-11-25", "Authorization": "Bearer mine", "Cookie": "c=1", "X-Weir-Key": "k", "X-Mine": "1",
		"User-Agent": "agent/1",
	}})
	if a.status != 200 || a.body != result || a.header.Get("Content-Type") != mediaJSON {
		t.Errorf("answer: %+v", a)
	}
	requests, bodies := s.seen()
	expect.Same(t, strings.TrimSpace(sent), bodies[1])
	got := map[string]string{}
	for name := range requests[1].Header {
		got[name] = requests[1].Header.Get(name)
	}
	want := map[string]string{
		"Accept": mediaJSON + ", " + mediaEvents, "Accept-Encoding": "gzip", "Content-Type": mediaJSON, "Mcp-Session-Id": "sess-1",
		"Mcp-Protocol-Version": "2025-11-25", "X-Mine": "1", "User-Agent": "agent/1", "Content-Length": fmt.Sprint(len(bodies[1])),
	}
	expect.Same(t, want, got)
	if g := b.judge.givens(); len(g) == 0 || g[len(g)-1].Tool != "echo" {
		t.Errorf("given: %+v", g)
	}
}

// A refused call never reaches the server, and what is poisoned never the client.
func TestRemoteGoverns(t *testing.T) {
	b, s := scripted(t, says(200, mediaJSON, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"POISON"}]}}`))
	b.whole(question{body: toolCall(1, "denied", `{}`), header: inSession}).is(t, "refused", 200, `"isError":true`)
	if _, bodies := s.seen(); len(bodies) != 1 {
		t.Errorf("the server got %q", bodies)
	}
	b.whole(question{body: toolCall(1, "echo", `{}`), header: inSession}).is(t, "poisoned", 0, "!POISON", `"isError":true`)
}

// Streams keep ids, times, priming events and the bytes of their messages, in the one form that all clients read alike.
func TestRemoteEvents(t *testing.T) {
	stream := "id: 1\r\nretry: 3000\r\ndata: \r\n\r\n" + // priming
		": comment\r\n\r\n" +
		"event: ping\r\ndata: soon\r\n\r\n" + // no message
		"event: message\r\nid: 2\r\ndata: {\"jsonrpc\":\"2.0\", \"method\":\"notifications/progress\",\r\ndata: \"params\":{\"progressToken\":1,\"progress\":1}}\r\n\r\n" +
		"id: 3\r\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"data\":\"POISON\"}}\r\n\r\n" +
		"id: 4\r\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[ ]}}\r\n\r\n"
	b, _ := scripted(t, says(200, mediaEvents, stream))
	a := b.whole(question{body: toolCall(1, "echo", `{}`), header: inSession})
	want := "id: 1\nretry: 3000\ndata: \n\n" +
		"event: message\nid: 2\ndata: {\"jsonrpc\":\"2.0\", \"method\":\"notifications/progress\",\"params\":{\"progressToken\":1,\"progress\":1}}\n\n" +
		"id: 4\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[ ]}}\n\n"
	expect.Same(t, want, a.body)
	expect.Equal(t, a.header.Get("Content-Type"), mediaEvents, "header %v", a.header)
}

// Events reach the client as they come, and one that waits for the judge lets others pass; but ids go out so that a client that
// loses the stream asks for what it did not get.
func TestRemoteOvertaking(t *testing.T) {
	finish := make(chan struct{})
	b, _ := scripted(t, func(w http.ResponseWriter, _ *http.Request, body string) {
		if !strings.Contains(body, "tools/call") {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", mediaEvents)
		_, _ = io.WriteString(w, "id: 1\ndata: {\"jsonrpc\":\"2.0\",\"id\":\"s\",\"method\":\"held/thing\"}\n\n"+
			"id: 2\ndata: {\"jsonrpc\":\"2.0\",\"id\":\"t\",\"method\":\"ping\"}\n\n")
		_ = http.NewResponseController(w).Flush()
		<-finish
		_, _ = io.WriteString(w, "id: 3\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n")
	})
	b.judge.waiting = make(chan string, 1)
	r := bufio.NewReader(b.ask(question{body: toolCall(1, "echo", `{}`), header: inSession}).Body)
	expect.Equal(t, nextEvent(t, r), "data: {\"jsonrpc\":\"2.0\",\"id\":\"t\",\"method\":\"ping\"}\n", "the one that overtakes")
	<-b.judge.waiting
	close(b.judge.held)
	expect.Equal(t, nextEvent(t, r), "id: 2\ndata: {\"jsonrpc\":\"2.0\",\"id\":\"s\",\"method\":\"held/thing\"}\n", "the one that waited")
	close(finish)
	if got := nextEvent(t, r); !strings.HasPrefix(got, "id: 3\n") {
		t.Errorf("the last: %q", got)
	}
}

// A stream that broke off is asked for again, and what it brings is judged again.
func TestRemoteResumption(t *testing.T) {
	b, s := scripted(t, func(w http.ResponseWriter, r *http.Request, _ string) {
		w.Header().Set("Content-Type", mediaEvents)
		if r.Method == http.MethodPost {
			_, _ = io.WriteString(w, "id: a1\ndata: \n\n")
			return
		}
		_, _ = io.WriteString(w, "id: a2\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}\n\n")
	})
	if a := b.whole(question{body: toolCall(1, "echo", `{}`), header: inSession}); a.body != "id: a1\ndata: \n\n" {
		t.Errorf("broken off: %+v", a)
	}
	get := question{method: http.MethodGet, header: map[string]string{headerSession: "sess-1", "Last-Event-ID": "a1"}}
	for range 2 { // the second time it is told again what it knows
		if a := b.whole(get); a.body != "id: a2\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}\n\n" {
			t.Errorf("resumed: %+v", a)
		}
	}
	requests, _ := s.seen()
	expect.Equal(t, requests[2].Header.Get("Last-Event-ID"), "a1", "the server was asked for")
	g := b.judge.givens()
	if last := g[len(g)-1]; !last.Again || last.Tool != "echo" {
		t.Errorf("given: %+v", last)
	}
}

// A server's request that is refused is answered in the client's place.
func TestRemoteAnswersBack(t *testing.T) {
	back := make(chan string, 1)
	b, s := scripted(t, func(w http.ResponseWriter, _ *http.Request, body string) {
		if strings.Contains(body, "tools/call") {
			says(200, mediaEvents, "data: {\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"denied/thing\"}\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n")(w, nil, "")
			return
		}
		w.WriteHeader(http.StatusAccepted)
		back <- body
	})
	a := b.whole(question{body: toolCall(1, "echo", `{}`), header: map[string]string{
		headerSession: "sess-1", headerVersion: "2025-11-25", headerMethod: "tools/call", headerName: "echo",
	}})
	expect.Text(t, a.body, "", "!denied/thing", `"result":{}`)
	expect.Text(t, <-back, "the server was told", `"id":9`, `"error"`)
	requests, _ := s.seen()
	if told := requests[2].Header; told[headerMethod] != nil || told[headerName] != nil || told.Get(headerSession) != "sess-1" {
		t.Errorf("the server was told with %v", told)
	}
}

// A session is its owner's. Nobody else learns that it is there.
func TestSessionsAreTheirOwners(t *testing.T) {
	admit, err := admission.New(admission.Config{Clients: []admission.Client{
		{Key: "ann", Actor: call.Actor{Employee: "ann"}}, {Key: "bob", Actor: call.Actor{Employee: "bob"}},
	}})
	expect.OK(t, err)
	s := &script{answer: usual(says(200, mediaJSON, `{"jsonrpc":"2.0","id":1,"result":{}}`))}
	b := newBench(t, Config{Admission: admit}, remoteServer(t, "up", s)).serve()
	b.whole(question{body: initialize}).is(t, "nobody", http.StatusUnauthorized)
	if a := b.whole(question{path: "/k/ann/mcp/up", body: initialize}); a.status != 200 {
		t.Fatalf("ann: %+v", a)
	}
	named := func(session string) question {
		return question{path: "/k/bob/mcp/up", body: toolCall(1, "echo", `{}`), header: map[string]string{headerSession: session}}
	}
	hers, none := b.whole(named("sess-1")), b.whole(named("sess-2"))
	for _, a := range []*answer{&hers, &none} {
		a.header.Del("Date")
		if !strings.HasPrefix(a.header.Get(httpdoor.RequestIDHeader), "req_") {
			t.Errorf("the response does not name its request: %v", a.header)
		}
		a.header.Del(httpdoor.RequestIDHeader)
	}
	if diff := cmp.Diff(hers, none, cmp.AllowUnexported(answer{})); diff != "" || hers.status != http.StatusNotFound {
		t.Errorf("%+v\n%s", hers, diff)
	}
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		q := named("sess-1")
		q.method, q.body = method, ""
		b.whole(q).is(t, method, http.StatusNotFound)
	}
	if got := len(b.judge.refusals()); got != 3 {
		t.Errorf("on record: %q", b.judge.refusals())
	}
	if a := b.whole(question{path: "/mcp/up", body: toolCall(1, "echo", `{}`), header: map[string]string{headerSession: "sess-1", "X-Weir-Key": "ann"}}); a.status != 200 {
		t.Errorf("ann: %+v", a)
	}
	// Bob's server gives him the id of Ann's session.
	if a := b.whole(question{path: "/k/bob/mcp/up", body: initialize}); a.status != http.StatusOK || a.header.Get(headerSession) != "" {
		t.Errorf("bob: %+v", a)
	}
}

// Notifications and answers are taken; what the server says to them is not the client's business.
func TestRemoteAccepted(t *testing.T) {
	b, s := scripted(t, says(200, mediaJSON, `{}`))
	a := b.whole(question{body: `{"jsonrpc":"2.0","method":"notifications/initialized"}`, header: inSession})
	if a.status != http.StatusAccepted || a.body != "" || a.header.Get("Content-Type") != "" {
		t.Errorf("%+v", a)
	}
	// A response to nothing is not passed on.
	b.whole(question{body: `{"jsonrpc":"2.0","id":4,"result":{}}`, header: inSession}).is(t, "", http.StatusAccepted)
	if _, bodies := s.seen(); len(bodies) != 2 {
		t.Errorf("the server got %q", bodies)
	}
}

// A batch is split. Each of its requests is judged by itself, and the responses come on one stream.
func TestRemoteBatch(t *testing.T) {
	s := &script{answer: func(w http.ResponseWriter, _ *http.Request, body string) {
		messages, _, err := jsonrpc.ParseBody([]byte(body))
		if err != nil || messages[0].Kind != jsonrpc.Request {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		says(200, mediaEvents, fmt.Sprintf("id: x%s\ndata: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}\n\n", messages[0].ID, messages[0].ID))(w, nil, "")
	}}
	b := newBench(t, Config{}, remoteServer(t, "up", s)).serve()
	batch := "[" + toolCall(1, "echo", `{}`) + "," + toolCall(2, "denied", `{}`) + `,{"jsonrpc":"2.0","id":"1","method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"}]`
	a := b.whole(question{body: batch})
	expect.Equal(t, strings.Count(a.body, "data: "), 3, "%+v", a)
	expect.Text(t, a.body, "", `"isError":true`, "!id: x")
	if _, bodies := s.seen(); len(bodies) != 3 {
		t.Errorf("the server got %q", bodies)
	}
	b.whole(question{body: batch, header: map[string]string{headerVersion: "2025-06-18"}}).is(t, "", 400, "-32600")
	b.whole(question{body: `[{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","method":"notifications/y"}]`}).is(t, "", 202)
	if _, bodies := s.seen(); len(bodies) != 5 {
		t.Errorf("the server got %q", bodies)
	}
}

// In the stateless version the headers say what the body says, also once weir has rewritten the arguments.
func TestRemoteStateless(t *testing.T) {
	s := &script{answer: func(w http.ResponseWriter, r *http.Request, body string) {
		if strings.Contains(body, "tools/list") {
			says(200, mediaJSON, `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"rewritten","inputSchema":{"properties":{"region":{"type":"string","x-mcp-header":"Region"}}}}]}}`)(w, r, body)
			return
		}
		says(200, mediaJSON, `{"jsonrpc":"2.0","id":1,"result":{}}`)(w, r, body)
	}}
	b := newBench(t, Config{}, remoteServer(t, "up", s)).serve()
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`
	ask := func(tool, region string) answer {
		return b.whole(question{
			header: map[string]string{
				headerVersion: versionStateless, headerMethod: "tools/call", headerName: tool, "Mcp-Param-Region": region, headerSession: "stray",
			},
			body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rewritten","arguments":{"region":"secret","note":"plain"},` + meta + `}}`,
		})
	}
	for _, known := range []bool{false, true} {
		if a := ask("rewritten", "=?base64?c2VjcmV0?="); a.status != 200 {
			t.Errorf("known %t: %+v", known, a)
		}
		requests, bodies := s.seen()
		last := len(requests) - 1
		h := requests[last].Header
		if h.Get("Mcp-Param-Region") != "[redacted]" || strings.Contains(bodies[last], "secret") || h.Get(headerSession) != "" || h.Get(headerName) != "rewritten" {
			t.Errorf("known %t: the server got %v %s", known, h, bodies[last])
		}
		for _, a := range []answer{ask("other", "secret"), ask("rewritten", "public"), ask("rewritten", "=?base64?!?=")} {
			expect.Equal(t, a.status, 400, "known %t: %+v", known, a)
			expect.Text(t, a.body, "", "-32020", `"id":1`)
		}
		// Before the tool is known, a header may mirror any argument.
		if a := ask("rewritten", "plain"); (a.status == 400) != known {
			t.Errorf("known %t: %+v", known, a)
		}
		b.whole(question{
			header: map[string]string{headerVersion: versionStateless, headerMethod: "tools/list"},
			body:   `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta + `}}`,
		})
	}
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		b.whole(question{method: method, header: map[string]string{headerVersion: versionStateless}}).is(t, method, http.StatusMethodNotAllowed)
	}
}

// DELETE ends the session on both sides, unless the server does not have it.
func TestRemoteDelete(t *testing.T) {
	status := http.StatusMethodNotAllowed
	b, _ := scripted(t, func(w http.ResponseWriter, _ *http.Request, _ string) { w.WriteHeader(status) })
	end := question{method: http.MethodDelete, header: inSession}
	b.whole(end).is(t, "", http.StatusMethodNotAllowed)
	status = http.StatusOK
	b.whole(end).is(t, "", http.StatusNoContent)
	b.whole(end).is(t, "", http.StatusNotFound)
}

// A stream has one response to a request, whatever the server sends.
func TestSecondAnswersAreDropped(t *testing.T) {
	const one, two = `{"jsonrpc":"2.0","id":1,"result":{"content":[],"n":"first"}}`, `{"jsonrpc":"2.0","id":1,"result":{"content":[],"n":"second"}}`
	for name, answer := range map[string]func(http.ResponseWriter, *http.Request, string){
		"events": says(200, mediaEvents, "id: a\ndata: "+one+"\n\nid: b\ndata: "+two+"\n\n"),
		"array":  says(200, mediaJSON, "["+one+","+two+"]"),
	} {
		b, _ := scripted(t, answer)
		a := b.whole(question{body: toolCall(1, "echo", `{}`), header: inSession})
		expect.Text(t, a.body, name, "first", "!second")
		if got := b.judge.refusals(); len(got) != 1 || !strings.Contains(got[0], "twice to a request on one stream") {
			t.Errorf("%s: on record are %q", name, got)
		}
	}
}
