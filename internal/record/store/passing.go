package store

import (
	"context"
	"errors"
	"io"
	"net"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"
	sqlite3 "modernc.org/sqlite/lib"
)

// Passing says whether a failure to read is of the kind that goes away by itself: the server restarts, the network is cut,
// another process holds the database. Asked again later, the same question may be answered.
func Passing(err error) bool {
	if code := sqlState(err); code != "" {
		// Connections that broke, resources that lack, a server that stops or starts.
		return slices.Contains([]string{"08", "53", "57"}, code[:2])
	}
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	_, network := errors.AsType[*net.OpError](err)
	switch resultCode(err) {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return true
	}
	return connecting || network || pgconn.Timeout(err) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, context.DeadlineExceeded)
}
