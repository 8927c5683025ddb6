package proxy

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// zeroes is a text without end, of what base64 is written with.
type zeroes struct{}

func (zeroes) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'A'
	}
	return len(b), nil
}

// pictures begins a request with an image, and ends it.
const (
	picturesBegin = `{"model":"m","messages":[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"`
	picturesEnd   = `"}}]}]}`
)

// A client that listens only after it has sent everything gets the error in the words of the API, however large its request is.
func TestRefusedWhileTheClientSends(t *testing.T) {
	const size = 40_000_000
	tight := func(c *Config) { c.Budget = budget.New(budget.Config{Total: 8 << 20, Client: 8 << 20}) }
	small := func(c *Config) { c.Bounds.Request = 30_000_000 }
	for name, tt := range map[string]struct {
		edit    func(*Config)
		chunked bool
		header  string
		status  int
		says    string
	}{
		"no room":                          {edit: tight, status: 413, says: "over_budget"},
		"no room, length unknown":          {edit: tight, chunked: true, status: 413, says: "over_budget"},
		"too large by its header":          {edit: small, status: 413, says: "larger than weir's bound"},
		"too large":                        {edit: small, chunked: true, status: 413, says: "larger than weir's bound"},
		"in an encoding that is not known": {edit: small, header: "Content-Encoding: lzma\r\n", chunked: true, status: 400, says: "encoding"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, mustNotBeAsked(t), tt.edit)
			conn, err := net.Dial("tcp", b.weir.Listener.Addr().String())
			expect.OK(t, err)
			defer conn.Close()
			out := bufio.NewWriter(conn)
			const whole = len(picturesBegin) + size + len(picturesEnd)
			length, first, last := fmt.Sprintf("Content-Length: %d", whole), "", ""
			if tt.chunked {
				length, first, last = "Transfer-Encoding: chunked", fmt.Sprintf("%x\r\n", whole), "\r\n0\r\n\r\n"
			}
			fmt.Fprintf(out, "POST /anthropic/v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%s%s\r\n\r\n%s%s",
				tt.header, length, first, picturesBegin)
			_, err = io.CopyN(out, zeroes{}, size)
			if err == nil {
				_, _ = out.WriteString(picturesEnd + last)
				err = out.Flush()
			}
			expect.OK(t, err, "the connection was cut while the client sent")
			resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
			expect.OK(t, err)
			defer resp.Body.Close()
			text, err := io.ReadAll(resp.Body)
			if resp.StatusCode != tt.status || !strings.HasPrefix(string(text), `{"type":"error"`) || !strings.Contains(string(text), tt.says) || err != nil {
				t.Errorf("%d %s, %v", resp.StatusCode, text, err)
			}
			if b.door.cfg.Budget != nil && b.door.cfg.Budget.Held()[budget.Requests] != 0 {
				t.Errorf("held: %v", b.door.cfg.Budget.Held())
			}
		})
	}
}

// Who does not send what it announced, or waits for leave to, is answered all the same.
func TestRefusedBeforeTheClientSends(t *testing.T) {
	b := newBench(t, mustNotBeAsked(t), func(c *Config) {
		c.Budget = budget.New(budget.Config{Total: 4 << 10, Client: 4 << 10})
		c.ClientTimeout = 100 * time.Millisecond
	})
	for _, header := range []string{"Content-Length: 40000000", "Content-Length: 40000000\r\nExpect: 100-continue", "Transfer-Encoding: chunked"} {
		resp := b.raw("POST /anthropic/v1/messages HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n\r\n")
		expect.Equal(t, resp.StatusCode, http.StatusRequestEntityTooLarge, "%s: status", header)
	}
}

// A request with large images takes little more than its own bytes, and a form as much again for its parts.
func TestImagesTakeLittle(t *testing.T) {
	const size = 30_000_000
	ask := func(t *testing.T, room int64, kind string) int {
		b := newBench(t, responding(200, deniedBody, "Content-Type", "application/json"), func(c *Config) {
			c.Budget = budget.New(budget.Config{Total: room, Client: room})
		})
		body := io.MultiReader(strings.NewReader(picturesBegin), io.LimitReader(zeroes{}, size), strings.NewReader(picturesEnd))
		req, err := http.NewRequest(http.MethodPost, b.weir.URL+"/anthropic/v1/messages", body)
		expect.OK(t, err)
		req.ContentLength = int64(len(picturesBegin) + size + len(picturesEnd))
		req.Header.Set("Content-Type", kind)
		resp, err := http.DefaultTransport.RoundTrip(req)
		expect.OK(t, err)
		defer resp.Body.Close()
		_, _ = io.Copy(io.Discard, resp.Body)
		return resp.StatusCode
	}
	expect.Equal(t, ask(t, size+1<<20, "application/json"), http.StatusOK, "images: status")
	expect.Equal(t, ask(t, size+1<<20, "multipart/form-data; boundary=b"), http.StatusRequestEntityTooLarge, "a form: status")
}
