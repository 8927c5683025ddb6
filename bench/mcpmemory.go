package main

import (
	"context"
	"fmt"
	"net/http"
	"os/exec"
)

// sessionsOfOne is how many sessions weir keeps for one client.
const sessionsOfOne = 100

// memory measures what idle sessions cost weir serve, and what a shim takes.
func (b *mcpBench) memory(ctx context.Context) error {
	if err := b.sessionMemory(ctx); err != nil {
		return err
	}
	out := newTable("memory: resident, one process with one idle session", "", "all", "without what all processes of the program share")
	for _, process := range []struct {
		name string
		cmd  *exec.Cmd
	}{{"the server", b.serverCommand()}, {"weir mcp wrap, without the server", b.wrapCommand(b.waits)}} {
		all, own, err := processMemory(ctx, process.name, process.cmd)
		if err != nil {
			return err
		}
		out.row(process.name, megabytes(all), megabytes(own))
	}
	return out.end()
}

// sessionMemory measures processes that have done little before.
func (b *mcpBench) sessionMemory(ctx context.Context) error {
	out := newTable(fmt.Sprintf("memory: resident, %d idle sessions over HTTP", b.idle), "", "without", "with", "per session")
	for _, way := range []struct {
		name    string
		start   func() (*target, error)
		streams bool
	}{
		{"weir serve", b.startIdleWeir("idle"), false},
		{"weir serve, each session with an open stream (GET)", b.startIdleWeir("listening"), true},
		{"reverse proxy, the same", b.startProxy, true},
	} {
		t, err := way.start()
		if err != nil {
			return err
		}
		before, after, err := b.idleSessions(ctx, t, way.streams)
		t.stop()
		if err != nil {
			return err
		}
		each := "too little to see"
		if after > before {
			each = fmt.Sprintf("%.1f KB", float64(after-before)/float64(b.idle)/1024)
		}
		out.row(way.name, megabytes(before), megabytes(after), each)
	}
	return out.end()
}

// startIdleWeir starts a weir with as many clients as it takes, and one more.
func (b *mcpBench) startIdleWeir(name string) func() (*target, error) {
	return func() (*target, error) {
		w, err := b.startWeir(weirSetup{name: name, clients: b.idle/sessionsOfOne + 2})
		if err != nil {
			return nil, err
		}
		w.base = w.gateway(remoteServer)
		return w.target, nil
	}
}

func megabytes(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/(1<<20)) }

// processMemory is the memory of a process that speaks stdio, after the beginning of a session and one call.
func processMemory(ctx context.Context, name string, cmd *exec.Cmd) (all, own int64, err error) {
	process, err := startStdio(cmd)
	if err != nil {
		return 0, 0, fmt.Errorf("start %s: %w", name, err)
	}
	defer process.close()
	t := &mcpTarget{name: name, transport: process}
	if err := t.open(ctx); err != nil {
		return 0, 0, err
	}
	if _, err := t.ask(ctx, callEcho); err != nil {
		return 0, 0, err
	}
	if all, err = residentMemory(cmd.Process.Pid); err != nil {
		return 0, 0, err
	}
	own, err = ownMemory(cmd.Process.Pid)
	return all, own, err
}

// idleSessions opens sessions through a process, and returns its memory without and with them.
func (b *mcpBench) idleSessions(ctx context.Context, through *target, streams bool) (before, after int64, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the streams
	idle := make([]*mcpTarget, b.idle+1)
	for n := range idle {
		transport := &httpTransport{client: through.client, url: through.base, key: clientKey(n / sessionsOfOne)}
		idle[n] = &mcpTarget{name: through.name, transport: transport}
		idle[n].cuts = through.cuts
		if err := idle[n].idle(ctx, streams); err != nil {
			return 0, 0, err
		}
		if n > 0 {
			continue
		}
		// What is made for the first session, and the garbage of work, are not the sessions'.
		for range b.idle {
			if _, err := idle[n].ask(ctx, listTools()); err != nil && !idle[n].forgives(err) {
				return 0, 0, err
			}
		}
		if before, err = residentMemory(through.cmd.Process.Pid); err != nil {
			return 0, 0, err
		}
	}
	if after, err = residentMemory(through.cmd.Process.Pid); err != nil {
		return 0, 0, err
	}
	for _, t := range idle { // they are all still there
		if _, err := t.ask(ctx, callEcho); err != nil && !t.forgives(err) {
			return 0, 0, err
		}
	}
	return before, after, nil
}

// idle opens a session, with its stream or without.
func (t *mcpTarget) idle(ctx context.Context, stream bool) error {
	err := t.open(ctx)
	for t.forgives(err) {
		err = t.open(ctx)
	}
	if err != nil || !stream {
		return err
	}
	return t.transport.(*httpTransport).listen(ctx)
}

// listen opens the stream of the session, which stays open until ctx ends.
func (t *httpTransport) listen(ctx context.Context) error {
	resp, err := t.send(ctx, http.MethodGet, nil)
	if err != nil {
		return fmt.Errorf("open a stream: %w", err)
	}
	context.AfterFunc(ctx, func() { resp.Body.Close() }) // it has no end
	return nil
}
