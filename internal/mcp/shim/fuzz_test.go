//go:build unix

package shim_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/child"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/shim"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// FuzzMessages sends anything through the shim to a server that says it back. Whatever comes: the client gets messages and nothing
// else, the server gets no refused call, and the run ends.
func FuzzMessages(f *testing.F) {
	for _, seed := range []string{
		"", "\n", "hello\n", request("1", "ping") + "\n", callOf("1", "bad") + "\n" + callOf("2", "echo") + "\n",
		"[" + callOf("1", "bad") + "," + request("2", "ping") + ",{}]\n", "[]\n[[]]\n", `{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}` + "\n",
		"{\"jsonrpc\":\"2.0\",\n\"id\":1,\r\n\"method\":\"ping\"}" + request("2", "ping"),
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\u0062ad","arguments":{"secret":"` + "\u2028" + `"}}}` + "\n",
		`{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}` + "\n", "\ufeff" + request("1", "ping") + "\n\x00\xff{",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		var out buffer
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		j := newJudge()
		close(j.resume)
		var stderr buffer
		// tee writes down what it got.
		status, err := shim.Run(ctx, shim.Config{
			Server: call.MCPServer{ID: "s", Type: "stdio"}, Judge: j, In: bytes.NewReader(input), Out: &out,
			Process:    child.Config{Path: "tee", Args: []string{"/dev/stderr"}, Stderr: &stderr, Grace: time.Second},
			MaxMessage: 1 << 16,
		})
		if err != nil || status != 0 || ctx.Err() != nil {
			t.Fatalf("status %d, error %v, context %v", status, err, ctx.Err())
		}
		checkMessages(t, out.lines())
		checkMessages(t, stderr.lines())
		for _, line := range stderr.lines() {
			messages, _, _ := jsonrpc.ParseBody([]byte(line)) // it was read before
			for _, m := range messages {
				if name, err := m.ParamText("name"); m.Method == "tools/call" && (err != nil || m.Kind != jsonrpc.Request || strings.HasPrefix(name, "bad")) {
					t.Errorf("the server got what it must not: %s", line)
				}
			}
		}
	})
}

// FuzzServer has a server say anything, once it has five requests, and end. Whatever it says: the client gets messages and nothing
// else, and each request is answered exactly once.
func FuzzServer(f *testing.F) {
	for _, seed := range []string{
		"", "noise\n", done("1") + "\n", done("1") + done("2"), done("1") + "\n" + done("1") + "\n" + done(`"1"`) + "\n",
		`{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"echo"},{"name":"bad"}],"nextCursor":"x"}}` + "\n",
		`{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a","name":"b"},3]}}` + "\n" + `{"jsonrpc":"2.0","id":3,"error":{"code":1,"message":"m"}}`,
		"[" + done("1") + "," + done("2") + ",{}]\n[]", `{"jsonrpc":"2.0","id":9,"method":"sampling/createMessage","params":{}}` + "\n",
		`{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"x"}}` + "\n" + done("1") + "\n",
		`{"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"m","data":{"elicitations":[{"url":"u"}]}}}` + "\n",
		`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"}}}}` + "\n",
		"{\"jsonrpc\":\"2.0\",\n\"id\":4,\r\n\"result\":{}}\n", "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"x\":\"" + "\u2028" + "\"}}", "\xff\x00{[",
		`{"jsonrpc":"2.0","id":3,"result":{"protocolVersion":"2026-07-28","protocolversion":"x"}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}` + "\n" + `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}`,
	} {
		f.Add([]byte(seed))
	}
	requests := []string{callOf("1", "echo"), callOf(`"1"`, "echo"), request("2", "tools/list"), request("3", "initialize"), request("4", "ping")}
	f.Fuzz(func(t *testing.T, says []byte) {
		script := filepath.Join(t.TempDir(), "says")
		expect.OK(t, os.WriteFile(script, says, 0o600))
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		j := newJudge()
		close(j.resume)
		var out buffer
		status, err := shim.Run(ctx, shim.Config{
			Server: call.MCPServer{ID: "s", Type: "stdio"}, Judge: j, In: strings.NewReader(strings.Join(requests, "\n") + "\n"), Out: &out,
			Process:    child.Config{Path: "sh", Args: []string{"-c", `head -n 5 >/dev/null; cat "$0"`, script}, Grace: time.Second},
			MaxMessage: 1 << 16,
		})
		if err != nil || status != 0 || ctx.Err() != nil {
			t.Fatalf("status %d, error %v, context %v", status, err, ctx.Err())
		}
		checkMessages(t, out.lines())
		answers := map[string]int{}
		for _, line := range out.lines() {
			messages, _, _ := jsonrpc.ParseBody([]byte(line)) // it was read before
			for _, m := range messages {
				if m.Kind == jsonrpc.Response {
					answers[m.ID.String()]++
				}
			}
		}
		diff(t, "how often each request is answered", map[string]int{"1": 1, `"1"`: 1, "2": 1, "3": 1, "4": 1}, answers)
	})
}
