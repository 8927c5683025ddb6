package store

import (
	"context"
	"errors"
	"io"
	"net"
)

// Passing says whether a failure to read is of the kind that goes away by itself: the server restarts, the network is cut,
// another process holds the database. Asked again later, the same question may be answered.
func Passing(err error) bool {
	for _, k := range databaseKinds {
		if goesAway, known := k.passing(err); known {
			return goesAway
		}
	}
	_, network := errors.AsType[*net.OpError](err)
	return network || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, context.DeadlineExceeded)
}
