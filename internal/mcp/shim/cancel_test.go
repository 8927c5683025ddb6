//go:build unix

package shim_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/child"
	"github.com/weir-gate/weir/internal/mcp/shim"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// announcing says what it is asked, before it answers as a server does.
func init() {
	helpers["announcing"] = func([]string) {
		in := bufio.NewScanner(os.Stdin)
		for in.Scan() {
			var m asked
			if json.Unmarshal(in.Bytes(), &m) == nil && m.ID != nil {
				say("asked " + string(m.ID))
				answer(m)
			}
		}
	}
}

// cancelling is a client's word that it does not want a response any more.
func cancelling(id string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, id)
}

// nextAnswer is the next line to the client that is no notification.
func (r *running) nextAnswer() string {
	r.t.Helper()
	for {
		if line := r.next(); !strings.Contains(line, `"notifications/message"`) {
			return line
		}
	}
}

// awaitAsked returns when the server has been asked.
func (r *running) awaitAsked(id string) {
	r.t.Helper()
	for !strings.Contains(r.next(), `"asked `+id+`"`) {
	}
}

// TestBatchCancelledLate checks that an array is answered without what was cancelled when the server had it already.
func TestBatchCancelledLate(t *testing.T) {
	t.Parallel()
	r := start(t, setup{helper: "announcing"})
	r.send("[" + callOf("10", "silent") + "," + callOf("11", "echo") + "]")
	r.awaitAsked("10")
	r.send(cancelling("10"))
	diff(t, "answers", []string{done("11")}, answersOf(t, r.nextAnswer()))
	r.send("[" + callOf("12", "silent") + "]")
	r.awaitAsked("12")
	r.send(cancelling("12"), cancelling("12"), cancelling(`"12"`), cancelling("99"), cancelling("{}"), callOf("12", "echo"))
	diff(t, "the response to another request of that id", done("12"), r.nextAnswer())
	r.end()
	for _, line := range r.rest() {
		expect.Text(t, line, "the client still got", `"notifications/message"`)
	}
}

// A hesitant judge does not come to an end with what a tool gave.
type hesitant struct {
	*judge
	given chan string // tools
}

// Given implements mcp.Judge.
func (j *hesitant) Given(ctx context.Context, g call.Given) call.Ruling {
	j.given <- g.Tool
	if g.Tool == "hesitate" {
		<-ctx.Done()
	}
	return call.Ruling{Released: true}
}

// TestBatchCancelledWhileJudged checks that an array is answered without what was cancelled while its response was judged.
func TestBatchCancelledWhileJudged(t *testing.T) {
	t.Parallel()
	j := &hesitant{judge: newJudge(), given: make(chan string, 8)}
	got := filepath.Join(t.TempDir(), "got")
	in, client := io.Pipe()
	reader, out := io.Pipe()
	r := &running{t: t, judge: j.judge, lines: make(chan string, 8), ended: make(chan struct{})}
	go r.read(reader)
	go func() {
		r.status, r.err = shim.Run(t.Context(), shim.Config{
			Server: call.MCPServer{ID: "s", Type: "stdio", Addr: "server"}, Judge: j, In: in, Out: out,
			Process: child.Config{
				Path: os.Args[0], Grace: 200 * time.Millisecond, Stderr: os.Stderr,
				Env: append(os.Environ(), helperVariable+"=server", gotVariable+"="+got, "GORACE=atexit_sleep_ms=0"),
			},
		})
		_ = out.Close()
		close(r.ended)
	}()
	defer r.wait()
	defer client.Close() // it cannot fail
	say := func(line string) {
		t.Helper()
		if _, err := io.WriteString(client, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	say("[" + callOf("10", "hesitate") + "," + callOf("11", "echo") + "]")
	for tool := range j.given {
		if tool == "hesitate" {
			break
		}
	}
	say(cancelling("10"))
	diff(t, "answers", []string{done("11")}, answersOf(t, r.next()))
}
