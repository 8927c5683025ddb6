package daemon

import (
	"math"
	"runtime/debug"

	"github.com/weir-gate/weir/internal/budget"
)

// openBudget sets up the memory that clients may have held, and tells the collector how much weir needs in all.
func (d *Daemon) openBudget() {
	b := d.cfg.Config.Bounds
	cfg := budget.ForMachine(budget.Config{Total: b.HeldTotal, Client: b.HeldClient}, b.Frame)
	d.budget = budget.New(cfg)
	if debug.SetMemoryLimit(-1) == math.MaxInt64 { // GOMEMLIMIT has not said otherwise
		debug.SetMemoryLimit(cfg.MemoryLimit())
	}
	d.cfg.Log.Debug("memory that clients may have held", "total", cfg.Total, "client", cfg.Client)
}
