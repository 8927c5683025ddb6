package reach_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/reach"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// A stuck server says a few words, if any, and then nothing more until its caller gives up.
type stuck struct {
	contentType string // "": it does not even begin to answer
	words       string
}

func (s stuck) Do(r *http.Request) (*http.Response, error) {
	if s.contentType == "" {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {s.contentType}},
		Body: io.NopCloser(io.MultiReader(strings.NewReader(s.words), silence{r.Context()})),
	}, nil
}

// silence is what is read until the context ends.
type silence struct{ ctx context.Context }

func (s silence) Read([]byte) (int, error) {
	<-s.ctx.Done()
	return 0, s.ctx.Err()
}

// Nothing waits for a server for ever.
func TestTimeouts(t *testing.T) {
	overHTTP := func(t *testing.T, s stuck) string {
		conn := reach.HTTP(reach.HTTPConfig{URL: address(t, "http://h/mcp"), Sender: s})
		defer conn.Close() // it has no session to end
		if err := conn.Send(t.Context(), request(1, "m", `{}`)); err != nil {
			return err.Error()
		}
		return receiveIn(conn)
	}
	overSSE := func(t *testing.T, s stuck) string {
		conn, err := reach.SSE(t.Context(), reach.SSEConfig{URL: address(t, "http://h/sse"), Sender: s})
		if err != nil {
			return err.Error()
		}
		defer conn.Close() // it has nothing to end
		return receiveIn(conn)
	}
	tests := map[string]struct {
		ask    func(*testing.T, stuck) string
		server stuck
		want   string
	}{
		"no response":       {overHTTP, stuck{}, "send message: the server did not begin to respond within 30s"},
		"half a response":   {overHTTP, stuck{"application/json", `{"jsonrpc"`}, "message refused: the server's response broke off"},
		"no stream":         {overSSE, stuck{}, "open stream: the server did not begin to respond within 30s"},
		"no endpoint":       {overSSE, stuck{"text/event-stream", ": hi\n\nevent: endpoint\n"}, "open stream: the server did not name its endpoint within 15s"},
		"drips, no status":  {overSSE, stuck{"text/html", "SECRET"}, "open stream: the server's response is not text/event-stream; check its type and the path of its URL"},
		"silent afterwards": {overSSE, stuck{"text/event-stream", endpoint}, "receive message: context deadline exceeded"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				expect.Same(t, test.want, test.ask(t, test.server))
			})
		})
	}
}

// receiveIn returns why nothing is received for an hour.
func receiveIn(conn reach.Conn) string {
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	_, err := conn.Receive(ctx)
	return err.Error()
}

// idle is a server whose streams are silent and end after a minute.
type idle struct{ opened chan struct{} }

func (i idle) Do(r *http.Request) (*http.Response, error) {
	if r.Method != http.MethodGet {
		return &http.Response{StatusCode: http.StatusAccepted, Body: http.NoBody}, nil
	}
	i.opened <- struct{}{}
	end, cancel := context.WithTimeout(r.Context(), time.Minute)
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}},
		Body: closer{silence{end}, cancel},
	}, nil
}

type closer struct {
	io.Reader
	close func()
}

func (c closer) Close() error {
	c.close()
	return nil
}

// A stream that something ends from time to time is opened again, for ever.
func TestListensForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := idle{opened: make(chan struct{})}
		conn := reach.HTTP(reach.HTTPConfig{URL: address(t, "http://h/mcp"), Sender: server})
		expect.OK(t, conn.Send(t.Context(), jsonrpc.NewNotification("notifications/initialized", nil)))
		began := time.Now()
		const times = 100
		for range times {
			<-server.opened
		}
		if took := time.Since(began); took > times*2*time.Minute {
			t.Errorf("it took %s", took)
		}
		expect.Is(t, conn.Close(), nil)
	})
}
