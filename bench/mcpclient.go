package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A transport brings a request to an MCP server and its answer back. Several may be under way.
type transport interface {
	exchange(ctx context.Context, id int64, request []byte) (answer []byte, err error)
	notify(ctx context.Context, message []byte) error
	close()
}

// A mcpTarget is a way from the MCP client to the server.
type mcpTarget struct {
	name string
	transport
	leniency
	between []*exec.Cmd  // the processes between client and server
	last    atomic.Int64 // id of a request
}

// processor is the processor time that the processes between client and server have used.
func (t *mcpTarget) processor() (sum time.Duration, err error) {
	for _, cmd := range t.between {
		used, err := cpuTime(cmd.Process.Pid)
		if err != nil {
			return 0, err
		}
		sum += used
	}
	return sum, nil
}

// open begins a session. The client asks for the tools at first, as all do.
func (t *mcpTarget) open(ctx context.Context) error {
	if _, err := t.ask(ctx, initialize); err != nil {
		return err
	}
	if err := t.notify(ctx, []byte(initialized)); err != nil {
		return fmt.Errorf("ask %s: %w", t.name, err)
	}
	_, err := t.ask(ctx, listTools())
	return err
}

// ask asks a question and returns how long its answer took. Any other answer than that of the server is an error.
func (t *mcpTarget) ask(ctx context.Context, q question) (time.Duration, error) {
	id := t.last.Add(1)
	request, want := q.request(id), q.answer(id)
	began := time.Now()
	answer, err := t.exchange(ctx, id, request)
	took := time.Since(began)
	switch {
	case err != nil:
		return 0, fmt.Errorf("ask %s: %w", t.name, err)
	case !bytes.Equal(answer, want):
		return 0, fmt.Errorf("ask %s: the answer to %s is not as the server sent it: %.300q", t.name, q.method, answer)
	}
	return took, nil
}

// errEnded says that a server process is gone.
var errEnded = errors.New("the server ended")

// A stdioTransport speaks with a process.
type stdioTransport struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when no more is read from the process
	why  error         // of that; it is set before

	writing sync.Mutex
	in      io.WriteCloser

	mu      sync.Mutex
	waiting map[int64]chan []byte
}

func startStdio(cmd *exec.Cmd) (*stdioTransport, error) {
	t := &stdioTransport{cmd: cmd, waiting: map[int64]chan []byte{}, done: make(chan struct{})}
	cmd.Stderr = os.Stderr
	var err error
	if t.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go t.read(bufio.NewReaderSize(out, 128<<10))
	return t, nil
}

// read gives each answer to who waits for it.
func (t *stdioTransport) read(lines *bufio.Reader) {
	defer close(t.done)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			t.why = errEnded
			return
		}
		line = bytes.TrimSuffix(line, []byte("\n"))
		id, err := idOf(line)
		if err != nil {
			t.why = err
			return
		}
		t.mu.Lock()
		waits := t.waiting[id]
		delete(t.waiting, id)
		t.mu.Unlock()
		if waits != nil {
			waits <- line
		}
	}
}

func (t *stdioTransport) exchange(ctx context.Context, id int64, request []byte) ([]byte, error) {
	answered := make(chan []byte, 1)
	t.mu.Lock()
	t.waiting[id] = answered
	t.mu.Unlock()
	if err := t.notify(ctx, request); err != nil {
		return nil, err
	}
	select {
	case answer := <-answered:
		return answer, nil
	case <-t.done:
		return nil, t.why
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (t *stdioTransport) notify(_ context.Context, message []byte) error {
	t.writing.Lock()
	defer t.writing.Unlock()
	_, err := t.in.Write(append(message, '\n'))
	return err
}

func (t *stdioTransport) close() {
	_ = t.in.Close()
	_ = t.cmd.Process.Kill()
	<-t.done
	_ = t.cmd.Wait()
}

// A httpTransport speaks Streamable HTTP in one session.
type httpTransport struct {
	client  *http.Client
	url     string
	key     string // of a client of weir; "": none
	session atomic.Pointer[string]
}

// send sends a message, or opens the stream if there is none.
func (t *httpTransport) send(ctx context.Context, method string, message []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, t.url, bytes.NewReader(message))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if t.key != "" {
		req.Header.Set("X-Weir-Key", t.key)
	}
	if s := t.session.Load(); s != nil {
		req.Header.Set(sessionHeader, *s)
		req.Header.Set("Mcp-Protocol-Version", mcpVersion)
	}
	resp, err := t.client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errBroken, err)
	}
	if resp.StatusCode != http.StatusOK && resp.StatusCode != http.StatusAccepted {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
		resp.Body.Close() // it is of no use
		return nil, fmt.Errorf("%w: %s: %s", errBroken, resp.Status, text)
	}
	if s := resp.Header.Get(sessionHeader); s != "" {
		t.session.Store(&s)
	}
	return resp, nil
}

func (t *httpTransport) exchange(ctx context.Context, _ int64, request []byte) ([]byte, error) {
	resp, err := t.send(ctx, http.MethodPost, request)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close() // it was read to its end, or is broken
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errBroken, err)
	}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		return lastEvent(body), nil
	}
	return body, nil
}

// lastEvent is the data of the last event of a stream, which is the answer.
func lastEvent(stream []byte) []byte {
	var data []byte
	for line := range bytes.Lines(stream) {
		if value, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
			data = bytes.TrimSuffix(value, []byte("\n"))
		}
	}
	return data
}

func (t *httpTransport) notify(ctx context.Context, message []byte) error {
	resp, err := t.send(ctx, http.MethodPost, message)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, resp.Body)
	return errors.Join(err, resp.Body.Close())
}

func (t *httpTransport) close() { t.client.CloseIdleConnections() }
