package store

import (
	"context"
	"fmt"
	"time"
)

// applicationID marks a SQLite file as weir's ("weir" in ASCII), so that no other program's database is written to.
const applicationID = 0x77656972

// prepareSQLiteSchema creates the tables in an empty database and upgrades an older database.
func prepareSQLiteSchema(ctx context.Context, db database, path string) error {
	// Two processes may start on one empty file. The loser of that race finds a lock, or a table that did not exist a moment ago. When
	// it tries again, there is nothing left to do.
	const attempts, pause = 20, 50 * time.Millisecond
	var err error
	for range attempts {
		if err = upgradeSQLite(ctx, db, path); err == nil || !raced(err) {
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

func upgradeSQLite(ctx context.Context, db database, path string) error {
	step := "prepare " + path
	s, err := readSQLiteSchema(ctx, db, path)
	if err != nil {
		return err
	}
	if s.empty {
		// auto_vacuum must be set before anything is in the file.
		for _, set := range []string{"PRAGMA auto_vacuum = incremental", fmt.Sprintf("PRAGMA application_id = %d", applicationID)} {
			if _, err := db.ExecContext(ctx, set); err != nil {
				return sqlError(step, err)
			}
		}
	}
	var mode string
	if err := db.QueryRowContext(ctx, "PRAGMA journal_mode = wal").Scan(&mode); err != nil {
		return sqlError(step, err)
	}
	if mode != "wal" {
		return fmt.Errorf("store: %s: the file system does not allow a write-ahead log; change store.url", step)
	}
	if s.version == knownVersion {
		return nil
	}
	migrations, err := newMigrations(db)
	if err != nil {
		return err
	}
	if _, err := migrations.Up(ctx); err != nil {
		return sqlError(step, err)
	}
	if err := fillEvents(ctx, db); err != nil {
		return sqlError(step, err)
	}
	return nil
}

// readSQLiteSchema reads the schema. It fails for databases that this version of weir cannot use.
func readSQLiteSchema(ctx context.Context, db database, path string) (schema, error) {
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
	if err := db.QueryRowContext(ctx, selectVersion).Scan(&s.version); err != nil {
		return schema{}, sqlError(step, err)
	}
	if err := s.demandKnown(path); err != nil {
		return s, err
	}
	if err := s.demandFilled(ctx, db); err != nil {
		return s, sqlError(step, err)
	}
	return s, nil
}
