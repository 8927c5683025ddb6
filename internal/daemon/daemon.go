// Package daemon is the running weir: it puts the parts together, keeps the policy up to date and shuts down in order.
package daemon

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/weir-gate/weir/internal/audit"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/config"
	"github.com/weir-gate/weir/internal/dialect"
	"github.com/weir-gate/weir/internal/dialect/anthropic"
	"github.com/weir-gate/weir/internal/dialect/bedrock"
	"github.com/weir-gate/weir/internal/dialect/bundle"
	"github.com/weir-gate/weir/internal/dialect/gemini"
	"github.com/weir-gate/weir/internal/dialect/ollama"
	"github.com/weir-gate/weir/internal/dialect/openaichat"
	"github.com/weir-gate/weir/internal/dialect/openairesponses"
	"github.com/weir-gate/weir/internal/door/llm"
	"github.com/weir-gate/weir/internal/gate"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/limit"
	"github.com/weir-gate/weir/internal/price"
	"github.com/weir-gate/weir/internal/store"
	"github.com/weir-gate/weir/internal/yamlfile"
)

// Config sets up a Daemon.
type Config struct {
	Config *config.Config
	// Policy is read at the start, on SIGHUP, and when its file has changed.
	Policy PolicySource
	Log    *slog.Logger // nil: no log
	// PollEvery is how often the policy's file is looked at; 0: twice a second. A change counts when two looks in a row
	// have seen it.
	PollEvery time.Duration
}

// A Daemon is a weir that listens.
type Daemon struct {
	cfg      Config
	store    *store.Store
	recorder *audit.Recorder
	prices   *price.Table
	budgets  *limit.Budgets
	policy   *livePolicy
	door     *llm.Door
	tls      *tls.Config
	listener net.Listener
	hangup   chan os.Signal // SIGHUP: reload the policy
}

// formats are the wire formats that are built. Answers that hold several responses are looked at first.
func formats() []dialect.Format {
	single := []dialect.Format{anthropic.Format(), openaichat.Format(), openairesponses.Format(), gemini.Format(), ollama.Format(), bedrock.Format()}
	return append([]dialect.Format{bundle.Format(single...)}, single...)
}

// formatOf names the format of the upstreams that are built in. Of others the requests and answers tell.
var formatOf = map[string]string{
	"anthropic": anthropic.Name, "openai": openaichat.Name, "gemini": gemini.Name, "xai": openaichat.Name,
	"mistral": openaichat.Name, "groq": openaichat.Name, "deepseek": openaichat.Name, "openrouter": openaichat.Name,
	"ollama": ollama.Name,
}

// Start opens the store and the port. Nothing is served before Run. From here on SIGHUP does not end the process any more.
func Start(ctx context.Context, cfg Config) (_ *Daemon, err error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.PollEvery == 0 {
		cfg.PollEvery = time.Second / 2
	}
	d := &Daemon{cfg: cfg}
	defer func() {
		if err != nil {
			d.close()
		}
	}()
	if d.policy, err = loadPolicy(cfg); err != nil {
		return nil, err
	}
	if d.tls, err = ServerTLS(cfg.Config); err != nil {
		return nil, err
	}
	if d.listener, err = listen(cfg.Config.Listen); err != nil {
		return nil, err
	}
	if d.store, err = store.Open(ctx, cfg.Config.Store.URL); err != nil {
		return nil, err
	}
	d.recorder = audit.NewRecorder(audit.Config{
		Store:   d.store,
		OnError: func(err error) { cfg.Log.Error("record", "err", err) },
	})
	d.policy.recorder = d.recorder
	if d.prices, err = Prices(cfg.Config); err != nil {
		return nil, err
	}
	if d.budgets, err = limit.NewBudgets(ctx, limit.BudgetsConfig{Ledger: d.store, Now: time.Now()}); err != nil {
		return nil, err
	}
	if d.door, err = d.newDoor(); err != nil {
		return nil, err
	}
	d.hangup = make(chan os.Signal, 1)
	signal.Notify(d.hangup, syscall.SIGHUP)
	return d, nil
}

// listen says what to do when the port is taken.
func listen(address string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("listen on %s: the port is taken; is weir running already? Else set listen to another port", address)
	}
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w; correct listen", address, err)
	}
	return l, nil
}

// ServerTLS loads the certificate that a configuration names; nil if it names none.
func ServerTLS(cfg *config.Config) (*tls.Config, error) {
	if cfg.TLS.Cert == "" {
		return nil, nil
	}
	cert, err := tls.LoadX509KeyPair(cfg.TLS.Cert, cfg.TLS.Key)
	if err != nil {
		return nil, fmt.Errorf("load tls.cert and tls.key: %w; let them name a certificate and its key, both in PEM", err)
	}
	return &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}, nil
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

// newDoor builds the way from the door to the judge.
func (d *Daemon) newDoor() (*llm.Door, error) {
	c := d.cfg.Config
	host, _, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return nil, fmt.Errorf("read listen: %w", err)
	}
	j := judge.New(judge.Config{
		Policy: d.policy.current, Recorder: d.recorder, Memory: d.store, Record: d.store, Mode: judge.Mode(c.Enforcement),
		Rates: limit.NewRates(limit.RatesConfig{}), Budgets: d.budgets, Prices: d.prices,
		RecordLater: !c.Audit.BeforeRelease, WarnArguments: int(c.Bounds.WarnArguments),
	})
	g := gate.New(gate.Config{Judge: j, MaxHold: c.Bounds.Hold, Held: gate.NewBudget(c.Bounds.HeldTotal)})
	upstreams := map[string]llm.Upstream{}
	for name, u := range c.Upstreams {
		upstreams[name] = llm.Upstream{URL: u.URL, Key: u.Key, Changes: u.Changes, Format: formatOf[name]}
	}
	var clients []llm.Client
	for _, k := range c.Clients {
		clients = append(clients, llm.Client{
			Key: k.Key, Actor: call.Actor{Org: k.Org, Team: k.Team, Employee: k.Employee, Key: k.Name},
		})
	}
	return llm.New(llm.Config{
		Gate: g, Judge: j, Strip: c.Inbound == config.Strip, Formats: formats(), Upstreams: upstreams, Clients: clients, Hosts: append(certificateHosts(d.tls), host),
		Bounds: llm.Bounds{Frame: int(c.Bounds.Frame), Arguments: int(c.Bounds.Arguments)},
		Drop:   c.OnDeny == config.Drop, Observe: c.Enforcement == config.Observe, Log: d.cfg.Log, Memory: d.store,
	})
}

// certificateHosts are the names by which clients may call a weir with this certificate.
func certificateHosts(c *tls.Config) []string {
	if c == nil || len(c.Certificates) == 0 || c.Certificates[0].Leaf == nil {
		return nil
	}
	leaf := c.Certificates[0].Leaf
	hosts := slices.Clone(leaf.DNSNames)
	for _, ip := range leaf.IPAddresses {
		hosts = append(hosts, ip.String())
	}
	return hosts
}

// Address is where the daemon listens.
func (d *Daemon) Address() string { return d.listener.Addr().String() }

// Run serves until ctx ends, and then lets open responses come to their end.
func (d *Daemon) Run(ctx context.Context) error {
	defer d.close()
	watching, stop := context.WithCancel(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		d.policy.watch(watching, d.hangup)
	}()
	err := llm.NewServer(llm.ServerConfig{Door: d.door, TLS: d.tls}).Serve(ctx, d.listener)
	stop()
	<-watched
	return err
}

// lastWrites is how long the record may take to become durable when weir ends.
const lastWrites = 10 * time.Second

// close ends what was begun, in the order in which the parts need each other.
func (d *Daemon) close() {
	if d.hangup != nil {
		signal.Stop(d.hangup)
	}
	if d.listener != nil {
		d.listener.Close() //nolint:errcheck // the server may have closed it
	}
	if d.recorder != nil {
		ctx, cancel := context.WithTimeout(context.Background(), lastWrites)
		defer cancel()
		if err := d.recorder.Close(ctx); err != nil {
			d.cfg.Log.Error("close the record", "err", err)
		}
	}
	if d.store != nil {
		if err := d.store.Close(); err != nil {
			d.cfg.Log.Error("close the store", "err", err)
		}
	}
}
