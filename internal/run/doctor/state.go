package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"time"

	"github.com/weir-gate/weir/internal/record/home"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/store"
)

// state examines the state folder.
func (e *examination) state(context.Context) {
	if e.StateDir == "" {
		e.add(Error, text(e.NoState), "weir cannot store its record", "set HOME, or XDG_STATE_HOME")
		return
	}
	info, err := os.Stat(e.StateDir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return // weir creates it at its first start
	case err != nil:
		e.add(Error, "the state folder cannot be read: "+err.Error(), "weir stores its record there",
			"make it writable for you, or set XDG_STATE_HOME")
		return
	case !info.IsDir():
		e.add(Error, e.StateDir+" is not a folder", "weir stores its record there", "move it away, or set XDG_STATE_HOME")
		return
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		e.add(Warning, fmt.Sprintf("other users can enter the state folder %s (mode %04o)", e.StateDir, info.Mode().Perm()),
			"it has the record, the key that signs it, and weir's socket", "chmod 700 "+e.StateDir)
	}
	probe, err := os.CreateTemp(e.StateDir, ".weir-doctor-*")
	if err != nil {
		e.add(Error, "the state folder cannot be written: "+err.Error(), "weir refuses calls that it cannot record",
			"make it writable for you, or set XDG_STATE_HOME")
		return
	}
	_ = probe.Close()
	_ = os.Remove(probe.Name())
	e.space()
}

// How much free space a record needs, in bytes.
const (
	scarce = 1 << 30
	gone   = 64 << 20
)

// space checks whether there is free space for the record.
func (e *examination) space() {
	free, ok := freeSpace(e.StateDir)
	if !ok || free >= scarce {
		return
	}
	severity := Warning
	if free < gone {
		severity = Error
	}
	e.add(severity, fmt.Sprintf("there are %d MB of room left at %s", free>>20, e.StateDir), "weir refuses calls that it cannot record",
		"make room, or lower audit.retention, audit.max_size or bodies.max_size in weir.yaml")
}

// record examines the store.
func (e *examination) record(ctx context.Context) {
	if e.config == nil {
		return
	}
	url := e.config.Store.URL
	found, known, err := store.URL(url).Versions(ctx)
	switch {
	case err != nil:
		e.add(Error, "the store cannot be opened: "+text(err), "weir refuses calls that it cannot record", "weir store migrate --check")
		return
	case found == 0:
		return // there is no store yet
	case found != known && e.hello != nil:
		e.add(Warning, fmt.Sprintf("the store has version %d, and this program knows version %d", found, known),
			"this program cannot read the record of the running weir", "restart weir with this program")
		return
	case found != known:
		return // weir serve will migrate it
	}
	reader, err := home.OpenReadOnly(ctx, url)
	if err != nil {
		e.add(Error, "the record cannot be read: "+text(err), "nobody can tell what happened", "weir store migrate --check")
		return
	}
	defer reader.Close()
	e.clock(ctx, reader)
}

// clock compares the clock with the record.
func (e *examination) clock(ctx context.Context, reader query.Source) {
	const tolerance = 5 * time.Minute
	for entry, err := range reader.Entries(ctx, query.Filter{Limit: 1, Newest: true}) {
		if err != nil {
			e.add(Error, "the record cannot be read: "+text(err), "nobody can tell what happened", "weir audit verify")
			return
		}
		event, err := entry.Event()
		if err == nil && event.Time.After(e.Now().Add(tolerance)) {
			e.add(Warning, fmt.Sprintf("the clock is at %s, and the record has an event of %s", e.Now().UTC().Format(time.DateTime),
				event.Time.UTC().Format(time.DateTime)),
				"limits, budgets and retention go by the clock", "set the clock")
		}
	}
}

// started examines what is known about the last start.
func (e *examination) started(context.Context) {
	if e.NotStarted != nil {
		e.add(Error, text(e.NotStarted), "weir run and weir mcp wrap cannot start weir as it was started last", "weir serve")
	}
	for _, path := range e.Started {
		if _, err := os.Stat(path); err != nil {
			e.add(Error, "weir was last started with "+path+", which does not exist",
				"weir run and weir mcp wrap start weir with it again, and fail", "weir serve --config FILE, with the current file")
		}
	}
}
