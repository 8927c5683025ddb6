package terminal

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/need"
	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// What a model sends of a call, before it pauses and after.
const (
	begun = `event: message_start
data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_1","name":"SlowTool","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"a\":"}}

`
	ended = `event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"1}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}}

event: message_stop
data: {"type":"message_stop"}

`
)

// serve starts a weir in front of an upstream, and returns its address.
func (s *stage) serve(upstream string) string {
	s.t.Helper()
	config := filepath.Join(s.t.TempDir(), "weir.yaml")
	text := "listen: 127.0.0.1:0\nupstreams: {anthropic: {url: \"" + upstream + "\"}}\nstore: {url: \"" + s.url + "\"}\npolicy: {version: 1, default: allow}\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	cmd := exec.Command(binary, "serve", "--config", config)
	cmd.Env = append(os.Environ(), s.env...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt) // it may have ended
		_ = cmd.Wait()                       // however it ended
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	address := regexp.MustCompile(`http://\S+`).FindString(line)
	if err != nil || address == "" {
		s.t.Fatalf("weir serve says %q, %v", line, err)
	}
	go io.Copy(io.Discard, out) // so that it never waits for a reader
	return address
}

// TestTopShowsHeldCalls: a call is held on the screen while its arguments arrive, and a call on record afterwards.
func TestTopShowsHeldCalls(t *testing.T) {
	need.Long(t)
	goOn := make(chan struct{})
	upstream, err := scripted.New(scripted.Config{Answer: func(scripted.Request) scripted.Answer {
		return scripted.Answer{
			Header: http.Header{"Content-Type": {"text/event-stream"}},
			Steps:  []scripted.Step{scripted.Write([]byte(begun)), scripted.Wait(goOn), scripted.Write([]byte(ended))},
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer upstream.Close() // the test is over
	s := newStage(t)
	address := s.serve(upstream.URL())
	answered := make(chan error, 1)
	go func() {
		resp, err := http.Post(address+"/anthropic/v1/messages", "application/json",
			strings.NewReader(`{"model":"m","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"go"}]}`))
		if err == nil {
			_, err = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close() // it was read to its end
		}
		answered <- err
	}()
	p := s.top(100, 24)
	p.Await(`weir \S+ since \d\d-\d\d \d\d:\d\d, enforce, policy `)
	p.Await(`^  \d+s +\w{12} .*SlowTool`)
	p.Await(`0 calls: 0 refused, 0 flagged, 1 held`)
	close(goOn)
	if err := <-answered; err != nil {
		t.Fatal(err)
	}
	p.Await(`^> .*released +SlowTool  \{"a":1\}`)
	p.Await(`1 call: 0 refused, 0 flagged, 0 held`)
	p.Type("q")
	if code := p.Exit(); code != 0 {
		t.Errorf("it ended with %d", code)
	}
}
