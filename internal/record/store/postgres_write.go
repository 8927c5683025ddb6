package store

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/weir-gate/weir/internal/record"
)

// A postgresBackend writes to a server.
//
// A batch is sent at once and is one transaction: the server has the events before it takes a lock, and the commit is already on
// its way. So others do not wait for a process that is slow or stopped. They do wait for a process whose network fails in that
// moment, until the server notices.
//
// When the connection breaks, a batch may still be on its way. Reading the head of a chain raises its fence: from then on the chain
// accepts only batches that were sent afterwards.
type postgresBackend struct {
	write database
	aside database // a separate connection for data that events must not wait for
	name  string

	mu     sync.Mutex
	months map[month]bool   // months that are known to have a partition
	fences map[string]int64 // by chain; 0: none was raised
}

// A month is a partition of events.
type month struct {
	year  int
	month time.Month
}

func monthOf(micros int64) month {
	t := time.UnixMicro(micros).UTC()
	return month{t.Year(), t.Month()}
}

// storeRun stores a run and moves its chain, in one statement: if one fails, the other fails, too.
var storeRun = `WITH stored AS (
	INSERT INTO events (` + storedColumns + `)
		SELECT ` + storedColumns + ` FROM unnest(` + arrayMarks(stored(record.Entry{})) + `)
			WITH ORDINALITY AS given (` + storedColumns + `, place)
		ORDER BY place
	RETURNING row_id, time, octet_length(text) AS size), noted AS (
	INSERT INTO hours (hour, first_row, last_row) SELECT time / 3600000000, min(row_id), max(row_id)
		FROM stored GROUP BY time / 3600000000` + orWiden + `)
	SELECT advance_chain(?, ?, ?, ?, ?, ?, count(*), coalesce(sum(size), 0)) FROM stored`

func (b *postgresBackend) String() string { return b.name }

func (b *postgresBackend) close() error { return b.aside.Close() }

func (b *postgresBackend) store(ctx context.Context, runs []run) error {
	// Once begun it is not cancelled: then it would be unknown whether it happened.
	ctx, cancel := b.write.bounded(context.WithoutCancel(ctx))
	defer cancel()
	var times []int64
	for _, r := range runs {
		for _, e := range r.entries {
			times = append(times, e.Micros)
		}
	}
	if err := b.makeRoom(ctx, times); err != nil {
		return err
	}
	err := b.send(ctx, runs)
	if sqlState(err) == "23514" {
		// There is no partition for the events: another process dropped an empty one. Nothing was stored.
		b.forgetRoom()
		if err = b.makeRoom(ctx, times); err == nil {
			err = b.send(ctx, runs)
		}
	}
	return err
}

// send stores runs and their consequences in one transaction.
func (b *postgresBackend) send(ctx context.Context, runs []run) error {
	var batch pgx.Batch
	text := b.write.flavour.text(storeRun)
	for _, r := range runs {
		batch.Queue(text, append(columnsOf(r.entries), r.to.Chain, r.from.Seq, r.from.Hash, r.to.Seq, r.to.Hash, b.fence(r.to.Chain))...)
	}
	for _, c := range consequences(b.write.flavour, runs) {
		batch.Queue(b.write.flavour.text(c.query), c.args...)
	}
	send := func() error { return b.raw(ctx, func(c *pgx.Conn) error { return c.SendBatch(ctx, &batch).Close() }) }
	err := send()
	if err != nil && pgconn.SafeToRetry(err) {
		err = send() // the connection was broken already, and nothing was sent
	}
	return err
}

// raw does work with the driver's connection.
func (b *postgresBackend) raw(ctx context.Context, work func(*pgx.Conn) error) error {
	conn, err := b.write.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close() // it goes back to the pool
	return conn.Raw(func(driver any) error {
		c, ok := driver.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("the connection is a %T", driver)
		}
		return work(c.Conn())
	})
}

// columnsOf are entries as arrays, in the order of storedColumns.
func columnsOf(entries []record.Entry) []any {
	rows := make([][]any, len(entries))
	for i, e := range entries {
		rows[i] = stored(e)
	}
	return arrays(rows)
}

// makeRoom creates missing partitions for events of these times.
func (b *postgresBackend) makeRoom(ctx context.Context, times []int64) error {
	ctx, cancel := b.write.bounded(ctx)
	defer cancel()
	for _, micros := range times {
		b.mu.Lock()
		known := b.months[monthOf(micros)]
		b.mu.Unlock()
		if known {
			continue
		}
		if _, err := b.write.ExecContext(ctx, "SELECT add_events_month($1)", micros); err != nil {
			return err
		}
		b.mu.Lock()
		if b.months == nil {
			b.months = map[month]bool{}
		}
		b.months[monthOf(micros)] = true
		b.mu.Unlock()
	}
	return nil
}

func (b *postgresBackend) forgetRoom() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.months = nil
}

// dropped drops the months that have no events any more.
func (b *postgresBackend) dropped(ctx context.Context) error {
	ctx, cancel := b.write.bounded(ctx)
	defer cancel()
	_, err := b.write.ExecContext(ctx, "SELECT drop_empty_events_months()")
	return err
}
