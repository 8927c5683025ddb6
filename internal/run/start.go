package run

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/run/confine"
	"github.com/weir-gate/weir/internal/run/egress"
	"github.com/weir-gate/weir/internal/text/inert"
)

// watched is a running agent.
type watched struct {
	// wait waits for its end, and returns its status.
	wait func() int
	// close ends the watching. It may be called twice.
	close func()
}

// start starts the agent, and watches it as planned.
func (r *running) start() (*watched, error) {
	switch r.plan.watch {
	case Namespace:
		return r.startConfined()
	case Proxy:
		return r.startBehindProxy()
	default:
		return r.startPlain(nil, func() {})
	}
}

// startPlain starts the agent without its own namespaces.
func (r *running) startPlain(more map[string]string, done func()) (*watched, error) {
	l, err := r.listenForShims()
	if err != nil {
		done()
		return nil, err
	}
	stop, err := r.answerShims(l)
	if err != nil {
		done()
		return nil, err
	}
	unwatched := done
	done = func() {
		stop()
		unwatched()
	}
	cmd := exec.Command(r.cfg.Program, r.launch.Args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = r.cfg.Stdin, r.cfg.Stdout, r.cfg.Stderr
	cmd.Dir, cmd.Env = r.cfg.Surroundings.Dir, r.environ(more)
	if err := cmd.Start(); err != nil {
		done()
		return nil, err
	}
	release := passSignals(cmd.Process.Signal)
	return &watched{
		wait: func() int {
			defer release()
			if err := cmd.Wait(); err != nil && cmd.ProcessState == nil {
				r.note(fmt.Errorf("wait for the agent: %w", err))
				return 1
			}
			return exitOf(cmd.ProcessState)
		},
		close: sync.OnceFunc(done),
	}, nil
}

// startBehindProxy starts the agent with variables that ask programs to use weir as their proxy.
func (r *running) startBehindProxy() (*watched, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for connections: %w", err)
	}
	monitor := egress.New(egress.Config{Judge: r.session.inner, Own: r.session.response.Port, OwnAlive: r.session.alive, OnTrouble: r.note})
	go func() { r.unlessClosed(monitor.Proxy(l)) }()
	return r.startPlain(proxyVariables(l.Addr().String()), func() {
		_ = l.Close()
		monitor.Close()
	})
}

// startConfined starts the agent in its own namespaces.
func (r *running) startConfined() (*watched, error) {
	a := r.session.response
	p, err := confine.Start(confine.Config{
		Path: r.cfg.Program, Args: append([]string{r.cfg.Program}, r.launch.Args...), Env: r.environ(nil), Dir: r.cfg.Surroundings.Dir,
		Stdin: r.cfg.Stdin, Stdout: r.cfg.Stdout, Stderr: r.cfg.Stderr,
		Hide: append(otherScratch(r.scratch.dir), a.Hide...), Fix: append(r.ownFiles(),
			a.Fix...), Covers: r.covers, Sockets: r.sockets(), Ports: r.ports(),
		Socket: strings.TrimPrefix(r.socket(), "@"), Shim: r.peers.Server,
		Sandboxes: r.cfg.Sandboxes || r.launch.Sandboxes,
	})
	if err != nil {
		return nil, err
	}
	release := passSignals(p.Signal)
	stop, err := r.answerShims(p.Ways().Socket)
	if err != nil {
		return nil, errors.Join(err, p.Signal(os.Kill), p.Close())
	}
	monitor := egress.New(egress.Config{
		Judge: r.session.inner, Own: a.Port, OwnAlive: r.session.alive, OnTrouble: r.note,
		Process: func(local, remote netip.AddrPort) call.Process { return p.Owner(local, remote) },
	})
	told := r.watchWays(monitor, p.Ways())
	return &watched{
		wait: func() int {
			defer release()
			exit, err := p.Wait()
			if err != nil {
				r.note(fmt.Errorf("wait for the agent: %w", err))
				return 1
			}
			if exit.Signal != 0 {
				return 128 + int(exit.Signal)
			}
			return exit.Code
		},
		close: sync.OnceFunc(func() {
			stop()
			if err := p.Close(); err != nil {
				r.note(err)
			}
			<-told
			monitor.Close()
		}),
	}, nil
}

// watchWays connects the ways to the monitor. The channel is closed when all dropped datagrams are reported.
func (r *running) watchWays(m *egress.Monitor, ways confine.Ways) <-chan struct{} {
	for _, l := range ways.TCP {
		go func() { r.unlessClosed(m.Redirected(l, confine.Destination)) }()
	}
	for port, listeners := range ways.Loopback {
		for _, l := range listeners {
			go func() { r.unlessClosed(m.Loopback(l, port)) }()
		}
	}
	for _, c := range ways.DNS {
		go func() { r.unlessClosed(m.Lookups(c)) }()
	}
	told := make(chan struct{})
	if ways.Dropped == nil {
		close(told)
		return told
	}
	go func() {
		defer close(told)
		for d := range ways.Dropped {
			m.Datagram(d.Source, d.Destination)
		}
	}()
	return told
}

// unlessClosed notes why a listener stopped, unless it was closed.
func (r *running) unlessClosed(err error) {
	if err != nil && !errors.Is(err, net.ErrClosed) {
		r.note(err)
	}
}

// sockets returns the unix sockets that the agent may reach: those that the configuration names, and those of programs that hold
// keys and make no connections.
func (r *running) sockets() []string {
	patterns := append(slices.Clone(r.session.response.Sockets), filepath.Join(r.cfg.Surroundings.Home, ".gnupg", "S.gpg-agent*"),
		"/run/user/*/gnupg/S.gpg-agent*")
	var sockets []string
	for _, p := range patterns {
		found, err := filepath.Glob(p)
		if err != nil {
			r.note(fmt.Errorf("egress.sockets: %s is not a pattern", inert.Text(p, 200)))
		}
		sockets = append(sockets, found...)
	}
	if path := r.lookup("SSH_AUTH_SOCK"); path != "" {
		sockets = append(sockets, path)
	}
	return sockets
}

// ownFiles returns the files of weir and of this run that the agent must not change. They include weir's program under the name
// with which it was started, and the configuration folder. A missing folder is created, so that the agent cannot create it.
func (r *running) ownFiles() []string {
	files := []string{r.cfg.Self, r.scratch.path(lockFile)}
	for _, f := range r.launch.Files {
		files = append(files, f.Path)
	}
	for _, c := range r.covers {
		files = append(files, c.With)
	}
	if called, err := exec.LookPath(os.Args[0]); err == nil {
		files = append(files, called)
	}
	if dir, err := config.ConfigDir(r.cfg.Surroundings.Lookup); err == nil && os.MkdirAll(dir, 0o700) == nil {
		files = append(files, dir)
	}
	return files
}

func (r *running) lookup(name string) string {
	value, _ := r.cfg.Surroundings.Lookup(name)
	return value
}

// maxPorts is how many ports of the machine the agent can connect to.
const maxPorts = 1024

// ports returns the ports of the machine's services that weir watches: that of the session, the declared ports, and all on which
// somebody listens now, so that refusals there are recorded.
func (r *running) ports() []uint16 {
	a := r.session.response
	ports := []uint16{a.Port}
	add := func(port uint16) {
		if port != 0 && len(ports) < maxPorts && !slices.Contains(ports, port) {
			ports = append(ports, port)
		}
	}
	for _, ranged := range a.Loopback {
		for port := int(ranged.First); port <= int(ranged.Last); port++ {
			add(uint16(port))
		}
	}
	for _, port := range listening() {
		add(port)
	}
	return ports
}
