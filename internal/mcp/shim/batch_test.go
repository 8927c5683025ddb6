//go:build unix

package shim_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// answersOf are the messages of a line that is an array, sorted.
func answersOf(t *testing.T, line string) (out []string) {
	t.Helper()
	messages, batch, err := jsonrpc.ParseBody([]byte(line))
	if err != nil || !batch {
		t.Fatalf("this is no array of messages (%v): %s", err, line)
	}
	for _, m := range messages {
		out = append(out, string(m.Raw))
	}
	slices.Sort(out)
	return out
}

// TestBatch checks that what comes in one array is judged one by one, and answered in one array.
func TestBatch(t *testing.T) {
	t.Parallel()
	r := start(t, setup{})
	note := `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	r.send("[" + strings.Join([]string{request("1", "ping"), callOf("2", "bad"), note, callOf(`"2"`, "echo")}, ",") + "]")
	want := []string{denied("2", "bad"), done(`"2"`), `{"jsonrpc":"2.0","id":1,"result":{}}`}
	slices.Sort(want)
	diff(t, "answers", want, answersOf(t, r.next()))
	// What comes by itself afterwards is answered by itself.
	r.send(request("1", "ping"))
	diff(t, "the ping", `{"jsonrpc":"2.0","id":1,"result":{}}`, r.next())
	r.end()
	got := r.received()
	slices.Sort(got[:3])
	wantGot := []string{request("1", "ping"), note, callOf(`"2"`, "echo")}
	slices.Sort(wantGot)
	diff(t, "what the server got", append(wantGot, request("1", "ping"), "(end)"), got)
}

// TestBatchOfNotifications checks that an array without requests is not answered.
func TestBatchOfNotifications(t *testing.T) {
	t.Parallel()
	r := start(t, setup{})
	note := `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	r.send("["+note+","+note+"]", request("1", "ping"))
	diff(t, "the ping", `{"jsonrpc":"2.0","id":1,"result":{}}`, r.next())
	r.end()
	diff(t, "what the client still got", []string(nil), r.rest())
	diff(t, "what the server got", []string{note, note, request("1", "ping"), "(end)"}, r.received())
}

// TestBatchOfRefusals checks arrays of which nothing reaches the server.
func TestBatchOfRefusals(t *testing.T) {
	t.Parallel()
	r := start(t, setup{})
	r.send("[" + callOf("1", "bad") + "," + callOf("2", "bad-too") + "]")
	diff(t, "refusals", []string{denied("1", "bad"), denied("2", "bad-too")}, answersOf(t, r.next()))
	r.send("[" + callOf("3", "bad") + `,{"jsonrpc":"2.0","id":4,"id":4,"method":"ping"},7]`)
	for line := r.next(); ; line = r.next() {
		checkMessages(t, []string{line})
		if strings.Contains(line, denied("3", "bad")) {
			break
		}
	}
	r.send("[]")
	expect.Text(t, r.next(), "an empty array is answered with", `"id":null,"error":`)
	r.end()
	checkMessages(t, r.rest())
	diff(t, "what the server got", []string{"(end)"}, r.received())
}

// TestBatchCancelled checks that an array is answered when what is left of it is.
func TestBatchCancelled(t *testing.T) {
	t.Parallel()
	r := start(t, setup{})
	r.send("[" + callOf("1", "slow") + "," + callOf("2", "echo") + "]")
	<-r.judge.waits
	r.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	diff(t, "answers", []string{done("2")}, answersOf(t, r.next()))
}

// TestBatchServerDies checks that an array is answered as one when the server ends.
func TestBatchServerDies(t *testing.T) {
	t.Parallel()
	r := start(t, setup{})
	r.send("[" + callOf("1", "silent") + "," + callOf("2", "bad") + "," + callOf("3", "exit") + "]")
	expect.Equal(t, r.wait(), 3, "status")
	want := []string{gone("1"), denied("2", "bad"), gone("3")}
	slices.Sort(want)
	diff(t, "answers", want, answersOf(t, strings.Join(r.rest(), "\n")))
}
