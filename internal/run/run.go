// Package run starts an agent in a session of the machine's weir, routed through weir's doors, with its connections watched.
package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/summary"
	"github.com/weir-gate/weir/internal/run/agent"
	"github.com/weir-gate/weir/internal/run/agent/roster"
	"github.com/weir-gate/weir/internal/run/confine"
	"github.com/weir-gate/weir/internal/text/inert"
)

// Config says what is run, and how.
type Config struct {
	// Ask returns a client of the machine's weir that uses this key; "": the key of the user who runs this.
	Ask     func(key string) *control.Client
	Program string   // the path of the agent
	Args    []string // its arguments, without its name
	Self    string   // the path of weir's own program, for the shim
	Policy  *control.PolicyText
	// Loopback are ports of the machine's own services that the session may reach.
	Loopback []uint16
	Watch    Watch // "": Auto
	// Sandboxes lets the agent make its own mount namespaces. If its sandbox needs them, it always may. See confine.Config.
	Sandboxes    bool
	Temp         string // the folder for files that are made for the run
	Surroundings agent.Surroundings
	Env          []string
	// Stdin, Stdout and Stderr are the agent's; nil: those of this process.
	Stdin, Stdout, Stderr *os.File
	// Tell is called with what the user should know before the agent takes over the terminal; one line each.
	Tell func(line string)
}

// A Watch is how connections are watched: one of the constants.
type Watch string

// The ways to watch.
const (
	Auto      Watch = "auto"      // Namespace where the machine allows it, else Proxy
	Namespace Watch = "namespace" // all connections end at weir: no program can avoid it
	Proxy     Watch = "proxy"     // programs are asked to use weir as their proxy
	None      Watch = "none"      // not at all
)

// An Outcome is how a run ended.
type Outcome struct {
	Session string
	Exit    int // the agent's status; if a signal ended it, 128 plus the signal's number
	// Summary is what happened; nil: weir could not be asked.
	Summary *summary.Session
	// Troubles are what went wrong while the agent had the terminal.
	Troubles []string
}

// NotStarted is the status of an agent that could not be started, the same as in shells.
const NotStarted = 126

// ErrNotStarted wraps the reason why an agent could not be started.
var ErrNotStarted = errors.New("start the agent")

// Run runs an agent to its end.
func Run(ctx context.Context, cfg Config) (Outcome, error) {
	cfg.Stdin, cfg.Stdout, cfg.Stderr = cmp.Or(cfg.Stdin, os.Stdin), cmp.Or(cfg.Stdout, os.Stdout), cmp.Or(cfg.Stderr, os.Stderr)
	plan, err := prepare(cfg)
	if err != nil {
		return Outcome{}, err
	}
	scratch, err := makeScratch(cfg.Temp)
	if err != nil {
		return Outcome{}, err
	}
	defer scratch.remove()
	session, err := openSession(ctx, cfg)
	if err != nil {
		return Outcome{}, err
	}
	defer session.close()
	r := &running{cfg: cfg, plan: plan, scratch: scratch, session: session}
	r.peers.Trust = isOwnProgram
	if err := r.lead(); err != nil {
		return Outcome{}, err
	}
	return r.run(ctx)
}

// A plan is what is decided before weir is asked.
type plan struct {
	agent   agent.Agent // nil: weir does not know the program
	watch   Watch       // never Auto
	warning string      // why watch is not the best way; "": it is
}

func prepare(cfg Config) (plan, error) {
	known, _ := roster.For(cfg.Program)
	p := plan{agent: known, watch: cfg.Watch}
	if p.watch == "" {
		p.watch = Auto
	}
	if p.watch == Auto || p.watch == Namespace {
		err := confine.Check()
		switch {
		case err == nil:
			p.watch = Namespace
		case p.watch == Namespace:
			return plan{}, fmt.Errorf("watch the connections of the agent: %w", err)
		default:
			p.watch, p.warning = Proxy, fmt.Sprintf("connections are watched only with proxy variables, which programs can ignore: %v", err)
		}
	}
	return p, nil
}

// running is an agent that is being started, or runs.
type running struct {
	cfg     Config
	plan    plan
	scratch *scratch
	session *session
	launch  agent.Launch
	covers  []confine.Cover
	peers   control.Peers // the shims
	troubles
}

// base returns the address of the session.
func base(port uint16, token string) string {
	return fmt.Sprintf("http://127.0.0.1:%d/k/%s", port, token)
}

// lead determines how the agent is routed through weir, and writes the files that it needs for this.
func (r *running) lead() error {
	a := r.session.response
	if a.ProxyMode != "embedded" {
		r.cfg.Tell(fmt.Sprintf("proxy.mode of the running weir is %s: what the model asks for is not judged", a.ProxyMode))
	}
	w := agent.Weir{
		Base: base(a.Port, r.session.request.Token), Own: []string{a.Address}, Upstreams: a.Upstreams, Program: r.cfg.Self,
		Covers: r.plan.watch == Namespace,
		Served: func(url string) (string, bool) { id, ok := a.Servers[url]; return id, ok },
	}
	var err error
	if r.launch, err = leadTo(r.plan.agent, r.cfg, w, r.scratch.dir); err != nil {
		return err
	}
	for _, f := range r.launch.Files {
		if err := r.scratch.write(f.Path, f.Content); err != nil {
			return err
		}
	}
	for i, f := range r.launch.Covers {
		with := r.scratch.path(fmt.Sprintf("cover-%d", i))
		if err := r.scratch.write(with, f.Content); err != nil {
			return err
		}
		r.covers = append(r.covers, confine.Cover{Path: f.Path, With: with})
	}
	r.tell()
	return nil
}

// tell tells the user which policy the session has, and what is less safe than it could be.
func (r *running) tell() {
	a := r.session.response
	r.cfg.Tell(fmt.Sprintf("session %s, policy %s, version %s", r.session.request.ID, inert.Text(a.Source, 400), a.Policy))
	if a.PolicyTrouble != "" {
		r.cfg.Tell("that file was changed, and what it says now is not in force: it could not be loaded; see weir policy check")
	}
	if r.plan.warning != "" {
		r.cfg.Tell(r.plan.warning)
	}
	if e := r.session.response.Enforcement; e != "enforce" {
		r.cfg.Tell(fmt.Sprintf("enforcement of the running weir is %s: what the policy denies is released all the same", e))
	}
	for _, s := range r.launch.Servers {
		if s.Way == agent.Bare {
			r.cfg.Tell(fmt.Sprintf("the MCP server %s is reached past weir: %s", inert.Name(s.Name, 80), s.Why))
		}
	}
	for _, note := range r.launch.Notes {
		r.cfg.Tell(note)
	}
}

// leadTo returns how to start an agent so that it is routed through a weir.
func leadTo(known agent.Agent, cfg Config, w agent.Weir, scratch string) (agent.Launch, error) {
	if known != nil {
		return known.Launch(cfg.Surroundings, w, cfg.Args, scratch)
	}
	return agent.Program{}.Launch(cfg.Surroundings, w, cfg.Args)
}

// lastWords is how long weir may take to return the summary.
const lastWords = 10 * time.Second

// run starts the agent, waits for its end, and asks weir for the summary.
func (r *running) run(ctx context.Context) (Outcome, error) {
	r.session.started(ctx, r.started()) // first, so that this event precedes those of the agent in the record
	w, err := r.start()
	if err != nil {
		if _, untold := r.session.ended(ctx, NotStarted); untold != nil {
			err = errors.Join(err, untold)
		}
		return Outcome{}, fmt.Errorf("%w: %w", ErrNotStarted, err)
	}
	defer w.close()
	exit := w.wait()
	w.close()
	out := Outcome{Session: r.session.request.ID, Exit: exit}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
	defer cancel()
	if sum, err := r.session.ended(last, exit); err != nil {
		r.note(fmt.Errorf("ask weir for the summary: %w", err))
	} else {
		out.Summary = &sum
	}
	out.Troubles = append(r.list(), r.session.list()...)
	return out, nil
}

// started returns what is recorded about the start of the session.
func (r *running) started() record.SessionStarted {
	d := record.SessionStarted{Program: filepath.Base(r.cfg.Program), Isolation: string(r.plan.watch)}
	if r.plan.agent != nil {
		d.Agent = r.plan.agent.Name()
	}
	for _, s := range r.launch.Servers {
		if s.Way == agent.Bare {
			d.Bare = append(d.Bare, s.Name)
		}
	}
	return d
}

// Find finds the program of an agent. The error says what to do.
func Find(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil && !errors.Is(err, exec.ErrDot) {
		return "", fmt.Errorf("%s is not on your PATH, or is not executable; install it, or give its path", name)
	}
	return filepath.Abs(path)
}
