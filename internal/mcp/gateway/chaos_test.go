package gateway

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// whim is a server that does as it likes: it answers soon, late or never, tells of its progress, asks back, says what cannot be
// read, and may die.
func whim(t *testing.T, p *pipe, random *rand.Rand) {
	var mu sync.Mutex
	roll := func(n int) int {
		mu.Lock()
		defer mu.Unlock()
		return random.IntN(n)
	}
	for {
		var m *jsonrpc.Message
		select {
		case m = <-p.toServer:
		case <-p.done:
			return
		}
		if m.Kind != jsonrpc.Request {
			continue
		}
		go func() {
			time.Sleep(time.Duration(roll(1000)) * time.Millisecond)
			switch roll(12) {
			case 0:
				return
			case 1:
				p.say(t, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}`)
			case 2:
				p.say(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":"s%d","method":"roots/list"}`, roll(100)))
			case 3:
				p.toClient <- &jsonrpc.Refused{Code: jsonrpc.CodeInternal, Kind: jsonrpc.Response, ID: m.ID, Reason: "no"}
				return
			case 4:
				time.Sleep(2 * time.Minute)
			}
			p.say(t, `{"jsonrpc":"2.0","id":`+m.ID.String()+`,"result":{"echo":`+m.ID.String()+`}}`)
		}()
	}
}

// Whatever server and clients do, who waits gets one response to what it asked, or takes it back, and nothing is left over.
func TestChaos(t *testing.T) {
	for seed := range uint64(30) {
		synctest.Test(t, func(t *testing.T) { chaos(t, rand.New(rand.NewPCG(seed, 1))) })
	}
}

func chaos(t *testing.T, random *rand.Rand) {
	h := newHost()
	server := h.server("up", typeStdio)
	server.Timeout = time.Minute
	b := newBench(t, Config{}, server)
	b.judge.waiting = nil
	session, p := playedSession(t, b, h)
	in := map[string]string{headerSession: session}
	go whim(t, p, rand.New(rand.NewPCG(random.Uint64(), 2)))
	time.AfterFunc(5*time.Second, func() { close(b.judge.held) })
	if random.IntN(3) == 0 {
		time.AfterFunc(time.Duration(random.IntN(20))*time.Second, func() { p.Close() })
	}
	listening, unlisten := context.WithCancel(t.Context())
	b.start(listening, question{method: http.MethodGet, header: in})
	var posts sync.WaitGroup
	for id := range 40 {
		time.Sleep(time.Duration(random.IntN(400)) * time.Millisecond)
		tool := []string{"echo", "held", "denied"}[random.IntN(3)]
		ctx, leave := context.WithCancel(t.Context())
		left := random.IntN(5) == 0
		if left {
			time.AfterFunc(time.Duration(random.IntN(2000))*time.Millisecond, leave)
		}
		takesBack := random.IntN(6) == 0
		r := b.start(ctx, question{body: toolCall(id, tool, `{}`), header: in})
		if takesBack {
			time.AfterFunc(time.Duration(random.IntN(2000))*time.Millisecond, func() {
				b.start(t.Context(), question{header: in, body: fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id)})
			})
		}
		posts.Go(func() {
			defer leave()
			<-r.done
			got := r.Body.String()
			if n := strings.Count(got, fmt.Sprintf(`"id":%d,`, id)); n > 1 || n == 0 && !left && !takesBack && r.Code == http.StatusOK {
				t.Errorf("%d answers to %d: %d %q", n, id, r.Code, got)
			}
			if strings.Contains(got, `"echo":`) && !strings.Contains(got, fmt.Sprintf(`"echo":%d}`, id)) {
				t.Errorf("the response to another: %q", got)
			}
		})
	}
	posts.Wait()
	<-b.start(t.Context(), question{method: http.MethodDelete, header: in}).done
	unlisten()
	<-p.done
	time.Sleep(time.Hour) // whatever has a timer is over
	expect.Equal(t, len(b.gw.table.sessions), 0, "left over: %v", b.gw.table.sessions)
	expect.Equal(t, len(b.gw.table.byActor), 0, "left over: %v", b.gw.table.sessions)
}
