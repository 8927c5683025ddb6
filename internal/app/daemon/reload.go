package daemon

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/admission"
)

// rereadConfig applies what can change while weir runs, which is who may use it, and logs the other changes. It logs only the keys
// of what changed: the values may be secrets.
func (d *Daemon) rereadConfig() {
	if d.cfg.Reread == nil {
		return
	}
	read, err := d.cfg.Reread()
	if err != nil {
		d.cfg.Log.Error("the new configuration cannot be loaded; the old one stays in force", "err", err)
		return
	}
	changed := config.Changed(d.inForce, read)
	if slices.Contains(changed, clientsKey) && d.takeClients(read.Clients) {
		changed = slices.DeleteFunc(changed, func(key string) bool { return key == clientsKey })
	}
	if len(changed) > 0 {
		d.cfg.Log.Warn("restart weir to use the new values of " + strings.Join(changed, ", "))
	}
}

const clientsKey = "clients"

// takeClients replaces the clients that the doors admit. It does not open doors that were only for clients to everyone: other
// settings, such as an upstream's key, were accepted because there are clients.
func (d *Daemon) takeClients(clients []config.Client) bool {
	if len(clients) == 0 {
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
			Key: k.Key, Actor: call.Actor{Org: k.Org, Team: k.Team, Employee: k.Employee, Key: k.Name},
			SessionHeader: k.SessionHeader,
		}
	}
	return out
}
