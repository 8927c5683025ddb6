package gateway

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// A client that listens only after it has sent everything gets the error of JSON-RPC, however large its message is.
func TestRefusedWhileTheClientSends(t *testing.T) {
	tight := budget.New(budget.Config{Total: 2 << 20, Client: 2 << 20})
	for name, tt := range map[string]struct {
		cfg    Config
		size   int
		header string
		status int
	}{
		"no room":       {cfg: Config{Budget: tight}, size: 15_000_000, status: http.StatusRequestEntityTooLarge},
		"too large":     {size: 40_000_000, status: http.StatusRequestEntityTooLarge},
		"not plain":     {size: 15_000_000, header: "Content-Encoding: gzip\r\n", status: http.StatusUnsupportedMediaType},
		"lenient, junk": {cfg: Config{Budget: tight.Lenient()}, size: 15_000_000, status: http.StatusBadRequest},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, tt.cfg, remoteServer(t, "up", http.NotFoundHandler())).serve()
			conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
			expect.OK(t, err)
			defer conn.Close()
			head := fmt.Sprintf("POST /mcp/up HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream\r\n"+
				"Content-Type: application/json\r\n%sContent-Length: %d\r\n\r\n", tt.header, tt.size)
			if _, err := io.WriteString(conn, head+strings.Repeat("1", tt.size)); err != nil {
				t.Fatalf("the connection was cut while the client sent: %v", err)
			}
			resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
			expect.OK(t, err)
			defer resp.Body.Close()
			text, _ := io.ReadAll(resp.Body)
			expect.Equal(t, resp.StatusCode, tt.status, "%d %s", resp.StatusCode, text)
			expect.Text(t, string(text), "", `"jsonrpc"`)
		})
	}
}
