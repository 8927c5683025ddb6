package weirtest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/weir-gate/weir/internal/audit"
	"github.com/weir-gate/weir/internal/config"
	"github.com/weir-gate/weir/internal/daemon"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/store"
)

// A weir is a running daemon, wired as the program wires it, with a store of its own.
type weir struct {
	store   string // the path of its database
	address string
	stop    context.CancelFunc
	ended   chan error
}

const allowEverything = "version: 1\ndefault: allow\n"

// settings are what every scenario's configuration begins with.
const settings = `listen: 127.0.0.1:0
policy: policy.yaml
store: {url: "sqlite://weir.db"}
`

// startWeir starts a daemon by the scenario's configuration and policy.
func startWeir(t *testing.T, s *scenario, upstream string) (*weir, error) {
	t.Helper()
	dir := t.TempDir()
	w := &weir{store: filepath.Join(dir, "weir.db"), ended: make(chan error, 1)}
	policyPath := filepath.Join(dir, "policy.yaml")
	policyText := s.text("policy.yaml", none)
	if policyText == "" {
		policyText = allowEverything
	}
	if err := os.WriteFile(policyPath, []byte(policyText), 0o600); err != nil {
		return nil, err
	}
	text := settings + s.text("weir.yaml", none)
	env := func(name string) (string, bool) { return upstream, name == "UPSTREAM" }
	cfg, err := config.Parse(filepath.Join(dir, "weir.yaml"), []byte(text), env)
	if err != nil {
		return nil, fmt.Errorf("weir.yaml: %w", err)
	}
	if err := redirect(cfg, upstream); err != nil {
		return nil, err
	}
	d, err := daemon.Start(t.Context(), daemon.Config{
		Config: cfg,
		Policy: daemon.PolicySource{Path: policyPath, Parse: func(data []byte) (*policy.Policy, error) {
			return policy.Parse("policy.yaml", data)
		}},
	})
	if err != nil {
		return nil, fmt.Errorf("start weir: %w", err)
	}
	var ctx context.Context
	ctx, w.stop = context.WithCancel(context.WithoutCancel(t.Context()))
	w.address = d.Address()
	go func() { w.ended <- d.Run(ctx) }()
	return w, nil
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

// lost is where a database is while it is lost.
const lost = ".lost"

// loseStore moves the database away under the running daemon. It is found again when the daemon has ended.
func (w *weir) loseStore() error {
	if err := os.Rename(w.store, w.store+lost); err != nil {
		return fmt.Errorf("lose the store: %w", err)
	}
	return nil
}

// end stops the daemon, checks that its record is intact, and returns it.
func (w *weir) end(ctx context.Context) ([]audit.Entry, error) {
	w.stop()
	if err := <-w.ended; err != nil {
		return nil, fmt.Errorf("run weir: %w", err)
	}
	if err := os.Rename(w.store+lost, w.store); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("find the store again: %w", err)
	}
	r, err := store.OpenReadOnly(ctx, "sqlite://"+w.store)
	if err != nil {
		return nil, err
	}
	defer r.Close() //nolint:errcheck // nothing was written
	report, err := audit.Verify(ctx, r)
	if err != nil {
		return nil, err
	}
	if report.Found > 0 {
		return nil, fmt.Errorf("the record is not intact: %s", report.Problems[0])
	}
	var entries []audit.Entry
	for e, err := range r.Entries(ctx, audit.Filter{}) {
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}
