package proxy

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// An upstream may close a connection just when it is used again. Nothing was answered then, so it is tried once more.
func TestStaleConnection(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	expect.OK(t, err)
	defer l.Close()
	go answerOnceEach(l)
	b := newBench(t, nil, func(c *Config) {
		u := c.Upstreams["anthropic"]
		u.URL = &url.URL{Scheme: "http", Host: l.Addr().String()}
		c.Upstreams["anthropic"] = u
	})
	for i := range 50 {
		if r := b.ask(false); r.StatusCode != http.StatusOK {
			t.Fatalf("request %d: %d %s", i, r.StatusCode, r.body)
		}
	}
}

// answerOnceEach answers one request on each connection, promises to keep it, and closes it when the next request comes.
func answerOnceEach(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer conn.Close()
			r := bufio.NewReader(conn)
			if _, err := http.ReadRequest(r); err != nil {
				return
			}
			body := `{"type":"error","error":{"type":"x","message":"m"}}`
			fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
			_, _ = r.Peek(64) // the body of the first request, then the head of the next
		}()
	}
}
