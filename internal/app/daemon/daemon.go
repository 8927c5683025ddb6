// Package daemon is the running weir: it connects the parts, reloads the policy when it changes and shuts down in order.
package daemon

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/weir-gate/weir/internal/app/auditkey"
	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/app/project"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/gate"
	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/intake/httpdoor"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/mcp/gateway"
	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/model/formats"
	"github.com/weir-gate/weir/internal/model/proxy"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/limit"
	"github.com/weir-gate/weir/internal/policy/price"
	"github.com/weir-gate/weir/internal/record/bodies"
	"github.com/weir-gate/weir/internal/record/checkpoint"
	"github.com/weir-gate/weir/internal/record/custodian"
	"github.com/weir-gate/weir/internal/record/follower"
	"github.com/weir-gate/weir/internal/record/home"
	"github.com/weir-gate/weir/internal/record/recorder"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/run/canary"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// Config sets up a Daemon.
type Config struct {
	Config *config.Config
	// Policy is read at the start, on SIGHUP, and when its file has changed.
	Policy PolicySource
	// Reread reads the configuration again: on SIGHUP, and when it holds the policy and its file has changed; nil: it cannot be read
	// again.
	Reread func() (*config.Config, error)
	Log    *slog.Logger // nil: no log
	// Level is that of Log; nil: it cannot be changed.
	Level *slog.LevelVar
	// Version is weir's; "": unknown.
	Version string
	// ConfigPath is the file that Config was read from; "": none.
	ConfigPath string
	// StateDir is the folder with the control socket that weir mcp wrap uses; "": there is none.
	StateDir string
	// OnControl is called when this weir begins to serve shims; nil: nothing is called.
	OnControl func()
	// PollEvery is how often the policy's file is looked at; 0: twice a second. A change counts when two looks in a row see it.
	PollEvery time.Duration
}

// A Daemon is a weir that listens.
type Daemon struct {
	cfg       Config
	store     *home.Home
	gate      *gate.Gate
	follower  *follower.Follower // stores what is recorded, and finds what is not stored yet
	recorder  *recorder.Recorder
	memory    *judge.Rulings // rulings on calls that providers store
	custodian *custodian.Custodian
	out       outflow
	archive   *bodies.Archive // nil: bodies are not stored
	budget    *budget.Budget  // the memory that weir may hold for clients
	prices    *price.Table
	budgets   *limit.Budgets
	policy    *livePolicy
	admission *admission.Admission // who may use the doors
	door      *proxy.Door
	tls       *tls.Config
	// certificate is that of tls; nil: there is none.
	certificate *liveCertificate
	listener    net.Listener
	transports  []*liveTransport             // to upstreams
	ways        map[string]http.RoundTripper // those of each upstream
	hangup      chan os.Signal               // SIGHUP: reload the policy
	// asked are requests to read the configuration again; the reason why it is not in force is the response.
	asked chan chan<- error
	// exchanges are those that are waited for when weir ends; failed is closed when it does not serve any more.
	exchanges httpdoor.Underway
	ending    atomic.Bool // it is not ready any more
	failed    chan struct{}
	since     time.Time
	inForce   *config.Config // the configuration in force; only the goroutine that reloads uses it

	registry *registry.Registry // what is known about MCP servers
	judge    *judge.Judge
	// approvals is where calls wait for people.
	approvals *approvals
	room      room // the console
	gateway   *gateway.Gateway
	asker     *asker
	sessions  *sessions
	socket    net.Listener // the control socket; nil: another weir serves it

	lost    seldom // events that will not be recorded
	unready seldom // responses that weir is not ready
	unread  seldom // failures to read the registry again
}

// Start opens the store and the port. Nothing is served before Run. From then on SIGHUP no longer ends the process.
func Start(ctx context.Context, cfg Config) (_ *Daemon, err error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.PollEvery == 0 {
		cfg.PollEvery = time.Second / 2
	}
	cfg.Policy.Own = cfg.Config.OwnFiles(config.Installed{Config: cfg.ConfigPath, Policy: cfg.Policy.Path, StateDir: cfg.StateDir})
	cfg.Policy.Check = func(p *policy.Policy) error { return checkAsking(p, cfg.Config) }
	d := &Daemon{cfg: cfg, inForce: cfg.Config, since: time.Now(), asked: make(chan chan<- error), failed: make(chan struct{})}
	d.sessions = newSessions(d)
	defer func() {
		if err != nil {
			d.close()
		}
	}()
	if d.policy, err = loadPolicy(cfg); err != nil {
		return nil, err
	}
	if err = d.openCertificate(); err != nil {
		return nil, err
	}
	if d.listener, err = listen(cfg.Config); err != nil {
		return nil, err
	}
	if d.store, err = d.openHome(ctx); err != nil {
		return nil, err
	}
	d.openBudget()
	if err = d.openOutflow(); err != nil {
		return nil, err
	}
	if err = d.openCustodian(); err != nil {
		return nil, err
	}
	if err = d.openRecord(ctx); err != nil {
		return nil, err
	}
	d.policy.recorder = d.recorder
	// weir also records into a store that was tampered with: else nothing would be recorded.
	if err := d.custodian.Begin(ctx); err != nil {
		cfg.Log.Error("vouch for the record", "err", err)
	}
	if err = d.openBodies(); err != nil {
		return nil, err
	}
	if err = d.openDoors(ctx); err != nil {
		return nil, err
	}
	d.hangup = make(chan os.Signal, 1)
	signal.Notify(d.hangup, syscall.SIGHUP)
	return d, nil
}

// openDoors sets up the judge and the doors that use it.
func (d *Daemon) openDoors(ctx context.Context) (err error) {
	if d.prices, err = Prices(d.cfg.Config); err != nil {
		return err
	}
	if d.budgets, err = limit.NewBudgets(ctx, limit.BudgetsConfig{Ledger: d.store, Now: time.Now()}); err != nil {
		return err
	}
	if err = d.openAdmission(); err != nil {
		return err
	}
	if d.registry, err = registry.New(ctx, registry.Config{Store: d.store}); err != nil {
		return err
	}
	d.approvals = newApprovals(d)
	d.judge = d.newJudge(judge.Mode(d.cfg.Config.Enforcement))
	if d.door, err = d.newDoor(); err != nil {
		return err
	}
	return d.openMCP()
}

// Prices loads the table of prices that a configuration names, over the built-in one.
func Prices(cfg *config.Config) (*price.Table, error) {
	if cfg.Prices == "" {
		return price.New(price.Config{})
	}
	data, err := yamlfile.ReadFile(cfg.Prices)
	if err != nil {
		return nil, fmt.Errorf("read prices: %w; correct the path, or remove the key prices", err)
	}
	return price.New(price.Config{File: cfg.Prices, Data: data})
}

// newJudge returns a judge that uses the policy in force.
func (d *Daemon) newJudge(mode judge.Mode) *judge.Judge {
	c := d.cfg.Config
	return judge.New(judge.Config{
		Now:           time.Now,
		SessionFolder: d.sessions.folderOf, Project: project.WorkingRoot(),
		Policy: d.policy.current, SessionPolicy: d.sessions.policyOf, Egress: d.egress(),
		Recorder: d.recorder, Memory: d.memory, Record: d.follower,
		Mode: mode, Registry: d.registry, Approvals: d.approvals.desk,
		MCPOnly: c.Proxy.Mode == config.MCPOnly,
		Rates:   limit.NewRates(limit.RatesConfig{}), Budgets: d.budgets, Prices: tariff{d.prices},
		OnUnrecorded: d.out.metrics.Unrecorded,
		RecordLater:  !c.Audit.BeforeRelease, WarnArguments: int(c.Bounds.WarnArguments), MaxArguments: int(c.Audit.MaxArguments),
		Contact: c.Notice.Contact,
	})
}

// tariff is the table of prices, except that the canary costs nothing: it is not a model.
type tariff struct{ *price.Table }

// Cost implements judge.Prices.
func (t tariff) Cost(provider, model string, u call.Usage) (micro int64, known bool) {
	if provider == canary.Upstream {
		return 0, true
	}
	return t.Table.Cost(provider, model, u)
}

// newDoor returns the door for models, connected to the judge.
func (d *Daemon) newDoor() (*proxy.Door, error) {
	c := d.cfg.Config
	mode := judge.Mode(c.Enforcement)
	d.gate = gate.New(gate.Config{Judge: d.judge, MaxHold: c.Bounds.Hold, Meter: d.out.metrics})
	var err error
	if d.ways, err = d.openOutgoing(); err != nil {
		return nil, err
	}
	return proxy.New(proxy.Config{
		Gate: d.gate, Judge: d.judge, Strip: c.Inbound == config.Strip, Formats: formats.ForDoor(),
		Upstreams: d.upstreams(c.Upstreams), Admission: d.admission,
		Transport: canary.Transport(proxy.NewTransport()),
		Bounds:    proxy.Bounds{Frame: int(c.Bounds.Frame), Arguments: int(c.Bounds.Arguments)}, Budget: d.budget,
		Pages: d.pages(), Metrics: d.out.metrics, Trace: continueTrace, Propagate: d.propagate(mode),
		Drop: c.OnDeny == config.Drop, Observe: mode == judge.Observe, Log: d.cfg.Log, Memory: d.memory,
		Bodies: d.archive, Off: c.Proxy.Mode == config.Disabled, Contact: c.Notice.Contact,
	})
}

// openCustodian sets up the custodian of the record.
func (d *Daemon) openCustodian() error {
	c := d.cfg.Config.Audit
	key, err := auditkey.Open(c)
	if err != nil {
		return err
	}
	if key.Former != "" {
		d.cfg.Log.Warn("another key signs the record from now on; give the former one to weir audit verify with --key",
			"key", key.ID(), "former", key.Former)
	}
	location, err := store.URL(d.cfg.Config.Store.URL).Location()
	if err != nil {
		return err
	}
	d.custodian = custodian.New(custodian.Config{
		Store: d.store, Key: key.Key, Witness: checkpoint.Witness{KeyPath: c.Key, Location: location},
		Chain: func() string { return d.recorder.Chain() }, Retention: c.Retention, MaxBytes: c.MaxSize,
		OnRemoved: func(n int64, why string) { d.cfg.Log.Info("removed old events", "events", n, "why", why) },
		OnError:   func(err error) { d.cfg.Log.Error("maintain the record", "err", err) },
	})
	return nil
}

// Run serves until ctx ends, and then waits for open responses to finish.
func (d *Daemon) Run(ctx context.Context) error {
	defer d.close()
	watching, stop := context.WithCancel(ctx)
	// These end later than ctx: exchanges that are open then go on.
	accepting, stopAccepting := context.WithCancel(context.WithoutCancel(ctx))
	lasting, endSessions := context.WithCancel(context.WithoutCancel(ctx))
	var watchers sync.WaitGroup
	watchers.Go(func() { d.policy.watch(watching, reloads{d.hangup, d.asked, d.rereadConfig}) })
	watchers.Go(func() { d.keepBodies(watching) })
	if d.certificate != nil {
		watchers.Go(func() { d.certificate.run(watching, d.cfg.PollEvery) })
	}
	for _, t := range d.transports {
		watchers.Go(func() { t.run(watching, d.cfg.PollEvery) })
	}
	watchers.Go(func() { d.custodian.Run(watching) })
	watchers.Go(func() { d.refreshRegistry(watching) })
	watchers.Go(func() { d.asker.run(watching) })
	watchers.Go(func() { d.approvals.desk.Run(watching) })
	watchers.Go(func() { d.serveControl(lasting) })
	watchers.Go(func() { d.endInOrder(watching, stopAccepting, endSessions) })
	err := d.server(httpdoor.ServerConfig{
		Handler: d.handler(), TLS: d.tls, Ingress: d.ingress(), Grace: d.cfg.Config.Drain + cutAfter,
	}).Serve(accepting, d.listener)
	close(d.failed) // or it has ended in order, and nobody waits
	stop()
	watchers.Wait()
	d.room.close() // nobody opens it now: the control socket has ended
	d.sessions.wait()
	return err
}

// server returns an HTTP server for the doors.
func (d *Daemon) server(cfg httpdoor.ServerConfig) *httpdoor.Server {
	cfg.Admission, cfg.Underway, cfg.Log = d.admission, d.door.Underway(), d.cfg.Log
	return httpdoor.NewServer(cfg)
}

const (
	// lastWrites is how long the record may take to become durable when weir ends.
	lastWrites = 10 * time.Second
	// lastStored is how long the store may take to get what is only in the log. The rest is stored at the next start.
	lastStored = 3 * time.Second
	// lastSessions is how long sessions with MCP servers may take to end.
	lastSessions = 10 * time.Second
	// lastWords is how long the last checkpoint and deliveries may take when weir ends.
	lastWords = 5 * time.Second
)

// close ends all parts that were started. Each ends before the parts that it needs.
func (d *Daemon) close() {
	if d.hangup != nil {
		signal.Stop(d.hangup)
	}
	if d.listener != nil {
		d.listener.Close() // the server may have closed it
	}
	if d.socket != nil {
		d.socket.Close() // the server may have closed it
	}
	d.closeGateway()
	d.closeBodies()
	if d.recorder != nil {
		ctx, cancel := context.WithTimeout(context.Background(), lastWrites)
		defer cancel()
		if err := d.recorder.Close(ctx); err != nil {
			d.cfg.Log.Error("close the record", "err", err)
		}
		stored := d.closeFollower()
		if sum := d.lost.rest(); sum > 0 {
			d.cfg.Log.Error("events are not recorded and are lost", "events", sum)
		}
		// These have a time limit of their own, because the store may have used all of the first.
		last, cancel := context.WithTimeout(context.Background(), lastWords)
		defer cancel()
		if d.custodian != nil {
			d.closeCustodian(last, stored)
		}
		d.out.close(last, func(err error) { d.cfg.Log.Error("send the last events", "err", err) })
	}
	if d.store != nil {
		if err := d.store.Close(); err != nil {
			d.cfg.Log.Error("close the store", "err", err)
		}
	}
}
