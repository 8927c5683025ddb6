package daemon

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"time"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/follower"
	"github.com/weir-gate/weir/internal/record/home"
	"github.com/weir-gate/weir/internal/record/recorder"
)

// usualBehind is how far the store may be behind the log, in bytes, unless the record itself may be larger.
const usualBehind = 4 << 30

// openRecord begins the record of this process: its log, which calls wait for, and what follows it. Before that, the store gets what
// earlier processes left in their logs: budgets and rulings are read from there.
func (d *Daemon) openRecord(ctx context.Context) error {
	c := d.cfg.Config
	if err := d.drain(ctx); err != nil {
		return err
	}
	d.memory = judge.NewRulings(d.store, d.settled)
	var err error
	d.follower, err = d.store.Follow(follower.Config{
		MaxBehind: max(c.Audit.MaxSize, usualBehind),
		OnLogged:  d.memory.Logged, OnStored: d.stored, OnCommit: d.out.metrics.StoreCommitted,
		OnError: func(err error) { d.cfg.Log.Error("store", "err", err) },
	})
	if err != nil {
		return err
	}
	d.recorder = recorder.New(recorder.Config{
		Store: d.follower, Share: d.follower.Shared, ShareAll: c.Audit.Release == config.Shipped,
		Sinks: d.out.sinks, OnCommit: d.out.metrics.AuditCommitted,
		OnError: func(err error) { d.cfg.Log.Error("record", "err", err) },
		OnLost: func(events int) {
			d.out.metrics.AuditLost(events)
			if sum := d.lost.add(events); sum > 0 {
				d.cfg.Log.Error("events are not recorded and are lost", "events", sum)
			}
		},
	})
	return nil
}

// openHome opens the record. Without a state folder, logs for a server are where the key is.
func (d *Daemon) openHome(ctx context.Context) (*home.Home, error) {
	state := d.cfg.StateDir
	if state == "" {
		state = filepath.Dir(d.cfg.Config.Audit.Key)
	}
	told := time.Now()
	return home.Open(ctx, home.Config{
		URL: d.cfg.Config.Store.URL, StateDir: state,
		OnError: func(err error) { d.cfg.Log.Error("record", "err", err) },
		OnMoved: func(done, all int64) {
			if done == all || time.Since(told) > time.Second {
				told = time.Now()
				d.cfg.Log.Info("moving the events of an earlier version into a log", "events", done, "of", all)
			}
		},
	})
}

// drain stores what earlier processes left.
func (d *Daemon) drain(ctx context.Context) error {
	drained, err := d.store.Drain(ctx)
	if drained.Events > 0 {
		d.cfg.Log.Info("stored what an earlier weir had recorded", "events", drained.Events)
	}
	for _, trouble := range drained.Troubles {
		d.cfg.Log.Error("store what an earlier weir had recorded", "err", trouble)
	}
	return err
}

// settled says that the store has everything.
func (d *Daemon) settled() bool {
	waiting, _ := d.recorder.Waiting()
	return waiting == 0 && d.recorder.Trouble() == nil && d.follower.Behind().Bytes == 0
}

// stored tells who needs to know what the store has by now. The custodian signs only that, so that a checkpoint is never ahead of the
// store: others verify it, too.
func (d *Daemon) stored(entries []record.Entry) {
	d.memory.Stored(entries)
	d.custodian.StoredEntries(entries)
}

// closeFollower stores what is still only in the log, and returns whether the store has all of it.
func (d *Daemon) closeFollower() bool {
	ctx, cancel := context.WithTimeout(context.Background(), lastStored)
	defer cancel()
	if err := d.follower.Close(ctx); err != nil {
		d.cfg.Log.Error("close the record", "err", err)
	}
	return d.follower.Behind().Bytes == 0
}

// closeCustodian signs what the store has. If that is not all, the chain stays open for the rest.
func (d *Daemon) closeCustodian(ctx context.Context, stored bool) {
	end := d.custodian.Close
	if !stored {
		end = d.custodian.Leave
	}
	if err := end(ctx); err != nil {
		d.cfg.Log.Error("vouch for the record", "err", err)
	}
}

// readyWithin is how long the check of the store may take when a client asks whether weir is ready.
const readyWithin = 3 * time.Second

// unreadySays is what the log says when a client asks and the record or the store fails.
var unreadySays = map[int]string{
	http.StatusServiceUnavailable: "not ready",
	http.StatusOK:                 "ready, but the store is unavailable",
}

// ready responds whether calls can be judged and recorded. A running weir always has a policy in force. Calls are recorded in the log,
// so a store that is away for a while is only a warning.
func (d *Daemon) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), readyWithin)
	defer cancel()
	w.Header().Set("Content-Type", "application/json")
	if d.ending.Load() {
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte(`{"status":"not ready","draining":true}` + "\n")) // a client that is gone needs no response
		return
	}
	status, text := http.StatusOK, `{"status":"ready"}`
	behind := d.follower.Behind()
	err := d.recorder.Trouble()
	stored := err
	if err == nil {
		stored = d.store.CheckWritable(ctx)
	}
	switch {
	case err != nil:
		status, text = http.StatusServiceUnavailable, `{"status":"not ready","record":"unavailable"}`
	case stored == nil:
	case d.cfg.Config.Audit.Release == config.Shipped || behind.Bytes > behind.Most/10*9:
		status, text = http.StatusServiceUnavailable, `{"status":"not ready","store":"unavailable"}`
	default:
		text = fmt.Sprintf(`{"status":"ready","store":"unavailable","events_in_log":%d}`, behind.Events)
	}
	if stored != nil && d.unready.add(1) > 0 {
		d.cfg.Log.Error(unreadySays[status], "err", stored)
	}
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n")) // a client that is gone needs no response
}
