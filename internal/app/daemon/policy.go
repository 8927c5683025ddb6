package daemon

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/recorder"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// A PolicySource is where a policy comes from.
type PolicySource struct {
	Path string // the file that is watched
	// Inline says that the file is the configuration, with the policy in it.
	Inline bool
	// Parse makes a policy of the file's content.
	Parse func(data []byte) (*policy.Policy, error)
}

// Load reads the policy once.
func (s PolicySource) Load() (*policy.Policy, error) { return s.parse(s.read()) }

func (s PolicySource) read() content {
	data, err := yamlfile.ReadFile(s.Path)
	if err != nil {
		err = fmt.Errorf("read policy: %w; correct the path, or write the policy there", err)
	}
	return content{data, err}
}

func (s PolicySource) parse(c content) (*policy.Policy, error) {
	if c.err != nil {
		return nil, c.err
	}
	return s.Parse(c.data)
}

// livePolicy is the policy in force. A new one takes its place at once and as a whole; a bad new one does not.
type livePolicy struct {
	cfg      Config
	recorder *recorder.Recorder
	onChange func(*policy.Policy) // is told of a new policy; nil: nobody is
	policy   atomic.Pointer[policy.Policy]
	text     atomic.Pointer[[]byte] // of the policy, as it was read
	trouble  atomic.Pointer[string] // why the file, as it is now, is not in force; nil: nothing is wrong with it
	judged   content                // what the file held when it was last made a policy, or could not be
	seen     content                // what it held at the last look
}

// content is what reading a file gave.
type content struct {
	data []byte
	err  error
}

func (c content) equal(other content) bool {
	if c.err != nil || other.err != nil {
		return c.err != nil && other.err != nil && c.err.Error() == other.err.Error()
	}
	return bytes.Equal(c.data, other.data)
}

// loadPolicy loads the first policy. There is none to fall back to.
func loadPolicy(cfg Config) (*livePolicy, error) {
	c := cfg.Policy.read()
	p, err := cfg.Policy.parse(c)
	if err != nil {
		return nil, err
	}
	l := &livePolicy{cfg: cfg, judged: c, seen: c}
	l.policy.Store(p)
	l.text.Store(&c.data)
	return l, nil
}

func (l *livePolicy) current() *policy.Policy { return l.policy.Load() }

// inForce is the policy in force, for those who ask which it is.
func (l *livePolicy) inForce() control.PolicyInForce {
	in := control.PolicyInForce{Source: l.cfg.Policy.Path, Version: l.current().Version()}
	if whole, err := filepath.Abs(in.Source); err == nil {
		in.Source = whole // it means the same in every folder
	}
	if trouble := l.trouble.Load(); trouble != nil {
		in.Trouble = *trouble
	}
	return in
}

// watch records the policy in force, and reloads it when its file changes or when told to, until ctx ends. The configuration is
// reread when told to, and with a policy that stands in it.
func (l *livePolicy) watch(ctx context.Context, told <-chan os.Signal, rereadConfig func()) {
	l.record(l.current())
	// The content is compared, not times or events: that works with every editor, mount and symbolic link.
	tick := time.NewTicker(l.cfg.PollEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if l.look() && l.cfg.Policy.Inline {
				rereadConfig()
			}
		case <-told:
			l.cfg.Log.Info("reload policy", "why", "SIGHUP", "file", l.cfg.Policy.Path)
			if l.reload(l.cfg.Policy.read()) || !l.cfg.Policy.Inline {
				rereadConfig()
			}
		}
	}
}

// look reloads the policy if its file has changed, and has not changed since the look before. The first half of a file
// that is being written may well be a policy, and lack the rules that matter. It says whether the file was read anew.
func (l *livePolicy) look() bool {
	c := l.cfg.Policy.read()
	settled := c.equal(l.seen)
	l.seen = c
	return settled && !c.equal(l.judged) && l.reload(c)
}

// reload puts a policy in force, and says whether it could be read.
func (l *livePolicy) reload(c content) bool {
	l.judged, l.seen = c, c
	p, err := l.cfg.Policy.parse(c)
	if err != nil {
		l.cfg.Log.Error("the new policy cannot be loaded; the old one stays in force", "file", l.cfg.Policy.Path,
			"version", l.current().Version(), "err", err)
		text := err.Error()
		l.trouble.Store(&text)
		return false
	}
	l.trouble.Store(nil)
	if p.Version() == l.current().Version() {
		l.cfg.Log.Info("policy unchanged", "file", l.cfg.Policy.Path, "version", p.Version())
		return true
	}
	l.policy.Store(p)
	l.text.Store(&c.data)
	l.record(p)
	if l.onChange != nil {
		l.onChange(p)
	}
	l.cfg.Log.Info("policy loaded", "file", l.cfg.Policy.Path, "version", p.Version(), "rules", p.Len())
	return true
}

func (l *livePolicy) record(p *policy.Policy) {
	l.recorder.Record(record.Event{
		Time: time.Now(), Type: record.TypePolicyLoaded, Ruling: record.Ruling{PolicyVersion: p.Version()},
		Detail: record.PolicyLoaded{
			Source: l.cfg.Policy.Path, Rules: p.Len(), Enforcement: string(l.cfg.Config.Enforcement),
		},
	}, nil)
}
