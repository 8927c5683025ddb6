package outgoing

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// parse is a URL that must be one.
func parse(t testing.TB, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	expect.OK(t, err)
	return u
}

// newSender sets up a client that is closed when the test ends.
func newSender(t testing.TB, c Config) *Sender {
	t.Helper()
	client, err := New(c)
	expect.OK(t, err)
	t.Cleanup(client.Close)
	return client
}

// request is one for this address.
func request(t testing.TB, method, address, body string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	expect.OK(t, err)
	return req
}

// exchange sends a request and returns the body of its response.
func exchange(c *Sender, req *http.Request) (string, error) {
	resp, err := c.Do(req)
	if err != nil {
		return "", err
	}
	body, err := io.ReadAll(resp.Body)
	return string(body), errors.Join(err, resp.Body.Close())
}

// keeper is a server that keeps the last request that it was sent, and counts them.
type keeper struct {
	*httptest.Server
	asked atomic.Int32
	last  atomic.Pointer[http.Request]
}

func newEcho(t testing.TB) *keeper {
	e := &keeper{}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.asked.Add(1)
		e.last.Store(r)
		io.Copy(w, r.Body) // the client notices
	}))
	t.Cleanup(e.Close)
	return e
}

// names is a resolver that leads each name to the addresses given for it.
func names(t testing.TB, table map[string][]string) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	expect.OK(t, err)
	done := make(chan struct{})
	t.Cleanup(func() { conn.Close(); <-done })
	go func() {
		defer close(done)
		buffer := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(buffer)
			if err != nil {
				return
			}
			conn.WriteTo(reply(buffer[:n], table), from) // the resolver asks again
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

// reply is that of a name server to a query with one question.
func reply(query []byte, table map[string][]string) []byte {
	const header = 12
	var labels []string
	at := header
	for query[at] != 0 {
		labels = append(labels, string(query[at+1:at+1+int(query[at])]))
		at += 1 + int(query[at])
	}
	kind := binary.BigEndian.Uint16(query[at+1:])
	question := query[header : at+5]
	var records []byte
	count := 0
	for _, text := range table[strings.ToLower(strings.Join(labels, "."))] {
		addr := netip.MustParseAddr(text)
		if addr.Is4() != (kind == 1) || addr.Is6() != (kind == 28) {
			continue
		}
		count++
		// A pointer to the name in the question, its type and class, five seconds to live.
		records = append(records, 0xc0, header, 0, byte(kind), 0, 1, 0, 0, 0, 5, 0, byte(len(addr.AsSlice())))
		records = append(records, addr.AsSlice()...)
	}
	out := append([]byte(nil), query[:2]...)
	out = append(out, 0x81, 0x80, 0, 1, 0, byte(count), 0, 0, 0, 0)
	return append(append(out, question...), records...)
}
