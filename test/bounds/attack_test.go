package bounds

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// attackers is how many connections an attack has.
const attackers = 24

const head = `data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],` +
	`"stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}}` + "\n\n"

// Small requests that become large, to an upstream that does not read them.
func TestCompressedRequests(t *testing.T) {
	bomb := zip(func(w io.Writer) {
		_, _ = io.WriteString(w, `{"model":"m","messages":[{"role":"user","content":"`)
		fill(w, "a", 40*mib)
		_, _ = io.WriteString(w, `"}]}`)
	})
	wide := zip(func(w io.Writer) {
		_, _ = io.WriteString(w, `{"model":"m","messages":[`)
		fill(w, "1,", 900_000)
		_, _ = io.WriteString(w, `1]}`)
	})
	for name, body := range map[string][]byte{"one text": bomb, "many values": wide} {
		t.Run(name, func(t *testing.T) {
			a := serve(t, func(w http.ResponseWriter, _ *http.Request, over <-chan struct{}) { <-over })
			attack(t, a, "/anthropic/v1/messages", http.Header{"Content-Encoding": {"gzip"}}, body, "over_budget")
		})
	}
}

// Answers of which no frame ends, in every framing, and such as take much memory once they are read.
func TestAnswers(t *testing.T) {
	jsonHead := http.Header{"Content-Type": {"application/json"}}
	for name, test := range map[string]struct {
		path   string
		header http.Header
		begin  string
		more   string
		size   int
	}{
		"events":             {path: "/anthropic/v1/messages", header: events(), begin: head + "data: {\"a\":\"", more: "x", size: 15 * mib},
		"comments":           {path: "/anthropic/v1/messages", header: events(), begin: head + ": ", more: "x", size: 15 * mib},
		"many lines of data": {path: "/anthropic/v1/messages", header: events(), begin: head, more: "data: x\n", size: 15 * mib},
		"elements": {
			path: "/gemini/v1beta/models/m:streamGenerateContent", header: jsonHead, begin: "[{\"a\":\"", more: "x",
			size: 15 * mib,
		},
		"lines": {
			path: "/ollama/api/chat", header: http.Header{"Content-Type": {"application/x-ndjson"}}, begin: "{\"a\":\"",
			more: "x", size: 15 * mib,
		},
		"messages": {
			path:   "/bedrock/model/m/converse-stream",
			header: http.Header{"Content-Type": {"application/vnd.amazon.eventstream"}}, begin: prelude(15 * mib), more: "x", size: 14 * mib,
		},
		"a body": {path: "/anthropic/v1/messages", header: jsonHead, begin: "{\"a\":\"", more: "x", size: 15 * mib},
	} {
		t.Run(name, func(t *testing.T) {
			body := zip(func(w io.Writer) {
				_, _ = io.WriteString(w, test.begin)
				fill(w, test.more, test.size)
			})
			a := serve(t, func(w http.ResponseWriter, r *http.Request, over <-chan struct{}) {
				_, _ = io.Copy(io.Discard, r.Body)
				for name, values := range test.header {
					w.Header()[name] = values
				}
				w.Header().Set("Content-Encoding", "gzip")
				_, _ = w.Write(body[:len(body)-8]) // so that it does not end
				_ = http.NewResponseController(w).Flush()
				<-over
			})
			attack(t, a, test.path, nil, []byte(`{"model":"m","stream":true,"messages":[],"contents":[]}`), "over_budget")
		})
	}
}

func events() http.Header { return http.Header{"Content-Type": {"text/event-stream"}} }

// prelude begins a binary message of a size.
func prelude(size int) string {
	b := binary.BigEndian.AppendUint32(nil, uint32(size))
	b = binary.BigEndian.AppendUint32(b, 0)
	return string(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b)))
}

// Calls that never end, many of them, and frames behind them.
func TestCalls(t *testing.T) {
	var calls bytes.Buffer
	calls.WriteString(head)
	for i := range 1000 {
		fmt.Fprintf(&calls, `data: {"type":"content_block_start","index":%d,"content_block":{"type":"tool_use","id":"t%d","name":"f","input":{}}}`+"\n\n", i, i)
		fmt.Fprintf(&calls, `data: {"type":"content_block_delta","index":%d,"delta":{"type":"input_json_delta","partial_json":"{\"a\":\"%s"}}`+"\n\n", i, strings.Repeat("x", 4000))
	}
	a := serve(t, func(w http.ResponseWriter, r *http.Request, over <-chan struct{}) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write(calls.Bytes())
		_ = http.NewResponseController(w).Flush()
		<-over
	})
	attack(t, a, "/anthropic/v1/messages", nil, []byte(`{"model":"m","stream":true,"messages":[]}`), "over_budget")
}

// attack has many connections of one client do the same, until some are refused. Then the bounds must hold, for the neighbour too, and
// all that were refused must have been told so in the API's words.
func attack(t *testing.T, a *weir, path string, h http.Header, body []byte, code string) {
	t.Helper()
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	var under sync.WaitGroup
	refused := make(chan string, attackers)
	for range attackers {
		under.Go(func() {
			status, text, err := a.ask(ctx, "attacker", path, h, bytes.NewReader(body))
			if err == nil && strings.Contains(text, code) {
				refused <- fmt.Sprintf("%d %s", status, text)
			}
		})
	}
	m := a.until("a refusal", func(m map[string]float64) bool { return m[`weir_over_budget_total{scope="client"}`] > 0 })
	a.isWithin(m)
	a.neighbourIsFine()
	if text := <-refused; !strings.Contains(text, code) {
		t.Errorf("a refusal reads %s", text)
	}
	a.isWithin(a.metrics())
	leave()
	under.Wait()
	close(a.over)
	a.isEmptied()
	a.neighbourIsFine()
}

// Messages to the gateway, of a client and of a server: large ones that are answered slowly, and answers that never end.
func TestMessages(t *testing.T) {
	large := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f","arguments":{"a":"` + strings.Repeat("x", 6*mib) + `"}}}`
	small := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f","arguments":{}}}`
	for name, test := range map[string]struct{ body, kind, answer string }{
		"posts":   {body: large},
		"answers": {body: small, kind: "application/json", answer: `{"jsonrpc":"2.0","id":1,"result":{"a":"` + strings.Repeat("x", 12*mib)},
		"events":  {body: small, kind: "text/event-stream", answer: `data: {"jsonrpc":"2.0","id":1,"result":{"a":"` + strings.Repeat("x", 12*mib)},
	} {
		t.Run(name, func(t *testing.T) {
			a := serve(t, func(w http.ResponseWriter, r *http.Request, over <-chan struct{}) {
				if test.answer != "" {
					_, _ = io.Copy(io.Discard, r.Body)
					w.Header().Set("Content-Type", test.kind)
					_, _ = io.WriteString(w, test.answer)
					_ = http.NewResponseController(w).Flush()
				}
				<-over
			})
			h := http.Header{"Accept": {"application/json, text/event-stream"}, "Mcp-Protocol-Version": {"2025-06-18"}}
			attack(t, a, "/mcp/far", h, []byte(test.body), "over_budget")
		})
	}
}

// Where weir only observes, no message fails for want of room.
func TestObservedMessages(t *testing.T) {
	const clients = 12 // more than there is room for
	var there atomic.Int32
	var a *weir
	over := sync.OnceFunc(func() { close(a.over) })
	a = serve(t, func(w http.ResponseWriter, r *http.Request, end <-chan struct{}) {
		_, _ = io.Copy(io.Discard, r.Body)
		if there.Add(1) == clients {
			over()
		}
		<-end
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`)
	}, "enforcement: observe\n")
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f","arguments":{"a":"` + strings.Repeat("x", 6*mib) + `"}}}`
	h := http.Header{"Accept": {"application/json, text/event-stream"}, "Mcp-Protocol-Version": {"2025-06-18"}}
	var under sync.WaitGroup
	for range clients {
		under.Go(func() {
			status, text, err := a.ask(t.Context(), "attacker", "/mcp/far", h, strings.NewReader(body))
			if status != http.StatusOK || err != nil || !strings.Contains(text, `"content"`) {
				t.Errorf("%d %s %v", status, text, err)
				over() // the others need not wait for this one
			}
		})
	}
	under.Wait()
	a.isEmptied()
}
