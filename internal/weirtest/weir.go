package weirtest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/app/daemon"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/catchup"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/store/sqlitetest"
	"github.com/weir-gate/weir/internal/record/verify"
)

// A weir is a daemon, wired as the program wires it, with a store of its own. It runs from start to end.
type weir struct {
	dir      string // of its configuration, policy and store
	upstream string
	log      weirLog

	address string
	stop    context.CancelFunc // nil: it does not run
	ended   chan error
}

func newWeir(t *testing.T, upstream string) *weir {
	t.Helper()
	w := &weir{dir: t.TempDir(), upstream: upstream, log: newLog(), ended: make(chan error, 1)}
	sqlitetest.Create(t, w.store())
	return w
}

const allowEverything = "version: 1\ndefault: allow\n"

// settings are what every scenario's configuration begins with.
const settings = `listen: 127.0.0.1:0
policy: policy.yaml
store: {url: "sqlite://weir.db"}
`

// watching is how often a policy's file is looked at that an exchange will change.
const watching = 5 * time.Millisecond

// start starts the daemon by the configuration and policy that are in force at an exchange.
func (w *weir) start(ctx context.Context, x *exchange) error {
	if err := w.writePolicy(x); err != nil {
		return err
	}
	env := func(name string) (string, bool) { return w.upstream, name == "UPSTREAM" }
	text := settings + x.inForce("weir.yaml")
	cfg, err := config.Parse(filepath.Join(w.dir, "weir.yaml"), []byte(text), env)
	if err != nil {
		return fmt.Errorf("weir.yaml: %w", err)
	}
	if err := redirect(cfg, w.upstream); err != nil {
		return err
	}
	setup := daemon.Config{
		Config: cfg,
		Policy: daemon.PolicySource{Path: w.policy(), Parse: func(data []byte) (*policy.Policy, error) {
			return policy.Parse("policy.yaml", data)
		}},
		Log: slog.New(w.log),
	}
	if x.isMCP() {
		setup.StateDir = w.stateDir()
	}
	if len(x.exchanges) > 1 {
		setup.PollEvery = watching
	}
	d, err := daemon.Start(ctx, setup)
	if err != nil {
		return fmt.Errorf("start weir: %w", err)
	}
	ctx, w.stop = context.WithCancel(context.WithoutCancel(ctx))
	w.address = d.Address()
	go func() { w.ended <- d.Run(ctx) }()
	return nil
}

func (w *weir) policy() string { return filepath.Join(w.dir, "policy.yaml") }
func (w *weir) store() string  { return filepath.Join(w.dir, "weir.db") }

// stateDir is the folder with the socket at which shims ask.
func (w *weir) stateDir() string { return filepath.Join(w.dir, "state") }

// writePolicy puts the policy of an exchange in place as a whole.
func (w *weir) writePolicy(x *exchange) error {
	text := cmp.Or(x.inForce("policy.yaml"), allowEverything)
	if err := os.WriteFile(w.policy()+".new", []byte(text), 0o600); err != nil {
		return fmt.Errorf("write the policy: %w", err)
	}
	return os.Rename(w.policy()+".new", w.policy())
}

// reload changes the policy under the running daemon and returns when the new one is in force.
func (w *weir) reload(x *exchange) error {
	if err := w.writePolicy(x); err != nil {
		return err
	}
	select {
	case <-w.log.loaded:
		return nil
	case <-time.After(patience):
		return errors.New("the policy of the exchange was not loaded: is it a new one?")
	}
}

// redirect leads the upstreams that are built in to the scripted one, each by its own path, unless the scenario's
// configuration leads them elsewhere: no scenario may reach the real ones.
func redirect(cfg *config.Config, upstream string) error {
	to, err := url.Parse(upstream)
	if err != nil {
		return fmt.Errorf("the scripted upstream: %w", err)
	}
	for name, builtIn := range config.Default("").Upstreams {
		u := cfg.Upstreams[name]
		if u.URL.String() == builtIn.URL.String() {
			u.URL = &url.URL{Scheme: to.Scheme, Host: to.Host, Path: builtIn.URL.Path}
			cfg.Upstreams[name] = u
		}
	}
	return nil
}

// lost is where a database and its log are while they are lost.
const lost = ".lost"

// places are where the record is: the log, which calls wait for, and the database.
func (w *weir) places() []string { return []string{w.store() + "-log", w.store()} }

// loseStore moves the database and its log away under the running daemon. They are found again when the daemon has ended.
func (w *weir) loseStore() error {
	for _, path := range w.places() {
		if err := os.Rename(path, path+lost); err != nil {
			return fmt.Errorf("lose the store: %w", err)
		}
	}
	return nil
}

// end stops the daemon, if it runs.
func (w *weir) end() error {
	if w.stop == nil {
		return nil
	}
	w.stop()
	w.stop = nil
	if err := <-w.ended; err != nil {
		return fmt.Errorf("run weir: %w", err)
	}
	for _, path := range w.places() {
		if err := os.Rename(path+lost, path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("find the store again: %w", err)
		}
	}
	return nil
}

// entries checks that the record of an ended daemon is intact, and returns it.
func (w *weir) entries(ctx context.Context) ([]record.Entry, error) {
	r, err := catchup.Open(ctx, catchup.Config{URL: "sqlite://" + w.store()})
	if err != nil {
		return nil, err
	}
	defer r.Close() // nothing was written
	report, err := verify.Check{Record: r}.Run(ctx)
	if err != nil {
		return nil, err
	}
	if report.Found > 0 {
		return nil, fmt.Errorf("the record is not intact: %s", report.Problems[0])
	}
	var entries []record.Entry
	for e, err := range r.Entries(ctx, query.Filter{}) {
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}
