package daemon

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/admission"
)

// rereadConfig applies what can change while weir runs: who may use it, the keys of upstreams, and the level of its log. It logs the
// other changes, but only their names: the values may be secrets. An error says why the old configuration stays in force.
func (d *Daemon) rereadConfig() error {
	if d.cfg.Reread == nil {
		return nil
	}
	read, err := d.cfg.Reread()
	if err != nil {
		d.cfg.Log.Error("the new configuration cannot be loaded; the old one stays in force", "err", err)
		return err
	}
	changed := config.Changed(d.inForce, read)
	if slices.Contains(changed, clientsKey) && d.takeClients(read.Clients) {
		changed = without(changed, clientsKey)
	}
	if slices.Contains(changed, upstreamsKey) && d.takeKeys(read.Upstreams) {
		changed = without(changed, upstreamsKey)
	}
	if slices.Contains(changed, logKey) && d.takeLevel(read.Log) {
		changed = without(changed, logKey)
	}
	if len(changed) > 0 {
		d.cfg.Log.Warn("restart weir to use the new values of " + strings.Join(changed, ", "))
	}
	return nil
}

// reloadNow has the configuration read again, and waits until that is done.
func (d *Daemon) reloadNow(ctx context.Context) control.Reloaded {
	a := control.Reloaded{ClientFiles: d.cfg.Config.ClientFiles}
	done := make(chan error, 1)
	var err error
	select {
	case d.asked <- done:
		err = <-done
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		a.Trouble = err.Error()
	}
	return a
}

// The keys whose changes can be taken over.
const (
	clientsKey   = "clients"
	upstreamsKey = "upstreams"
	logKey       = "log"
)

func without(keys []string, key string) []string {
	return slices.DeleteFunc(keys, func(k string) bool { return k == key })
}

// takeKeys replaces the keys of upstreams, if nothing else of them has changed. Whether an upstream has a key is part of the rest: it
// decides whose credentials are sent.
func (d *Daemon) takeKeys(upstreams map[string]config.Upstream) bool {
	if !maps.EqualFunc(d.inForce.Upstreams, upstreams, sameButKey) {
		return false
	}
	if err := d.door.ReplaceUpstreams(d.upstreams(upstreams)); err != nil {
		d.cfg.Log.Error("the new keys of upstreams cannot be taken over; the old ones stay", "err", err)
		return false
	}
	next := *d.inForce
	next.Upstreams = upstreams
	d.inForce = &next
	d.cfg.Log.Info("keys of upstreams replaced")
	return true
}

func sameButKey(a, b config.Upstream) bool {
	if (a.Key == "") != (b.Key == "") {
		return false
	}
	a.Key, b.Key = "", ""
	return reflect.DeepEqual(a, b)
}

// takeLevel changes the level of the log. Another form of the log needs a restart.
func (d *Daemon) takeLevel(l config.Log) bool {
	if d.cfg.Level == nil || l.Format != d.inForce.Log.Format {
		return false
	}
	d.cfg.Level.Set(l.Level)
	next := *d.inForce
	next.Log = l
	d.inForce = &next
	d.cfg.Log.Warn("the level of the log is " + l.Level.String()) // so that it is seen at every level but error
	return true
}

// takeClients replaces the clients that the doors admit. It does not open doors that were only for clients to everyone: other
// settings, such as an upstream's key, were accepted because there are clients.
func (d *Daemon) takeClients(clients []config.Client) bool {
	if len(clients) == 0 && d.inForce.ClientFiles == "" {
		return false
	}
	if err := d.admission.ReplaceClients(admitted(clients)); err != nil {
		d.cfg.Log.Error("the new clients cannot be taken over; the old ones stay", "err", err)
		return false
	}
	next := *d.inForce
	next.Clients = clients
	d.inForce = &next
	d.cfg.Log.Info("clients replaced", "clients", len(clients))
	return true
}

// admitted returns the clients in the form of the doors.
func admitted(clients []config.Client) []admission.Client {
	out := make([]admission.Client, len(clients))
	for i, k := range clients {
		out[i] = admission.Client{
			Key: k.Key, Digest: k.Digest, Expires: k.Expires, SessionHeader: k.SessionHeader,
			Actor: call.Actor{Org: k.Org, Team: k.Team, Employee: k.Employee, Key: k.Name},
		}
	}
	return out
}
