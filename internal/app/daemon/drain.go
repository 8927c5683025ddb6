package daemon

import (
	"context"
	"net/http"
	"time"
)

// drainSays is how often the log says how many responses are still open when weir ends.
const drainSays = 5 * time.Second

// cutAfter is how much later than drain what is left is cut: first the log says so.
const cutAfter = time.Second

// endInOrder ends the serving, when ctx ends: first weir says that it is not ready any more, then it accepts no more requests, then
// open exchanges go on for as long as they may, and only then the sessions end. Each of these is a function.
func (d *Daemon) endInOrder(ctx context.Context, stopAccepting, endSessions func()) {
	<-ctx.Done()
	d.ending.Store(true)
	c := d.cfg.Config
	if c.DrainNotice > 0 {
		d.cfg.Log.Info("not ready any more; requests are still taken", "for", c.DrainNotice)
		d.wait(c.DrainNotice)
	}
	stopAccepting()
	d.drainExchanges(c.Drain)
	d.closeGateway() // MCP clients leave their streams open for as long as they run, so these are not waited for
	endSessions()
}

// wait waits for a time, or until weir has failed to serve.
func (d *Daemon) wait(long time.Duration) {
	select {
	case <-time.After(long):
	case <-d.failed:
	}
}

// drainExchanges waits for open exchanges, and says how it goes.
func (d *Daemon) drainExchanges(within time.Duration) {
	open := d.exchanges.Count()
	if open == 0 {
		return
	}
	d.cfg.Log.Info("draining: no more requests are taken, and open responses go on", "open", open, "within", within)
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	for began := time.Now(); ; {
		part, cancel := context.WithTimeout(ctx, drainSays)
		err := d.exchanges.Wait(part)
		cancel()
		switch {
		case err == nil:
			d.cfg.Log.Info("drained: all responses have ended", "took", time.Since(began).Round(time.Millisecond))
			return
		case ctx.Err() != nil:
			d.cfg.Log.Warn("not drained: open responses are cut", "open", d.exchanges.Count(), "after", within)
			return
		}
		d.cfg.Log.Info("still draining", "open", d.exchanges.Count(), "left", (within - time.Since(began)).Round(time.Second))
	}
}

// counted counts the exchanges that are waited for when weir ends. A client of MCP leaves a stream open for messages that may never
// come: it does not count.
func (d *Daemon) counted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && isMCPPath(r.URL.Path) {
			next.ServeHTTP(w, r)
			return
		}
		if d.exchanges.Enter() {
			defer d.exchanges.Leave()
		}
		next.ServeHTTP(w, r)
	})
}
