package daemon

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/gateway"
	"github.com/weir-gate/weir/internal/mcp/reach"
	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/declared"
	"github.com/weir-gate/weir/internal/policy/toolname"
)

// openMCP sets up the doors for MCP: the gateway, and the control socket for shims.
func (d *Daemon) openMCP() (err error) {
	servers, err := d.declaredServers(d.policy.current())
	if err != nil {
		return fmt.Errorf("set up the MCP servers of the policy: %w", err)
	}
	d.asker = newAsker(d)
	d.gateway, err = gateway.New(gateway.Config{
		Admission: d.admission, Judge: d.judge, Denied: d.judge.DeniesServer, Servers: doors(servers), Version: d.cfg.Version, Log: d.cfg.Log,
		Bounds: gateway.Bounds{Message: int(d.cfg.Config.Bounds.Frame)}, Budget: d.messageBudget(),
		Served: func(s gateway.Served) { d.out.metrics.MCPRequest(s.Server, s.Status) },
	})
	if err != nil {
		return err
	}
	d.asker.watch(servers)
	d.policy.onChange = d.takeServers
	return d.openControl()
}

// PolicyVersion returns the version of the policy in force.
func (d *Daemon) PolicyVersion() string { return d.policy.current().Version() }

// Servers returns the ids of the MCP servers that the gateway serves.
func (d *Daemon) Servers() []string {
	var ids []string
	if block := d.policy.current().MCP(); block != nil {
		for _, s := range block.Servers {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// openControl opens the control socket, at which shims ask for rulings.
func (d *Daemon) openControl() error {
	if d.cfg.StateDir == "" {
		return nil
	}
	if err := os.MkdirAll(d.cfg.StateDir, 0o700); err != nil {
		return fmt.Errorf("create the state folder: %w; set XDG_STATE_HOME to a folder that can be written", err)
	}
	path, err := control.Path(d.cfg.StateDir)
	if err != nil {
		return err
	}
	d.socket, err = control.Listen(path)
	switch {
	case errors.Is(err, control.ErrServed):
		d.cfg.Log.Warn("another weir uses this state folder: weir mcp wrap and weir run will use that one", "socket", path)
		return nil
	case err == nil && d.cfg.OnControl != nil:
		d.cfg.OnControl()
	}
	return err
}

// lookAgain is how often a weir checks whether it can take over the control socket from another weir.
const lookAgain = 2 * time.Second

// serveControl serves shims until ctx ends. While another weir does, it waits for the end of that weir.
func (d *Daemon) serveControl(ctx context.Context) {
	for d.socket == nil && d.cfg.StateDir != "" {
		select {
		case <-ctx.Done():
			return
		case <-time.After(lookAgain):
		}
		path, err := control.Path(d.cfg.StateDir)
		if err != nil {
			return // it was reported at the start
		}
		if d.socket, err = control.Listen(path); err == nil {
			d.cfg.Log.Info("weir mcp wrap asks this weir from now on", "socket", path)
			if d.cfg.OnControl != nil {
				d.cfg.OnControl()
			}
		}
	}
	if d.socket == nil {
		return
	}
	server := control.NewServer(control.ServerConfig{
		Judge: d.judge, Admission: d.admission, Enter: d.enter, Sessions: d.sessions, Connections: d.judge, Policy: d.policy.inForce,
		Standing: d.standing, Pins: pinRecorder{d}, Exceptions: exceptions{d}, Version: d.cfg.Version, Log: d.cfg.Log,
		Budget: d.messageBudget(), Reload: d.reloadNow, Approvals: d.approvals,
	})
	if err := server.Serve(ctx, d.socket); err != nil {
		d.cfg.Log.Error("serve weir mcp wrap", "err", err)
	}
}

// enter says why a shim may not serve for an MCP server. The policy may refuse the server, or declare another one with that id. The
// configuration of an agent may come from a cloned repository, which must not run its own program under the id of a declared
// server.
func (d *Daemon) enter(who call.Actor, c control.Command) error {
	p := d.policy.current()
	if of := d.sessions.policyOf(who.Session); of != nil {
		p = of
	}
	if err := d.refuses(who, c.ID); err != nil {
		return err
	}
	block := p.MCP()
	if block == nil {
		return nil
	}
	for _, s := range block.Servers {
		if toolname.Fold(s.ID) != toolname.Fold(c.ID) {
			continue
		}
		s, err := s.Expand(os.LookupEnv)
		if err == nil && s.ID == c.ID && s.Type == declared.Stdio && s.Command == c.Path && slices.Equal(s.Args, c.Args) {
			return nil
		}
		d.cfg.Log.Warn("refused to wrap a command: the policy declares another server with this id", "server", s.ID)
		return fmt.Errorf("the policy declares another MCP server with the id %s; use another --id, or declare this command and its arguments",
			s.ID)
	}
	return nil
}

// takeServers makes the gateway serve the servers that a new policy declares.
func (d *Daemon) takeServers(p *policy.Policy) {
	servers, err := d.declaredServers(p)
	if err != nil {
		d.cfg.Log.Error("some MCP servers of the new policy cannot be set up, and are not served", "err", err)
	}
	if err := d.gateway.Replace(doors(servers)); err != nil {
		d.cfg.Log.Error("the MCP servers of the new policy cannot be taken over; the old ones stay", "err", err)
		servers = d.asker.watched()
	}
	d.gateway.EndDenied()
	d.asker.watch(servers)
}

// closeGateway ends the sessions with MCP servers.
func (d *Daemon) closeGateway() {
	if d.gateway == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), lastSessions)
	defer cancel()
	if err := d.gateway.Close(ctx); err != nil {
		d.cfg.Log.Warn("MCP servers were still running", "err", err)
	}
}

// refreshEvery is how often weir checks whether somebody else changed the registry: a person who trusts a tool, or another weir
// with the same store.
const refreshEvery = time.Second

// refreshRegistry reads changes that others make, until ctx ends.
func (d *Daemon) refreshRegistry(ctx context.Context) {
	tick := time.NewTicker(refreshEvery)
	defer tick.Stop()
	noted := time.Now()
	if err := d.noteRegistry(ctx, true); err != nil && ctx.Err() == nil {
		d.cfg.Log.Error("store the tools of MCP servers", "err", err)
	}
	for {
		if time.Since(noted) > d.noteEvery() {
			noted = time.Now()
			if err := d.noteRegistry(ctx, false); err != nil && ctx.Err() == nil {
				d.cfg.Log.Error("store the tools of MCP servers", "err", err)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := d.registry.Refresh(ctx); err != nil && ctx.Err() == nil && d.unread.add(1) > 0 {
				d.cfg.Log.Error("read what is known of MCP servers", "err", err)
			}
		}
	}
}

// handler routes requests to their door.
func (d *Daemon) handler() http.Handler {
	return d.counted(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isMCPPath(r.URL.Path) {
			d.gateway.ServeHTTP(w, r)
			return
		}
		d.door.ServeHTTP(w, r)
	}))
}

// How often servers are asked for their tools: again after a failure, with growing pauses; and regularly, because not every server
// says when its tools change.
const (
	askAgain     = 5 * time.Second
	askAgainMost = 5 * time.Minute
	askRegularly = 15 * time.Minute
	askWithin    = time.Minute
)

// An asker asks the declared network servers for their tools, so that they are known before anybody calls them.
type asker struct {
	d *Daemon

	mu      sync.Mutex
	asking  map[string]context.CancelFunc // by declaration
	ctx     context.Context               // for all questions; it ends with run
	waiting []declaredServer              // until run
	running sync.WaitGroup
}

func newAsker(d *Daemon) *asker { return &asker{d: d, asking: map[string]context.CancelFunc{}} }

// run asks until ctx ends.
func (a *asker) run(ctx context.Context) {
	a.mu.Lock()
	a.ctx = ctx
	servers := a.waiting
	a.mu.Unlock()
	a.watch(servers)
	<-ctx.Done()
	a.mu.Lock()
	a.ctx = nil
	a.mu.Unlock()
	a.running.Wait()
}

// watch changes which servers are asked. Servers with an unchanged declaration are not asked anew.
func (a *asker) watch(servers []declaredServer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.waiting = servers; a.ctx == nil {
		return
	}
	keep := map[string]bool{}
	for _, s := range servers {
		if s.Type == "stdio" || s.mute || a.d.refuses(call.Actor{}, s.ID) != nil {
			continue
		}
		key := s.ID + " " + s.Declared
		keep[key] = true
		if a.asking[key] == nil {
			ctx, cancel := context.WithCancel(a.ctx)
			a.asking[key] = cancel
			a.running.Go(func() { a.ask(ctx, s) })
		}
	}
	for key, cancel := range a.asking {
		if !keep[key] {
			cancel()
			delete(a.asking, key)
		}
	}
}

// watched returns the servers of the last watch.
func (a *asker) watched() []declaredServer {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.waiting
}

// ask asks one server again and again.
func (a *asker) ask(ctx context.Context, s declaredServer) {
	wait, failed := askAgain, false
	for {
		err := a.askOnce(ctx, s)
		next := askRegularly
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			if !failed {
				a.d.cfg.Log.Warn("cannot list the tools of an MCP server, trying again", "server", s.ID, "err", err)
			}
			next, wait, failed = wait, min(2*wait, askAgainMost), true
		default:
			if failed {
				a.d.cfg.Log.Info("the MCP server was asked for its tools", "server", s.ID)
			}
			wait, failed = askAgain, false
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(next):
		}
	}
}

func (a *asker) askOnce(ctx context.Context, s declaredServer) error {
	if err := a.d.refuses(call.Actor{}, s.ID); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	conn, err := s.connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Close() // its tools are known
	about, tools, err := reach.Ask(ctx, conn, reach.AskConfig{Version: a.d.cfg.Version})
	if err != nil {
		return err
	}
	server := call.MCPServer{ID: s.ID, Type: s.Type, Addr: s.Addr}
	if _, err := a.d.registry.Met(ctx, registry.Server{
		ID: s.ID, Type: s.Type, Addr: s.Addr, Name: about.Name,
		Version: about.Version,
	}); err != nil {
		return err
	}
	_, err = a.d.judge.Tools(ctx, call.Listing{Server: server, Tools: tools, Complete: true})
	return err
}
