// Package home opens the place where a record is: logs that are kept beside a file, or a database on a server.
package home

import (
	"context"
	"math"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/bodies"
	"github.com/weir-gate/weir/internal/record/custodian"
	"github.com/weir-gate/weir/internal/record/follower"
	"github.com/weir-gate/weir/internal/record/kept"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/recordlog"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/record/verify"
)

// A View reads a record. Other processes may be writing to it.
type View interface {
	verify.Record
	// LastRow returns the last row; 0: there is none. Rows become visible in order.
	LastRow(ctx context.Context) (int64, error)
	Stats(ctx context.Context, q query.StatsQuery) (query.Stats, error)
	// StoredHead returns the newest stored event of a chain; if there is none, Seq is 0.
	StoredHead(ctx context.Context, chain string) (record.Head, error)
	// Bodies returns the bodies of a request.
	Bodies(ctx context.Context, requestID string) ([]bodies.Body, error)
	Registry(ctx context.Context) (registry.Stored, error)
	RegistryRevision(ctx context.Context) (int64, error)
	Close() error
}

// A Record reads and writes a record.
type Record interface {
	View
	custodian.Store
	registry.Store
	rulings
	archive
	// Spends returns what was spent since a time.
	Spends(ctx context.Context, since time.Time) ([]call.Spend, error)
	// CheckWritable fails if the record cannot be written now.
	CheckWritable(ctx context.Context) error
}

// rulings are those that must be remembered.
type rulings interface {
	Ruled(ctx context.Context, x call.Exchange, wireID string) (call.Ruling, bool, error)
	Refused(ctx context.Context, upstream, response string) ([]call.Remembered, error)
	RefusedIn(ctx context.Context, upstream, conversation string) ([]call.Remembered, error)
	Noticed(ctx context.Context, upstream, notice string) (call.Remembered, bool, error)
	SetAnswered(ctx context.Context, upstream, conversation string, wireIDs []string, answered bool) error
}

// archive takes bodies.
type archive interface {
	PutBodies(ctx context.Context, all []bodies.Body) error
	BodyStanding(ctx context.Context) (count int64, newest time.Time, err error)
	DropBodies(ctx context.Context, beyond bodies.Limit) (n int64, more bool, err error)
	FreeSpace(ctx context.Context) error
}

// Config says what is opened.
type Config struct {
	URL      string // of the store
	StateDir string // the state folder, which has the logs for a store on a server
	// OnError is called for what fails in the background; nil: not called.
	OnError func(error)
	// OnMoved is called while events of an earlier version are moved; nil: not called.
	OnMoved func(done, all int64)
}

// A Home is a record, and where the logs of those who write to it are.
type Home struct {
	Record
	logs string         // the folder of the logs
	kept *kept.Record   // nil: the logs are forgotten, because a server has the events
	into follower.Store // nil: the logs are kept
}

// Open opens a record for reading and writing.
func Open(ctx context.Context, c Config) (*Home, error) {
	logs, err := store.URL(c.URL).LogFolder(c.StateDir)
	if err != nil {
		return nil, err
	}
	if _, isFile := store.URL(c.URL).File(); isFile {
		r, err := kept.Open(ctx, kept.Config{URL: c.URL, OnError: c.OnError, OnMoved: c.OnMoved})
		if err != nil {
			return nil, err
		}
		return &Home{Record: r, logs: logs, kept: r}, nil
	}
	s, err := store.Open(ctx, c.URL)
	if err != nil {
		return nil, err
	}
	return &Home{Record: s, logs: logs, into: s}, nil
}

// OpenReadOnly opens a record for reading. It must exist and be up to date; nothing is written to it. What is only in the logs for a
// server is not there: see package catchup.
func OpenReadOnly(ctx context.Context, url string) (View, error) {
	if _, isFile := store.URL(url).File(); isFile {
		return kept.OpenReadOnly(ctx, kept.Config{URL: url})
	}
	return store.OpenReadOnly(ctx, url)
}

// Drain takes what processes that have ended left in their logs.
func (h *Home) Drain(ctx context.Context) (follower.Drained, error) {
	if h.into == nil {
		return follower.Drained{}, nil // it was taken when the record was opened
	}
	return follower.Drain(ctx, h.into, h.logs)
}

// Follow begins a log of this process, and what follows it. c says what else is wanted.
func (h *Home) Follow(c follower.Config) (*follower.Follower, error) {
	log, err := recordlog.Create(recordlog.Config{Folder: h.logs})
	if err != nil {
		return nil, err
	}
	c.Log, c.Store, c.Source = log, h.into, h.Record
	if h.kept != nil {
		c.Keeper = h.kept
		c.MaxBehind = math.MaxInt64 // what is not indexed is found in the log
	}
	return follower.New(c), nil
}
