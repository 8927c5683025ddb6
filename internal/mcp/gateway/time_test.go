package gateway

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/reach"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// recorded is a response that is being written.
type recorded struct {
	*httptest.ResponseRecorder
	done chan struct{}
}

// start has the gateway answer a question, without a connection, so that time can be played.
func (b *bench) start(ctx context.Context, q question) recorded {
	r := recorded{httptest.NewRecorder(), make(chan struct{})}
	req := q.request(b.t, "").WithContext(ctx)
	req.Host = "localhost"
	go func() {
		defer close(r.done)
		b.gw.ServeHTTP(r, req)
	}()
	return r
}

// playedSession begins a session with a process in played time.
func playedSession(t *testing.T, b *bench, h *host) (session string, p *pipe) {
	t.Helper()
	r := b.start(t.Context(), question{body: initialize})
	p = <-h.opened
	p.hear(t)
	p.say(t, `{"jsonrpc":"2.0","id":"init","result":{"protocolVersion":"2025-06-18"}}`)
	<-r.done
	if session = r.Header().Get(headerSession); session == "" {
		t.Fatalf("initialize: %+v", r)
	}
	return session, p
}

// A session that nobody uses ends, with its process. One that is used does not.
func TestIdleSessionsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost()
		b := newBench(t, Config{Bounds: Bounds{Idle: time.Minute}}, h.server("up", typeStdio))
		session, p := playedSession(t, b, h)
		in := map[string]string{headerSession: session}
		ctx, leave := context.WithCancel(t.Context())
		listening := b.start(ctx, question{method: http.MethodGet, header: in})
		time.Sleep(time.Hour)
		if b.gw.table.sessions[sessionKey{"up", session}] == nil {
			t.Fatal("a session with a listener has ended")
		}
		leave()
		<-listening.done
		time.Sleep(59 * time.Second)
		<-b.start(t.Context(), question{body: `{"jsonrpc":"2.0","method":"notifications/x"}`, header: in}).done
		time.Sleep(59 * time.Second)
		if b.gw.table.sessions[sessionKey{"up", session}] == nil {
			t.Fatal("a session has ended too early")
		}
		time.Sleep(2 * time.Second)
		<-p.done
		r := b.start(t.Context(), question{body: `{"jsonrpc":"2.0","method":"notifications/x"}`, header: in})
		if <-r.done; r.Code != http.StatusNotFound {
			t.Errorf("status %d", r.Code)
		}
	})
}

// While a client waits it hears something now and then, in the form of comments.
func TestKeepAlives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost()
		b := newBench(t, Config{}, h.server("up", typeStdio))
		session, p := playedSession(t, b, h)
		in := map[string]string{headerSession: session}
		r := b.start(t.Context(), question{body: toolCall(1, "held", `{}`), header: in})
		time.Sleep(31 * time.Second)
		close(b.judge.held)
		p.hear(t)
		time.Sleep(15 * time.Second)
		p.say(t, `{"jsonrpc":"2.0","id":1,"result":{}}`)
		<-r.done
		want := strings.Repeat(": waiting\n\n", 3) + "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n"
		expect.Equal(t, r.Body.String(), want)
	})
}

// A server that does not answer is given up, and told so. One that tells how far it is has more time.
func TestSilentServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost()
		server := h.server("up", typeStdio)
		server.Timeout = time.Minute
		b := newBench(t, Config{KeepAlive: time.Hour}, server)
		session, p := playedSession(t, b, h)
		in := map[string]string{headerSession: session}

		began := time.Now()
		r := b.start(t.Context(), question{body: toolCall(1, "echo", `{}`), header: in})
		p.hear(t)
		<-r.done
		if took := time.Since(began); took != time.Minute || !strings.Contains(r.Body.String(), "-32603") {
			t.Errorf("after %v: %s", took, r.Body)
		}
		if m := p.hear(t); m.Method != "notifications/cancelled" || !strings.Contains(string(m.Raw), `"requestId":1`) {
			t.Errorf("the server got %s", m.Raw)
		}

		began = time.Now()
		r = b.start(t.Context(), question{body: toolCall(2, "echo", `{}`), header: in})
		p.hear(t)
		p.say(t, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}`)
		<-r.done
		if took := time.Since(began); took != longSilence || strings.Count(r.Body.String(), "data: ") != 2 {
			t.Errorf("after %v: %s", took, r.Body)
		}
		p.hear(t)
	})
}

// What waits for a server that cannot be reached is held no longer than the attempt: here the cancellation of a request that was
// given up.
func TestNothingIsHeldForUnreachableServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		open := func(ctx context.Context, _ http.Header) (reach.Conn, error) {
			<-ctx.Done()
			time.Sleep(time.Second) // the request is given up first
			return nil, fmt.Errorf("connect: %w", ctx.Err())
		}
		room := budget.New(budget.Config{Total: 64 << 20, Client: 64 << 20})
		b := newBench(t, Config{Budget: room}, Server{ID: "up", Type: typeSSE, Open: open, Timeout: time.Minute})
		r := b.start(t.Context(), question{body: initialize})
		<-r.done
		before := room.Used()
		in := map[string]string{headerSession: r.Header().Get(headerSession)}
		r = b.start(t.Context(), question{body: toolCall(1, "echo", `{}`), header: in})
		if <-r.done; !strings.Contains(r.Body.String(), "-32603") {
			t.Errorf("%d %s", r.Code, r.Body)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if used := room.Used(); used != before {
			t.Errorf("weir holds %d bytes, and held %d before", used, before)
		}
	})
}

// A process that cannot be started in time is an error, and leaves no session.
func TestSlowStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		open := func(ctx context.Context, _ http.Header) (reach.Conn, error) {
			<-ctx.Done()
			return nil, fmt.Errorf("start: %w", ctx.Err())
		}
		b := newBench(t, Config{}, Server{ID: "up", Type: typeStdio, Open: open, Timeout: time.Minute})
		r := b.start(t.Context(), question{body: initialize})
		if <-r.done; r.Code != http.StatusBadGateway || r.Header().Get(headerSession) != "" || !strings.Contains(r.Body.String(), "too long") {
			t.Errorf("%d %s", r.Code, r.Body)
		}
		expect.Equal(t, len(b.gw.table.sessions), 0, "a session is left")
	})
}

// A client that goes away does not take its request back: what the server answers is dropped, and the session goes on.
func TestHostedClientGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost()
		b := newBench(t, Config{}, h.server("up", typeStdio))
		session, p := playedSession(t, b, h)
		in := map[string]string{headerSession: session}
		ctx, leave := context.WithCancel(t.Context())
		r := b.start(ctx, question{body: toolCall(1, "echo", `{}`), header: in})
		p.hear(t)
		leave()
		<-r.done
		p.say(t, `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"x"}}`)
		p.say(t, `{"jsonrpc":"2.0","id":1,"result":{}}`)
		synctest.Wait()
		// Its id is free again, and what belonged to no other request waits for a listener.
		again := b.start(t.Context(), question{body: toolCall(1, "echo", `{}`), header: in})
		p.hear(t)
		p.say(t, `{"jsonrpc":"2.0","id":1,"result":{"again":true}}`)
		if <-again.done; !strings.Contains(again.Body.String(), `"again":true`) {
			t.Errorf("%s", again.Body)
		}
		ctx, leave = context.WithCancel(t.Context())
		listening := b.start(ctx, question{method: http.MethodGet, header: in})
		synctest.Wait()
		leave()
		<-listening.done
		expect.Text(t, listening.Body.String(), "", "notifications/message", "!result")
	})
}

// Whoever does not take what is sent ends the session before it takes up all memory.
func TestFloods(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost()
		b := newBench(t, Config{Bounds: Bounds{Queued: 1000}}, h.server("up", typeStdio))
		session, p := playedSession(t, b, h)
		in := map[string]string{headerSession: session}
		for i := range 200 { // the pipe holds a hundred
			b.start(t.Context(), question{body: fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/x","params":{"n":"%d %s"}}`, i, strings.Repeat("x", 100)), header: in})
		}
		<-p.done
	})
}

// Too many sessions: the one that nobody used for the longest time gives way; if all are used, there is no new one.
func TestTooManySessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost()
		b := newBench(t, Config{Bounds: Bounds{ActorSessions: 2, Sessions: 3}}, h.server("up", typeStdio))
		first, p := playedSession(t, b, h)
		time.Sleep(time.Second)
		second, _ := playedSession(t, b, h)
		time.Sleep(time.Second)
		third, _ := playedSession(t, b, h)
		<-p.done
		if b.gw.table.sessions[sessionKey{"up", first}] != nil || len(b.gw.table.sessions) != 2 {
			t.Error("the oldest is still there")
		}
		ctx, leave := context.WithCancel(t.Context())
		defer leave()
		for _, s := range []string{second, third} {
			b.start(ctx, question{method: http.MethodGet, header: map[string]string{headerSession: s}})
		}
		synctest.Wait()
		r := b.start(t.Context(), question{body: initialize})
		if <-r.done; r.Code != http.StatusServiceUnavailable || len(h.opened) != 0 {
			t.Errorf("%d %s", r.Code, r.Body)
		}
	})
}

// A closed gateway has ended everything and begins nothing.
func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost()
		b := newBench(t, Config{}, h.server("up", typeStdio), h.server("old", typeSSE))
		session, p := playedSession(t, b, h)
		waiting := b.start(t.Context(), question{body: toolCall(1, "echo", `{}`), header: map[string]string{headerSession: session}})
		p.hear(t)
		expect.Is(t, b.gw.Close(t.Context()), nil)
		<-p.done
		if <-waiting.done; !strings.Contains(waiting.Body.String(), "-32603") {
			t.Errorf("%s", waiting.Body)
		}
		for _, path := range []string{"/mcp/up", "/mcp/old"} {
			r := b.start(t.Context(), question{path: path, body: initialize})
			if <-r.done; r.Code != http.StatusServiceUnavailable {
				t.Errorf("%s: %d", path, r.Code)
			}
		}
	})
}

// Close does not wait for ever for a process that does not end.
func TestCloseGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		stubborn := &stubbornPipe{newPipe(), release}
		b := newBench(t, Config{}, Server{ID: "up", Type: typeStdio, Open: func(context.Context, http.Header) (reach.Conn, error) { return stubborn, nil }})
		r := b.start(t.Context(), question{body: initialize})
		stubborn.hear(t)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		expect.Fails(t, b.gw.Close(ctx), "it has waited for nothing")
		<-r.done
	})
}

// A stubbornPipe takes its time to close.
type stubbornPipe struct {
	*pipe
	release chan struct{}
}

func (p *stubbornPipe) Close() error {
	<-p.release
	return p.pipe.Close()
}

// Requests of the server for which there is no client are answered, once there is no room to wait.
func TestNobodyListens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost()
		b := newBench(t, Config{Bounds: Bounds{Waiting: 1}}, h.server("up", typeStdio))
		_, p := playedSession(t, b, h)
		p.say(t, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
		p.say(t, `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
		if m := p.hear(t); m.ID != jsonrpc.IntID(2) || m.Error == nil {
			t.Errorf("the server got %s", m.Raw)
		}
	})
}

// A doer answers without a network.
type doer func(*http.Request) (*http.Response, error)

func (d doer) Do(r *http.Request) (*http.Response, error) { return d(r) }

// While a call waits for the judge its client hears something; then it gets the server's response on that stream.
func TestRemoteHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		status, body := http.StatusOK, `{"jsonrpc":"2.0","id":1,"result":{}}`
		up := doer(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {mediaJSON}}, Body: io.NopCloser(strings.NewReader(body))}, nil
		})
		b := newBench(t, Config{}, Server{ID: "up", Type: typeHTTP, HTTP: up, URL: &url.URL{Scheme: "http", Host: "up.example"}})
		for _, tt := range []struct {
			status int
			want   string
		}{
			{http.StatusOK, "data: " + body + "\n\n"},
			{http.StatusInternalServerError, "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"error\":"},
		} {
			status = tt.status
			b.judge.held = make(chan struct{})
			r := b.start(t.Context(), question{body: toolCall(1, "held", `{}`)})
			time.Sleep(16 * time.Second)
			close(b.judge.held)
			<-r.done
			if got := r.Body.String(); r.Code != 200 || !strings.HasPrefix(got, ": waiting\n\n"+tt.want) {
				t.Errorf("%d %q", r.Code, got)
			}
		}
	})
}

// What a server said before it was gone is still judged and passed on, unless the session ends meanwhile.
func TestLastWords(t *testing.T) {
	for _, ends := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			h := newHost()
			b := newBench(t, Config{}, h.server("up", typeStdio))
			session, p := playedSession(t, b, h)
			in := map[string]string{headerSession: session}
			b.judge.review = make(chan struct{})
			r := b.start(t.Context(), question{body: toolCall(1, "echo", `{}`), header: in})
			p.hear(t)
			p.say(t, `{"jsonrpc":"2.0","id":1,"result":{"last":"words"}}`)
			want := `"last":"words"`
			if ends {
				synctest.Wait()
				<-b.start(t.Context(), question{method: http.MethodDelete, header: in}).done
				want = "-32603"
			} else {
				other := b.start(t.Context(), question{body: toolCall(3, "echo", `{}`), header: in})
				p.hear(t)
				p.toClient <- io.EOF
				if <-other.done; !strings.Contains(other.Body.String(), "-32603") {
					t.Errorf("what the server did not respond: %s", other.Body)
				}
				synctest.Wait()
				late := b.start(t.Context(), question{body: toolCall(2, "echo", `{}`), header: in})
				if <-late.done; late.Code != http.StatusNotFound {
					t.Errorf("a session without a server: %d %s", late.Code, late.Body)
				}
			}
			close(b.judge.review)
			if <-r.done; !strings.Contains(r.Body.String(), want) {
				t.Errorf("ends %t: %s", ends, r.Body)
			}
			<-p.done
		})
	}
}

// A client that leaves while a connection is opened leaves it to others.
func TestBridgeClientGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost()
		slow := make(chan struct{})
		server := h.server("up", typeSSE)
		server.Open = func(ctx context.Context, caller http.Header) (reach.Conn, error) {
			<-slow
			return h.open(ctx, caller)
		}
		b := newBench(t, Config{}, server)
		began := b.start(t.Context(), question{body: initialize})
		<-began.done
		in := map[string]string{headerSession: began.Header().Get(headerSession)}
		ctx, leave := context.WithCancel(t.Context())
		first := b.start(ctx, question{body: toolCall(1, "one", `{}`), header: in})
		second := b.start(t.Context(), question{body: toolCall(2, "two", `{}`), header: in})
		synctest.Wait()
		leave()
		<-first.done
		synctest.Wait()
		close(slow)
		p := <-h.opened
		greeted(t, p)
		if m := p.hear(t); m.ID != jsonrpc.IntID(2) {
			t.Errorf("the server got %s", m.Raw)
		}
		p.say(t, `{"jsonrpc":"2.0","id":2,"result":{}}`)
		if <-second.done; !strings.Contains(second.Body.String(), `"result"`) {
			t.Errorf("%s", second.Body)
		}
	})
}
