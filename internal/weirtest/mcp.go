package weirtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/child"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/shim"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/weirtest/notation"
)

// isMCP says whether a scenario is one of an MCP client and its servers.
func (s *scenario) isMCP() bool { return isMCP(s.archive) }

func isMCP(archive *txtar.Archive) bool {
	return slices.ContainsFunc(archive.Files, func(f txtar.File) bool { return f.Name == "client.jsonl" })
}

// A mcpSession is an exchange of such a scenario: one client with one server, from start to end.
type mcpSession struct {
	*exchange
	server    string   // its id
	status    int      // with which it ended
	out       []string // what the client got
	got       []string // what the server got
	ended     time.Time
	events    []string
	unordered bool
}

// usualServer is the id of a server whose script does not give one.
const usualServer = "files"

// runMCP plays the sessions of a scenario one after the other, against one weir.
func runMCP(t *testing.T, s *scenario, update bool) {
	t.Helper()
	w := newWeir(t, "http://127.0.0.1:1")
	if err := w.start(t.Context(), s.exchanges[0]); err != nil {
		t.Fatal(err)
	}
	var sessions []*mcpSession
	var err error
	for _, x := range s.exchanges {
		m := &mcpSession{exchange: x}
		sessions = append(sessions, m)
		if err = errors.Join(prepareMCP(t.Context(), w, x), m.play(t, w)); err != nil {
			break
		}
	}
	if err := errors.Join(err, w.end()); err != nil {
		t.Fatalf("%v\nthe log:\n%s", err, w.log)
	}
	entries, err := w.entries(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := divide(entries, sessions); err != nil {
		t.Fatal(err)
	}
	for _, m := range sessions {
		m.check(t)
		if update {
			m.update()
		}
		m.compare(t)
	}
	if update {
		if err := s.save(); err != nil {
			t.Fatal(err)
		}
	}
}

// prepareMCP does what happens before a session.
func prepareMCP(ctx context.Context, w *weir, x *exchange) error {
	switch {
	case x.script.restart:
		return errors.Join(w.end(), w.start(ctx, x))
	case x.number > 1 && x.has("policy.yaml"):
		return w.reload(x)
	}
	return nil
}

// play plays one session, the way that weir mcp wrap runs it.
func (m *mcpSession) play(t *testing.T, w *weir) error {
	acts, err := parseActs(m.text("server.jsonl", none))
	if err != nil {
		return err
	}
	m.server = usualServer
	for _, a := range acts {
		if a.Server != "" {
			m.server = a.Server
		}
	}
	folder := t.TempDir()
	script, got := filepath.Join(folder, "script"), filepath.Join(folder, "got")
	if err := os.WriteFile(script, []byte(m.text("server.jsonl", none)), 0o600); err != nil {
		return err
	}
	socket, err := control.Path(w.stateDir())
	if err != nil {
		return err
	}
	judge := control.NewClient(control.ClientConfig{Path: socket})
	fromClient, toShim := io.Pipe()
	fromShim, toClient := io.Pipe()
	client := newMCPClient(toShim, fromShim)
	ended := make(chan error, 1)
	go func() {
		var err error
		m.status, err = shim.Run(t.Context(), shim.Config{
			Server: call.MCPServer{ID: m.server, Type: "stdio", Addr: "scripted"}, Judge: judge, In: fromClient, Out: toClient,
			Process: child.Config{
				Path: os.Args[0], Stderr: os.Stderr, Env: append(os.Environ(), serverScript+"="+script, serverGot+"="+got, "GORACE=atexit_sleep_ms=0"),
			},
			Log: slog.New(w.log),
		})
		_ = toClient.Close()
		ended <- err
	}()
	m.unordered, err = client.follow(m.text("client.jsonl", none))
	if err != nil {
		_ = toShim.Close()
	}
	err = errors.Join(err, <-ended)
	judge.Close()
	m.ended = time.Now()
	_ = fromClient.Close()
	m.out = client.all()
	text, readErr := os.ReadFile(got)
	m.got = linesOf(text)
	return errors.Join(err, readErr)
}

func linesOf(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// divide gives each session what was recorded of it: sessions follow each other.
func divide(entries []record.Entry, sessions []*mcpSession) error {
	calls := map[call.ID]bool{}
	for _, entry := range entries {
		e, err := entry.Event()
		if err != nil {
			return err
		}
		if e.Type == record.Types.PolicyLoaded {
			continue
		}
		if err := completeMCP(e, calls); err != nil {
			return err
		}
		line, err := stableLine(entry, "")
		if err != nil {
			return err
		}
		i := slices.IndexFunc(sessions, func(m *mcpSession) bool { return !e.Time.After(m.ended) })
		if i < 0 || sessions[i].server != e.Server {
			return fmt.Errorf("an event of type %s is of no session of the scenario", e.Type)
		}
		sessions[i].events = append(sessions[i].events, strings.TrimSuffix(string(line), "\n"))
	}
	return nil
}

// completeMCP checks what the stable line leaves out.
func completeMCP(e record.Event, calls map[call.ID]bool) error {
	isCall := e.Type == record.Types.MCPCalled || e.Type == record.Types.MCPRequest
	switch {
	case e.ID == "" || e.Time.IsZero() || e.PolicyVersion == "":
		return fmt.Errorf("an event of type %s has no id, time or policy version", e.Type)
	case e.Surface != call.MCP:
		return fmt.Errorf("an event of type %s is of the surface %q", e.Type, e.Surface)
	case e.Exchange.Trace.ID == "" || e.Exchange.Trace.Span == "" || e.MCP.ServerType == "" || e.MCP.ServerAddr == "":
		return fmt.Errorf("an event of type %s lacks its trace, or the type or address of its server", e.Type)
	case isCall && e.CallID == "":
		return fmt.Errorf("an event of type %s has no call id", e.Type)
	case e.Type == record.Types.ToolResult && e.CallID != "" && !calls[e.CallID]:
		return errors.New("a result is linked to a call that nobody made")
	}
	calls[e.CallID] = true
	return nil
}

// outcome is what came out of a session, as its files state it.
func (m *mcpSession) outcome() map[string]string {
	got, events := slices.Clone(m.got), slices.Clone(m.events)
	if m.unordered {
		slices.Sort(got)
		slices.Sort(events)
	}
	out := slices.Clone(m.out)
	for i, line := range out {
		out[i] = sortedArray(line)
	}
	o := map[string]string{"client.out.jsonl": jsonLines(out), "server.got.jsonl": jsonLines(got), "events.jsonl": jsonLines(events)}
	if m.status != 0 {
		o["client.out.jsonl"] += "ended with " + strconv.Itoa(m.status) + "\n"
	}
	return o
}

// sortedArray is a line with its messages in order if it is an array: answers in one have none.
func sortedArray(line string) string {
	var messages []jsontext.Value
	if json.Unmarshal([]byte(line), &messages, sloppy) != nil {
		return line
	}
	texts := make([]string, len(messages))
	for i, m := range messages {
		texts[i] = string(m)
	}
	slices.Sort(texts)
	return "[" + strings.Join(texts, ",") + "]"
}

// jsonLines are lines as a text, with what differs from run to run named alike.
func jsonLines(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return string(notation.Text(withoutChance([]byte(strings.Join(lines, "\n") + "\n"))))
}

func (m *mcpSession) compare(t *testing.T) {
	t.Helper()
	got := m.outcome()
	want := map[string]string{}
	for name := range got {
		want[name] = m.text(name, none)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("session %d (-want +got):\n%s", m.number, diff)
	}
}

func (m *mcpSession) update() {
	for name, text := range m.outcome() {
		m.set(name, none, []byte(text))
	}
}

// check checks what holds for every session: both sides get messages and nothing else.
func (m *mcpSession) check(t *testing.T) {
	t.Helper()
	for _, line := range m.out {
		if _, _, err := jsonrpc.ParseBody([]byte(line)); err != nil {
			t.Errorf("session %d: the client got a line that is no message: %v: %s", m.number, err, line)
		}
	}
	for _, line := range m.got {
		if _, _, err := jsonrpc.ParseBody([]byte(line)); err != nil {
			t.Errorf("session %d: the server got a line that is no message: %v: %s", m.number, err, line)
		}
	}
}
