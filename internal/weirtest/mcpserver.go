package weirtest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The variables that make a test binary a scripted MCP server: the file with its script, and the one in which it writes down what it
// gets.
const (
	serverScript = "WEIRTEST_MCP_SCRIPT"
	serverGot    = "WEIRTEST_MCP_GOT"
)

// ServeMCP makes the process a scripted MCP server if it was started as one, and does not return then. A TestMain calls it first.
func ServeMCP() {
	path := os.Getenv(serverScript)
	if path == "" {
		return
	}
	if err := serveMCP(path, os.Getenv(serverGot)); err != nil {
		fmt.Fprintln(os.Stderr, "scripted MCP server:", err)
		os.Exit(9)
	}
	os.Exit(0)
}

// An act is a line of a server's script: what it does about a message. Of several lines that fit a message, the first that was not
// used is; the last one is used again.
type act struct {
	Server string `json:"server"` // the id of the server; its line says nothing else
	On     string `json:"on"`     // the method of the message
	Name   string `json:"name"`   // of the tool that is called; "": any
	// First are messages that it sends before it answers, and Then those that it sends afterwards. A text is sent as it is.
	First []jsontext.Value `json:"first"`
	Then  []jsontext.Value `json:"then"`
	// Result or Error is the answer; neither: see usual.
	Result jsontext.Value `json:"result"`
	Error  jsontext.Value `json:"error"`
	Silent bool           `json:"silent"` // it does not answer
	Exit   int            `json:"exit"`   // it ends with that code instead

	used bool
}

// sloppy reads what a script wants to be wrong.
var sloppy = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

func parseActs(text string) (acts []*act, err error) {
	for line := range strings.Lines(text) {
		a := &act{}
		if err := json.Unmarshal([]byte(line), a, sloppy, json.RejectUnknownMembers(true)); err != nil {
			return nil, fmt.Errorf("server.jsonl: %s: %w", strings.TrimSpace(line), err)
		}
		acts = append(acts, a)
	}
	return acts, nil
}

// A wireMessage is what scripts read of a JSON-RPC message.
type wireMessage struct {
	ID     jsontext.Value `json:"id"`
	Method string         `json:"method"`
	Params struct {
		Name            string `json:"name"`
		ProtocolVersion string `json:"protocolVersion"`
	} `json:"params"`
}

func serveMCP(script, got string) error {
	text, err := os.ReadFile(script)
	if err != nil {
		return err
	}
	acts, err := parseActs(string(text))
	if err != nil {
		return err
	}
	log, err := os.OpenFile(got, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close() // every line was written at once
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 32<<20)
	for in.Scan() {
		if _, err := fmt.Fprintf(log, "%s\n", in.Bytes()); err != nil {
			return err
		}
		var m wireMessage
		if err := json.Unmarshal(in.Bytes(), &m, sloppy); err != nil {
			return fmt.Errorf("it got what it cannot read: %s: %w", in.Bytes(), err)
		}
		if m.Method != "" {
			perform(os.Stdout, actOn(acts, m), m)
		}
	}
	return in.Err()
}

// actOn is what the server does about a message.
func actOn(acts []*act, m wireMessage) (found *act) {
	for _, a := range acts {
		if a.On != m.Method || a.Name != "" && a.Name != m.Params.Name {
			continue
		}
		if found = a; !a.used {
			break
		}
	}
	if found == nil {
		return &act{}
	}
	found.used = true
	return found
}

func perform(out io.Writer, a *act, m wireMessage) {
	tell(out, a.First)
	if a.Exit != 0 {
		os.Exit(a.Exit)
	}
	if m.ID != nil && !a.Silent {
		member, answer := "result", a.Result
		switch {
		case a.Error != nil:
			member, answer = "error", a.Error
		case answer == nil:
			member, answer = usual(m)
		}
		fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"%s":%s}`+"\n", m.ID, member, answer)
	}
	tell(out, a.Then)
}

// tell sends messages.
func tell(out io.Writer, messages []jsontext.Value) {
	for _, m := range messages {
		var text string
		if json.Unmarshal(m, &text) != nil {
			text = string(bytes.TrimSpace(m))
		}
		fmt.Fprintln(out, text)
	}
}

// usual is the answer of a server of which the script says nothing.
func usual(m wireMessage) (member string, answer jsontext.Value) {
	switch m.Method {
	case "initialize":
		return "result", fmt.Appendf(nil, `{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":"scripted","version":"1"}}`,
			m.Params.ProtocolVersion)
	case "ping":
		return "result", jsontext.Value(`{}`)
	case "tools/list":
		return "result", jsontext.Value(`{"tools":[]}`)
	case "tools/call":
		return "result", jsontext.Value(`{"content":[{"type":"text","text":"done"}]}`)
	}
	return "error", jsontext.Value(`{"code":-32601,"message":"no such method"}`)
}
