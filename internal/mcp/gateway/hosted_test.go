package gateway

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// A session with a process: begin, call, be told by the server, end.
func TestHostedSession(t *testing.T) {
	h := newHost()
	b := newBench(t, Config{}, h.server("up", typeStdio)).serve()
	session, p := b.begin(h)
	in := map[string]string{headerSession: session}

	if a := b.whole(question{body: `{"jsonrpc":"2.0","method":"notifications/initialized"}`, header: in}); a.status != http.StatusAccepted || a.body != "" {
		t.Errorf("notification: %+v", a)
	}
	if m := p.hear(t); m.Method != "notifications/initialized" {
		t.Errorf("the server got %s", m.Raw)
	}

	// The first thing to send is the response, so it is JSON, and its bytes are the server's.
	done := make(chan answer, 1)
	go func() { done <- b.whole(question{body: toolCall(1, "echo", `{"a": 1}`), header: in}) }()
	if m := p.hear(t); string(m.Raw) != toolCall(1, "echo", `{"a": 1}`) {
		t.Errorf("the server got %s", m.Raw)
	}
	const result = `{"jsonrpc":"2.0", "id":1, "result":{"content":[ ]}}`
	p.say(t, result)
	if a := <-done; a.body != result || a.header.Get("Content-Type") != mediaJSON {
		t.Errorf("answer: %+v", a)
	}

	// A refused call never reaches the server.
	b.whole(question{body: toolCall(2, "denied", `{}`), header: in}).is(t, "refused call", http.StatusOK, `"isError":true`)
	select {
	case m := <-p.toServer:
		t.Errorf("the server got %s", m.Raw)
	default:
	}

	b.whole(question{method: http.MethodDelete, header: in}).is(t, "delete", http.StatusNoContent)
	<-p.done
	b.whole(question{body: toolCall(3, "echo", `{}`), header: in}).is(t, "after delete", http.StatusNotFound)
}

// What the server sends ahead of the response makes it a stream. Each message goes to the request that it belongs to.
func TestHostedStreams(t *testing.T) {
	h := newHost()
	b := newBench(t, Config{}, h.server("up", typeStdio)).serve()
	session, p := b.begin(h)
	in := map[string]string{headerSession: session}

	withToken := func(id int, token string) question {
		return question{header: in, body: fmt.Sprintf(
			`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"slow","_meta":{"progressToken":%s}}}`, id, token)}
	}
	streams := map[int]chan string{}
	for id, token := range map[int]string{1: `"one"`, 2: `2`} {
		stream := make(chan string, 1)
		streams[id] = stream
		go func() { stream <- b.whole(withToken(id, token)).body }()
	}
	p.hear(t)
	p.hear(t)
	p.say(t, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"one","progress":1}}`)
	p.say(t, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":2}}`)
	p.say(t, `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`)
	p.say(t, `{"jsonrpc":"2.0","id":2,"result":{"content":[]}}`)
	for id := range streams {
		got := <-streams[id]
		expect.Equal(t, strings.Count(got, "data: "), 2, "stream %d: %q", id, got)
		expect.Text(t, got, "", fmt.Sprintf(`"progress":%d`, id), fmt.Sprintf(`"id":%d`, id))
	}
}

// A server's request goes to the client that waits, and the client's response comes as a POST of its own.
func TestHostedServerAsks(t *testing.T) {
	h := newHost()
	b := newBench(t, Config{}, h.server("up", typeStdio)).serve()
	session, p := b.begin(h)
	in := map[string]string{headerSession: session}

	resp := make(chan *http.Response, 1)
	go func() { resp <- b.ask(question{body: toolCall(1, "asks", `{}`), header: in}) }()
	p.hear(t)
	p.say(t, `{"jsonrpc":"2.0","id":"s1","method":"roots/list"}`)
	r := bufio.NewReader((<-resp).Body)
	expect.Text(t, nextEvent(t, r), "event", `"roots/list"`)
	b.whole(question{body: `{"jsonrpc":"2.0","id":"s1","result":{"roots":[]}}`, header: in}).is(t, "answer to the server", http.StatusAccepted)
	if m := p.hear(t); m.ID.String() != `"s1"` || m.Result == nil {
		t.Errorf("the server got %s", m.Raw)
	}
	p.say(t, `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`)
	expect.Text(t, nextEvent(t, r), "event", `"id":1`)
	if _, err := r.ReadByte(); err != io.EOF {
		t.Errorf("the stream goes on: %v", err)
	}
}

// What belongs to no request waits for the client to listen.
func TestHostedListening(t *testing.T) {
	h := newHost()
	b := newBench(t, Config{Bounds: Bounds{Waiting: 2}}, h.server("up", typeStdio)).serve()
	session, p := b.begin(h)
	in := map[string]string{headerSession: session}

	for i := range 3 {
		p.say(t, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///%d"}}`, i))
	}
	p.say(t, `{"jsonrpc":"2.0","id":"ping","method":"ping"}`)
	p.say(t, `{"jsonrpc":"2.0","id":"last","method":"denied/thing"}`)
	p.hear(t) // what came before is in the mailbox by now
	// The oldest notifications give way: what is left is the youngest of them, and the request.
	get := question{method: http.MethodGet, header: in}
	r := bufio.NewReader(b.ask(get).Body)
	for _, want := range []string{"file:///2", `"method":"ping"`} {
		expect.Text(t, nextEvent(t, r), "event", want)
	}
	b.whole(get).is(t, "a second listener", http.StatusConflict)
	if a := b.whole(question{method: http.MethodGet, header: map[string]string{headerSession: session, "Last-Event-ID": "7"}}); a.status != http.StatusBadRequest {
		t.Errorf("resumption: %+v", a)
	}
	p.say(t, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	expect.Text(t, nextEvent(t, r), "event", "list_changed")
	b.whole(question{method: http.MethodDelete, header: in})
	if _, err := r.ReadByte(); err != io.EOF {
		t.Errorf("the listener goes on: %v", err)
	}
}

// The server dies: everybody who waits is told, and the session is over.
func TestHostedServerDies(t *testing.T) {
	h := newHost()
	b := newBench(t, Config{}, h.server("up", typeStdio)).serve()
	b.judge.waiting = make(chan string, 1)
	session, p := b.begin(h)
	in := map[string]string{headerSession: session}

	answers := make(chan answer, 2)
	go func() { answers <- b.whole(question{body: toolCall(1, "echo", `{}`), header: in}) }()
	p.hear(t)
	go func() { answers <- b.whole(question{body: toolCall(2, "held", `{}`), header: in}) }()
	<-b.judge.waiting
	p.toClient <- io.EOF
	for range 2 {
		if a := <-answers; !strings.Contains(a.body, "-32603") {
			t.Errorf("answer: %+v", a)
		}
	}
	b.whole(question{body: toolCall(3, "echo", `{}`), header: in}).is(t, "afterwards", http.StatusNotFound)
	close(b.judge.held)
}

// A call that waits for the judge holds up nothing else, and is not passed on once its client is gone.
func TestHostedWaitingCall(t *testing.T) {
	h := newHost()
	b := newBench(t, Config{}, h.server("up", typeStdio)).serve()
	b.judge.waiting = make(chan string, 1)
	session, p := b.begin(h)
	in := map[string]string{headerSession: session}

	held := make(chan answer, 1)
	go func() { held <- b.whole(question{body: toolCall(1, "held", `{}`), header: in}) }()
	<-b.judge.waiting
	passed := make(chan answer, 1)
	go func() { passed <- b.whole(question{body: toolCall(2, "echo", `{}`), header: in}) }()
	if m := p.hear(t); m.ID.String() != "2" {
		t.Errorf("the server got %s", m.Raw)
	}
	p.say(t, `{"jsonrpc":"2.0","id":2,"result":{"content":[]}}`)
	if a := <-passed; !strings.Contains(a.body, `"id":2`) {
		t.Errorf("the other: %+v", a)
	}
	// Taken back by the client: it ends without a response.
	b.whole(question{body: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, header: in})
	if a := <-held; strings.Contains(a.body, `"id"`) {
		t.Errorf("a cancelled request is answered: %+v", a)
	}
	select {
	case m := <-p.toServer:
		t.Errorf("the server got %s", m.Raw)
	default:
	}
}

// A request that the server was sent and that the client takes back ends, too.
func TestHostedCancelled(t *testing.T) {
	h := newHost()
	b := newBench(t, Config{}, h.server("up", typeStdio)).serve()
	session, p := b.begin(h)
	in := map[string]string{headerSession: session}
	done := make(chan answer, 1)
	go func() { done <- b.whole(question{body: toolCall(1, "echo", `{}`), header: in}) }()
	p.hear(t)
	b.whole(question{body: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, header: in})
	if m := p.hear(t); m.Method != "notifications/cancelled" {
		t.Errorf("the server got %s", m.Raw)
	}
	if a := <-done; strings.Contains(a.body, `"id"`) {
		t.Errorf("a cancelled request is answered: %+v", a)
	}
}

// A session that does not begin leaves nothing behind.
func TestHostedBeginningFails(t *testing.T) {
	h := newHost()
	b := newBench(t, Config{}, h.server("up", typeStdio)).serve()
	done := make(chan answer, 1)
	go func() { done <- b.whole(question{body: initialize}) }()
	p := <-h.opened
	p.hear(t)
	p.say(t, `{"jsonrpc":"2.0","id":"init","error":{"code":-32602,"message":"no"}}`)
	if a := <-done; a.header.Get(headerSession) != "" || !strings.Contains(a.body, "-32602") {
		t.Errorf("initialize: %+v", a)
	}
	<-p.done
}

// The requests that a process cannot be asked.
func TestHostedRefusals(t *testing.T) {
	h := newHost()
	b := newBench(t, Config{}, h.server("up", typeStdio)).serve()
	session, _ := b.begin(h)
	stateless := `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`
	for name, tt := range map[string]struct {
		q      question
		status int
		want   string
	}{
		"begins again":       {question{body: initialize, header: map[string]string{headerSession: session}}, 400, "begun already"},
		"batch":              {question{body: `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, header: map[string]string{headerSession: session}}, 400, "-32600"},
		"stateless":          {question{body: stateless, header: map[string]string{headerVersion: versionStateless, headerMethod: "server/discover"}}, 400, `"supported":["2024-11-05"`},
		"unknown session":    {question{body: toolCall(1, "echo", `{}`), header: map[string]string{headerSession: "x"}}, 404, "no such session"},
		"listens to nothing": {question{method: http.MethodGet}, 400, "Mcp-Session-Id"},
		"deletes nothing":    {question{method: http.MethodDelete}, 400, "Mcp-Session-Id"},
	} {
		t.Run(name, func(t *testing.T) {
			b.t = t
			b.whole(tt.q).is(t, "", tt.status, tt.want)
		})
	}
}
