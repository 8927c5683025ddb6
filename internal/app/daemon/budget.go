package daemon

import (
	"math"
	"runtime/debug"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/intake/budget"
)

// openBudget sets up the memory that clients may have held, and tells the collector how much weir needs in all.
func (d *Daemon) openBudget() {
	b := d.cfg.Config.Bounds
	cfg := budget.ForMachine(budget.Config{Total: b.HeldTotal, Client: b.HeldClient}, b.Frame, len(d.cfg.Config.Clients) > 0)
	d.budget = budget.New(cfg)
	if debug.SetMemoryLimit(-1) == math.MaxInt64 { // GOMEMLIMIT has not said otherwise
		debug.SetMemoryLimit(cfg.MemoryLimit())
	}
	d.cfg.Log.Debug("memory that clients may have held", "total", cfg.Total, "client", cfg.Client)
}

// messageBudget is the memory for messages of MCP and questions of shims. Those are held whole before they go on, so where weir only
// observes, and must not fail them, they may pass the bound. Each has a bound of its own.
func (d *Daemon) messageBudget() *budget.Budget {
	if d.cfg.Config.Enforcement == config.Observe {
		return d.budget.Lenient()
	}
	return d.budget
}
