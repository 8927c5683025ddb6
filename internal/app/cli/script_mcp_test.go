package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/weirtest/port"
)

// mcpserver TOOLS GOT is an MCP server: it offers the tools of a JSON array in a file, which may change, and writes down in another
// what it gets.
func mcpserver(args []string) int {
	if len(args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: mcpserver TOOLS GOT")
		return 2
	}
	fmt.Fprintln(os.Stderr, "mcpserver starts")
	got, err := os.OpenFile(args[1], os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		fmt.Fprintln(got, in.Text())
		if answer := answerMCP(in.Bytes(), args[0]); answer != "" {
			fmt.Println(answer)
		}
	}
	return 0
}

// answerMCP is what a server with the tools of a file answers; "": nothing.
func answerMCP(request []byte, tools string) string {
	var m struct {
		ID     jsontext.Value `json:"id"`
		Method string         `json:"method"`
		Params struct {
			Name            string `json:"name"`
			ProtocolVersion string `json:"protocolVersion"`
		} `json:"params"`
	}
	if json.Unmarshal(request, &m) != nil || m.ID == nil || m.Method == "" {
		return ""
	}
	result := `{}`
	switch m.Method {
	case "initialize":
		result = fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":"scripted","version":"1.0"}}`, m.Params.ProtocolVersion)
	case "server/discover":
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`, m.ID)
	case "tools/list":
		text, err := os.ReadFile(tools)
		if err != nil {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"no tools"}}`, m.ID)
		}
		result = `{"tools":` + strings.ReplaceAll(strings.TrimSpace(string(text)), "\n", " ") + `}`
	case "tools/call":
		result = fmt.Sprintf(`{"content":[{"type":"text","text":"called %s"}]}`, m.Params.Name)
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

// mcphttp TOOLS starts such a server that speaks Streamable HTTP, and puts its address into $MCPHTTP.
func mcphttp(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 1, "mcphttp TOOLS")
	tools := ts.MkAbs(args[0])
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		answer := answerMCP(body, tools)
		if answer == "" {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, answer) // a client that is gone does not matter
	}))
	ts.Defer(server.Close)
	ts.Setenv("MCPHTTP", server.URL+"/mcp")
}

// ask URL MESSAGE|@FILE [NAME:VALUE]... posts a JSON-RPC message, with headers, and prints the answer like post, and the session's id.
func askMCP(args []string) int {
	if len(args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: ask URL MESSAGE [NAME:VALUE]...")
		return 2
	}
	message := args[1]
	if file, ok := strings.CutPrefix(message, "@"); ok {
		text, err := os.ReadFile(file)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
		message = string(text)
	}
	req, err := http.NewRequest(http.MethodPost, args[0], strings.NewReader(message))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for _, header := range args[2:] {
		name, value, _ := strings.Cut(header, ":")
		req.Header.Set(name, value)
	}
	return send(req)
}

// A talk is a program that a script speaks with.
type talk struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	mu    sync.Mutex
	heard []string
}

// talkTo NAME PROGRAM [ARG]... starts a program to speak with. From then on there are: say NAME TEXT, hear NAME PATTERN, which waits for
// a line, and hangup NAME, which ends its input and waits until it has ended well.
func talkTo(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) >= 2, "talk NAME PROGRAM [ARG]...")
	program := ""
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if path := filepath.Join(dir, args[1]); program == "" {
			if _, err := os.Stat(path); err == nil {
				program = path
			}
		}
	}
	t := &talk{cmd: exec.Command(program, args[2:]...)}
	t.cmd.Dir, t.cmd.Env = ts.MkAbs("."), os.Environ()
	for _, name := range []string{"PATH", "HOME", "XDG_STATE_HOME", "WORK", "TZ", "WEIR_KEY", "PORT"} {
		t.cmd.Env = append(t.cmd.Env, name+"="+ts.Getenv(name))
	}
	out, err := t.cmd.StdoutPipe()
	ts.Check(err)
	t.in, err = t.cmd.StdinPipe()
	ts.Check(err)
	ts.Check(t.cmd.Start())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			t.mu.Lock()
			t.heard = append(t.heard, lines.Text())
			t.mu.Unlock()
		}
	}()
	ts.Defer(func() { _ = t.in.Close(); <-ended; _ = t.cmd.Wait() })
	talks := ts.Value(talksKey{}).(map[string]*talk)
	talks[args[0]] = t
}

// talksKey is where a script keeps its talks.
type talksKey struct{}

func talkOf(ts *testscript.TestScript, name string) *talk {
	t := ts.Value(talksKey{}).(map[string]*talk)[name]
	if t == nil {
		ts.Fatalf("nobody talks to %s", name)
	}
	return t
}

// say NAME TEXT says a line to a program.
func say(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 2, "say NAME TEXT")
	_, err := io.WriteString(talkOf(ts, args[0]).in, args[1]+"\n")
	ts.Check(err)
}

// hear NAME PATTERN waits until a program says a line.
func hear(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 2, "hear NAME PATTERN")
	re, err := regexp.Compile(args[1])
	ts.Check(err)
	t := talkOf(ts, args[0])
	text := func() string {
		t.mu.Lock()
		defer t.mu.Unlock()
		return strings.Join(t.heard, "\n")
	}
	retry(func() bool { return re.MatchString(text()) }, func() { ts.Fatalf("%s never said %s, but:\n%s", args[0], args[1], text()) })
}

// hangup NAME ends what a program reads, and waits until it has ended well.
func hangup(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 1, "hangup NAME")
	t := talkOf(ts, args[0])
	ts.Check(t.in.Close())
	ts.Check(t.cmd.Wait())
}

// until PATTERN PROGRAM [ARG]... runs a program again and again until its output matches.
func until(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) >= 2, "until PATTERN PROGRAM [ARG]...")
	re, err := regexp.Compile(args[0])
	ts.Check(err)
	var text string
	retry(func() bool {
		_ = ts.Exec(args[1], args[2:]...) // its output tells
		text = ts.ReadFile("stdout") + ts.ReadFile("stderr")
		return re.MatchString(text)
	}, func() { ts.Fatalf("%s never said %s, but:\n%s", args[1], args[0], text) })
}

// freeport VARIABLE keeps the number of a port at which nobody listens, except who is told it.
func freePort(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 1, "freeport VARIABLE")
	address, release, err := port.Hold()
	ts.Check(err)
	ts.Defer(release)
	_, number, err := net.SplitHostPort(address)
	ts.Check(err)
	ts.Setenv(args[0], number)
}

// stopweir ends the weir that answers at the socket of the script's state folder: one that weir mcp wrap started.
func stopWeir(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 0, "stopweir")
	if !stopServe(ts.Getenv("XDG_STATE_HOME")) {
		ts.Fatalf("no weir runs")
	}
}

// stopServe reports whether a weir ran, and waits until it has ended.
func stopServe(stateHome string) bool {
	path, err := control.Path(filepath.Join(stateHome, "weir"))
	if err != nil {
		return false
	}
	client := control.NewClient(control.ClientConfig{Path: path})
	hello, err := client.Hello(context.Background())
	if err != nil {
		return false
	}
	client.Close()
	_ = syscall.Kill(hello.PID, syscall.SIGTERM)
	gone := true
	retry(func() bool { return syscall.Kill(hello.PID, 0) != nil }, func() { gone = false; _ = syscall.Kill(hello.PID, syscall.SIGKILL) })
	return gone
}
