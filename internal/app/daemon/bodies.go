package daemon

import (
	"context"
	"time"

	"github.com/weir-gate/weir/internal/record/bodies"
	"github.com/weir-gate/weir/internal/text/redact"
)

// openBodies starts to store bodies, if the configuration says so.
func (d *Daemon) openBodies() (err error) {
	c := d.cfg.Config.Bodies
	if !c.Store {
		return nil
	}
	d.archive, err = bodies.New(bodies.Config{
		Store: d.store, MaxBody: int(c.MaxBody), Meter: d.out.metrics,
		Hidden: func() []*redact.Set {
			hides := d.policy.current().Hides()
			for _, p := range d.sessions.policies() {
				hides = append(hides[:len(hides):len(hides)], p.Hides()...)
			}
			return hides
		},
		OnError: func(err error) { d.cfg.Log.Error("bodies", "err", err) },
	})
	return err
}

// keepBodies removes old bodies until ctx ends. It also removes those that were stored before storing was turned off.
func (d *Daemon) keepBodies(ctx context.Context) {
	c := d.cfg.Config.Bodies
	retention := bodies.Retention{
		Store: d.store, Age: c.Retention, Size: c.MaxSize,
		OnError: func(err error) { d.cfg.Log.Error("bodies", "err", err) },
	}
	retention.Run(ctx)
}

// lastBodies is how long bodies may take to become durable when weir ends.
const lastBodies = 5 * time.Second

// closeBodies stores the waiting bodies. The record of their responses waits for this.
func (d *Daemon) closeBodies() {
	if d.archive == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), lastBodies)
	defer cancel()
	if err := d.archive.Close(ctx); err != nil {
		d.cfg.Log.Error("bodies", "err", err)
	}
}
