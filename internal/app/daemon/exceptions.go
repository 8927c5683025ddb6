package daemon

import (
	"context"
	"errors"
	"fmt"

	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/call"
)

// exceptions implements control.Exceptions.
type exceptions struct{ d *Daemon }

// errInside says that a session asked for what only a person may do.
var errInside = errors.New("a session cannot change its policy")

// Allowed implements control.Exceptions.
func (x exceptions) Allowed(ctx context.Context, who call.Actor, a control.Allowance) error {
	if x.d.sessions.find(who.Session) != nil {
		return errInside
	}
	recorded := make(chan error, 1)
	x.d.recorder.Record(a.Event(), func(err error) { recorded <- err })
	select {
	case err := <-recorded:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Take implements control.Exceptions. The policy of a session is fixed: only the exact text that a person has agreed to replaces it, and
// only if the exception was written for the policy that the session has.
func (x exceptions) Take(who call.Actor, t control.Taking) error {
	if x.d.sessions.find(who.Session) != nil {
		return errInside
	}
	found := x.d.sessions.find(t.Session)
	if found == nil {
		return errors.New("there is no such session any more")
	}
	was := found.policy.Load()
	if was.Version() != t.Was || found.sources == nil {
		return fmt.Errorf("the session has another policy, version %s; the exception counts for the next one", was.Version())
	}
	changed, err := PolicySource{Path: found.source, Own: x.d.cfg.Policy.Own}.Load()
	if err != nil {
		return err
	}
	if changed.Version() != t.Version {
		return errors.New("the policy was changed meanwhile")
	}
	if !found.policy.CompareAndSwap(was, changed) {
		return errors.New("the session has another policy by now")
	}
	x.d.cfg.Log.Info("a session has a policy with another exception", "session", found.id, "version", changed.Version())
	return nil
}
