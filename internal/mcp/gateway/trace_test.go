package gateway

import (
	"testing"

	"github.com/weir-gate/weir/internal/call"
)

// A call and its result stand in the trace that the client names: by the header, or in the message, or in a new one.
func TestTraces(t *testing.T) {
	const id, span, other = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7", "5bf92f3577b34da6a3ce929d0e0e4736"
	meta := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{},"_meta":{"traceparent":"00-` + other + `-` + span + `-00"}}}`
	for name, tt := range map[string]struct {
		body, header string
		want         call.Trace
	}{
		"header":     {toolCall(1, "echo", `{}`), "00-" + id + "-" + span + "-01", call.Trace{ID: id, Parent: span}},
		"message":    {meta, "", call.Trace{ID: other, Parent: span, Unsampled: true}},
		"both":       {meta, "00-" + id + "-" + span + "-01", call.Trace{ID: id, Parent: span}},
		"bad header": {meta, "00-zz", call.Trace{ID: other, Parent: span, Unsampled: true}},
		"neither":    {toolCall(1, "echo", `{}`), "", call.Trace{}},
	} {
		for _, kind := range []string{typeHTTP, typeStdio, typeSSE} {
			up := &script{answer: says(200, mediaJSON, `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`)}
			server := remoteServer(t, "up", up)
			h := newHost()
			if kind != typeHTTP {
				server = h.server("up", kind)
			}
			b := newBench(t, Config{}, server).serve()
			playEcho(t, h, kind)
			q := question{body: tt.body}
			if tt.header != "" {
				q.header = map[string]string{"Traceparent": tt.header}
			}
			b.whole(q)
			if len(b.judge.calls) != 1 || len(b.judge.givens()) != 1 {
				t.Fatalf("%s: %d calls, %d results", name, len(b.judge.calls), len(b.judge.givens()))
			}
			got := b.judge.calls[0].Exchange.Trace
			if got.Span == "" || got.ID == "" || got != b.judge.givens()[0].Trace {
				t.Errorf("%s to %s: %+v and %+v", name, kind, got, b.judge.givens()[0].Trace)
			}
			if got.Span = ""; tt.want.ID != "" && got != tt.want {
				t.Errorf("%s to %s: %+v", name, kind, got)
			}
		}
	}
}
