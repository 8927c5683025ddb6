package store

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

var postgresFlavour = flavour{
	migrations: "postgres",
	dialect:    goose.DialectPostgres,
	numbered:   true,
	together:   unnested,
	takeTurn:   takeTurn,
	ranged:     true,
	snapshot:   sql.LevelRepeatableRead,
	prefix:     200,                                          // as in the indexes
	unindexed:  func(column string) string { return column }, // the column picks the partitions
}

// How long a server may take. The server ends a statement first, so a missing response means that the network is cut.
const (
	statementWithin = 10 * time.Second
	answerWithin    = 12 * time.Second
	// Queries of people may take long.
	questionWithin = 5 * time.Minute
)

// A session has the settings of connections for one purpose.
type session struct {
	settings []setting
	within   time.Duration // bounds how long a query may take; 0: no bound
	most     int           // connections
}

// A setting is a parameter of the server, for one connection.
type setting struct{ name, value string }

var (
	// A writer that is cut off must not make others wait for its locks.
	writing = session{[]setting{
		{"statement_timeout", milliseconds(statementWithin)},
		{"idle_in_transaction_session_timeout", milliseconds(statementWithin)},
		{"tcp_keepalives_idle", "10"},
		{"tcp_keepalives_interval", "5"},
		{"tcp_keepalives_count", "3"},
	}, answerWithin, 1}
	reading = session{[]setting{
		{"statement_timeout", milliseconds(statementWithin)},
		{"default_transaction_read_only", "on"},
		{"plan_cache_mode", "force_custom_plan"}, // a filter's values determine which index and which months are used
		{"jit", "off"},                           // compiling a plan over many months takes longer than running it
	}, answerWithin, 4}
	asking = session{[]setting{
		{"statement_timeout", milliseconds(questionWithin)},
		{"default_transaction_read_only", "on"},
		{"plan_cache_mode", "force_custom_plan"},
		{"jit", "off"},
	}, questionWithin, 4}
	migrating = session{nil, 0, 1}
)

// milliseconds is a duration as the server expects it.
func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// connect returns a pool that connects when it is first used.
func (a postgresAddress) connect(s session) database {
	db := stdlib.OpenDB(*a.config, stdlib.OptionAfterConnect(func(ctx context.Context, c *pgx.Conn) error {
		var settings pgx.Batch
		for _, set := range s.settings {
			settings.Queue("SELECT set_config($1, $2, false)", set.name, set.value)
		}
		// A commit must not be reported before it is on disk. Stricter settings stay.
		settings.Queue("SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'")
		return c.SendBatch(ctx, &settings).Close()
	}))
	db.SetMaxOpenConns(s.most)
	db.SetMaxIdleConns(s.most)
	db.SetConnMaxIdleTime(5 * time.Minute)
	return database{DB: db, flavour: postgresFlavour, within: s.within}
}

func (a postgresAddress) open(ctx context.Context) (*Store, error) {
	if err := a.prepareSchema(ctx); err != nil {
		return nil, err
	}
	b := &postgresBackend{write: a.connect(writing), aside: a.connect(writing), name: a.name}
	s := &Store{View: &View{db: a.connect(reading)}, write: b.write, backend: b}
	err := a.demandRights(ctx, s.write)
	if err == nil {
		// Partitions are created now, so that problems show before the first call.
		if err = b.makeRoom(ctx, []int64{time.Now().UnixMicro()}); err != nil {
			err = sqlError("open "+a.name, err)
		}
	}
	if err != nil {
		s.Close() // the first error is the one to report
		return nil, err
	}
	return s, nil
}

func (a postgresAddress) openReadOnly(ctx context.Context) (*View, error) {
	r := &View{db: a.connect(asking)}
	s, err := a.readSchema(ctx, r.db)
	if err == nil {
		err = s.demandCurrent(a.name)
	}
	if err != nil {
		r.Close() // the first error is the one to report
		return nil, err
	}
	return r, nil
}

func (a postgresAddress) schemaVersion(ctx context.Context) (int64, error) {
	db := a.connect(asking)
	defer db.Close() // nothing was written
	s, err := a.readSchema(ctx, db)
	return s.version, err
}

// missingRights lists the rights that serving needs and the role lacks.
const missingRights = `SELECT current_user, coalesce(string_agg(wanted || ' on ' || thing, ', '), '') FROM (
	SELECT thing, wanted FROM (VALUES ('events', 'SELECT'), ('events', 'INSERT'), ('facets', 'SELECT'), ('facets', 'INSERT'),
		('tallies', 'SELECT'), ('tallies', 'INSERT'), ('tallies', 'UPDATE'), ('hours', 'SELECT'), ('hours', 'INSERT'), ('hours', 'UPDATE'),
		('chains', 'SELECT'), ('chains', 'INSERT'),
		('chains', 'UPDATE'), ('kept_rulings', 'SELECT'), ('kept_rulings', 'INSERT'), ('kept_rulings', 'UPDATE'),
		('budgets', 'SELECT'), ('budgets', 'INSERT'), ('budgets', 'UPDATE'), ('budgets', 'DELETE'),
		('bodies', 'SELECT'), ('bodies', 'INSERT'), ('bodies', 'DELETE'),
		('checkpoints', 'SELECT'), ('checkpoints', 'INSERT'),
		('mcp_servers', 'SELECT'), ('mcp_servers', 'INSERT'), ('mcp_servers', 'UPDATE'), ('mcp_servers', 'DELETE'),
		('mcp_tools', 'SELECT'), ('mcp_tools', 'INSERT'), ('mcp_tools', 'UPDATE'), ('mcp_tools', 'DELETE'),
		('mcp_pins', 'SELECT'), ('mcp_pins', 'INSERT'), ('mcp_pins', 'UPDATE'), ('mcp_pins', 'DELETE'),
		('mcp_revision', 'SELECT'), ('mcp_revision', 'UPDATE')) AS tables (thing, wanted)
		WHERE NOT has_table_privilege(thing, wanted)
	UNION ALL SELECT 'events_row_id', 'USAGE' WHERE NOT has_sequence_privilege('events_row_id', 'USAGE')
	UNION ALL SELECT 'add_events_month', 'EXECUTE' WHERE NOT has_function_privilege('add_events_month(bigint)', 'EXECUTE')
) AS missing`

// demandRights fails if the server cannot be written to, or the role lacks rights.
func (a postgresAddress) demandRights(ctx context.Context, db database) error {
	step := "open " + a.name
	ctx, cancel := db.bounded(ctx)
	defer cancel()
	var standby bool
	if err := db.QueryRowContext(ctx, "SELECT pg_is_in_recovery()").Scan(&standby); err != nil {
		return sqlError(step, err)
	}
	if standby {
		return fmt.Errorf("store: %s: the server is a standby, which only allows reading; let store.url name the primary server", step)
	}
	var role, missing string
	if err := db.QueryRowContext(ctx, missingRights).Scan(&role, &missing); err != nil {
		return sqlError(step, err)
	}
	if missing != "" {
		return fmt.Errorf("store: %s: the role %s lacks %s; grant what docs/store.md lists", step, role, missing)
	}
	return nil
}
