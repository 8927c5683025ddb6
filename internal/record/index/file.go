package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// ErrDamaged says that a part of the index is missing, or not as it was written, or from another version. The index can be rebuilt:
// delete its folder, and apply the logs again.
var ErrDamaged = errors.New("the index is damaged; delete its folder, so that it is rebuilt from the log")

// damaged is an error for a file.
func damaged(path string, why any) error {
	return fmt.Errorf("index: %s: %v: %w", path, why, ErrDamaged)
}

// trouble is what a failure to read or write a file means.
func trouble(path string, err error) error {
	if err == nil || errors.Is(err, ErrDamaged) {
		return err
	}
	if errors.Is(err, errGarbled) {
		return damaged(path, err)
	}
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		switch e.Code() & 0xff {
		case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_CONSTRAINT:
			return damaged(path, err) // a missing table is an error, too
		}
	}
	return fmt.Errorf("index: %s: %w", path, err)
}

// The format of partitions.
const (
	applicationID = 0x77697278 // "wirx"
	formatVersion = 2
	partitionEnds = ".part"
	newPartition  = "next" // one that is being made

	makeTables = `
		CREATE TABLE standing (
			first INTEGER NOT NULL, rows INTEGER NOT NULL, sealed INTEGER NOT NULL, block INTEGER NOT NULL, run INTEGER NOT NULL,
			proof INTEGER NOT NULL
		);
		CREATE TABLE chunks (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
		CREATE TABLE cursors (log TEXT PRIMARY KEY, at INTEGER NOT NULL, cut INTEGER NOT NULL) WITHOUT ROWID;
		CREATE TABLE earlier (
			first INTEGER PRIMARY KEY, rows INTEGER NOT NULL, since INTEGER NOT NULL, until INTEGER NOT NULL, logs BLOB NOT NULL
		);`
)

// The ways to open a partition. A commit need not be durable when it returns: the log is the truth, and after a power cut the cursor
// says what has to be applied again. It must only be whole, which NORMAL guarantees with a write-ahead log.
const (
	createMode = "mode=rwc&_txlock=immediate&_pragma=auto_vacuum(2)&_pragma=page_size(16384)&_pragma=synchronous(off)" // then it is synced
	writeMode  = "mode=rw&_txlock=immediate&_pragma=busy_timeout(20000)&_pragma=journal_mode(wal)&_pragma=synchronous(normal)" +
		"&_pragma=journal_size_limit(33554432)"
	readMode = "mode=ro&_pragma=busy_timeout(5000)&_pragma=query_only(1)"
)

func open(path, mode string) (*sql.DB, error) {
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: mode}
	return sql.Open("sqlite", u.String())
}

// partitionName is the name of the partition that begins with a row.
func partitionName(first int64) string { return fmt.Sprintf("%020d%s", first, partitionEnds) }

// partitionsIn returns the first rows of the partitions in a folder, ascending.
func partitionsIn(folder string) (all []int64, err error) {
	names, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	for _, e := range names { // sorted by name
		digits, ok := strings.CutSuffix(e.Name(), partitionEnds)
		if first, err := strconv.ParseInt(digits, 10, 64); ok && err == nil && partitionName(first) == e.Name() {
			all = append(all, first)
		}
	}
	return all, nil
}

// removePartition removes a database with the files beside it.
func removePartition(path string) error {
	var errs []error
	for _, ends := range []string{"", "-wal", "-shm", "-journal"} {
		if err := os.Remove(path + ends); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// A querier is a database or a transaction of one.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// keyOf is the key of a chunk.
func keyOf(kind column, n int64) int64 { return int64(kind)<<48 | n }

// A chunk is a packed part of a partition.
type chunk struct {
	n    int64
	data []byte
}

// chunks reads the chunks of a kind from a number on, up to and including another.
func chunks(ctx context.Context, db querier, kind column, from, to int64) (all []chunk, err error) {
	const query = "SELECT key, data FROM chunks WHERE key >= ? AND key <= ? ORDER BY key"
	rows, err := db.QueryContext(ctx, query, keyOf(kind, from), keyOf(kind, to))
	if err != nil {
		return nil, err
	}
	defer rows.Close() // it was read to the end, or there is an error already
	for rows.Next() {
		var c chunk
		if err := rows.Scan(&c.n, &c.data); err != nil {
			return nil, err
		}
		c.n -= keyOf(kind, 0)
		all = append(all, c)
	}
	return all, rows.Err()
}

// lastChunk is the highest number that a chunk can have.
const lastChunk = 1<<48 - 1

// A standing is how far a partition is.
type standing struct {
	first  int64 // row
	rows   int
	sealed bool // it is full: nothing in it changes any more
	block  int  // how many events a block has
	run    int  // how many blocks a run has
}

// readStanding reads the standing of a partition, and makes sure that it is one.
func readStanding(ctx context.Context, db querier) (s standing, err error) {
	var id, version int64
	if err := db.QueryRowContext(ctx, "SELECT * FROM pragma_application_id(), pragma_user_version()").Scan(&id, &version); err != nil {
		return s, err
	}
	if id != applicationID || version != formatVersion {
		return s, fmt.Errorf("it has format %d, and not %d: %w", version, formatVersion, errGarbled)
	}
	err = db.QueryRowContext(ctx, "SELECT first, rows, sealed, block, run FROM standing").Scan(&s.first, &s.rows, &s.sealed, &s.block, &s.run)
	if errors.Is(err, sql.ErrNoRows) || err == nil && (s.block < 1 || s.run < 1) {
		err = errGarbled
	}
	return s, err
}
