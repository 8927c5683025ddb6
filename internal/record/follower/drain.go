package follower

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/recordlog"
)

// A transaction of the store has at most so many events and bytes of text, unless they were recorded together.
const (
	maxEvents = 2000
	maxBytes  = 8 << 20
)

// Drained is what was found in a folder of logs.
type Drained struct {
	Events   int      // that were stored now
	Live     []string // the logs that other processes write
	Troubles []error  // events that cannot be stored; they are not lost, and the errors say where they are
}

// Drain stores what processes that have ended left in their logs, and removes those logs.
func Drain(ctx context.Context, s Store, folder string) (d Drained, err error) {
	found, err := recordlog.Find(folder)
	if err != nil {
		return d, err
	}
	for _, log := range found {
		switch {
		case log.Live:
			d.Live = append(d.Live, log.Folder)
		case err != nil:
			log.Leave()
		default:
			err = d.drain(ctx, s, log)
		}
	}
	return d, err
}

// drain stores what is in one log.
func (d *Drained) drain(ctx context.Context, s Store, log recordlog.Found) error {
	l := leftover{feeder: newFeeder(s), log: log.Folder, drained: d}
	err := l.readAll(ctx)
	var damage *recordlog.Damage
	if errors.As(err, &damage) {
		err = l.keep(damage)
		log.Leave()
		return err
	}
	if err != nil {
		log.Leave()
		return fmt.Errorf("store what an earlier weir recorded: %w", err)
	}
	return log.Remove()
}

// A leftover is a log that is being drained.
type leftover struct {
	*feeder
	log     string
	drained *Drained
	waiting []record.Entry
	bytes   int
}

func (l *leftover) readAll(ctx context.Context) error {
	for g, err := range recordlog.Read(l.log, 0) {
		if err != nil {
			return errors.Join(l.flush(ctx), err)
		}
		if g.Kind != recordlog.Event {
			continue
		}
		link, err := record.LinkOf(g.Text)
		if err != nil {
			return err
		}
		// Most of a log is stored already. The hash of the last event that is stored is compared with the next one's link.
		if stored, err := l.has(ctx, link); err != nil || stored {
			if err != nil {
				return err
			}
			continue
		}
		e, err := g.Entry()
		if err != nil {
			return err
		}
		l.waiting, l.bytes = append(l.waiting, e), l.bytes+len(e.Text)
		if len(l.waiting) >= maxEvents || l.bytes >= maxBytes {
			if err := l.flush(ctx); err != nil {
				return err
			}
		}
	}
	return l.flush(ctx)
}

func (l *leftover) flush(ctx context.Context) error {
	if len(l.waiting) == 0 {
		return nil
	}
	unfit, err := l.feed(ctx, l.waiting)
	if err != nil {
		return err
	}
	l.drained.Events += len(l.waiting) - len(unfit)
	l.waiting, l.bytes = nil, 0
	if len(unfit) == 0 {
		return nil
	}
	err = setAside(l.log, unfit)
	var aside *SetAside
	if errors.As(err, &aside) {
		l.drained.Troubles = append(l.drained.Troubles, aside)
		return nil
	}
	return err
}

// keep moves a damaged log out of the way. What could be read of it is stored.
func (l *leftover) keep(damage *recordlog.Damage) error {
	to := filepath.Join(filepath.Dir(l.log), recordlog.DamagedBegins+filepath.Base(l.log))
	if err := os.Rename(l.log, to); err != nil {
		return fmt.Errorf("keep a damaged log: %w", err)
	}
	l.drained.Troubles = append(l.drained.Troubles, fmt.Errorf("%w. What comes before it is stored; the log is now %s", damage, to))
	return nil
}
