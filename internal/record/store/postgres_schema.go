package store

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/pressly/goose/v3"
)

// prepareSchema creates the tables in an empty database and upgrades older tables. If there is nothing to do, it needs no rights.
func (a postgresAddress) prepareSchema(ctx context.Context) error {
	step := "prepare " + a.name
	db := a.connect(migrating)
	defer db.Close() // what was committed stays
	s, err := a.readSchema(ctx, db)
	if err != nil || s.version == knownVersion {
		return err
	}
	migrations, err := newMigrations(db, goose.WithSessionLocker(oneAtATime{}))
	if err != nil {
		return err
	}
	if _, err := migrations.Up(ctx); err != nil {
		return sqlError(step, err)
	}
	if err := fillEvents(ctx, db); err != nil {
		return sqlError(step, err)
	}
	// While this process waited for the lock, a newer weir may have upgraded the database.
	_, err = a.readSchema(ctx, db)
	return err
}

// oneAtATime lets one process at a time check a database and upgrade it.
type oneAtATime struct{}

// migrationLock is the number of the lock: "weir" in ASCII, above the numbers of other locks.
const migrationLock = 0x77656972 << 31

func (oneAtATime) SessionLock(ctx context.Context, c *sql.Conn) error {
	_, err := c.ExecContext(ctx, "SELECT pg_advisory_lock($1)", int64(migrationLock))
	return err
}

func (oneAtATime) SessionUnlock(ctx context.Context, c *sql.Conn) error {
	_, err := c.ExecContext(ctx, "SELECT pg_advisory_unlock($1)", int64(migrationLock))
	return err
}

// describeSchema selects the schema, the encoding, the number of tables that belong to no extension, whether the table of versions
// exists, and its comment.
const describeSchema = `SELECT coalesce(current_schema(), ''), current_setting('server_encoding'), count(c.oid),
		coalesce(bool_or(c.relname = '` + versionTable + `'), FALSE),
		coalesce(max(obj_description(c.oid, 'pg_class')) FILTER (WHERE c.relname = '` + versionTable + `'), '')
	FROM pg_namespace n LEFT JOIN pg_class c ON c.relnamespace = n.oid AND c.relkind IN ('r', 'p') AND NOT EXISTS (
		SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
	WHERE n.nspname = current_schema()`

// readSchema reads the schema. It fails for databases that this version of weir cannot use.
func (a postgresAddress) readSchema(ctx context.Context, db database) (schema, error) {
	step := "open " + a.name
	ctx, cancel := db.bounded(ctx)
	defer cancel()
	var name, encoding, mark string
	var tables int64
	var versioned bool
	if err := db.QueryRowContext(ctx, describeSchema).Scan(&name, &encoding, &tables, &versioned, &mark); err != nil {
		return schema{}, sqlError(step, err)
	}
	switch {
	case name == "":
		return schema{}, fmt.Errorf("store: %s: no schema of the search path is there; create it or change search_path in store.url", step)
	case encoding != "UTF8":
		return schema{}, fmt.Errorf("store: %s: the database has encoding %s; create one with ENCODING 'UTF8'", step, encoding)
	case tables == 0 || tables == 1 && versioned && mark == "":
		return schema{empty: true}, nil // or its creation has just begun
	case !versioned || mark != "weir":
		return schema{}, fmt.Errorf("store: %s: the schema %s holds another program's tables; give weir a database of its own, "+
			"or a schema, named by ?search_path= in store.url", step, name)
	}
	var s schema
	if err := db.QueryRowContext(ctx, selectVersion).Scan(&s.version); err != nil {
		return schema{}, sqlError(step, err)
	}
	if err := s.demandKnown(a.name); err != nil {
		return s, err
	}
	if err := s.demandFilled(ctx, db); err != nil {
		return s, sqlError(step, err)
	}
	return s, nil
}
