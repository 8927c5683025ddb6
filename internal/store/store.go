// Package store keeps weir's records in a SQL database.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	_ "modernc.org/sqlite" // the driver
)

// A Reader reads a database. Another process may be writing to it, or none.
type Reader struct {
	db *sql.DB
}

// A Store reads and writes a database. Several processes may have the same one open; each writes its own chains.
type Store struct {
	*Reader
	write       *sql.DB // one connection: SQLite has one writer at a time
	insertEvent *sql.Stmt
	keepRuling  *sql.Stmt
	path        string
	files       *files
}

// Open opens the database at url for reading and writing. It creates or upgrades it first if need be.
//
// The url is "sqlite://" and a path, relative ("sqlite://weir.db") or not ("sqlite:///var/lib/weir/weir.db"). Folders
// that are missing are created for the user alone. The database's files are made readable and writable for the user
// alone, also if they were not before.
func Open(ctx context.Context, url string) (*Store, error) {
	path, err := pathOf(url)
	if err != nil {
		return nil, err
	}
	if path, err = prepareFile(path); err != nil {
		return nil, err
	}
	s := &Store{path: path}
	if s.Reader, err = newReader(path, readMode); err != nil {
		return nil, err
	}
	if s.write, err = sql.Open("sqlite", dsn(path, writeMode)); err != nil {
		return nil, sqlError("open "+path, err)
	}
	s.write.SetMaxOpenConns(1)
	if err := s.start(ctx); err != nil {
		s.write.Close()  //nolint:errcheck // the first error is the one to tell
		s.Reader.Close() //nolint:errcheck // likewise
		return nil, err
	}
	return s, nil
}

// start brings the database up to date and makes sure that it can be written.
func (s *Store) start(ctx context.Context) error {
	if err := prepareSchema(ctx, s.write, s.path); err != nil {
		return err
	}
	step := "open " + s.path
	// A file that cannot be written opens all the same, and even begins a transaction to write. A statement that would
	// write, but finds nothing to change, shows it now and not at the first call.
	_, err := s.write.ExecContext(ctx, "UPDATE "+versionTable+" SET version_id = version_id WHERE FALSE")
	if err != nil {
		return sqlError(step, err)
	}
	if s.insertEvent, err = s.write.PrepareContext(ctx, insertEvent); err != nil {
		return sqlError(step, err)
	}
	if s.keepRuling, err = s.write.PrepareContext(ctx, keepRuling); err != nil {
		return sqlError(step, err)
	}
	s.files = newFiles(s.path)
	if err := s.files.check(); err != nil {
		return fmt.Errorf("store: %s: %w", step, err)
	}
	return nil
}

// Close closes the database. What was appended is durable with or without it.
func (s *Store) Close() error {
	if err := errors.Join(s.Reader.Close(), s.insertEvent.Close(), s.keepRuling.Close(), s.write.Close()); err != nil {
		return sqlError("close "+s.path, err)
	}
	return nil
}

// OpenReadOnly opens the database at url for reading. It must exist; nothing is written to it.
func OpenReadOnly(ctx context.Context, url string) (*Reader, error) {
	path, err := pathOf(url)
	if err != nil {
		return nil, err
	}
	if path, err = findFile(path); err != nil {
		return nil, err
	}
	r, err := openReader(ctx, path, readMode)
	if err != nil && cannotShare(err) && !exists(path+"-wal") {
		// SQLite wants to put its files for sharing beside the database and cannot, as on a read-only disk. There is
		// no log to be merged, and so the file alone is the whole database.
		r, err = openReader(ctx, path, immutableMode)
	}
	return r, err
}

func openReader(ctx context.Context, path, mode string) (*Reader, error) {
	r, err := newReader(path, mode)
	if err != nil {
		return nil, err
	}
	if err := checkSchema(ctx, r.db, path); err != nil {
		r.Close() //nolint:errcheck // the first error is the one to tell
		return nil, err
	}
	return r, nil
}

// newReader returns a reader that connects when it is first used.
func newReader(path, mode string) (*Reader, error) {
	db, err := sql.Open("sqlite", dsn(path, mode))
	if err != nil {
		return nil, sqlError("open "+path, err)
	}
	db.SetMaxOpenConns(4)
	return &Reader{db: db}, nil
}

// Close closes the reader's connections.
func (r *Reader) Close() error { return r.db.Close() }
