package mcp

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/need"
	"github.com/weir-gate/weir/internal/weirtest/program"
)

// A server is an MCP server that others wrote.
type server struct {
	id      string // under which weir knows it
	kind    string // stdio, http or sse
	command []string
	env     []string
	port    string // on which it listens; "": on none
	path    string // of its endpoint

	endpoint string         // the URL of one that is started elsewhere; "": it is made from port and path
	extra    map[string]any // what else is declared of it
}

func (s server) url() string {
	if s.endpoint != "" {
		return s.endpoint
	}
	return "http://127.0.0.1:" + s.port + s.path
}

// kit is the programs that the tests run.
type kit struct {
	node      need.Node
	newNode   string // path of a node that the conformance suite runs on; "": there is none
	goClient  string
	reference string // the server of the Go SDK's conformance tests
	guarded   string // the program of the folder go/guarded
	weir      string
}

// prepare gets all programs. They end with the test.
func prepare(t *testing.T) kit {
	t.Helper()
	node := need.NodePackages(t, "js", "the official MCP servers and the TypeScript SDK")
	return kit{
		node:      node,
		newNode:   newNode(node),
		goClient:  need.GoProgram(t, "go", "./client", "the Go MCP SDK"),
		reference: need.GoProgram(t, "go", "github.com/modelcontextprotocol/go-sdk/conformance/everything-server", "the Go MCP SDK"),
		guarded:   need.GoProgram(t, "go", "./guarded", "the Go MCP SDK"),
		weir:      need.Weir(t),
	}
}

// newNode is the node that comes with the packages. The one of the system is often too old for the conformance suite.
func newNode(node need.Node) string {
	found, err := filepath.Glob(filepath.Join(node.Modules, "node-linux-*", "bin", "node"))
	if err != nil || len(found) != 1 {
		return ""
	}
	return found[0]
}

// script is the path of a program among the packages.
func (k kit) script(words ...string) string {
	return filepath.Join(append([]string{k.node.Modules, "@modelcontextprotocol"}, words...)...)
}

// everything is the reference server of the protocol's authors, by the transport that it is told.
func (k kit) everything(transport string) server {
	s := server{id: "everything", kind: "stdio", command: []string{
		k.node.Program, k.script("server-everything", "dist", "index.js"),
		transport,
	}}
	switch transport {
	case "streamableHttp":
		s.kind, s.port, s.path = "http", "3001", "/mcp"
	case "sse":
		s.kind, s.port, s.path = "sse", "3002", "/sse"
	}
	if s.port != "" {
		s.env = []string{"PORT=" + s.port}
	}
	return s
}

// files is the server that reads and writes the files of a folder.
func (k kit) files(dir string) server {
	return server{id: "files", kind: "stdio", command: []string{k.node.Program, k.script("server-filesystem", "dist", "index.js"), dir}}
}

// conforming is the server of the Go SDK, over stdio or HTTP.
func (k kit) conforming(kind string, flags ...string) server {
	s := server{id: "conforming", kind: kind, command: append([]string{k.reference}, flags...)}
	if kind == "http" {
		s.port, s.path = "3003", "/mcp"
		s.command = append(s.command, "-http=127.0.0.1:"+s.port)
	}
	return s
}

// at is where a server and all who talk to it run.
func (s server) at(t *testing.T) place {
	if s.port == "" {
		return here()
	}
	return apart(t)
}

// start starts a server that listens. One over stdio is started by its client.
func (s server) start(t *testing.T, at place) {
	t.Helper()
	if s.port == "" {
		return
	}
	if at.keeper == 0 {
		t.Fatalf("%s listens on all interfaces: it must run apart", s.id)
	}
	cmd := at.command(s.command[0], s.command[1:]...)
	cmd.Env = program.Environment(t.TempDir(), s.env...)
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // it is killed
		close(ended)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended by itself
		<-ended
		if t.Failed() {
			t.Logf("%s says:\n%s", s.id, log.String())
		}
	})
	awaitPort(t, at.keeper, s.port, ended)
}
