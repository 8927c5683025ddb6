package daemon

import (
	"math"
	"runtime/debug"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/intake/budget"
)

// openBudget sets up the memory that weir may hold for clients, and tells the garbage collector how much weir needs in all.
func (d *Daemon) openBudget() {
	b := d.cfg.Config.Bounds
	cfg := budget.ForMachine(budget.Config{Total: b.HeldTotal, Client: b.HeldClient}, b.Frame, d.cfg.Config.ForClients())
	d.budget = budget.New(cfg)
	if debug.SetMemoryLimit(-1) == math.MaxInt64 { // GOMEMLIMIT is not set
		debug.SetMemoryLimit(cfg.MemoryLimit())
	}
	d.cfg.Log.Debug("memory that clients may have held", "total", cfg.Total, "client", cfg.Client)
}

// messageBudget returns the memory for messages of MCP and questions of shims. They are held whole before they are forwarded. If
// weir only observes, they must not fail, so they may exceed the bound. Each message has its own bound.
func (d *Daemon) messageBudget() *budget.Budget {
	if d.cfg.Config.Enforcement == config.Observe {
		return d.budget.Lenient()
	}
	return d.budget
}
