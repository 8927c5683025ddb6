package store

import (
	"context"
	"database/sql"
	"path/filepath"

	"github.com/pressly/goose/v3"
	_ "modernc.org/sqlite" // the driver
)

var sqliteFlavour = flavour{
	migrations: "sqlite",
	dialect:    goose.DialectSQLite3,
	unindexed:  func(column string) string { return "+" + column },
}

// A sqliteAddress is the absolute path of a file.
type sqliteAddress struct{ path string }

func (a sqliteAddress) String() string { return a.path }

func (a sqliteAddress) location() string {
	path := a.path
	// If the file does not exist yet, the links in its folder's path are resolved.
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	} else if target, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(target, filepath.Base(path))
	}
	return "sqlite://" + filepath.ToSlash(path)
}

func (a sqliteAddress) open(ctx context.Context) (*Store, error) {
	path, err := prepareFile(a.path)
	if err != nil {
		return nil, err
	}
	b := &sqliteBackend{path: path}
	s := &Store{backend: b}
	if s.View, err = newSQLiteView(path, readMode); err != nil {
		return nil, err
	}
	if b.write, err = openSQLite(path, writeMode); err != nil {
		return nil, err
	}
	s.write = b.write
	s.write.SetMaxOpenConns(1) // SQLite has one writer at a time
	if err := b.start(ctx); err != nil {
		s.write.Close() // the first error is the one to report
		s.View.Close()  // likewise
		return nil, err
	}
	s.present = b.files.check
	return s, nil
}

func (a sqliteAddress) openReadOnly(ctx context.Context) (*View, error) {
	path, err := findFile(a.path)
	if err != nil {
		return nil, err
	}
	r, err := openSQLiteView(ctx, path, readMode)
	if err != nil && cannotShare(err) && !exists(path+"-wal") {
		// SQLite cannot create its files for sharing beside the database, for example on a read-only disk. There is no log to be merged,
		// so the file alone is the whole database.
		r, err = openSQLiteView(ctx, path, immutableMode)
	}
	return r, err
}

func (a sqliteAddress) schemaVersion(ctx context.Context) (int64, error) {
	if !exists(a.path) {
		return 0, nil
	}
	path, err := findFile(a.path)
	if err != nil {
		return 0, err
	}
	r, err := newSQLiteView(path, readMode)
	if err != nil {
		return 0, err
	}
	defer r.Close() // nothing was written
	s, err := readSQLiteSchema(ctx, r.db, path)
	return s.version, err
}

func openSQLiteView(ctx context.Context, path, mode string) (*View, error) {
	r, err := newSQLiteView(path, mode)
	if err != nil {
		return nil, err
	}
	s, err := readSQLiteSchema(ctx, r.db, path)
	if err == nil {
		err = s.demandCurrent(path)
	}
	if err != nil {
		r.Close() // the first error is the one to report
		return nil, err
	}
	return r, nil
}

// newSQLiteView returns a view that connects when it is first used.
func newSQLiteView(path, mode string) (*View, error) {
	db, err := openSQLite(path, mode)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(4)
	return &View{db: db}, nil
}

func openSQLite(path, mode string) (database, error) {
	db, err := sql.Open("sqlite", dsn(path, mode))
	if err != nil {
		return database{}, sqlError("open "+path, err)
	}
	return database{DB: db, flavour: sqliteFlavour}, nil
}

// start upgrades the database and makes sure that it can be written.
func (b *sqliteBackend) start(ctx context.Context) error {
	if err := prepareSQLiteSchema(ctx, b.write, b.path); err != nil {
		return err
	}
	step := "open " + b.path
	b.files = newFiles(b.path, b.leastSize)
	// SQLite opens a file that cannot be written, and even begins a write transaction. This check finds that now, not at the first
	// call.
	err := b.check(ctx)
	if err != nil {
		return sqlError(step, err)
	}
	b.prepared = map[string]*sql.Stmt{}
	for _, query := range []string{insertEvent, moveChain, addFacet, addTally, addShares, addHour, insertRuling} {
		if b.prepared[query], err = b.write.PrepareContext(ctx, query); err != nil {
			return sqlError(step, err)
		}
	}
	return nil
}
