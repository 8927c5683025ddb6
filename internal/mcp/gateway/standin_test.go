package gateway

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// playEcho plays a server for requests without a session: it greets, and answers every request with its own number and what it was sent.
func playEcho(t *testing.T, h *host, kind string) (opened chan int) {
	opened = make(chan int, 100)
	go func() {
		for n := 1; ; n++ {
			var p *pipe
			select {
			case p = <-h.opened:
			case <-t.Context().Done():
				return
			}
			opened <- n
			go func() {
				for {
					select {
					case m := <-p.toServer:
						switch m.Method {
						case "initialize":
							version, _ := m.ParamText("protocolVersion")
							p.say(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":%q,"capabilities":{}}}`, m.ID, version))
						case "tools/list":
							p.say(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"echo"},{"name":"denied"}]}}`, m.ID))
						case "tools/call":
							if name, _ := m.ParamText("name"); name == "silent" {
								continue
							}
							p.say(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"server %d"}]}}`, m.ID, n))
						}
					case <-p.done:
						return
					}
				}
			}()
		}
	}()
	return opened
}

// keyed admits two clients.
func keyed(t *testing.T) *admission.Admission {
	t.Helper()
	a, err := admission.New(admission.Config{Hosts: []string{"example.com"}, Clients: []admission.Client{
		{Key: "key-of-ann-0123456789", Actor: call.Actor{Employee: "ann", Key: "ann"}},
		{Key: "key-of-bob-0123456789", Actor: call.Actor{Employee: "bob", Key: "bob"}},
	}})
	expect.OK(t, err)
	return a
}

// Requests without a session are answered by servers that have sessions, and governed as all are.
func TestRequestsWithoutSession(t *testing.T) {
	for _, kind := range []string{typeStdio, typeSSE} {
		t.Run(kind, func(t *testing.T) {
			h := newHost()
			b := newBench(t, Config{}, h.server("up", kind)).serve()
			opened := playEcho(t, h, kind)
			for name, tt := range map[string]struct {
				body, want, not string
				status          int
			}{
				"list":         {`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `"name":"echo"`, "denied", 200},
				"call":         {toolCall(1, "echo", `{}`), "server 1", "", 200},
				"refused":      {toolCall(1, "denied", `{}`), `"isError":true`, "server", 200},
				"notification": {`{"jsonrpc":"2.0","method":"notifications/initialized"}`, "", "", 202},
				"response":     {`{"jsonrpc":"2.0","id":1,"result":{}}`, "", "", 202},
				"batch":        {`[` + toolCall(1, "echo", `{}`) + `,` + toolCall(2, "echo", `{}`) + `]`, "server 1", "", 200},
			} {
				a := b.whole(question{body: tt.body})
				if a.status != tt.status || !strings.Contains(a.body, tt.want) || tt.not != "" && strings.Contains(a.body, tt.not) {
					t.Errorf("%s: %+v", name, a)
				}
				expect.Equal(t, a.header.Get(headerSession), "", "%s: the client was given a session", name)
			}
			expect.Equal(t, len(opened), 1, "servers were opened for one request after the other")
			if n := len(b.judge.calls); n < 4 {
				t.Errorf("%d calls were judged", n)
			}
			b.whole(question{body: toolCall(1, "echo", `{}`), header: map[string]string{headerSession: "x"}}).is(t, "unknown session", 404)
		})
	}
}

// A stand-in is one client's: nobody else's requests reach it.
func TestStandInsAreTheirOwners(t *testing.T) {
	h := newHost()
	b := newBench(t, Config{Admission: keyed(t)}, h.server("up", typeStdio)).serve()
	playEcho(t, h, typeStdio)
	as := func(key string) string {
		return b.whole(question{body: toolCall(1, "echo", `{}`), header: map[string]string{"x-weir-key": key}}).body
	}
	ann, bob, again := as("key-of-ann-0123456789"), as("key-of-bob-0123456789"), as("key-of-ann-0123456789")
	if !strings.Contains(ann, "server 1") || !strings.Contains(bob, "server 2") || again != ann {
		t.Errorf("%s\n%s\n%s", ann, bob, again)
	}
}

// As many requests as there may be stand-ins are under way at once, whatever ids they have; the others wait. One whose client leaves takes
// its stand-in with it.
func TestStandInsAreBounded(t *testing.T) {
	h := newHost()
	b := newBench(t, Config{Bounds: Bounds{StandIns: 2}}, h.server("up", typeStdio)).serve()
	opened := playEcho(t, h, typeStdio)
	ctx, leave := context.WithCancel(t.Context())
	ended := make(chan struct{}, 2)
	for range 2 {
		go func() {
			req := question{body: toolCall(1, "silent", `{}`)}.request(t, b.url).WithContext(ctx)
			if resp, err := http.DefaultClient.Do(req); err == nil {
				resp.Body.Close()
			}
			ended <- struct{}{}
		}()
	}
	for range 2 {
		<-opened
	}
	third := make(chan answer, 1)
	go func() { third <- b.whole(question{body: toolCall(1, "echo", `{}`)}) }()
	select {
	case <-opened:
		t.Error("more servers run than may")
	case a := <-third:
		t.Errorf("answered at once: %+v", a)
	case <-time.After(50 * time.Millisecond):
	}
	leave()
	for range 2 {
		<-ended
	}
	if a := <-third; !strings.Contains(a.body, "server 3") {
		t.Errorf("%+v", a)
	}
}

// A stand-in that nobody uses ends soon, and leaves nothing behind.
func TestIdleStandInsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost()
		b := newBench(t, Config{}, h.server("up", typeStdio))
		r := b.start(t.Context(), question{body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`})
		p := <-h.opened
		hello := p.hear(t)
		p.say(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-03-26","capabilities":{}}}`, hello.ID))
		p.hear(t) // initialized
		p.say(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[]}}`, p.hear(t).ID))
		<-r.done
		time.Sleep(59 * time.Second)
		select {
		case <-p.done:
			t.Fatal("it ended too early")
		default:
		}
		time.Sleep(2 * time.Second)
		<-p.done
		synctest.Wait()
		expect.Equal(t, len(b.gw.table.sessions), 0, "left behind: %v %v", b.gw.table.sessions, b.gw.standIns.all)
		expect.Equal(t, len(b.gw.standIns.all), 0, "left behind: %v %v", b.gw.table.sessions, b.gw.standIns.all)
	})
}

// A server that cannot be reached, or that dies, is told of; the next request finds another.
func TestStandInDies(t *testing.T) {
	h := newHost()
	b := newBench(t, Config{}, h.server("up", typeStdio)).serve()
	done := make(chan answer, 1)
	go func() { done <- b.whole(question{body: toolCall(1, "echo", `{}`)}) }()
	p := <-h.opened
	p.hear(t)
	p.Close()
	if a := <-done; a.status != http.StatusBadGateway || !strings.Contains(a.body, "could not be reached") {
		t.Errorf("%+v", a)
	}
	go func() { done <- b.whole(question{body: toolCall(1, "echo", `{}`)}) }()
	p = <-h.opened
	p.say(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-03-26","capabilities":{}}}`, p.hear(t).ID))
	p.hear(t)
	p.hear(t)
	p.Close()
	if a := <-done; !strings.Contains(a.body, "did not respond") {
		t.Errorf("%+v", a)
	}
	playEcho(t, h, typeStdio)
	b.whole(question{body: toolCall(1, "echo", `{}`)}).is(t, "", 0, "server 1")
}
