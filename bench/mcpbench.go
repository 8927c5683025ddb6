package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/weir-gate/weir/internal/weirtest/program"
)

// A mcpBench is the ways to an MCP server.
type mcpBench struct {
	options
	dir  string
	self string // the program that this is, which plays the server
	// server is the one that speaks HTTP, and proxy a reverse proxy in front of it.
	server, proxy *target
	// waits is weir as it comes. hurries sends calls on before their record is durable.
	waits, hurries *mcpWeir
	// The ways over each transport. The first is the direct one.
	stdio, http []*mcpTarget
}

// A mcpWeir is a weir with a state folder of its own, where weir mcp wrap finds it.
type mcpWeir struct {
	*target
	install program.Install
}

// The servers in the policy of weir.
const (
	remoteServer = "remote" // speaks HTTP
	hostedServer = "hosted" // is a process that weir starts
)

func newMCPBench(ctx context.Context, o options, dir string) (_ *mcpBench, err error) {
	b := &mcpBench{options: o, dir: dir}
	defer func() {
		if err != nil {
			b.close()
		}
	}()
	b.options.idle = cmp.Or(o.idle, 500)
	if b.options.weir, err = o.binary(dir); err != nil {
		return nil, err
	}
	if b.self, err = os.Executable(); err != nil {
		return nil, err
	}
	if b.server, err = start("server", exec.Command(b.self, "-mcp-server", overHTTP)); err != nil {
		return nil, err
	}
	if b.proxy, err = b.startProxy(); err != nil {
		return nil, err
	}
	if b.waits, err = b.startWeir(weirSetup{name: "waits"}); err != nil {
		return nil, err
	}
	if b.hurries, err = b.startWeir(weirSetup{name: "hurries", hurries: true}); err != nil {
		return nil, err
	}
	if err := b.openStdio(ctx); err != nil {
		return nil, err
	}
	return b, b.openHTTP(ctx)
}

func (b *mcpBench) close() {
	for _, t := range append(b.stdio, b.http...) {
		t.close()
	}
	for _, w := range []*mcpWeir{b.waits, b.hurries} {
		if w != nil {
			w.stop()
		}
	}
	for _, t := range []*target{b.proxy, b.server} {
		if t != nil {
			t.stop()
		}
	}
}

// A weirSetup is what one weir has different from another.
type weirSetup struct {
	name    string
	hurries bool
	clients int // that it knows by their keys; 0: everybody may use it
}

// clientKey is the key of a client of weir.
func clientKey(n int) string { return fmt.Sprintf("bench-client-%06d", n) }

// startWeir starts a weir that allows every call and knows the servers.
func (b *mcpBench) startWeir(setup weirSetup) (*mcpWeir, error) {
	dir := filepath.Join(b.dir, setup.name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	var clients strings.Builder
	for n := range setup.clients {
		fmt.Fprintf(&clients, "  - {key: %q, employee: %q}\n", clientKey(n), clientKey(n))
	}
	text := fmt.Sprintf(`audit: {before_release: %t}
policy:
  version: 1
  default: allow
  mcp:
    servers:
      - {id: %s, type: http, url: %q}
      - {id: %s, type: stdio, command: %q, args: [-mcp-server, %s]}
`, !setup.hurries, remoteServer, b.server.base, hostedServer, b.self, overStdio)
	if clients.Len() > 0 {
		text += "clients:\n" + clients.String()
	}
	in := program.In(dir, b.options.weir)
	p, err := in.Start(text)
	if err != nil {
		return nil, err
	}
	return &mcpWeir{target: newTarget("weir", p), install: in}, nil
}

// startProxy starts a reverse proxy in front of the server that speaks HTTP.
func (b *mcpBench) startProxy() (*target, error) {
	t, err := start("reverse proxy", exec.Command(b.self, "-reverse-proxy", b.server.base))
	if err == nil {
		t.cuts = true
	}
	return t, err
}

// serverCommand is the server as a process.
func (b *mcpBench) serverCommand() *exec.Cmd { return exec.Command(b.self, "-mcp-server", overStdio) }

// wrapCommand is the same server behind the shim.
func (b *mcpBench) wrapCommand(w *mcpWeir) *exec.Cmd {
	return w.install.Command("mcp", "wrap", "--no-start", "--id", "wrapped", "--", b.self, "-mcp-server", overStdio)
}

// The names of the ways through weir.
const (
	nameWaits   = "weir"
	nameHurries = "weir, before_release: false"
	nameHosted  = "weir, to a process"
)

func (b *mcpBench) openStdio(ctx context.Context) error {
	for _, way := range []struct {
		name string
		cmd  *exec.Cmd
		weir *mcpWeir // that is asked; nil: none
	}{
		{"direct", b.serverCommand(), nil},
		{nameWaits, b.wrapCommand(b.waits), b.waits},
		{nameHurries, b.wrapCommand(b.hurries), b.hurries},
	} {
		process, err := startStdio(way.cmd)
		if err != nil {
			return fmt.Errorf("start %s: %w", way.name, err)
		}
		t := &mcpTarget{name: way.name, transport: process}
		if way.weir != nil {
			t.between = []*exec.Cmd{way.cmd, way.weir.cmd}
		}
		b.stdio = append(b.stdio, t)
		if err := t.open(ctx); err != nil {
			return fmt.Errorf("open a session over stdio: %w", err)
		}
	}
	return nil
}

func (b *mcpBench) openHTTP(ctx context.Context) error {
	for _, way := range []struct {
		name, url string
		between   []*exec.Cmd
	}{
		{"direct", b.server.base, nil},
		{"reverse proxy", b.proxy.base, []*exec.Cmd{b.proxy.cmd}},
		{nameWaits, b.waits.gateway(remoteServer), []*exec.Cmd{b.waits.cmd}},
		{nameHurries, b.hurries.gateway(remoteServer), []*exec.Cmd{b.hurries.cmd}},
		{nameHosted, b.waits.gateway(hostedServer), []*exec.Cmd{b.waits.cmd}},
	} {
		t := &mcpTarget{name: way.name, transport: &httpTransport{client: newClient(), url: way.url}, between: way.between}
		t.cuts = way.url == b.proxy.base && b.proxy.cuts
		b.http = append(b.http, t)
		if err := t.idle(ctx, false); err != nil {
			return fmt.Errorf("open a session over HTTP: %w", err)
		}
	}
	return nil
}

// gateway is the address of a server at weir.
func (w *mcpWeir) gateway(server string) string { return w.base + "/mcp/" + server }
