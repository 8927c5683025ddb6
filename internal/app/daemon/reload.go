package daemon

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/admission"
)

// rereadConfig takes over what can change while weir runs, which is who may use it, and names the rest. Neither says more of
// what changed than its key: there are secrets among it.
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

// takeClients has the door admit other clients from now on. It does not open a door that was for clients only: other settings,
// such as an upstream's key, were accepted because of them.
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

// admitted are the clients as the doors know them.
func admitted(clients []config.Client) []admission.Client {
	out := make([]admission.Client, len(clients))
	for i, k := range clients {
		out[i] = admission.Client{Key: k.Key, Actor: call.Actor{Org: k.Org, Team: k.Team, Employee: k.Employee, Key: k.Name},
			SessionHeader: k.SessionHeader}
	}
	return out
}
