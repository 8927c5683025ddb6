// Package store stores weir's record in a SQL database.
package store

import (
	"context"
	"errors"

	"github.com/weir-gate/weir/internal/record"
)

// A View reads a database. Another process may be writing to it.
type View struct {
	db database
	// present fails if the database was moved; nil: it cannot be moved. A connection to a file that was moved can still read it, but
	// decisions could not be recorded.
	present func() error
}

// demandPresent fails if the database was moved.
func (r *View) demandPresent() error {
	if r.present == nil {
		return nil
	}
	return r.present()
}

// A Store reads and writes a database. Several processes may have the same one open; each writes its own chains.
type Store struct {
	*View
	write database // one connection
	backend
}

// A backend writes to a kind of database.
type backend interface {
	// store stores runs of entries in one transaction, in order, and syncs.
	store(ctx context.Context, runs []run) error
	// head reads the head of a chain. When it returns, nothing that was sent before can still change the chain.
	head(ctx context.Context, chain string) (record.Head, error)
	// transact does work in one transaction, all or nothing, and syncs.
	transact(ctx context.Context, step string, work func(context.Context, transaction) error) error
	// transactAside is transact for data that no event depends on: where possible, events do not wait for it.
	transactAside(ctx context.Context, step string, work func(context.Context, transaction) error) error
	// check fails if the database cannot be written.
	check(ctx context.Context) error
	// dropped frees space after events were deleted.
	dropped(ctx context.Context) error
	// freeSpace gives space back to the disk, unless the database does that itself.
	freeSpace(ctx context.Context) error
	// close closes what the backend opened itself.
	close() error
	// String names the database.
	String() string
}

// Open opens the database at url for reading and writing. It creates its tables or upgrades them first if need be.
//
// The url is "sqlite://" and a path, relative ("sqlite://weir.db") or not ("sqlite:///var/lib/weir/weir.db"). Folders
// that are missing are created for the user alone. The database's files are made readable and writable for the user alone, also if
// they exist already.
//
// Or it is "postgres://" with user, host and database, as PostgreSQL's own programs have it. The database must exist. What the URL
// leaves out is taken from the environment (PGPASSWORD and the like). A server on another machine must use TLS unless the URL says
// otherwise.
func Open(ctx context.Context, url string) (*Store, error) {
	a, err := URL(url).address()
	if err != nil {
		return nil, err
	}
	return a.open(ctx)
}

// OpenReadOnly opens the database at url for reading. It must exist and be up to date; nothing is written to it.
func OpenReadOnly(ctx context.Context, url string) (*View, error) {
	a, err := URL(url).address()
	if err != nil {
		return nil, err
	}
	return a.openReadOnly(ctx)
}

// touch is an update that changes no rows.
const touch = "UPDATE chains SET seq = seq WHERE FALSE"

// CheckWritable fails if the database cannot be written now, or if that is not known before ctx ends. It leaves nothing changed.
func (s *Store) CheckWritable(ctx context.Context) error {
	if err := s.check(ctx); err != nil {
		return sqlError("check "+s.String(), err)
	}
	return nil
}

// Close closes the database. Appended entries are durable with or without it.
func (s *Store) Close() error {
	if err := errors.Join(s.View.Close(), s.close(), s.write.Close()); err != nil {
		return sqlError("close "+s.String(), err)
	}
	return nil
}

// Close closes the reader's connections.
func (r *View) Close() error { return r.db.Close() }
