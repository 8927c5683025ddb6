package store

import (
	"context"
	"errors"
	"io"
	"net"
)

// Passing says whether a failure to read is temporary: the server restarts, the network is cut, another process holds the database.
// The same query may succeed later.
func Passing(err error) bool {
	for _, k := range databaseKinds {
		if goesAway, known := k.passing(err); known {
			return goesAway
		}
	}
	_, network := errors.AsType[*net.OpError](err)
	return network || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, context.DeadlineExceeded)
}
