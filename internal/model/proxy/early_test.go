package proxy

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// Upstreams show signs of life before they have anything to say. They reach the client at once, with the header.
func TestSignsOfLifeComeEarly(t *testing.T) {
	for name, rest := range map[string]struct{ stream, code string }{
		"the format that was asked for": {deniedStream, ""},
		"another format":                {`data: {"x":1}` + "\n\n", call.CodeUnrecognised},
		"not JSON":                      {"data: <html>\n\n", call.CodeMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			alive := make(chan struct{})
			b := newBench(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = io.WriteString(w, ": processing\n\n")
				_ = http.NewResponseController(w).Flush()
				<-alive
				_, _ = io.WriteString(w, rest.stream)
			})
			resp, err := http.Post(b.weir.URL+"/anthropic/v1/messages", "application/json", strings.NewReader(`{"stream":true}`))
			expect.OK(t, err)
			defer resp.Body.Close()
			comment := make([]byte, len(": processing\n\n"))
			if _, err := io.ReadFull(resp.Body, comment); err != nil || string(comment) != ": processing\n\n" {
				t.Fatalf("%q, %v", comment, err)
			}
			close(alive)
			got, err := io.ReadAll(resp.Body)
			expect.Is(t, err, nil)
			b.mustNotLeak(reply{Response: resp, body: string(got)})
			if rest.code != "" && (!strings.Contains(string(got), "("+rest.code+")") || !strings.Contains(string(got), "message_stop")) {
				t.Errorf("the turn does not end as refused: %s", got)
			}
		})
	}
}
