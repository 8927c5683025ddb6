//go:build unix

package shim_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// TestClientDoesNotRead checks that a flood which nobody reads ends the server, not the machine.
func TestClientDoesNotRead(t *testing.T) {
	t.Parallel()
	never, held := io.Pipe() // nobody reads it
	defer never.Close()      // it ends the writer
	r := start(t, setup{helper: "flood", out: held})
	r.wait()
}

// TestClientGone checks that the server ends when nobody is there to be answered.
func TestClientGone(t *testing.T) {
	t.Parallel()
	r := start(t, setup{helper: "flood", out: failing{}})
	r.wait()
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("the pipe is broken") }

// TestServerDoesNotRead checks that what a server does not read is bounded.
func TestServerDoesNotRead(t *testing.T) {
	t.Parallel()
	r := start(t, setup{helper: "deaf"})
	r.next()
	if _, err := io.WriteString(r.in, `{"jsonrpc":"2.0","id":"open","method":"tools/call","params":{"name":"echo"}}`+"\n"); err != nil {
		t.Fatal(err)
	}
	line := `{"jsonrpc":"2.0","method":"notifications/progress","params":{"x":"` + strings.Repeat("x", 8<<20) + `"}}` + "\n"
	for range 10 { // 80 MiB
		if _, err := io.WriteString(r.in, line); err != nil {
			t.Fatal(err)
		}
	}
	expect.Text(t, r.next(), "the open call is answered", `"id":"open"`, "-32603")
	r.wait()
}

// TestServerLingers checks that a server that goes on when there is no more from the client is ended.
func TestServerLingers(t *testing.T) {
	t.Parallel()
	r := start(t, setup{helper: "deaf", linger: 50 * time.Millisecond})
	r.next()
	expect.OK(t, r.in.Close())
	r.wait()
}

// TestManyNotifications checks that all that a server says arrives, in order.
func TestManyNotifications(t *testing.T) {
	t.Parallel()
	const n = 500
	r := start(t, setup{helper: "mumbling", args: []string{fmt.Sprint(n)}})
	for i := range n {
		if got := r.next(); !strings.Contains(got, fmt.Sprintf(`"thing %d"`, i)) {
			t.Fatalf("notification %d is %s", i, got)
		}
	}
}

// TestManyCalls checks that of many calls at once each is answered once, and that the server gets those that are not refused, once.
func TestManyCalls(t *testing.T) {
	t.Parallel()
	const n = 300
	tools := []string{"echo", "bad", "slow", "noise"}
	r := start(t, setup{})
	var want, wantGot []string
	for i := range n {
		id, tool := strconv.Itoa(i), tools[i%len(tools)]
		if tool == "bad" {
			want = append(want, denied(id, tool))
		} else {
			want = append(want, done(id))
			wantGot = append(wantGot, callOf(id, tool))
		}
		r.send(callOf(id, tool))
	}
	var got []string
	for range n * 3 / len(tools) { // all but those that wait
		got = append(got, r.next())
	}
	close(r.judge.resume)
	r.end()
	got = append(got, r.rest()...)
	slices.Sort(want)
	slices.Sort(got)
	diff(t, "answers", want, got)
	received := r.received()
	wantGot = append(wantGot, "(end)")
	slices.Sort(wantGot)
	slices.Sort(received)
	diff(t, "what the server got", wantGot, received)
}

// TestNothingLeft checks that neither goroutines nor processes are left when a run has ended.
func TestNothingLeft(t *testing.T) {
	for _, s := range []setup{{}, {helper: "stubborn"}, {helper: "flood", out: failing{}}} {
		ctx, cancel := context.WithCancel(t.Context())
		s.ctx = ctx
		r := start(t, s)
		switch s.helper {
		case "":
			r.send(callOf("1", "slow"), callOf("2", "silent"), request("3", "ping"))
			<-r.judge.waits
			r.next()
		case "stubborn":
			r.next()
		case "flood":
			r.wait()
		}
		cancel()
		_ = r.in.Close()
		r.wait()
		deadline := time.Now().Add(patience)
		for stacks := ownGoroutines(); len(stacks) > 0; stacks = ownGoroutines() {
			if time.Now().After(deadline) {
				t.Fatalf("%d goroutines are left:\n%s", len(stacks), strings.Join(stacks, "\n\n"))
			}
			time.Sleep(time.Millisecond) // nothing tells when a goroutine has returned
		}
		if pid := r.pid(); !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			t.Errorf("process %d is left", pid)
		}
	}
}
