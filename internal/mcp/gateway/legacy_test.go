package gateway

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/reach"
	"github.com/weir-gate/weir/internal/mcp/streamable"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// greeted plays the beginning of a server with the old transport.
func greeted(t *testing.T, p *pipe) {
	t.Helper()
	m := p.hear(t)
	if version, err := m.ParamText("protocolVersion"); m.Method != "initialize" || version != streamable.VersionLegacy || err != nil {
		t.Fatalf("the server got %s", m.Raw)
	}
	p.say(t, `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"early"}}`)
	p.say(t, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	if pong := p.hear(t); string(pong.Result) != "{}" {
		t.Errorf("the server got %s", pong.Raw)
	}
	p.say(t, `{"jsonrpc":"2.0","id":`+m.ID.String()+`,"result":{"protocolVersion":"2024-11-05","capabilities":{}}}`)
	if m := p.hear(t); m.Method != "notifications/initialized" {
		t.Fatalf("the server got %s", m.Raw)
	}
}

// across begins a session with a server that speaks the old transport.
func (b *bench) across() map[string]string {
	b.t.Helper()
	a := b.whole(question{body: initialize})
	if a.status != 200 || !strings.Contains(a.body, `"protocolVersion":"2025-06-18"`) || a.header.Get(headerSession) == "" {
		b.t.Fatalf("initialize: %+v", a)
	}
	return map[string]string{headerSession: a.header.Get(headerSession)}
}

func TestBridge(t *testing.T) {
	h := newHost()
	b := newBench(t, Config{}, h.server("up", typeSSE)).serve()
	in := b.across()
	for name, tt := range map[string]struct {
		body   string
		status int
		want   string
	}{
		"ping":         {`{"jsonrpc":"2.0","id":1,"method":"ping"}`, 200, `"result":{}`},
		"notification": {`{"jsonrpc":"2.0","method":"notifications/initialized"}`, 202, ""},
		"cancelled":    {`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, 202, ""},
		"answer":       {`{"jsonrpc":"2.0","id":1,"result":{}}`, 202, ""},
		"prompts":      {`{"jsonrpc":"2.0","id":1,"method":"prompts/list"}`, 200, "-32601"},
		"resources":    {`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"x"}}`, 200, "-32601"},
		"refused call": {toolCall(1, "denied", `{}`), 200, `"isError":true`},
		"begins again": {initialize, 400, "begun already"},
		"batch":        {"[" + toolCall(1, "echo", `{}`) + "]", 400, "-32600"},
	} {
		b.whole(question{body: tt.body, header: in}).is(t, name, tt.status, tt.want)
	}
	select {
	case <-h.opened:
		t.Fatal("a connection was opened for nothing")
	default:
	}

	// Two requests share one connection.
	answers := make(chan answer, 2)
	for _, body := range []string{toolCall(1, "echo", `{}`), `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`} {
		go func() {
			answers <- b.whole(question{body: body, header: map[string]string{headerSession: in[headerSession], "X-Mine": "1", "Authorization": "Bearer x"}})
		}()
	}
	p := <-h.opened
	if p.caller.Get("X-Mine") != "1" || p.caller.Get("Authorization") != "" || p.caller.Get(headerSession) != "" {
		t.Errorf("the server was shown %v", p.caller)
	}
	greeted(t, p)
	for range 2 {
		m := p.hear(t)
		result := `{"content":[]}`
		if m.Method == "tools/list" {
			result = `{"tools":[{"name":"a","inputSchema":{}},{"name":"denied","inputSchema":{}}]}`
		}
		p.say(t, `{"jsonrpc":"2.0","id":`+m.ID.String()+`,"result":`+result+`}`)
	}
	for range 2 {
		a := <-answers
		if a.status != 200 || a.header.Get("Content-Type") != mediaJSON || strings.Contains(a.body, "denied") || !strings.Contains(a.body, `"result"`) {
			t.Errorf("%+v", a)
		}
	}

	// What the server says of its own accord goes to who listens; what it asks is answered.
	r := bufio.NewReader(b.ask(question{method: http.MethodGet, header: in}).Body)
	p.say(t, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	expect.Text(t, nextEvent(t, r), "event", "list_changed")
	p.say(t, `{"jsonrpc":"2.0","id":5,"method":"roots/list"}`)
	if m := p.hear(t); m.ID.String() != "5" || m.Error == nil {
		t.Errorf("the server got %s", m.Raw)
	}

	// It breaks in a call, and is opened again by the next.
	go func() { answers <- b.whole(question{body: toolCall(1, "echo", `{}`), header: in}) }()
	p.hear(t)
	p.toClient <- io.EOF
	if a := <-answers; !strings.Contains(a.body, "-32603") {
		t.Errorf("%+v", a)
	}
	<-p.done
	go func() { answers <- b.whole(question{body: toolCall(1, "echo", `{}`), header: in}) }()
	again := <-h.opened
	greeted(t, again)
	again.hear(t)
	again.say(t, `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`)
	if a := <-answers; !strings.Contains(a.body, `"content":[]`) {
		t.Errorf("%+v", a)
	}
	b.whole(question{method: http.MethodDelete, header: in})
	<-again.done
	if _, err := r.ReadByte(); err != io.EOF {
		t.Errorf("the listener goes on: %v", err)
	}
}

// A server that cannot be reached, or does not begin as it should, is an error of the call. The next one tries again.
func TestBridgeTrouble(t *testing.T) {
	for name, open := range map[string]func(context.Context, http.Header) (reach.Conn, error){
		"not reached": func(context.Context, http.Header) (reach.Conn, error) {
			return nil, errors.New("connection refused")
		},
		"not greeted": func(context.Context, http.Header) (reach.Conn, error) {
			p := newPipe()
			go func() {
				m := <-p.toServer
				p.toClient <- jsonrpc.NewError(m.ID, -32000, "SECRET", nil)
			}()
			return p, nil
		},
		"unreadable": func(context.Context, http.Header) (reach.Conn, error) {
			p := newPipe()
			go func() {
				m := <-p.toServer
				p.toClient <- &jsonrpc.Refused{Kind: jsonrpc.Response, ID: m.ID, Reason: "no"}
			}()
			return p, nil
		},
		"ends": func(context.Context, http.Header) (reach.Conn, error) {
			p := newPipe()
			_ = p.Close()
			return p, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, Config{}, Server{ID: "up", Type: typeSSE, Open: open}).serve()
			in := b.across()
			for range 2 {
				a := b.whole(question{body: toolCall(1, "echo", `{}`), header: in})
				expect.Equal(t, a.status, 200, "%+v", a)
				expect.Text(t, a.body, "", "-32603", "!SECRET")
			}
		})
	}
}

// Versions that weir does not know become the newest that it does.
func TestBridgeVersion(t *testing.T) {
	b := newBench(t, Config{Version: "1.2"}, newHost().server("up", typeSSE)).serve()
	a := b.whole(question{body: strings.Replace(initialize, "2025-06-18", "2099-01-01", 1)})
	expect.Text(t, a.body, "", `"protocolVersion":"2025-11-25"`, `"version":"1.2"`)
}

// A client with a new credential gets a new connection; what is under way on the old one is still answered.
func TestBridgeCredential(t *testing.T) {
	h := newHost()
	server := h.server("up", typeSSE)
	server.Passthrough = true
	b := newBench(t, Config{}, server).serve()
	in := b.across()
	answers := map[string]chan answer{"Bearer old": make(chan answer, 1), "Bearer new": make(chan answer, 1)}
	var pipes []*pipe
	for i, credential := range []string{"Bearer old", "Bearer new"} {
		go func() {
			answers[credential] <- b.whole(question{body: toolCall(i, "echo", `{}`), header: map[string]string{
				headerSession: in[headerSession], "Authorization": credential,
			}})
		}()
		p := <-h.opened
		expect.Equal(t, p.caller.Get("Authorization"), credential, "the server was shown %v", p.caller)
		greeted(t, p)
		p.hear(t)
		pipes = append(pipes, p)
	}
	for i, credential := range []string{"Bearer old", "Bearer new"} {
		pipes[i].say(t, `{"jsonrpc":"2.0","id":`+string(rune('0'+i))+`,"result":{"content":[]}}`)
		if a := <-answers[credential]; !strings.Contains(a.body, `"content":[]`) {
			t.Errorf("%s: %+v", credential, a)
		}
	}
	<-pipes[0].done
	select {
	case <-pipes[1].done:
		t.Error("the new connection has ended")
	default:
	}
}
