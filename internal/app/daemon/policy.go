package daemon

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/files"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/recorder"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// A PolicySource says where a policy comes from.
type PolicySource struct {
	Path string // the file or folder that is watched, with what it extends
	// Inline says that the file is the configuration, and contains the policy.
	Inline bool
	// Own are the files of the weir that uses the policy: see policy.Sources. Those of a policy inside another file are not known.
	Own []string
	// Parse parses the policy in the file's content; nil: the path is that of a policy.
	Parse func(data []byte) (*policy.Policy, error)
}

// Load reads the policy once.
func (s PolicySource) Load() (*policy.Policy, error) { return s.parse(s.read()) }

func (s PolicySource) read() content {
	if s.Parse == nil {
		sources, err := files.Read(s.Path)
		sources.Own = s.Own
		return content{sources, err}
	}
	data, err := yamlfile.ReadFile(s.Path)
	if err != nil {
		err = fmt.Errorf("read policy: %w; correct the path, or write the policy there", err)
	}
	return content{policy.Sources{Files: []policy.Text{{Name: s.Path, Data: data}}}, err}
}

func (s PolicySource) parse(c content) (*policy.Policy, error) {
	if c.err != nil {
		return nil, c.err
	}
	if s.Parse == nil {
		return policy.ParseSources(c.sources)
	}
	return s.Parse(c.sources.Files[0].Data)
}

// livePolicy is the policy in force. A new policy replaces it at once and as a whole, unless the new one is invalid.
type livePolicy struct {
	cfg      Config
	recorder *recorder.Recorder
	onChange func(*policy.Policy) // is called with a new policy; nil: nothing is called
	policy   atomic.Pointer[policy.Policy]
	sources  atomic.Pointer[policy.Sources] // of the policy in force
	trouble  atomic.Pointer[string]         // why the current content of the file is not in force; nil: it is valid
	judged   content                        // the content of the file when it was last parsed
	seen     content                        // its content at the last look
}

// content is the result of reading the files of a policy.
type content struct {
	sources policy.Sources
	err     error
}

func (c content) equal(other content) bool {
	if c.err != nil || other.err != nil {
		return c.err != nil && other.err != nil && c.err.Error() == other.err.Error()
	}
	same := func(a, b policy.Text) bool {
		return a.Name == b.Name && a.Trouble == b.Trouble && bytes.Equal(a.Data, b.Data)
	}
	return slices.EqualFunc(c.sources.Files, other.sources.Files, same) && slices.EqualFunc(c.sources.Bases, other.sources.Bases, same)
}

// loadPolicy loads the first policy. If that fails, there is no older policy to use.
func loadPolicy(cfg Config) (*livePolicy, error) {
	c := cfg.Policy.read()
	p, err := cfg.Policy.parse(c)
	if err != nil {
		return nil, err
	}
	l := &livePolicy{cfg: cfg, judged: c, seen: c}
	l.policy.Store(p)
	l.sources.Store(&c.sources)
	return l, nil
}

func (l *livePolicy) current() *policy.Policy { return l.policy.Load() }

// inForce returns the source and version of the policy in force.
func (l *livePolicy) inForce() control.PolicyInForce {
	in := control.PolicyInForce{Source: l.cfg.Policy.Path, Version: l.current().Version()}
	if whole, err := filepath.Abs(in.Source); err == nil {
		in.Source = whole // it does not depend on the current folder
	}
	if trouble := l.trouble.Load(); trouble != nil {
		in.Trouble = *trouble
	}
	return in
}

// reloads are the ways in which weir is told to read its files again.
type reloads struct {
	told  <-chan os.Signal    // SIGHUP
	asked <-chan chan<- error // by a command, which waits for what came of it
	// reread reads the configuration, and says why it cannot be used.
	reread func() error
}

// watch records the policy in force, and reloads it on SIGHUP and when its file changes, until ctx ends. It also rereads the
// configuration: on SIGHUP, when its file or a file with clients changes, when it is asked to, and together with a policy that is part of
// it.
func (l *livePolicy) watch(ctx context.Context, by reloads) {
	l.record(l.current())
	// It compares the content, not times or file events: this works with every editor, mount and symbolic link.
	tick := time.NewTicker(l.cfg.PollEvery)
	defer tick.Stop()
	var own []string // the files of the configuration
	if l.cfg.ConfigPath != "" && !l.cfg.Policy.Inline {
		own = []string{l.cfg.ConfigPath}
	}
	settings, clients := watch(append(own, l.cfg.Config.KeyFiles()...)...), watchClients(l.cfg.Config.ClientFiles)
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			loaded, changed, joined := l.look(), settings.changed(), clients.changed()
			if l.cfg.Policy.Inline && loaded || changed || joined {
				_ = by.reread() // it is logged
			}
		case done := <-by.asked:
			settings.judge()
			clients.judge()
			done <- by.reread()
		case <-by.told:
			settings.judge()
			clients.judge()
			l.cfg.Log.Info("reload policy", "why", "SIGHUP", "file", l.cfg.Policy.Path)
			if l.reload(l.cfg.Policy.read()) || !l.cfg.Policy.Inline {
				_ = by.reread() // it is logged
			}
		}
	}
}

// look reloads the policy if its file has changed, but has not changed since the last look. The first half of a file that is being
// written may be a valid policy that lacks important rules. look says whether a policy was loaded.
func (l *livePolicy) look() bool {
	c := l.cfg.Policy.read()
	settled := c.equal(l.seen)
	l.seen = c
	return settled && !c.equal(l.judged) && l.reload(c)
}

// reload puts a policy in force, and says whether it is valid.
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
	l.sources.Store(&c.sources)
	l.record(p)
	if l.onChange != nil {
		l.onChange(p)
	}
	l.cfg.Log.Info("policy loaded", "file", l.cfg.Policy.Path, "version", p.Version(), "rules", p.Len())
	return true
}

func (l *livePolicy) record(p *policy.Policy) {
	l.recorder.Record(record.Event{
		Time: time.Now(), Type: record.Types.PolicyLoaded, Ruling: record.Ruling{PolicyVersion: p.Version()},
		Detail: record.PolicyLoaded{
			Source: l.cfg.Policy.Path, Rules: p.Len(), Enforcement: string(l.cfg.Config.Enforcement),
		},
	}, nil)
}
