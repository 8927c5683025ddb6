package docs

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/weirtest/need"
)

// patience is how long the language server may take in all. It is there to end a test that hangs.
const patience = time.Minute

// A languageServer is a real yaml-language-server, and the test is its editor. It speaks JSON-RPC, as editors do.
type languageServer struct {
	t    *testing.T
	in   io.Writer
	out  *bufio.Reader
	last int                          // the id of the last request
	seen map[string][]json.RawMessage // notifications of the server that nobody has asked for yet, by their method
}

type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
}

// startLanguageServer starts a server for the files of a folder.
func startLanguageServer(t *testing.T, dir string) *languageServer {
	t.Helper()
	node := need.NodePackages(t, "js", "the schema in an editor")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	cmd := exec.CommandContext(ctx, node.Program, filepath.Join(node.Modules, "yaml-language-server", "bin", "yaml-language-server"), "--stdio")
	cmd.Dir = dir
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait() // it was killed
	})
	s := &languageServer{t: t, in: in, out: bufio.NewReader(out), seen: map[string][]json.RawMessage{}}
	s.ask("initialize", map[string]any{
		"processId": nil, "rootUri": "file://" + dir, "capabilities": map[string]any{
			"textDocument": map[string]any{
				"publishDiagnostics": map[string]any{},
				"completion":         map[string]any{"completionItem": map[string]any{"documentationFormat": []string{"plaintext"}}},
			},
		},
	}, nil)
	s.notify("initialized", map[string]any{})
	return s
}

// notify sends a notification.
func (s *languageServer) notify(method string, params any) {
	s.t.Helper()
	s.send(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// ask sends a request and reads its result into a value; nil: the result does not matter.
func (s *languageServer) ask(method string, params, result any) {
	s.t.Helper()
	s.last++
	s.send(map[string]any{"jsonrpc": "2.0", "id": s.last, "method": method, "params": params})
	for {
		m := s.receive()
		if m.Method != "" || string(m.ID) != strconv.Itoa(s.last) {
			continue
		}
		if m.Error != nil {
			s.t.Fatalf("%s: %s", method, m.Error)
		}
		if result != nil {
			if err := json.Unmarshal(m.Result, result); err != nil {
				s.t.Fatalf("%s: %v in %s", method, err, m.Result)
			}
		}
		return
	}
}

// await returns the next notification with that method.
func (s *languageServer) await(method string) json.RawMessage {
	s.t.Helper()
	for len(s.seen[method]) == 0 {
		s.receive()
	}
	next := s.seen[method][0]
	s.seen[method] = s.seen[method][1:]
	return next
}

// receive reads a message. Requests of the server get an empty answer.
func (s *languageServer) receive() message {
	s.t.Helper()
	head, err := textproto.NewReader(s.out).ReadMIMEHeader()
	if err != nil {
		s.t.Fatalf("the language server has ended: %v", err)
	}
	size, err := strconv.Atoi(head.Get("Content-Length"))
	if err != nil {
		s.t.Fatal(err)
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(s.out, body); err != nil {
		s.t.Fatal(err)
	}
	var m message
	if err := json.Unmarshal(body, &m); err != nil {
		s.t.Fatal(err)
	}
	switch {
	case m.Method != "" && m.ID != nil:
		s.send(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": nothingFor(m)})
	case m.Method != "":
		s.seen[m.Method] = append(s.seen[m.Method], m.Params)
	}
	return m
}

// nothingFor answers a request of the server: an editor without settings.
func nothingFor(m message) any {
	if m.Method != "workspace/configuration" {
		return nil
	}
	var asked struct{ Items []any }
	if err := json.Unmarshal(m.Params, &asked); err != nil {
		return nil
	}
	return make([]any, len(asked.Items))
}

func (s *languageServer) send(m any) {
	s.t.Helper()
	body, err := json.Marshal(m)
	if err != nil {
		s.t.Fatal(err)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(body), body)
	if _, err := s.in.Write(b.Bytes()); err != nil {
		s.t.Fatalf("the language server does not listen: %v", err)
	}
}
