package store

import (
	"errors"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// sqliteTroubles are listed by SQLite's primary result code.
var sqliteTroubles = map[int]trouble{
	sqlite3.SQLITE_FULL:     {"disk full", "free space or move store.url"},
	sqlite3.SQLITE_BUSY:     {"another process holds the database", "end that process or change store.url"},
	sqlite3.SQLITE_LOCKED:   {"another connection holds the database", "end that process or change store.url"},
	sqlite3.SQLITE_READONLY: {"not writable", "make the file and its folder writable or change store.url"},
	sqlite3.SQLITE_CANTOPEN: {"cannot open", "make the file and its folder accessible or change store.url"},
	sqlite3.SQLITE_PERM:     {"no permission", "make the file and its folder accessible or change store.url"},
	sqlite3.SQLITE_IOERR:    {"disk failure", "check the disk or move store.url"},
	sqlite3.SQLITE_CORRUPT:  {"damaged database", "restore it from a backup, or move it away to begin a new one"},
	sqlite3.SQLITE_NOTADB:   {"not a SQLite database", "move that file away or change store.url"},
	sqlite3.SQLITE_TOOBIG:   {"event too large", "lower bounds.arguments"},
}

func sqliteTrouble(err error) (trouble, bool) {
	if e, ok := errors.AsType[*sqlite.Error](err); ok && e.Code() == sqlite3.SQLITE_IOERR_SHMSIZE {
		// The file for sharing cannot grow. SQLite does not say why, but the disk is nearly always the reason.
		return trouble{"disk full, or failing", "free space, check the disk or move store.url"}, true
	}
	t, ok := sqliteTroubles[resultCode(err)]
	return t, ok
}

func sqlitePassing(err error) (goesAway, known bool) {
	code := resultCode(err)
	held := code == sqlite3.SQLITE_BUSY || code == sqlite3.SQLITE_LOCKED
	return held, held
}

// resultCode is SQLite's primary result code, 0 if the error is not SQLite's.
func resultCode(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff
	}
	return 0
}

// raced says whether err may come from another process that prepares the same database.
func raced(err error) bool {
	switch resultCode(err) {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_SCHEMA:
		return true
	}
	return false
}

// cannotShare says whether err may come from a folder in which SQLite cannot create its files.
func cannotShare(err error) bool {
	code := resultCode(err)
	return code == sqlite3.SQLITE_READONLY || code == sqlite3.SQLITE_CANTOPEN
}
