package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"time"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// applicationID marks a SQLite file as weir's ("weir" in ASCII), so that no other program's database is written to.
const applicationID = 0x77656972

// versionTable is where the migrations that were applied are noted.
const versionTable = "schema_version"

// prepareSchema makes an empty database weir's own and brings an older one up to date.
func prepareSchema(ctx context.Context, db *sql.DB, path string) error {
	// Two processes may start on one empty file. The loser of that race sees a lock, or a table that was not there
	// a moment ago; when it looks again there is nothing left to do.
	const attempts, pause = 20, 50 * time.Millisecond
	var err error
	for range attempts {
		if err = upgrade(ctx, db, path); err == nil || !raced(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
	return err
}

func upgrade(ctx context.Context, db *sql.DB, path string) error {
	step := "prepare " + path
	s, err := readSchema(ctx, db, path)
	if err != nil {
		return err
	}
	if s.empty {
		if _, err := db.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID)); err != nil {
			return sqlError(step, err)
		}
	}
	var mode string
	if err := db.QueryRowContext(ctx, "PRAGMA journal_mode = wal").Scan(&mode); err != nil {
		return sqlError(step, err)
	}
	if mode != "wal" {
		return fmt.Errorf("store: %s: the file system does not allow a write-ahead log; change store.url", step)
	}
	migrations, err := newMigrations(db)
	if err != nil {
		return err
	}
	if s.version == newest(migrations) {
		return nil
	}
	if _, err := migrations.Up(ctx); err != nil {
		return sqlError(step, err)
	}
	return nil
}

// checkSchema makes sure that a database that is only read has the schema that this version of weir knows.
func checkSchema(ctx context.Context, db *sql.DB, path string) error {
	s, err := readSchema(ctx, db, path)
	if err != nil {
		return err
	}
	migrations, err := newMigrations(db)
	if err != nil {
		return err
	}
	if s.version < newest(migrations) {
		return fmt.Errorf("store: %s is not up to date; start weir serve once, which upgrades it", path)
	}
	return nil
}

// A schema is what a database says of its tables.
type schema struct {
	empty   bool // it has none
	version int64
}

// readSchema refuses databases that this version of weir cannot use.
func readSchema(ctx context.Context, db *sql.DB, path string) (schema, error) {
	step := "open " + path
	var tables, id int64
	var versioned bool
	const count = "SELECT count(*), coalesce(sum(name = '" + versionTable + "'), 0) > 0 FROM sqlite_schema"
	if err := db.QueryRowContext(ctx, count).Scan(&tables, &versioned); err != nil {
		return schema{}, sqlError(step, err)
	}
	if tables == 0 {
		return schema{empty: true}, nil
	}
	if err := db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return schema{}, sqlError(step, err)
	}
	if id != applicationID {
		return schema{}, fmt.Errorf("store: %s is another program's database; change store.url", path)
	}
	if !versioned {
		return schema{}, nil
	}
	var s schema
	if err := db.QueryRowContext(ctx, "SELECT coalesce(max(version_id), 0) FROM "+versionTable).Scan(&s.version); err != nil {
		return schema{}, sqlError(step, err)
	}
	migrations, err := newMigrations(db)
	if err != nil {
		return schema{}, err
	}
	if known := newest(migrations); s.version > known {
		return schema{}, fmt.Errorf("store: %s has schema version %d, this weir knows %d; use the newer weir that wrote it, or change store.url",
			path, s.version, known)
	}
	return s, nil
}

func newMigrations(db *sql.DB) (*goose.Provider, error) {
	files, err := fs.Sub(migrationFiles, "migrations")
	if err != nil {
		return nil, fmt.Errorf("store: migrations: %w", err)
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithTableName(versionTable))
	if err != nil {
		return nil, fmt.Errorf("store: migrations: %w", err)
	}
	return p, nil
}

// newest is the schema version that this weir knows.
func newest(p *goose.Provider) int64 {
	sources := p.ListSources() // in ascending order, and never empty
	return sources[len(sources)-1].Version
}
