package daemon

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/weir-gate/weir/internal/audit"
	"github.com/weir-gate/weir/internal/policy"
)

// A PolicySource is where a policy comes from.
type PolicySource struct {
	Path string // the file that is watched
	// Parse makes a policy of the file's content.
	Parse func(data []byte) (*policy.Policy, error)
}

// Load reads the policy once.
func (s PolicySource) Load() (*policy.Policy, error) {
	data, err := s.read()
	if err != nil {
		return nil, err
	}
	return s.Parse(data)
}

func (s PolicySource) read() ([]byte, error) {
	data, err := os.ReadFile(s.Path)
	if err != nil {
		return nil, fmt.Errorf("read policy: %w; correct the path, or write the policy there", err)
	}
	return data, nil
}

// livePolicy is the policy in force. A new one takes its place at once and as a whole; a bad new one does not.
type livePolicy struct {
	cfg      Config
	recorder *audit.Recorder
	policy   atomic.Pointer[policy.Policy]
	seen     []byte // the file's content when it was last read
	trouble  string // why it could not be read then, so that it is not reported every second
}

// loadPolicy loads the first policy. There is none to fall back to.
func loadPolicy(cfg Config) (*livePolicy, error) {
	data, err := cfg.Policy.read()
	if err != nil {
		return nil, err
	}
	p, err := cfg.Policy.Parse(data)
	if err != nil {
		return nil, err
	}
	l := &livePolicy{cfg: cfg, seen: data}
	l.policy.Store(p)
	return l, nil
}

func (l *livePolicy) current() *policy.Policy { return l.policy.Load() }

// watch records the policy in force, and reloads it when its file changes or when told to, until ctx ends.
func (l *livePolicy) watch(ctx context.Context, told <-chan os.Signal) {
	l.record(l.current())
	// The content is compared, not times or events: that works with every editor, mount and symbolic link.
	tick := time.NewTicker(l.cfg.PollEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-told:
			l.cfg.Log.Info("reload policy", "why", "SIGHUP", "file", l.cfg.Policy.Path)
			l.seen, l.trouble = nil, ""
		}
		l.reload()
	}
}

func (l *livePolicy) reload() {
	data, err := l.cfg.Policy.read()
	if err == nil && bytes.Equal(data, l.seen) {
		return
	}
	l.seen = data
	var p *policy.Policy
	if err == nil {
		p, err = l.cfg.Policy.Parse(data)
	}
	if err != nil {
		l.complain(err)
		return
	}
	l.trouble = ""
	if p.Version() == l.current().Version() {
		return
	}
	l.policy.Store(p)
	l.record(p)
	l.cfg.Log.Info("policy loaded", "file", l.cfg.Policy.Path, "version", p.Version(), "rules", p.Len())
}

func (l *livePolicy) complain(err error) {
	if text := err.Error(); text != l.trouble {
		l.trouble = text
		l.cfg.Log.Error("the new policy cannot be loaded; the old one stays in force", "file", l.cfg.Policy.Path,
			"version", l.current().Version(), "err", text)
	}
}

func (l *livePolicy) record(p *policy.Policy) {
	l.recorder.Record(audit.Event{
		Time: time.Now(), Type: audit.TypePolicyLoaded, PolicyVersion: p.Version(),
		Detail: audit.PolicyLoaded{
			Source: l.cfg.Policy.Path, Rules: p.Len(), Enforcement: string(l.cfg.Config.Enforcement),
		},
	}, func(error) {})
}
